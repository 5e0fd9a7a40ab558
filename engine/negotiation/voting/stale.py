"""Says why a button of another round, or of another version of the plan, does not count."""

from engine.negotiation.errors import StaleVote
from engine.negotiation.state import Negotiation


def stale(state: Negotiation, number: int) -> StaleVote:
    """Say why a button of this round does not count, where it is of another round or plan than the newest."""
    latest = state.rounds[-1]
    if state.current is None and number == latest.number:
        return StaleVote(f"Round {number} is over, and nothing was changed. Vote on the next version in the thread.")
    newest = f"Round {latest.number} is {'open' if state.current else 'over, too'}; its plan is {latest.digest}"
    if number > latest.number:
        return StaleVote(f"There is no round {number} so far, and nothing was changed. {newest}.")
    if number < latest.number:
        return StaleVote(f"This belongs to round {number}, which is over, and nothing was changed. {newest}.")
    return StaleVote(
        f"This belongs to another version of the plan of round {number}: the plan was changed since, and your click "
        f"changed nothing. The round is open; its plan is {latest.digest}. Read it, and vote on that.",
        is_open=True,
    )
