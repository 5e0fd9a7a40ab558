"""How a negotiation changes when somebody of its agreed plan cannot any more, and another time is looked for."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from engine.kernel import Event
from engine.negotiation.events import (
    ConflictEnded,
    ConflictFound,
    ReschedulingAnswered,
    ReschedulingBegun,
    ReschedulingEnded,
)
from engine.negotiation.state import Conflict, Negotiation, Rescheduling


def _found(state: Negotiation, event: ConflictFound) -> Negotiation:
    earlier = state.conflicts.get(event.agent_id, ())
    kept = earlier[:-1] if earlier and earlier[-1].found.number == event.number else earlier
    return _with(state, event.agent_id, (*kept, Conflict(event)))


def _ended(state: Negotiation, event: ConflictEnded) -> Negotiation:
    earlier = state.conflicts.get(event.agent_id, ())
    if not earlier:  # they could not when it was agreed, and can now
        nothing = ConflictFound(
            demand_id=event.demand_id, channel_id=event.channel_id, agent_id=event.agent_id, number=event.number
        )
        return _with(state, event.agent_id, (Conflict(nothing, is_over=True),))
    last = replace(earlier[-1], kept_by=event.by) if event.by else replace(earlier[-1], is_over=True)
    return _with(state, event.agent_id, (*earlier[:-1], last))


def _with(state: Negotiation, agent_id: str, conflicts: tuple[Conflict, ...]) -> Negotiation:
    return replace(state, conflicts={**state.conflicts, agent_id: conflicts})


def _begun(state: Negotiation, event: ReschedulingBegun) -> Negotiation:
    return replace(state, reschedulings=(*state.reschedulings, Rescheduling(event)))


def _answered(state: Negotiation, event: ReschedulingAnswered) -> Negotiation:
    last = state.reschedulings[-1]
    answers = {**last.answers, **dict.fromkeys(event.agent_ids, event.keys)}
    return replace(state, reschedulings=(*state.reschedulings[:-1], replace(last, answers=answers)))


def _rescheduled(state: Negotiation, event: ReschedulingEnded) -> Negotiation:
    """Whoever has agreed to another time can then, and what kept them from the last one is over."""
    last = replace(state.reschedulings[-1], is_open=False, when=event.when)
    after = replace(state, reschedulings=(*state.reschedulings[:-1], last))
    if event.when is None:
        return after
    for agent_id in last.begun.agent_ids:
        if earlier := after.conflicts.get(agent_id):
            after = _with(after, agent_id, (*earlier[:-1], replace(earlier[-1], is_over=True)))
    return after


CHANGES: Final[Mapping[type[Event], Callable[[Negotiation, Any], Negotiation]]] = {
    ConflictFound: _found,
    ConflictEnded: _ended,
    ReschedulingBegun: _begun,
    ReschedulingAnswered: _answered,
    ReschedulingEnded: _rescheduled,
}
