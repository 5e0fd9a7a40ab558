"""What models answer in a negotiation: the schemas of prompts 1 to 9, and what is kept of them.

Fields and names are seed 000's sections 3.3 and 4. Lenient where a model is careless about form (case, range, null),
strict about everything a rule reads.
"""

import json
import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Final, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from engine.facts.answer_fields import (
    MOST_TEXTS,
    Fraction,
    Id,
    Ids,
    Item,
    Level,
    Needed,
    Percent,
    Text,
    Texts,
    cleaned,
    lower,
    no_null_list,
)
from engine.facts.circumstances import Count, Day, Money, People, When
from engine.facts.data import Datum, MaybeDatum, Place
from engine.kernel import PRIVATE, ModelAnswer
from engine.kernel.model_answer import OMITTABLE
from engine.negotiation.voting.kinds import FeedbackType

# ── prompts 1 and 2 ───────────────────────────────────────────────────────────────────────────────────────────────────


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
    minutes: Count = 0
    """How long it takes when it takes place, where that is said beside the hours between which it may be."""


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


class Candidate(ModelAnswer):
    agent_id: str
    display_name: Text = ""
    reason: Text = ""
    match_type: Annotated[Literal["explicit", "inferred"], BeforeValidator(lower)] = "inferred"
    confidence: Fraction = 0.5
    covers: Ids = ()
    """The ids of the needs that they are thought to cover."""
    quotes: Annotated[Texts, OMITTABLE] = ()
    """The words of the demand that they are thought to answer, where no needs were known."""


class Shortlist(ModelAnswer, kw_only=True):
    """Prompt 2's answer. ``possibly_related`` is the reserve."""

    analysis: Text = ""
    definitely_related: tuple[Candidate, ...]
    possibly_related: tuple[Candidate, ...] = ()


# ── prompts 7 and 8 ───────────────────────────────────────────────────────────────────────────────────────────────────


class Gap(ModelAnswer):
    """Something that the plan lacks."""

    gap_type: Text = ""
    """What is missing, in a word or two: a photographer."""
    importance: Percent = 0
    reason: Text = ""
    suggested_capability_tags: Texts = ()


def normalized_gap(gap_type: str) -> str:
    """Return a form of the name that is equal for the same gap, however it was typed."""
    return " ".join(gap_type.split()).casefold()


class GapAnalysis(ModelAnswer, kw_only=True):
    """Prompt 7's answer."""

    is_complete: bool = False
    analysis: Text = ""
    gaps: Annotated[tuple[Gap, ...], BeforeValidator(no_null_list)]


class SubDemand(ModelAnswer):
    """The demand that is made for a gap: seed 000's fields, and the gap."""

    gap_type: Text = ""
    description: Text = ""
    capability_tags: Texts = ()
    priority: Level = "medium"


class RecursionAnswer(ModelAnswer, kw_only=True):
    """Prompt 8's answer. ``should_recurse`` is advice: only the three conditions together count."""

    should_recurse: bool = False
    condition_1_met: bool
    """Satisfaction: the demand is not met without it."""
    condition_1_analysis: Text = ""
    condition_2_met: bool
    """Stakeholders: it takes somebody who is not in the plan."""
    condition_2_analysis: Text = ""
    condition_3_met: bool
    """Cost and benefit: looking for them is worth what it costs."""
    condition_3_analysis: Text = ""
    sub_demands: Annotated[tuple[SubDemand, ...], BeforeValidator(no_null_list)] = ()


class EstimatedCost(ModelAnswer):
    """What looking for all of it is thought to cost, as prompt 8 is given it."""

    tokens: int
    time_seconds: int


# ── the other prompts ─────────────────────────────────────────────────────────────────────────────────────────────────


def _scope(value: Any) -> Any:
    return "whole" if isinstance(value, str) and value.strip().lower() == "whole" else "own"


def _opinion(value: Any) -> Any:
    known = isinstance(value, str) and value.strip().lower() in ("yes", "no", "unsure")
    return value.strip().lower() if known else "unsure"


def _at_least_one(value: Any) -> Any:
    return max(1, round(value)) if isinstance(value, int | float) else 1 if value is None else value


class OfferDecision(StrEnum):
    PARTICIPATE = "participate"
    CONDITIONAL = "conditional"
    DECLINE = "decline"


class LimitVerdict(StrEnum):
    """Whether something keeps a limit of a twin's owner."""

    KEPT = "kept"
    BROKEN = "broken"
    UNSURE = "unsure"


def _limit_verdict(value: Any) -> Any:
    known = isinstance(value, str) and value.strip().lower() in list(LimitVerdict)
    return value.strip().lower() if known else LimitVerdict.UNSURE


