"""Lists what a delivery posts in its thread: one board that stays one board, what has to be decided, the report."""

from bot.texts import Texts
from bot.views.delivery.board import board
from bot.views.delivery.decisions import decisions
from bot.views.delivery.report import report
from bot.views.kit.post import Post
from engine.delivery.state import Delivery
from engine.llm.port import Pause


def posts(state: Delivery, texts: Texts, pause: Pause | None = None) -> list[Post]:
    written = [report(state, state.report, texts)] if state.report else []
    return [board(state, texts, pause), *decisions(state, texts), *written]
