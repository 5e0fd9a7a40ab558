"""What a model is asked about a profile: which of somebody's limits, in their own words, can be said as data.

Only the lines are told, and where the person is; nobody else's question is given them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, TypedDict

from msgspec import Struct
from pydantic import BeforeValidator

from engine.directory.limit_rules import PROMPT
from engine.directory.messages import RecordReading
from engine.directory.profile import HeldLimit, Profiles
from engine.directory.state import Directory
from engine.errors import ModelError
from engine.facts.asked import Asked
from engine.facts.circumstances import Count
from engine.facts.data import MaybeDatum, is_empty
from engine.kernel import Ask, Command, Millis, ModelAnswer
from engine.llm.port import Answer, AnswerClasses, Prompt, Question


def _scope(value: Any) -> Any:
    return "whole" if isinstance(value, str) and value.strip().lower() == "whole" else "own"


class LimitRead(ModelAnswer):
    """One limit, as data. A limit that is no data is left out."""

    number: Count
    """Which of the lines it is."""
    data: MaybeDatum = None
    scope: Annotated[Literal["own", "whole"], BeforeValidator(_scope)] = "own"


class ProfileRead(ModelAnswer):
    limits: tuple[LimitRead, ...] = ()


RETURNS: Final[AnswerClasses] = {PROMPT: ProfileRead}
"""What each prompt of prompts/directory must say that it returns."""

READ_WITHIN: Final[Millis] = 20_000
"""Nobody waits for it: what cannot be read by then is read when the twin is asked next."""


class Line(Struct, frozen=True, gc=False):
    """One limit in words."""

    number: int
    said_as: str
    """``never``, ``from_now_on`` or ``leaves_if``: what the words are."""
    words: str


class Today(TypedDict):
    date: str
    """ISO."""
    weekday: str


class ReadProfileGiven(Struct, frozen=True, gc=False):
    lines: tuple[Line, ...]
    location: str
    today: Today

    def values(self) -> Mapping[str, Any]:
        """By name."""
        return {name: getattr(self, name) for name in self.__struct_fields__}


@dataclass(frozen=True, slots=True)
class DirectoryAsks:
    """Composes questions and reads answers."""

    prompts: Mapping[str, Prompt]
    profiles: Profiles
    """Of the tenant. The directory itself knows them."""

    def compose(self, state: Directory, ask: Ask) -> Question[Any]:
        entry = state.entry(ask.about)
        given = ReadProfileGiven(
            lines=tuple(
                Line(number, each.source, each.words) for number, each in enumerate(_lines(state, ask), start=1)
            ),
            location=entry.profile.location if entry.profile else "",
            today=_today(entry.reading_since),
        )
        # It is nobody's demand: what it costs is held to what one demand may cost, for each person.
        stream = f"profile-{ask.about}"
        prompt, until = self.prompts[f"directory/{PROMPT}"], entry.reading_since + READ_WITHIN
        return Question(prompt, given.values(), ProfileRead, charged_to=stream, until=until)

    def read(
        self, state: Directory, ask: Ask, prompt: Prompt, answer: Answer[Any], *, command_id: str, at: Millis
    ) -> Command:
        found = {each.number: each for each in reversed(answer.value.limits) if not is_empty(each.data)}
        limits = tuple(
            each.model_copy(update={"data": found[number].data, "scope": found[number].scope, "state": "read"})
            if number in found
            else HeldLimit(words=each.words, source=each.source)
            for number, each in enumerate(_lines(state, ask), start=1)
        )
        return RecordReading(
            command_id=command_id,
            at=at,
            agent_id=ask.about,
            limits=limits,
            model=answer.model,
            prompt_hash=prompt.content_hash,
        )

    def fallback(self, state: Directory, ask: Ask, why: ModelError, *, command_id: str, at: Millis) -> Command:
        """Nothing is read: all stays in words, and is asked about in words."""
        return RecordReading(command_id=command_id, at=at, agent_id=ask.about, error=type(why).__name__)


def _lines(state: Directory, ask: Ask) -> tuple[HeldLimit, ...]:
    return tuple(each for each in state.entry(ask.about).being_read if each.words)


def _today(at: Millis) -> Today:
    day = Asked.at(at).day
    return {"date": day.isoformat(), "weekday": f"{day:%A}"}
