"""The board of a delivery, which is edited in place: whoever comes late reads only this."""

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.fit import Fit
from bot.views.kit.mrkdwn import plain_line
from bot.views.kit.post import Post
from engine.delivery.state import Delivery


def board(state: Delivery, texts: Texts) -> Post:
    return Post.from_card(
        "board",
        Fit().line(state.brief.title, 120),
        lambda fit: _card(state, texts, fit),
        stream=state.session_id,
        texts=texts,
    )


def _card(state: Delivery, texts: Texts, fit: Fit) -> list[Block]:
    lines = [f"• {fit.line(each.task.title, 160)}" for each in fit.first([*state.tickets.values()], 40)]
    return [blocks.header(plain_line(state.brief.title, 140) or "…"), *blocks.titled_list("…", lines)]