def _read_verdict(value: Any) -> Any:
    """Only what the second reader says in so many words is a doubt."""
    known = isinstance(value, str) and value.strip().lower() in list(LimitVerdict)
    return value.strip().lower() if known else LimitVerdict.KEPT


class LimitAnswer(ModelAnswer):
    """What a twin says of one limit of its owner that stands in words."""

    number: Count = 0
    """Its place among the limits that the question names, counted from 1."""
    verdict: Annotated[LimitVerdict, BeforeValidator(_limit_verdict)] = LimitVerdict.UNSURE
    quote: Text = ""
    """The words of the demand or the plan that it rests on."""


class Covering(ModelAnswer):
    """That somebody covers a need, and the words that say so."""

    need_id: Id = ""
    quote: Text = ""
    source: Id = ""
    """Where these stand: ``profile`` or ``offer``."""


def _coverings(value: Any) -> Any:
    """A model may name the needs alone."""
    if not isinstance(value, list | tuple):
        return () if value is None else value
    return tuple({"need_id": each} if isinstance(each, str) else each for each in value[:MOST_TEXTS])


class StatedCondition(ModelAnswer):
    """A condition of an offer, in words and, where it can be compared, as data."""

    text: Item = ""
    data: MaybeDatum = None
    scope: Annotated[Literal["own", "whole"], BeforeValidator(_scope)] = "own"
    """Whether it is about the person's own part, or about the whole."""


def _conditions(value: Any) -> Any:
    """A model may write the words alone."""
    if not isinstance(value, list | tuple):
        return () if value is None else value
    return tuple({"text": each} if isinstance(each, str) else each for each in value[:MOST_TEXTS])


class OfferAnswer(ModelAnswer):
    """Prompt 3's answer: one twin's."""

    decision: Annotated[OfferDecision, BeforeValidator(lower)]
    contribution: Text = ""
    conditions: Annotated[tuple[StatedCondition, ...], BeforeValidator(_conditions)] = ()
    reasoning: Text = ""
    decline_reason: Text = ""
    covers: Annotated[tuple[Covering, ...], BeforeValidator(_coverings)] = ()
    """The needs that the person would cover, each with the words that it rests on."""
    brings: Annotated[int, BeforeValidator(_at_least_one)] = 1
    """How many people would cover these, with those whom the person brings."""
    cost: Count = 0
    """What it costs, in whole units of the demand's currency; 0 where nothing was said."""
    currency: Annotated[Text, OMITTABLE] = ""
    """Of ``cost`` and ``per_head``, ISO 4217; empty: the demand's."""
    per_head: Annotated[Count, OMITTABLE] = 0
    """What it costs for each person, where it is said so."""
    free: Annotated[bool, OMITTABLE] = False
    """That it costs nothing, which 0 does not say."""
    capacity: Count = 0
    """For how many people what they bring is enough; 0 where that is not the question."""
    hours: Count = 0
    """How many hours of work they can give altogether; 0 where nothing was said."""
    city: Text = ""
    """Where they do it, or what they bring stands; empty where that is anywhere, or nothing was said."""
    room: Annotated[Text, OMITTABLE] = ""
    """The name of the room or the building that they bring."""
    online: Annotated[bool, OMITTABLE] = False
    """That they do it from afar, by video."""
    notice: Count = 0
    """How many days ahead they have to be asked; 0 where nothing was said."""
    earliest: Annotated[Day, OMITTABLE] = ""
    """The first day on which they can; empty where nothing was said."""
    limits: tuple[LimitAnswer, ...] = ()
    confidence: Percent = 50


class Assignment(ModelAnswer):
    agent_id: str
    display_name: Annotated[Text, OMITTABLE] = ""
    role: Text = ""
    responsibility: Text = ""
    dependencies: Annotated[Texts, OMITTABLE] = ()
    notes: Annotated[Text, OMITTABLE] = ""
    covers: Ids = ()
    """The ids of the needs that this seat covers."""
    when: Annotated[When, PRIVATE, OMITTABLE] = When()
    """When the person is needed, where that is less than the whole plan."""
    core: Annotated[bool, OMITTABLE] = False
    """Without this seat the plan falls."""
    attends: Annotated[bool, OMITTABLE] = False
    """Whether the person is needed when the whole takes place."""
    hours: Annotated[Count, OMITTABLE] = 0
    """Of work, in all; 0 where nobody has said how many."""
    cost: Annotated[Count, OMITTABLE] = 0
    """In whole units of the demand's currency; 0 where nothing was said."""
    after: Annotated[Ids, OMITTABLE] = ()
    """The agent ids of those from whom they need something first."""


class Milestone(ModelAnswer):
    name: Text = ""
    date: Annotated[Text, OMITTABLE] = ""
    """In words, where no day is known yet."""
    deliverable: Text = ""
    day: Annotated[Day, OMITTABLE] = ""
    agent_id: Annotated[Id, OMITTABLE] = ""
    """Who does it; empty where that is nobody alone."""
    need_id: Annotated[Id, OMITTABLE] = ""
    """The need that is met by it, where it is one."""


