"""Another time for an agreed plan: whoever is needed then says at which of a few times they can instead.

A small negotiation of those concerned, in the stream of the plan. Its times are those at which all of them can, as far
as that is known. The first one to which each of them has said yes, and whoever asked, is when the plan takes place
from then on. Nobody's silence is a yes: where somebody can at none of them, or their time is over, the plan stays as
it was.
"""

from datetime import datetime
from typing import Final

from engine.errors import Duplicate, IllegalStep, NotAllowed
from engine.facts.asked import zone_of
from engine.facts.circumstances import When
from engine.kernel import AlarmRang, Millis, iso
from engine.negotiation.afterwards.commitments import commitments, keepers
from engine.negotiation.afterwards.conflicts import check_conflict
from engine.negotiation.commands import AnswerTimes, FindTime
from engine.negotiation.drafting import NegotiationDraft
from engine.negotiation.events import (
    ProposalAmended,
    ReschedulingAnswered,
    ReschedulingBegun,
    ReschedulingEnded,
)
from engine.negotiation.plan.times import key_of, needed_then
from engine.negotiation.search.amendments import amendment
from engine.negotiation.state import Negotiation, Rescheduling

RESCHEDULING: Final = "rescheduling"
"""The first part of an alarm's name, before a slash and the number of the asking."""
A_DAY: Final[Millis] = 86_400_000
"""For so long people are asked at the least, however short a round is; but no longer than up to the first time."""
AN_HOUR: Final[Millis] = 3_600_000
"""What begins sooner is not asked about any more."""
REQUESTER: Final = ""
"""Under which the yes of whoever asked is kept, beside the agent ids."""


def begin(draft: NegotiationDraft, command: FindTime) -> None:
    """Ask those who are needed for another time.

    Raises:
        NotAllowed, Duplicate, IllegalStep
    """
    state = draft.state
    conflict = check_conflict(state, command.agent_id)
    if command.by not in (*keepers(state, command.agent_id), state.requester_id):
        raise NotAllowed("Only whoever cannot, or the person who asked, can have another time found.")
    if open_now(state) is not None:
        raise Duplicate("Another time is being looked for already.")
    found = conflict.found.found
    times = [each.when for each in found.times if _begins(each.when) >= command.at + AN_HOUR] if found else []
    if not times:
        raise IllegalStep("No other time is known at which everybody can who is needed.")
    together = _together(state)
    is_own = command.agent_id not in together
    window = max(round(1000 * state.policy.human_window), A_DAY)
    draft.happens(
        ReschedulingBegun(
            **draft.ids,
            number=len(state.reschedulings) + 1,
            by=command.by,
            agent_id=command.agent_id if is_own else "",
            agent_ids=(command.agent_id,) if is_own else together,
            when=conflict.found.when,
            times=tuple(times),
            until=min(command.at + window, *map(_begins, times)),
        )
    )


def _begins(when: When) -> Millis:
    day = datetime.fromisoformat(f"{when.first}T{when.start}").replace(tzinfo=zone_of(when.time_zone))
    return round(day.timestamp() * 1000)


def _together(state: Negotiation) -> tuple[str, ...]:
    """Return the agent ids of those who have agreed, and are needed when the plan takes place."""
    return tuple(each.agent_id for each in needed_then([each.seat for each in commitments(state)]))


def open_now(state: Negotiation) -> Rescheduling | None:
    last = state.reschedulings[-1] if state.reschedulings else None
    return last if last is not None and last.is_open and not state.is_plan_erased else None


def voters(state: Negotiation, asking: Rescheduling) -> dict[str, tuple[str, ...]]:
    """Return who may say yes for each of those whose yes it takes and who have their part still."""
    parts = {each: keepers(state, each) for each in asking.begun.agent_ids if each not in state.given_up}
    return {REQUESTER: (state.requester_id,), **parts}


def answer(draft: NegotiationDraft, command: AnswerTimes) -> None:
    """Take at which of the times somebody can.

    Raises:
        NotAllowed, Duplicate, IllegalStep
    """
    asking, parts = check_answering(draft.state, command.by, command.round)
    known = {key_of(each) for each in asking.begun.times}
    if command.key and command.key not in known:
        raise IllegalStep("That is none of the times that are asked about.")
    said = {each: asking.answers.get(each) for each in parts}
    keys = tuple(sorted({*(key for each in said.values() for key in each or ()), command.key})) if command.key else ()
    if all(each == keys for each in said.values()):
        raise Duplicate("That was said already.")
    draft.happens(ReschedulingAnswered(**draft.ids, number=command.round, by=command.by, agent_ids=parts, keys=keys))
    _settle(draft, command.at)


def check_answering(state: Negotiation, by: str, number: int) -> tuple[Rescheduling, tuple[str, ...]]:
    """Return the asking, and for whom this user answers it.

    Raises:
        NotAllowed, IllegalStep
    """
    asking = open_now(state)
    if asking is None or asking.begun.number != number:
        raise IllegalStep("It is over: nobody is asked for these times any more.")
    parts = tuple(part for part, users in voters(state, asking).items() if by in users)
    if not parts:
        raise NotAllowed("Only those who are needed, and the person who asked, can say at which time they can.")
    return asking, parts


def _settle(draft: NegotiationDraft, at: Millis) -> None:
    asking = open_now(draft.state)
    if asking is None:
        return
    needed = voters(draft.state, asking)
    if any(asking.answers.get(each) == () for each in needed):
        _end(draft, asking, None, at)
        return
    for each in asking.begun.times:
        if all(key_of(each) in asking.answers.get(part, ()) for part in needed):
            _end(draft, asking, each, at)
            return


def _end(draft: NegotiationDraft, asking: Rescheduling, when: When | None, at: Millis) -> None:
    draft.happens(ReschedulingEnded(**draft.ids, number=asking.begun.number, when=when))
    if when is not None:
        amended = amendment(draft.state, iso(at))
        draft.happens(ProposalAmended(**draft.ids, **amended, sub_channel_id="", gap_type=""))


def follow(draft: NegotiationDraft, before: Negotiation, at: Millis) -> None:
    """Go on without somebody who has given their part up since; nothing is left to be asked where nobody stays."""
    asking = open_now(draft.state)
    if asking is None or draft.state.given_up is before.given_up:
        return
    if all(each in draft.state.given_up for each in asking.begun.agent_ids):
        _end(draft, asking, None, at)
    else:
        _settle(draft, at)


def alarm_rang(draft: NegotiationDraft, alarm: AlarmRang) -> None:
    asking = open_now(draft.state)
    if asking is not None and alarm.name == alarm_of(asking) and alarm.at >= asking.begun.until:
        _end(draft, asking, None, alarm.at)


def alarm_of(asking: Rescheduling) -> str:
    return f"{RESCHEDULING}/{asking.begun.number}"


def may_be_begun(state: Negotiation, agent_id: str) -> bool:
    """Whether another time can be asked for, since somebody cannot."""
    conflict = state.conflicts.get(agent_id, ())
    found = conflict[-1].found.found if conflict and conflict[-1].stands else None
    return found is not None and bool(found.times) and open_now(state) is None
