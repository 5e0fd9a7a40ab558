"""Asks, on the day before something is due, whoever has promised it: is it done, or will it be late? Somebody is asked
where the policy says so, and where whoever asked wanted it when they had the plan carried out.

What is due is each step of the plan that has a date, and each promise whose seat has its own time or where the plan has
no such step. A step is whoever's the plan says that it is; where it is nobody's alone, whoever asked is asked.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final
from zoneinfo import ZoneInfo

from msgspec import Struct

from engine.errors import Duplicate, IllegalStep, NotAllowed
from engine.facts.circumstances import When
from engine.kernel import AlarmRang, Millis, Outstanding
from engine.negotiation.afterwards.commitments import Commitment, commitments, keepers
from engine.negotiation.commands import AnswerCheckIn
from engine.negotiation.drafting import NegotiationDraft
from engine.negotiation.events import CheckInAnswered, CheckInAsked
from engine.negotiation.plan.parts import day_of, iso_day
from engine.negotiation.state import Negotiation

CHECK_IN: Final = "check-in"
"""The first part of an alarm's name, before a slash and the key of what is due."""
AT: Final = time(9)


class Due(Struct, frozen=True, gc=False):
    """Something that is due on a day."""

    key: str
    """``seat/AGENT`` or ``step/NUMBER``, the number counted from 1."""
    agent_id: str
    """Whose it is; empty where it is whoever asked."""
    what: str
    day: date


def due(state: Negotiation) -> dict[str, Due]:
    """Return what is due by the agreed plan, by its key; empty if nobody is to be asked."""
    is_wanted = state.policy.check_ins or (state.proceeded is not None and state.proceeded.reminds)
    return dated(state) if is_wanted else {}


def dated(state: Negotiation) -> dict[str, Due]:
    """Return the same whether or not anybody is to be asked."""
    if state.final is None:
        return {}
    promised = commitments(state)
    steps = [*_steps(state, promised)]
    seats = (each for each in promised if not steps or each.seat.when != When())
    found = [*steps, *(each for seat in seats if (each := _seat(seat)))]
    return {each.key: each for each in found}


def _steps(state: Negotiation, promised: tuple[Commitment, ...]) -> Iterator[Due]:
    assert state.final is not None, "there is no plan"  # noqa: S101 - `dated` has looked
    here = {each.agent_id for each in promised}
    for number, step in enumerate(state.final.final_proposal.timeline.milestones, 1):
        if day := day_of(step):
            whose = step.agent_id if step.agent_id in here else ""
            yield Due(f"step/{number}", whose, step.name or step.deliverable, day)


def _seat(promise: Commitment) -> Due | None:
    day = iso_day(promise.when.first or promise.when.last)
    what = promise.seat.role or promise.seat.responsibility
    return Due(f"seat/{promise.agent_id}", promise.agent_id, what, day) if day else None


def follow(draft: NegotiationDraft, before: Negotiation, at: Millis) -> None:
    """Set an alarm for each thing that has become due with the plan as it stands now, and clear those of others."""
    draft.settle(outstanding(before, at), outstanding(draft.state, at))


def outstanding(state: Negotiation, at: Millis) -> Outstanding:
    """What is waited for before somebody is asked. What was due too soon for that when it was agreed is not asked
    about, so that this depends on the time as well.
    """
    moments = {key: _the_day_before(state, each.day) for key, each in due(state).items() if key not in state.check_ins}
    return Outstanding({}, {f"{CHECK_IN}/{key}": moment for key, moment in moments.items() if moment > at})


def _the_day_before(state: Negotiation, day: date) -> Millis:
    """Nine in the morning, in the plan's time zone or else that of whoever asked."""
    assert state.final is not None, "there is no plan"  # noqa: S101 - `due` has looked
    zone = state.final.final_proposal.when.time_zone or state.time_zone
    return round(datetime.combine(day - timedelta(days=1), AT, _zone(zone)).timestamp() * 1000)


def _zone(name: str) -> tzinfo:
    try:
        return ZoneInfo(name) if name else UTC
    except (ValueError, OSError):  # no zone of this name, or not here
        return UTC


def relied_on(state: Negotiation, alarm: str) -> frozenset[str]:
    """Return who would be asked once an alarm has rung: whether they have an account has to be known first."""
    each = due(state).get(alarm.removeprefix(f"{CHECK_IN}/"))
    return frozenset(keepers(state, each.agent_id)[:1]) if each is not None and each.agent_id else frozenset()


def alarm_rang(draft: NegotiationDraft, alarm: AlarmRang) -> None:
    key = alarm.name.removeprefix(f"{CHECK_IN}/")
    each = due(draft.state).get(key)
    if each is None or key in draft.state.check_ins or alarm.at < _the_day_before(draft.state, each.day):
        return
    draft.happens(CheckInAsked(**draft.ids, key=key, agent_id=each.agent_id, what=each.what, day=each.day.isoformat()))


def answer(draft: NegotiationDraft, command: AnswerCheckIn) -> None:
    check_answering(draft.state, command.by, command.key)
    said = draft.state.check_ins[command.key].answer
    if said is not None and (said.is_late, said.text) == (command.is_late, command.text):
        raise Duplicate("That was said already.")
    draft.happens(
        CheckInAnswered(
            **draft.ids, key=command.key, by=command.by, at=command.at, is_late=command.is_late, text=command.text
        )
    )


def check_answering(state: Negotiation, by: str, key: str) -> None:
    asked = state.check_ins.get(key)
    if asked is None:
        raise IllegalStep("Nobody was asked about this.")
    if by not in answerers(state, asked.asked):
        raise NotAllowed("Only whose part it is, or their delegate, can say how it stands.")
    if asked.asked.agent_id in state.given_up:
        raise IllegalStep("This part was given up.")


def answerers(state: Negotiation, asked: CheckInAsked) -> tuple[str, ...]:
    return keepers(state, asked.agent_id) if asked.agent_id else (state.requester_id,)
