"""What models make of a demand, and whom they would ask: the answers of prompts 1 and 2."""

import re
from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, Field

from engine.facts.answer_fields import (
    Fraction,
    Ids,
    Level,
    Needed,
    Text,
    Texts,
    cleaned,
    lower,
)
from engine.facts.circumstances import Count, Day, Money, People, When
from engine.facts.data import Place
from engine.kernel import PRIVATE, ModelAnswer
from engine.kernel.model_answer import OMITTABLE

_TAG: Final = re.compile(r"[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8}){0,4}")


def _tag(value: Any) -> Any:
    """Keep what can be the tag of a language. It is told to everybody, so it is never other words of a model."""
    return value.strip() if isinstance(value, str) and _TAG.fullmatch(value.strip()) else ""


def _counted(value: Any) -> Any:
    return "people" if isinstance(value, str) and value.strip().lower() == "people" else "things"


def _kind_of_message(value: Any) -> Any:
    known = isinstance(value, str) and value.strip().lower() in ("demand", "question", "other")
    return value.strip().lower() if known else "demand"


class DeepUnderstanding(ModelAnswer):
    motivation: Text = ""
    likely_preferences: Texts = ()
    emotional_context: Text = ""


class Circumstances(ModelAnswer):
    """What the demand says of place, size, time and money; None where it does not."""

    location: Annotated[str | None, BeforeValidator(cleaned)] = None
    expected_attendees: int | None = None
    date: Annotated[str | None, BeforeValidator(cleaned)] = None
    budget: Annotated[str | None, BeforeValidator(cleaned)] = None
    when: When = When()
    """``date`` as data."""
    people: People = People()
    """``expected_attendees`` as data, where it is a range or a bound."""
    money: Money = Money()
    """``budget`` as data."""
    place: Place = Place()
    """``location`` as data."""
    deadline: Day = ""
    """By which day the whole is done, where that is said; the time of an event is ``when``."""


class Need(ModelAnswer):
    """One thing that the demand takes. Every version of the plan is held against all of them."""

    need_id: Annotated[str, BeforeValidator(cleaned), Field(min_length=1)]
    """``need_1`` and so on, as the understanding counts them."""
    what: Needed
    essential: bool = True
    """Without it the demand is not met."""
    quantity: Annotated[Count, OMITTABLE] = 0
    """How many of it, where the demand says so."""
    tags: Texts = ()
    """The capabilities that carry it."""
    counts: Annotated[Literal["people", "things"], BeforeValidator(_counted)] = "things"
    """What its quantity is a number of: "two speakers", or "two rooms"."""
    phrases: Texts = ()
    """What somebody who fits would write of themselves; people are found by them."""
    quote: Text = ""
    """The words of the demand that it rests on."""
    deadline: Annotated[Day, OMITTABLE] = ""
    """By which day it is there, where the demand says so."""


MOST_NEEDS: Final = 10


def _needs(value: Any) -> Any:
    return value[:MOST_NEEDS] if isinstance(value, list | tuple) else () if value is None else value


class Understanding(ModelAnswer):
    """Prompt 1's answer."""

    surface_demand: Needed
    deep_understanding: Annotated[DeepUnderstanding, PRIVATE] = DeepUnderstanding()
    capability_tags: Texts = ()
    needs: Annotated[tuple[Need, ...], BeforeValidator(_needs)] = ()
    context: Annotated[Circumstances, PRIVATE] = Circumstances()
    uncertainties: Texts = ()
    question: Text = ""
    """The one question to whoever asked, where nothing essential can be made out; nobody else is asked until then."""
    confidence: Level = "low"
    language: Annotated[str, BeforeValidator(_tag)] = ""
    """The BCP 47 tag of the language it is written in; empty in what was understood before this was asked."""
    kind: Annotated[Literal["demand", "question", "other"], BeforeValidator(_kind_of_message)] = "demand"
    """What was written: something to be agreed on, a question about ToWow, or neither."""
    reply: Text = ""
    """One sentence to whoever wrote it, where it is no demand."""

    @property
    def search_terms(self) -> tuple[str, ...]:
        """The texts by which people are found who could help."""
        return (self.surface_demand, *self.capability_tags)


class Candidate(ModelAnswer):
    agent_id: str
    display_name: Text = ""
    reason: Text = ""
    match_type: Annotated[Literal["explicit", "inferred"], BeforeValidator(lower)] = "inferred"
    confidence: Fraction = 0.5
    covers: Ids = ()
    """The ids of the needs that they are thought to cover."""


class Shortlist(ModelAnswer, kw_only=True):
    """Prompt 2's answer. ``possibly_related`` is the reserve."""

    analysis: Text = ""
    definitely_related: tuple[Candidate, ...]
    possibly_related: tuple[Candidate, ...] = ()
