"""Lists the posts that a deliberation should have: one card that stays one card, questions to the Critic, the plan."""

from bot.texts import Texts
from bot.views.deliberation.questions import questions
from bot.views.deliberation.report import report
from bot.views.deliberation.root import root
from bot.views.kit.post import Post
from bot.views.kit.presenter import AddressOf, no_address
from engine.deliberation.state import Deliberation
from engine.llm.port import Pause


def posts(state: Deliberation, texts: Texts, pause: Pause | None = None, address: AddressOf = no_address) -> list[Post]:
    if not state.exists or state.erased == "*":
        return []
    written = [report(state, state.report, texts)] if state.report else []
    return [root(state, texts, pause, address), *questions(state, texts), *written]
