"""Makes an exported file and the message it comes with."""

import json
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any, Final

from bot.texts import Texts
from bot.views.kit.export.file import File, exported_file
from bot.views.kit.export.form import FILES, Format
from bot.views.kit.export.ics import Entry, calendar_file, one_line
from bot.views.negotiation.export.invitation import invites_anybody
from bot.views.negotiation.export.markdown import markdown
from bot.views.negotiation.export.steps import EndedNegotiation, Step, steps
from engine.negotiation.public.build import Knows, public
from engine.negotiation.state import Negotiation

_OF_ALL: Final[dict[str, Any]] = {
    "deep_understanding": True,
    "capability_tags": True,
    "check_ins": True,
    "can_be_taken_back_until": True,
    "offers": {"__all__": {"reasoning", "confidence"}},
    "compromise": {"confidence"},
}
_OF_A_VERSION: Final = frozenset({"objective", "rationale", "success_criteria", "risks", "confidence"})
"""What a model says beside the plan itself."""
_OF_A_SEAT: Final = frozenset({"dependencies", "hours", "cost"})
"""What the card of a part tells its person alone."""
_OF_CHANGES: Final = frozenset({"should_continue"})


def as_json(ended: EndedNegotiation) -> str:
    told = public(ended.state, ended.times, Knows(is_told_all=True), ended.asked_by)
    # A thread shows what was written until it was understood, and from then on how.
    hidden = _OF_ALL | ({"raw_input": True} if ended.state.understanding else {})
    found = told.model_dump(mode="json", exclude=hidden)
    for part, names in _parts(found):
        for name in names & part.keys():
            del part[name]
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


def _parts(found: dict[str, Any]) -> Iterator[tuple[dict[str, Any], frozenset[str]]]:
    """Yield each part that a file does not tell all of, with the names of what it leaves out."""
    versions = [*found["proposals"], *([found["proposal"]] if found["proposal"] else [])]
    yield from ((each, _OF_A_VERSION) for each in versions)
    yield from ((each["adjustment_summary"], _OF_CHANGES) for each in versions if each["adjustment_summary"])
    plans = [*versions, *([found["compromise"]] if found["compromise"] else [])]
    yield from ((seat, _OF_A_SEAT) for each in plans for seat in each["assignments"])


def calendar(ended: EndedNegotiation, texts: Texts) -> bytes:
    """An event for each step that has a day. The same negotiation gives the same bytes."""
    assert ended.plan is not None, "there is nothing to put into a calendar"  # noqa: S101 - see `has_days`
    entries = [_entry(ended, each, each.day) for each in steps(ended.plan, texts) if each.day is not None]
    return calendar_file(ended.demand, entries, without_day(ended, texts), ended.times.ended_at, texts)


def has_days(ended: EndedNegotiation, texts: Texts) -> bool:
    """Whether there is anything to put into a calendar."""
    return ended.plan is not None and any(each.day is not None for each in steps(ended.plan, texts))


def without_day(ended: EndedNegotiation, texts: Texts) -> Sequence[str]:
    """The steps without a day that a calendar can show."""
    planned = steps(ended.plan, texts) if ended.plan else ()
    return [_without_day(each, texts) for each in planned if each.day is None]


def _entry(ended: EndedNegotiation, step: Step, day: date) -> Entry:
    said = one_line(step.said)
    details = (step.result, "" if said == day.isoformat() else said, ended.demand)
    return Entry(f"{ended.state.demand_id}-{step.number}", day, step.name, details)


def _without_day(step: Step, texts: Texts) -> str:
    name, said = one_line(step.name) or texts.say("Milestone"), one_line(step.said)
    return texts.say("{what}: {detail}", what=name, detail=said) if said else name


def formats(state: Negotiation) -> tuple[Format, ...]:
    """The formats to choose from; a calendar needs a plan, and an invitation somebody who is needed on a known day."""
    if not state.final:
        return Format.MARKDOWN, Format.JSON
    return (*FILES, Format.INVITATION) if invites_anybody(state) else FILES


def file(ended: EndedNegotiation, wanted: Format, by: str, texts: Texts) -> File:
    """``by``: the user who wants it."""
    undated = without_day(ended, texts) if wanted is Format.CALENDAR else ()
    return exported_file(
        ended.state.demand_id, ended.demand, wanted, _content(ended, wanted, texts), by, undated, texts
    )


def _content(ended: EndedNegotiation, wanted: Format, texts: Texts) -> bytes:
    match wanted:
        case Format.MARKDOWN:
            return markdown(ended, texts).encode()
        case Format.CALENDAR:
            return calendar(ended, texts)
        case Format.INVITATION:
            raise ValueError("an invitation is for one person, and is no file of the thread")
        case Format.JSON:
            return as_json(ended).encode()
