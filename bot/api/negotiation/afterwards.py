"""What a demand led to besides its votes: gaps of the plan, degraded steps, going ahead, reopening."""

from bot.api.negotiation.schemas import CheckInTold, Degraded, Departure, Gap, GoingAhead, Search
from bot.views.negotiation.search.gap_search import GapSearch, gap_searches
from engine.kernel import iso
from engine.negotiation.afterwards.checked_in import CheckIn
from engine.negotiation.ids import demand_id
from engine.negotiation.state import Negotiation, Subnet


def gaps(state: Negotiation) -> tuple[Gap, ...]:
    return tuple(_gap(each) for each in gap_searches(state))


def _gap(lack: GapSearch) -> Gap:
    return Gap(
        gap_type=lack.gap.gap_type,
        importance=lack.gap.importance,
        reason=lack.gap.reason,
        search=_search(lack.subnet) if lack.subnet else None,
    )


def _search(subnet: Subnet) -> Search:
    found, failed = subnet.completed, subnet.failed
    return Search(
        status="found" if found else "failed" if failed else "running",
        demand_id=subnet.triggered.sub_demand_id,
        channel_id=subnet.triggered.sub_channel_id,
        deadline=iso(subnet.triggered.deadline),
        found=tuple(each.agent_id for each in found.found.assignments) if found else (),
        outcome=failed.reason if failed else None,
    )


def degraded(state: Negotiation) -> tuple[Degraded, ...]:
    return tuple(
        Degraded(prompt=each.prompt, error_code=each.why, agent_id=each.agent_id or None, round=each.round)
        for each in state.degraded
    )


def going_ahead(state: Negotiation) -> GoingAhead | None:
    decided = state.proceeded
    return GoingAhead(by=decided.by, at=iso(decided.at)) if decided else None


def given_up(state: Negotiation) -> tuple[Departure, ...]:
    return tuple(
        Departure(agent_id=each.agent_id, by=each.by, at=iso(each.at), lacks=each.lacks)
        for each in state.given_up.values()
    )


def check_ins(state: Negotiation) -> tuple[CheckInTold, ...]:
    return tuple(_check_in(each) for each in state.check_ins.values())


def _check_in(each: CheckIn) -> CheckInTold:
    asked, answer = each.asked, each.answer
    return CheckInTold(
        key=asked.key,
        agent_id=asked.agent_id or None,
        what=asked.what,
        day=asked.day,
        answer=None if answer is None else "late" if answer.is_late else "done",
        text=answer.text if answer else "",
        answered_at=iso(answer.at) if answer else None,
    )


def can_be_taken_back_until(state: Negotiation) -> str | None:
    return iso(state.reversals.until) if state.reversals.until else None


def reopened_from(state: Negotiation) -> str | None:
    """Return the id of the demand that failed before; None where there is none."""
    return demand_id(state.reopened_from) if state.reopened_from else None
