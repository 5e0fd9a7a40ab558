"""Lists what a delivery posts in its thread: one board that stays one board."""

from bot.texts import Texts
from bot.views.delivery.board import board
from bot.views.kit.post import Post
from engine.delivery.state import Delivery


def posts(state: Delivery, texts: Texts) -> list[Post]:
    return [board(state, texts)]
