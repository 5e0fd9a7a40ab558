"""Invites somebody to what was agreed: a file for their own calendar, which changes there when the plan does."""

from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.export.file import LONGEST_TITLE, File
from bot.views.kit.export.form import Format
from bot.views.kit.export.ics import Guest, Meeting, meeting_file
from bot.views.kit.mrkdwn import plain_line, safe_line
from engine.facts.asked import zone_of
from engine.facts.circumstances import When
from engine.kernel import Message, Millis
from engine.negotiation.afterwards.commitments import Commitment, commitments
from engine.negotiation.state import Negotiation

LONGEST_ABOUT = 200


class Invited(Message, kw_only=True):
    """What the calendar of somebody has who wanted an invitation."""

    start: str
    """A day or a moment, ISO 8601."""
    end: str = ""
    sequence: int = 0
    is_off: bool = False


class Sent(NamedTuple):
    """A file for somebody's calendar, and what the calendar has then."""

    file: File
    invited: Invited


def meeting(state: Negotiation, user: str, asked_by: str = "") -> Meeting | None:
    """Return when somebody is needed: who has promised a part, at its time; whoever asked, at the plan's. None where
    they have no part in it, or where its day is not known.

    Args:
        asked_by: the name of whoever asked; empty where it is unknown.
    """
    if state.final is None or state.parent is not None or state.is_plan_erased:
        return None
    plan = state.final.final_proposal
    own = [each for each in commitments(state) if each.user_id == user]
    found = next(((each.when, each) for each in own if _times(each.when, state) is not None), None)
    when, seat = found or (plan.when, None)
    times = _times(when, state)
    if times is None or (seat is None and user != state.requester_id):
        return None
    return Meeting(
        uid=f"{state.demand_id}-{user}",
        start=times[0],
        end=times[1],
        summary=state.demand_text,
        organizer=Guest(state.requester_id, asked_by),
        guest=Guest(user, seat.seat.display_name if seat else asked_by),
        details=_details(own),
        place=plan.room,
    )


def invites_anybody(state: Negotiation) -> bool:
    people = {state.requester_id, *(each.user_id for each in commitments(state))}
    return any(meeting(state, each) is not None for each in people if each)


def _times(when: When, state: Negotiation) -> tuple[date | datetime, date | datetime | None] | None:
    """Return from and until when, of what is on one day; the end is not part of it."""
    days = when.days
    if days is None or days[0] != days[1] or when.exact not in ("day", "span"):
        return None
    if not when.start:
        return days[0], days[0] + timedelta(1)
    zone = zone_of(_zone(when, state))
    start = datetime.combine(days[0], time.fromisoformat(when.start), zone).astimezone(UTC)
    if not when.end:
        return start, None
    over_night = when.end <= when.start
    end = datetime.combine(days[0] + timedelta(1 if over_night else 0), time.fromisoformat(when.end), zone)
    return start, end.astimezone(UTC)


def _zone(when: When, state: Negotiation) -> str:
    """Return where its hours are: as they say themselves, else where the plan is, else where whoever asked is."""
    plan = state.final.final_proposal.when if state.final else When()
    wanted = state.understanding.context.when if state.understanding else When()
    return when.time_zone or plan.time_zone or wanted.time_zone or state.time_zone


def _details(own: list[Commitment]) -> tuple[str, ...]:
    said = [(each.seat.role, each.seat.responsibility) for each in own]
    return tuple(": ".join(filter(None, each)) for each in said)


def invitation(
    state: Negotiation, user: str, asked_by: str, before: Invited | None, at: Millis, texts: Texts, *, is_wanted: bool
) -> Sent | None:
    """Return what somebody's calendar is to be told now; None where it has that already, or never had anything.

    Args:
        before: what it has; None where they never wanted an invitation.
        is_wanted: whether they want it now, also if they have it already.
        texts: in which they read.
    """
    found = meeting(state, user, asked_by)
    if found is not None and (before is None or before.is_off):
        return _sent(state, found, before.sequence + 1 if before else 0, at, texts) if is_wanted else None
    if before is None or before.is_off:
        return None
    if found is None:
        return _off(state, user, before, at, texts)
    is_same = (before.start, before.end) == (_said(found.start), _said(found.end))
    if is_same and not is_wanted:
        return None
    return _sent(state, found, before.sequence + (0 if is_same else 1), at, texts)


def _sent(state: Negotiation, found: Meeting, sequence: int, at: Millis, texts: Texts) -> Sent:
    message = (
        texts.say("Open this, and your calendar has it. I send you what changes it there, should the plan change.")
        if sequence == 0
        else texts.say("The plan has changed. Open this, and your calendar has it as it is now.")
    )
    invited = Invited(start=_said(found.start), end=_said(found.end), sequence=sequence)
    return Sent(_file(state, meeting_file(found, sequence, at, texts), message, texts), invited)


def _off(state: Negotiation, user: str, before: Invited, at: Millis, texts: Texts) -> Sent:
    invited = Invited(start=before.start, end=before.end, sequence=before.sequence + 1, is_off=True)
    was = Meeting(
        uid=f"{state.demand_id}-{user}",
        start=_read(before.start),
        end=_read(before.end) if before.end else None,
        summary=state.demand_text,
        organizer=Guest(state.requester_id),
        guest=Guest(user),
    )
    message = texts.say("You are not needed there any more. Open this, and your calendar takes it out.")
    content = meeting_file(was, invited.sequence, at, texts, is_off=True)
    return Sent(_file(state, content, message, texts), invited)


def _file(state: Negotiation, content: bytes, message: str, texts: Texts) -> File:
    about = safe_line(state.demand_text, LONGEST_ABOUT)
    said = texts.say("{what}: {detail}", what=about, detail=message) if about else message
    name = f"{state.demand_id}-invitation.{Format.INVITATION.suffix}"
    return File(name, plain_line(state.demand_text, LONGEST_TITLE) or "ToWow", content, (blocks.section(said),))


def _said(at: date | datetime | None) -> str:
    return "" if at is None else at.isoformat()


def _read(said: str) -> date | datetime:
    return datetime.fromisoformat(said) if "T" in said else date.fromisoformat(said)
