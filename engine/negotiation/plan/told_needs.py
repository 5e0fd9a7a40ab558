"""What everybody may be told of the demand's needs: who covers each, and whether they have accepted.

In a blind round that is not evaluated yet, nobody is told who has accepted.
"""

from collections.abc import Collection
from enum import StrEnum
from typing import Final

from pydantic import ConfigDict

from engine.kernel import Validated
from engine.negotiation.plan.coverage import NeedCoverage, accepters, brought, coverage, needs_of, wanted
from engine.negotiation.plan.proposals import without
from engine.negotiation.state import Negotiation, Round
from engine.negotiation.terms import Proposal


class NeedStatus(StrEnum):
    OPEN = "open"
    """There is no version of a plan yet."""
    MISSING = "missing"
    """Nobody in the version covers it."""
    PARTLY = "partly"
    """Too few people in the version cover it."""
    COVERED = "covered"
    """Somebody covers it who has not accepted the version."""
    ACCEPTED = "accepted"
    """Somebody covers it who has accepted the version."""


NOT_COVERED: Final = frozenset({NeedStatus.MISSING, NeedStatus.PARTLY})
"""The statuses of what a version lacks."""


class NeedTold(Validated):
    """One thing that the demand takes, and who covers it."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    need_id: str
    what: str
    essential: bool
    """Without it the demand is not met."""
    quantity: int
    """How many of it; 0 where the demand does not say."""
    wanted: int
    """How many people it takes: the quantity, where that counts people, else 1."""
    count: int
    """How many people cover it, with those whom they bring."""
    status: NeedStatus
    covered_by: tuple[str, ...] = ()
    """Agent ids."""
    accepted: tuple[str, ...] = ()
    """Those of them who have accepted this version."""


def needs_in_round(state: Negotiation, voted: Round) -> tuple[NeedTold, ...]:
    """Return the needs as the version of this round covers them."""
    accepted = frozenset[str]() if state.is_secret(voted) else accepters(voted)
    return _held(state, state.proposals[voted.version - 1], accepted)


def needs_now(state: Negotiation) -> tuple[NeedTold, ...]:
    """Return the needs as the plan covers them; before there is one, as those do who are in the newest version still.

    Votes of a round that is still open are left out.
    """
    if state.final is not None:
        return _held(state, state.final.final_proposal, agreeing(state))
    proposal = state.proposal
    if proposal is None:
        return tuple(
            _need_told(NeedCoverage(each, (), wanted=wanted(state, each)), NeedStatus.OPEN) for each in needs_of(state)
        )
    voted = [each for each in state.rounds if each.version == proposal.version and each.tally]
    staying = without(state, proposal, state.withdrawn)
    return _held(state, staying, accepters(voted[-1]) if voted else ())


def agreeing(state: Negotiation) -> frozenset[str]:
    """Return the agent ids of those who have accepted the plan, explicitly or assumed; nobody where there is none."""
    if state.final is None:
        return frozenset()
    agreed = decisive_round(state)
    still_in = {each.agent_id for each in state.final.final_proposal.assignments}
    return frozenset(state.final.confirmed_participants) | (accepters(agreed) & still_in if agreed else frozenset())


def decisive_round(state: Negotiation) -> Round | None:
    """Return the round in which the plan was agreed; where nothing was agreed, the last one that was evaluated."""
    if state.agreed is None:
        return next((each for each in reversed(state.rounds) if each.tally), None)
    version, confirmed = state.agreed.final_proposal.version, frozenset(state.agreed.confirmed_participants)
    voted = [each for each in reversed(state.rounds) if each.version == version]
    return next((each for each in voted if confirmed <= accepters(each)), voted[0] if voted else None)


def lacking(state: Negotiation) -> tuple[NeedTold, ...]:
    """Return the essential needs that nobody who has accepted the plan covers."""
    if state.final is None:
        return ()
    return tuple(each for each in needs_now(state) if each.essential and each.status is not NeedStatus.ACCEPTED)


def _held(state: Negotiation, version: Proposal, accepted: Collection[str]) -> tuple[NeedTold, ...]:
    def agreed(each: NeedCoverage) -> int:
        return brought(state, each.need, (agent_id for agent_id in each.covered_by if agent_id in accepted))

    return tuple(_need_told(each, _status(each, agreed(each)), accepted) for each in coverage(state, version))


def _status(covered: NeedCoverage, accepted: int) -> NeedStatus:
    """
    Args:
        accepted: how many have accepted who cover it.
    """
    if not covered.covered_by:
        return NeedStatus.MISSING
    if not covered.is_enough:
        return NeedStatus.PARTLY
    return NeedStatus.ACCEPTED if accepted >= covered.wanted else NeedStatus.COVERED


def _need_told(covered: NeedCoverage, status: NeedStatus, accepted: Collection[str] = ()) -> NeedTold:
    need = covered.need
    return NeedTold(
        need_id=need.need_id,
        what=need.what,
        essential=need.essential,
        quantity=need.quantity,
        wanted=covered.wanted,
        count=covered.count,
        status=status,
        covered_by=covered.covered_by,
        accepted=tuple(each for each in covered.covered_by if each in accepted),
    )
