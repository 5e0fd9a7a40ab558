"""Which function answers which prompt of a delivery."""

from collections.abc import Mapping
from typing import Final

from engine.offline.delivery.managing import advise, discuss, instruct, propose, report, review, work
from engine.offline.delivery.planning import clarify, make_plan
from engine.offline.model import Answerer

ANSWERERS: Final[Mapping[str, Answerer]] = {
    "clarify": clarify,
    "plan": make_plan,
    "propose": propose,
    "discuss": discuss,
    "instruct": instruct,
    "work": work,
    "review": review,
    "advise": advise,
    "report": report,
}
"""By the names of the prompts in prompts/delivery."""
