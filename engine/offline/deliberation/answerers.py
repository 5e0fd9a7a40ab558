"""Which function answers which prompt of a deliberation."""

from collections.abc import Mapping
from typing import Final

from engine.offline.deliberation.positions import criticise, make_draft, make_plan, revise_plan
from engine.offline.deliberation.telling import close, read_brief, reply, say_decision, write_report
from engine.offline.model import Answerer

ANSWERERS: Final[Mapping[str, Answerer]] = {
    "brief": read_brief,
    "plan": make_plan,
    "draft": make_draft,
    "revise": revise_plan,
    "criticise": criticise,
    "host": say_decision,
    "close": close,
    "report": write_report,
    "reply": reply,
}
"""By the names of the prompts in prompts/deliberation."""
