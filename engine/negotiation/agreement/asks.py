"""What a model is asked where nobody agreed: what is still possible."""

from typing import Final

from engine.negotiation.agreement.compromise import failure_facts, refusals
from engine.negotiation.answers import Compromise
from engine.negotiation.ask_rows import Asking, AskRow, AskRows
from engine.negotiation.commands import RecordCompromise
from engine.negotiation.demand.reading import today
from engine.negotiation.given import CompromiseGiven, offers_made, votes_made
from engine.negotiation.plan.proposals import unfilled


def _given(asking: Asking) -> CompromiseGiven:
    state = asking.state
    return CompromiseGiven(
        demand=asking.demand,
        failure=failure_facts(state),
        available_resources=offers_made(state, besides=state.withdrawn),
        gaps=unfilled(state),
        feedbacks=votes_made(state) if state.rounds else (),
        refusals=tuple(refusals(state)),
        today=today(state),
    )


ASKS: Final[AskRows] = {
    "compromise": AskRow(
        returns=Compromise,
        given=_given,
        record=lambda _, answer, recorded: RecordCompromise(compromise=answer, **recorded),
    ),
}