class Timeline(ModelAnswer):
    start_date: Text = ""
    milestones: tuple[Milestone, ...] = ()


class ConditionAnswer(ModelAnswer):
    """What became of a condition somebody made with an offer."""

    agent_id: str
    condition_id: Count = 0
    """Its place among the conditions of that offer, counted from 1; 0 where it was not said."""
    condition: Text = ""
    met: bool = False
    reason: Text = ""
    where: Id = ""
    """What of the version meets it: ``when``, ``seat`` (theirs), ``milestone/2``, ``people``, ``money``, ``place``."""


class NotChosen(ModelAnswer):
    """Somebody who offered to take part and has no seat, and why. Nothing else in a plan names them."""

    agent_id: str
    reason: Text = ""


class Change(ModelAnswer):
    agent_id: Id = ""
    """Whose seat it changes; empty where it is no single one."""
    aspect: Text = ""
    before: Annotated[Text, OMITTABLE] = ""
    after: Text = ""
    reason: Text = ""


class RequestDeclined(ModelAnswer):
    agent_id: Id = ""
    request: Text = ""
    reason: Text = ""


class RequestAddressed(ModelAnswer):
    agent_id: Id = ""
    request: Text = ""
    where: Id = ""
    """What of the version answers it, as in `ConditionAnswer`."""


class AdjustmentSummary(ModelAnswer):
    """Why this version differs from the last one."""

    round: int = 0
    changes_made: Annotated[tuple[Change, ...], PRIVATE] = ()
    requests_addressed: Annotated[tuple[RequestAddressed, ...], PRIVATE] = ()
    requests_declined: Annotated[tuple[RequestDeclined, ...], PRIVATE] = ()
    should_continue: Annotated[bool | None, OMITTABLE] = None
    """Whether another round would bring more agreement, as a model sees it. It is advice: votes and rules decide."""


class ProposalDraft(ModelAnswer, kw_only=True):
    """The answer of prompts 4 (aggregation) and 6 (adjustment, with ``adjustment_summary``)."""

    summary: Needed
    objective: Text = ""
    assignments: Annotated[tuple[Assignment, ...], Field(min_length=1)]
    timeline: Annotated[Timeline, PRIVATE] = Timeline()
    when: Annotated[When, PRIVATE] = When()
    """When it takes place, if it takes place at one time; within what the demand asks for."""
    rationale: Text = ""
    not_chosen: Annotated[tuple[NotChosen, ...], PRIVATE] = ()
    gaps: Texts = ()
    success_criteria: Texts = ()
    risks: Texts = ()
    conditions: Annotated[tuple[ConditionAnswer, ...], PRIVATE] = ()
    room: Text = ""
    """The room in which it takes place, by its name; empty where none is named."""
    confidence: Level = "medium"
    adjustment_summary: AdjustmentSummary | None = None


def _by_twin(said: FeedbackType) -> FeedbackType:
    if not said.kind.by_twin:
        raise ValueError(f"only a person may {said}")
    return said


OF_TWINS: Final = WithJsonSchema({"enum": [each.value for each in FeedbackType if each.kind.by_twin], "type": "string"})


class FeedbackAnswer(ModelAnswer):
    """Prompt 5's answer: one twin's vote. ``adjustment_request`` is what to change, when negotiating."""

    feedback_type: Annotated[FeedbackType, BeforeValidator(lower), AfterValidator(_by_twin), OF_TWINS]
    reasoning: Text = ""
    adjustment_request: Text = ""
    concerns: Texts = ()
    change: MaybeDatum = None
    """The change as data, where it can be compared."""
    limits: tuple[LimitAnswer, ...] = ()
    confidence: Percent = 50

    @classmethod
    def checked(cls, said: Any) -> Self:
        """Read the request out of ``proposed_changes`` where it stands there: seeds 000 and 004 call it so, with a
        field and its new value; seed 003 has ``adjustment_request``.
        """
        return super().checked(_with_request(said))


def _with_request(said: Any) -> Any:
    if not isinstance(said, Mapping) or not said.get("proposed_changes") or said.get("adjustment_request"):
        return said
    return {**said, "adjustment_request": _in_words(said["proposed_changes"])}


def _in_words(changes: Any) -> str:
    """Write changes in one line: each field with its new value, and the reason behind them."""
    match changes:
        case str():
            return changes.strip()
        case Mapping():
            told = {str(name).strip(): _in_words(value) for name, value in changes.items()}
            reason = told.pop("reason", "")
            listed = "; ".join(f"{name}: {value}" for name, value in told.items() if value)
            return f"{listed} ({reason})" if listed and reason else listed or reason
        case list() | tuple():
            return "; ".join(filter(None, map(_in_words, changes)))
        case None:
            return ""
        case _:
            return json.dumps(changes, ensure_ascii=False)


