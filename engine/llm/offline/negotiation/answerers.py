"""Which function answers which prompt of a negotiation."""

from collections.abc import Mapping
from types import MappingProxyType

from engine.llm.offline.model import Answerer
from engine.llm.offline.negotiation.adjustments import adjust
from engine.llm.offline.negotiation.compromises import compromise
from engine.llm.offline.negotiation.feedback import vote
from engine.llm.offline.negotiation.gaps import identify
from engine.llm.offline.negotiation.offers import offer
from engine.llm.offline.negotiation.proposals import weave
from engine.llm.offline.negotiation.recursion import weigh
from engine.llm.offline.negotiation.shortlist import choose
from engine.llm.offline.negotiation.understanding import understand

ANSWERERS: Mapping[str, Answerer] = MappingProxyType(
    {
        "understand": understand,
        "filter": choose,
        "respond": offer,
        "aggregate": weave,
        "feedback": vote,
        "adjust": adjust,
        "gaps": identify,
        "recurse": weigh,
        "compromise": compromise,
    }
)
"""By the names of the prompts in prompts/negotiation."""
