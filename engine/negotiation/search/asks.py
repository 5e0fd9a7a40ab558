"""What a model is asked of a plan that was agreed: what it lacks, and whether that is worth its own negotiation."""

from typing import Final

from engine.negotiation.answers import EstimatedCost, GapAnalysis, RecursionAnswer
from engine.negotiation.ask_rows import Asking, AskRow, AskRows
from engine.negotiation.commands import RecordGaps, RecordRecursion
from engine.negotiation.demand.reading import today
from engine.negotiation.given import GapsGiven, RecurseGiven, votes_made
from engine.negotiation.search.gaps import important_gaps

TOKENS: Final = 5_000
SECONDS: Final = 30
"""What a subnet is estimated to cost (seed 000, section 3.3.8)."""


def _to_find_gaps(asking: Asking) -> GapsGiven:
    return GapsGiven(asking.demand, asking.agreed, votes_made(asking.state), today(asking.state))


def _to_recurse(asking: Asking) -> RecurseGiven:
    gaps = important_gaps(asking.state)
    cost = EstimatedCost(tokens=TOKENS * len(gaps), time_seconds=SECONDS * len(gaps))
    return RecurseGiven(asking.demand, gaps, asking.agreed, cost, today(asking.state))


ASKS: Final[AskRows] = {
    "gaps": AskRow(
        returns=GapAnalysis,
        given=_to_find_gaps,
        stand_in=lambda _: GapAnalysis(gaps=()),
        record=lambda _, answer, recorded: RecordGaps(analysis=answer, **recorded),
    ),
    "recurse": AskRow(
        returns=RecursionAnswer,
        given=_to_recurse,
        stand_in=lambda _: RecursionAnswer(condition_1_met=False, condition_2_met=False, condition_3_met=False),
        record=lambda _, answer, recorded: RecordRecursion(answer=answer, **recorded),
    ),
}