class Opinion(ModelAnswer):
    """What the second reader says of one claim."""

    number: Count = 0
    """Its place among the claims of the question, counted from 1."""
    verdict: Annotated[Literal["yes", "no", "unsure"], BeforeValidator(_opinion)] = "unsure"
    quote: Text = ""
    why: Text = ""
    """In one sentence."""


class LimitOpinion(ModelAnswer):
    """What the second reader says of one limit of somebody whose twin votes."""

    number: Count = 0
    verdict: Annotated[LimitVerdict, BeforeValidator(_read_verdict)] = LimitVerdict.KEPT
    quote: Text = ""
    why: Text = ""


class Verification(ModelAnswer):
    """The answer of the second reader, who has not made the version."""

    claims: tuple[Opinion, ...] = ()
    limits: tuple[LimitOpinion, ...] = ()


class RequestRead(ModelAnswer):
    """What a person asks for in a form, as data where it can be compared."""

    understood: Text = ""
    """What should change, in one short line of their language: they are asked whether that is meant."""
    data: MaybeDatum = None
    scope: Annotated[Literal["own", "whole"], BeforeValidator(_scope)] = "whole"


class Resolution(ModelAnswer, kw_only=True):
    """One alternative."""

    issue: Text = ""
    resolution: Needed
    rationale: Text = ""


class Compromise(ModelAnswer):
    """Prompt 9's answer: what would still be possible where there was no agreement."""

    summary: Needed
    facts: Texts = ()
    assignments: Annotated[tuple[Assignment, ...], PRIVATE] = ()
    """A smaller plan, for those who still take part."""
    compromises: Annotated[tuple[Resolution, ...], PRIVATE] = ()
    unresolved: Texts = ()
    suggestions: Texts = ()
    """Next steps for whoever asked."""
    confidence: Level = "low"


class FailureFacts(ModelAnswer):
    """A failure as prompt 9 is given it."""

    outcome: str
    asked: int = 0
    taking_part: int = 0
    declined: int = 0
    withdrawn: tuple[str, ...] = ()
    rounds: int = 0
    accepts: int = 0
    negotiates: int = 0
    rejects: int = 0
    silent: int = 0


class RefusalReason(ModelAnswer):
    """Somebody who declined or left, as prompt 9 is given them."""

    agent_id: str
    display_name: str
    reason: str = ""
    conditions: tuple[str, ...] = ()
    """What would make it a yes."""


class OfferMade(ModelAnswer):
    """An offer as prompt 4 is given it."""

    agent_id: str
    display_name: str
    decision: OfferDecision
    contribution: str
    conditions: tuple[str, ...] = ()
    data: tuple[Datum | None, ...] = ()
    """What each condition comes to; empty where none of them can be compared."""
    reasoning: str = ""
    covers: tuple[str, ...] = ()
    """The ids of the needs that they cover, as they say."""
    cost: int = 0
    currency: str = ""
    per_head: int = 0
    capacity: int = 0
    hours: int = 0
    earliest: str = ""


class TimeGiven(ModelAnswer):
    """A time at which it may take place, as prompts 4 and 6 are given it: they are not told who cannot."""

    when: When
    can: int
    of: int
    """Of so many people it is known when they can."""
    fits: bool
    """Whether everybody can who has to be there."""

    @property
    def words(self) -> str:
        return words_of(self.when)


def words_of(when: When) -> str:
    """A day and its hours in signs that are the same in every language."""
    return f"{when.first} {when.start}–{when.end} ({when.time_zone})"


class VacantSeat(ModelAnswer):
    """A seat that somebody is asked to take, as prompt 3 is given it."""

    role: str = ""
    needs: tuple[Need, ...] = ()
    """What it takes: whoever covers none of these does not sit there."""
    when: When = When()
    place: str = ""


class SubstituteOffer(ModelAnswer):
    """An offer to take over the seat of somebody who left, as prompt 6 is given it."""

    agent_id: str
    display_name: str
    replaces: str
    """The name of who left."""
    role: str
    contribution: str
    conditions: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()


class VoteCounts(ModelAnswer):
    """How many said what, as prompt 6 is given it."""

    accepts: int = 0
    negotiates: int = 0
    rejects: int = 0
    """Reject and withdraw."""
    withdraws: int = 0
    abstains: int = 0
    """Neither for nor against."""
    silent: int = 0


class VoteMade(ModelAnswer):
    """A vote as prompt 6 is given it."""

    agent_id: str
    display_name: str
    feedback_type: FeedbackType
    reasoning: str = ""
    adjustment_request: str = ""
    change: Datum | None = None
    concerns: tuple[str, ...] = ()
