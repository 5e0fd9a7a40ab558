"""What of a deliberation is erased where somebody is forgotten, or all of it.

A plan is forgotten as a whole with whoever asked for it, and with what it was made of. Of any other plan into which
somebody's words went, it is what they have said, and whatever was written since, which may quote them. What other
people have said by hand stays.
"""

from collections.abc import Sequence
from typing import Final

from engine.deliberation.commands import EraseWords, StopDeliberation
from engine.deliberation.events import CriticAsked, DeliberationOpened, PointRaised, PositionChosen
from engine.deliberation.state import Deliberation
from engine.deliberation.terms import Brief
from engine.kernel import OPERATOR, Command, Event, Forgetter, Link, Millis, Part, Whose

BY_HAND: Final = (PointRaised, CriticAsked, PositionChosen)
"""What people write themselves."""


def _twins_of(state: Deliberation, user_id: str) -> frozenset[str]:
    return frozenset(each.person_id for each in state.brief.people if user_id and each.user_id == user_id)


def _part_of(state: Deliberation, whose: Whose) -> Part | None:
    if whose.user_id and whose.user_id == state.requester_id:
        return Part.WHOLE
    acted = {each.by for each in state.points} | {each.by for each in state.questions}
    if state.choice is not None:
        acted.add(state.choice.by)
    return Part.OWN if _is_in(state.brief, whose) or (whose.user_id and whose.user_id in acted) else None


def _is_in(brief: Brief, whose: Whose) -> bool:
    named = {name for each in brief.people for name in (each.person_id, each.user_id)}
    named |= {each.by for each in brief.facts} | {each.owner for each in brief.tasks}
    return not named.isdisjoint({*whose.agent_ids, whose.user_id} - {""})


def _links(state: Deliberation) -> tuple[Link, ...]:
    origin = state.brief.origin
    return (Link(origin, is_later=False, is_part=False),) if origin else ()


def _quotes(state: Deliberation, whose: Whose) -> bool:
    """Whoever took part in what the plan was made of may be quoted in it."""
    return state.exists


def _leave(state: Deliberation, part: Part, whose: Whose, *, command_id: str, at: Millis) -> tuple[Command, ...]:
    """Stop what goes on: it is made of their words."""
    return (StopDeliberation(command_id=command_id, at=at, by=OPERATOR, as_admin=True),) if state.is_open else ()


def _quoting(history: Sequence[Event], part: Part, whose: Whose) -> frozenset[int]:
    if part is Part.WHOLE:
        return frozenset(range(len(history)))
    found: set[int] = set()
    is_known = part is Part.QUOTED
    for number, event in enumerate(history):
        is_theirs = bool(whose.user_id) and getattr(event, "by", "") == whose.user_id
        if isinstance(event, DeliberationOpened):
            is_known = is_known or _is_in(event.brief, whose)
        is_known = is_known or is_theirs
        if is_theirs or (is_known and not isinstance(event, BY_HAND)):
            found.add(number)
    return frozenset(found)


def _erase(state: Deliberation, part: Part, whose: Whose, *, command_id: str, at: Millis) -> tuple[EraseWords]:
    named = "" if part is Part.WHOLE else whose.user_id or min(whose.agent_ids, default="")
    return (EraseWords(command_id=command_id, at=at, whose=named),)


FORGETTER: Final = Forgetter(
    twins_of=_twins_of,
    part_of=_part_of,
    links=_links,
    quotes=_quotes,
    leave=_leave,
    quoting=_quoting,
    erase=_erase,
)
