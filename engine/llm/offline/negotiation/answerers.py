"""Which function answers which prompt of a negotiation."""

from collections.abc import Mapping
from types import MappingProxyType

from engine.llm.offline.model import Answerer
from engine.llm.offline.negotiation.adjustments import revise_proposal
from engine.llm.offline.negotiation.compromises import propose_compromise
from engine.llm.offline.negotiation.feedback import give_feedback
from engine.llm.offline.negotiation.gaps import find_gaps
from engine.llm.offline.negotiation.offers import make_offer
from engine.llm.offline.negotiation.proposals import draft_proposal
from engine.llm.offline.negotiation.recursion import judge_recursion
from engine.llm.offline.negotiation.shortlist import choose_people
from engine.llm.offline.negotiation.understanding import understand

ANSWERERS: Mapping[str, Answerer] = MappingProxyType(
    {
        "understand": understand,
        "filter": choose_people,
        "respond": make_offer,
        "aggregate": draft_proposal,
        "feedback": give_feedback,
        "adjust": revise_proposal,
        "gaps": find_gaps,
        "recurse": judge_recursion,
        "compromise": propose_compromise,
    }
)
"""By the names of the prompts in prompts/negotiation."""
