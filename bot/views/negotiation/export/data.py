"""A negotiation for programs, as a file: the public JSON, without what no thread shows."""

import json
from collections.abc import Iterator
from typing import Any, Final

from bot.views.negotiation.export.ended import EndedNegotiation
from engine.negotiation.public.build import Knows, public

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
