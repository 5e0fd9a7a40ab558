"""A message of the thread in which whoever asked is asked something; nothing goes on without them."""

from bot.texts import Texts
from bot.views.kit.fit import Card
from bot.views.kit.post import Post
from engine.negotiation.state import Negotiation


def asks_requester(state: Negotiation, key: str, text: str, card: Card, texts: Texts, *, is_open: bool) -> Post:
    """
    Args:
        is_open: whether their answer is waited for; if it is deleted meanwhile, it is posted again.
    """
    return Post.from_card(key, text, card, stream=state.channel_id, texts=texts, restored=is_open)
