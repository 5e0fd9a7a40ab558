"""Lists the posts that a deliberation should have: one card that stays one card, questions to the Critic, the plan."""

from bot.texts import Texts
from bot.views.deliberation.questions import questions
from bot.views.deliberation.report import report
from bot.views.deliberation.root import root
from bot.views.kit.post import Post
from engine.deliberation.state import Deliberation
from engine.llm.port import Pause


def posts(state: Deliberation, texts: Texts, pause: Pause | None = None) -> list[Post]:
    if not state.exists or state.erased == "*":
        return []
    written = [report(state, state.report, texts)] if state.report else []
    return [root(state, texts, pause), *questions(state, texts), *written]
