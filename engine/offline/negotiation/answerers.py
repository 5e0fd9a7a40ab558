"""Which function answers which prompt of a negotiation."""

from collections.abc import Mapping
from typing import Final

from engine.offline.model import Answerer
from engine.offline.negotiation.adjustments import revise_proposal
from engine.offline.negotiation.afterwards import find_gaps, judge_recursion, propose_compromise
from engine.offline.negotiation.feedback import give_feedback, read_request, verify
from engine.offline.negotiation.offers import make_offer
from engine.offline.negotiation.proposals import draft_proposal
from engine.offline.negotiation.shortlist import choose_people
from engine.offline.negotiation.understanding import understand

ANSWERERS: Final[Mapping[str, Answerer]] = {
    "understand": understand,
    "filter": choose_people,
    "respond": make_offer,
    "aggregate": draft_proposal,
    "feedback": give_feedback,
    "adjust": revise_proposal,
    "gaps": find_gaps,
    "recurse": judge_recursion,
    "compromise": propose_compromise,
    "verify": verify,
    "read_request": read_request,
}
"""By the names of the prompts in prompts/negotiation."""
