"""The direct messages to linked people whose twins could not answer: their own offer is waited for."""

from collections.abc import Iterator

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.button_values import StreamButton
from bot.views.kit.fit import Card, Fit
from bot.views.kit.mrkdwn import local_time
from bot.views.kit.post import Post
from bot.views.kit.readers import Readers
from bot.views.negotiation.button_values import CORRECT
from bot.views.negotiation.direct_messages import demand_line, direct_message, thread_link
from bot.views.negotiation.plan.needs import asked_for
from engine.negotiation.offers.collecting import is_awaited
from engine.negotiation.state import Negotiation


def own_offer_key(state: Negotiation, agent_id: str) -> str:
    """The key is another one after the demand was edited, since everybody is asked anew."""
    return f"own-offer-{state.discarded}/{agent_id}"


def is_discarded_offer(state: Negotiation, key: str) -> bool:
    """Whether a message is about an offer to the demand as it was before it was edited."""
    kind, _, number = key.partition("/")[0].rpartition("-")
    return kind in ("own-offer", "twin-offer") and number.isdigit() and int(number) < state.discarded


def own_offers(state: Negotiation, readers: Readers) -> Iterator[Post]:
    for agent_id in state.asked_in_person:
        user_id = state.invited[agent_id].user_id
        if not user_id:
            continue
        key = own_offer_key(state, agent_id)
        texts = readers.texts(user_id, key)
        is_open = is_awaited(state, agent_id)
        title = _title(state, agent_id, texts)
        card = _card(state, title, texts, readers.address(""), is_open=is_open)
        until = state.offers_due if is_open else 0
        yield direct_message(state, key, user_id, title, texts, card, is_late=not is_open, until=until)


def _title(state: Negotiation, agent_id: str, texts: Texts) -> str:
    if what := asked_for(state, agent_id, texts, lambda each: Fit().line(each, 80)):
        return texts.say(
            "“{demand}”: nobody covers {what}, and your twin could not answer. Do you take part?",
            demand=demand_line(state, Fit()),
            what=what,
        )
    return texts.say("“{demand}”: your twin could not answer. Do you take part?", demand=demand_line(state, Fit()))


def _card(state: Negotiation, title: str, texts: Texts, thread: str, *, is_open: bool) -> Card:
    def card(fit: Fit) -> list[Block]:
        shown = [blocks.section(f"*{title.replace('*', '')}*")]
        if is_open:
            until = local_time(state.offers_due, texts)
            shown.append(blocks.section(texts.say("Say it yourself until {moment}, or nobody does.", moment=until)))
            handle = StreamButton(stream=state.channel_id).value()
            shown.append(blocks.actions(blocks.button(texts.say("Answer…"), CORRECT, handle, style="primary")))
        return [*shown, *thread_link(state, texts, thread)]

    return card
