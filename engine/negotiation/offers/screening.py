"""Keeps what a profile tells its twin alone out of what the twin says.

A twin is given its person's whole profile, and may be talked into repeating it. Whatever it answers, a sentence that
says what the person never does, where they can be, what would make them leave or what they told it for good is left
out, unless whoever reads it has seen that already: in the demand, in the plan, or in what the profile tells everybody.
"""

import logging
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from engine.directory.profile import Profile
from engine.facts.quoting import Quoted, Secrets, sentences
from engine.kernel import plain
from engine.negotiation.answers import FeedbackAnswer, OfferAnswer
from engine.negotiation.remembering import remembered

log = logging.getLogger(__name__)

Said = TypeVar("Said", OfferAnswer, FeedbackAnswer)

_FIELD: Final = re.compile(
    r"\b(?:plan_says|if_declined|leaves_if|paid_only|(?:max|min)_attendees|profile_summary|user_name|slack_user)\b"
)
"""A text with one of these is a copy of the profile's data, and nothing that a person would say. Each has a ``_``."""


class Screen:
    """What one twin must not say to those who have seen certain texts."""

    def __init__(self, profile: Profile, seen: Iterable[Any]) -> None:
        """
        Args:
            seen: texts, or records with texts, that everybody reads: the demand, the plan.
        """
        self._secrets = Secrets(profile.untold, _known(profile, seen))
        self._lines = Quoted(profile.from_now_on, _known(profile, seen) if profile.from_now_on else ())
        """Lines are long: a part of one is no less theirs."""
        self._who = profile.agent_id

    def offer(self, said: OfferAnswer) -> OfferAnswer:
        if not self._any_gives_away(
            said.contribution,
            said.reasoning,
            said.decline_reason,
            *(each.text for each in said.conditions),
            *(each.quote for each in said.covers),
        ):
            return said
        screened = replace(
            said,
            contribution=self._text(said.contribution),
            conditions=tuple(each for each in said.conditions if not self._gives_away(each.text)),
            reasoning=self._text(said.reasoning),
            decline_reason=self._text(said.decline_reason),
            covers=tuple(replace(each, quote="") if self._gives_away(each.quote) else each for each in said.covers),
        )
        return self._logged(screened)

    def vote(self, said: FeedbackAnswer) -> FeedbackAnswer:
        if not self._any_gives_away(said.reasoning, said.adjustment_request, *said.concerns):
            return said
        screened = replace(
            said,
            reasoning=self._text(said.reasoning),
            adjustment_request=self._text(said.adjustment_request),
            concerns=self._texts(said.concerns),
        )
        return self._logged(screened)

    def _text(self, text: str) -> str:
        if not self._gives_away(text):
            return text
        kept = "".join(each for each in sentences(text) if not self._gives_away(each)).strip()
        return "" if self._gives_away(kept) else kept  # it may be spread over two sentences

    def _texts(self, texts: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(each for each in texts if not self._gives_away(each))

    def _any_gives_away(self, *texts: str) -> bool:
        return any(map(self._gives_away, texts))

    def _gives_away(self, text: str) -> bool:
        is_copy = "_" in text and _FIELD.search(text) is not None
        return is_copy or self._secrets.are_in(text) or self._lines.is_in(text, short=False)

    def _logged(self, screened: Said) -> Said:
        """Log that something was left out, and nothing of what it was."""
        log.warning("what the twin of %s said held what is for it alone, and that was left out", self._who)
        return screened


def _known(profile: Profile, seen: Iterable[Any]) -> Iterator[str]:
    """Return the texts that are no secret; they are many, and looked through only where there is a secret."""
    yield from profile.told
    yield from texts_in(plain(profile.public))
    yield from _texts_of(*seen)


@remembered
def _texts_of(*seen: Any) -> tuple[str, ...]:
    return tuple(texts_in(plain(seen)))


def texts_in(value: Any) -> list[str]:
    """Return every text in plain values: a record's, or a list of them."""
    found: list[str] = []
    for each in value.values() if isinstance(value, dict) else value:
        if type(each) is str:
            found.append(each)
        elif isinstance(each, dict | list | tuple):
            found += texts_in(each)
    return found
