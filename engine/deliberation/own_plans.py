"""Everybody's plans, to be found by whoever asked for them. Written in the commit that changes it.

| question | kind | key | while |
| --- | --- | --- | --- |
| what did they ask to have planned? | ``plan`` | requester / stream | it goes on |
| what did they ask for before? | ``ended_plan`` | requester / when it ended / stream | it has ended |
| where can they still choose? | ``undecided_plan`` | requester / stream | it ended with two positions that differ |

It holds nobody's words: those can be erased, and this stays. An objection and a question need no record: nobody waits
for somebody to write one.
"""

from collections.abc import Iterator
from typing import Final

from engine.deliberation.rounds.people import may_choose_now
from engine.deliberation.state import Deliberation, Status
from engine.kernel import Handled, Message, Millis, Place, Record, encode

PLAN: Final = "plan"
ENDED_PLAN: Final = "ended_plan"
UNDECIDED_PLAN: Final = "undecided_plan"


class OwnPlan(Message):
    """A deliberation that this person asked for."""

    stream: str
    status: Status
    since: Millis
    """When it came to this status."""
    place: Place


def plans(handled: Handled[Deliberation]) -> tuple[Record, ...]:
    """Return the records that have changed; most commands change none."""
    if not handled.events:
        return ()
    return (*_own(handled), *_undecided(handled))


def _own(handled: Handled[Deliberation]) -> Iterator[Record]:
    before, after = handled.before, handled.after
    if before.status is after.status:
        return
    if before.exists and not before.is_open:
        yield Record(ENDED_PLAN, _ended_key(before, handled.stream), None)
    record = encode(_record(handled))
    if after.is_open:
        yield Record(PLAN, _key(after, handled.stream), record)
    else:
        yield Record(PLAN, _key(after, handled.stream), None)
        yield Record(ENDED_PLAN, _ended_key(after, handled.stream), record)


def _undecided(handled: Handled[Deliberation]) -> Iterator[Record]:
    was, is_ = _is_undecided(handled.before), _is_undecided(handled.after)
    if was != is_:
        value = encode(_record(handled)) if is_ else None
        yield Record(UNDECIDED_PLAN, _key(handled.after, handled.stream), value)


def _is_undecided(state: Deliberation) -> bool:
    return state.status is Status.TERMINATED and may_choose_now(state)


def _record(handled: Handled[Deliberation]) -> OwnPlan:
    after = handled.after
    return OwnPlan(stream=handled.stream, status=after.status, since=handled.command.at, place=after.place)


def _key(state: Deliberation, stream: str) -> str:
    return f"{state.requester_id}/{stream}"


def _ended_key(state: Deliberation, stream: str) -> str:
    return f"{state.requester_id}/{state.ended_at:015}/{stream}"
