"""Reads which days a fact allows or refuses, and to which tasks of a plan that applies.

Careful, since every model's plan is held against it: what only mentions a day demands nothing. A fact about a person
applies to that person's tasks; one about a thing ("the hall is closed on the 5th") to the tasks that use it, not to
those that only prepare it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

from engine.deliberation.answers import Plan, PlanTask
from engine.deliberation.own_day import is_of_its_day
from engine.deliberation.situation import (
    Situation,
    clauses_of,
    concerns,
    event_task,
    is_event,
    is_first_person,
    is_preparing,
    iso,
)
from engine.deliberation.topic_words import shared_topics
from engine.deliberation.words import words_of
from engine.kernel import HandedFact
from engine.lexicon import constraint_patterns
from engine.lexicon.constraints import Dates, Weekdays

if TYPE_CHECKING:
    from engine.facts.asked import Asked
    from engine.facts.circumstances import When
    from engine.lexicon.reading.asked import Found

DAY: Final = timedelta(days=1)
FARTHEST: Final = 120
"""Days from a date within which another one is looked for."""

_REFUSED: Final = re.compile(
    r"\b(?:not?|never|cannot|can't|without|busy|unavailable|away|closed|booked|taken|full|fully|blocked|off|out|leave"
    r"|holiday"
    r"|vacation|travel(?:s|ling|ing)?|maintenance|renovat\w+|strike|abroad|avoid|except|occupied|shut|on a trip"
    r"|unable|gone"
    r"|won't|isn't|aren't|doesn't|don't)\b"
    r"|不(?![少多晚早超管仅但])|没空|没有空|没时间|休假|度假|请假|出差|关闭|闭馆|停业|停电|停运|被占|占用|订满|满了"
    r"|维修|装修|避开|除了|除外|勿"
    r"|别(?!人)|忙|外出|不在|封闭|检修|考试|住院|出国",
    re.IGNORECASE,
)
_ONLY: Final = re.compile(
    r"\b(?:only|solely|must|has to|have to|exclusively|fixed|nothing but|just)\b|只(?!要|是)|仅|必须|才(?!能力)"
    r"|一定要|固定",
    re.IGNORECASE,
)
_NEUTRAL: Final = re.compile(
    r"\b(?:not|except|but not|avoid|other than|never|only|just)\s+(?:on|in|for|at)?\s?(?=\S)|不要在?|不能在?|不在"
    r"|别在?|除了|避开|不选|只有?|仅",
    re.IGNORECASE,
)
_NOT_BEFORE: Final = re.compile(
    r"\b(?:not before|no earlier than|not earlier than|earliest(?: is| on)?|not (?:\w+\s){0,3}until"
    r"|only (?:\w+\s){0,2}from)\s(?:the\s)?$"
    r"|(?:不早于|最早(?:也)?(?:要|得)?)$",
    re.IGNORECASE,
)
_NOT_AFTER: Final = re.compile(
    r"\b(?:not after|no later than|not later than|latest(?: is| on| by)?|at the latest)\s(?:the\s)?$|(?:不晚于"
    r"|不迟于|最晚|最迟)$",
    re.IGNORECASE,
)
_ASIDE: Final = re.compile(
    r"\b(?:last (?:year|time|week|month)|ago|was|were|used to|if|unless|maybe|perhaps|might)\b|去年|上次|曾经|如果"
    r"|要是|可能|也许",
    re.IGNORECASE,
)
_FILLER: Final = frozenset(
    """
    free fre open plac availabl closed close book booked taken full block off away leave holiday vacation travel busy
    out hold held
    happen start begin begin end finish done deliver ready earliest latest deadlin due must has have possibl need on
    mon tue wed thu fri sat sun monday tuesday wednesday thursday friday saturday sunday jan feb mar apr jun jul aug
    sep oct
    nov dec january february march april june july august september october november december weekend weekday day
    """.split()  # noqa: SIM905 - as one reads them
)
_FILLER_ZH: Final = re.compile(
    "有空|可用|开放|使用|可以|能够|才能|只能|必须|完成|开始|结束|举行|举办|进行|收到|交付|之前|以前|之后|以后|最晚|最早|只有|不行|要|在|的|了|能|前|后|到|起|都"
)
_WHOLE: Final = re.compile(
    r"\b(?:everything|all of it|the whole|whole thing|the plan|it|we|project)\b|全部|一切|整个|所有|一共|我们|整体",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class DateRule:
    """One of these has to hold; a refusal stands alone."""

    fact: HandedFact
    any_of: tuple[Dates | Weekdays, ...]
    person_id: str = ""
    """Of whose tasks it is said; empty: not of a person."""
    things: frozenset[str] = frozenset()
    """The words of what it is said of; empty, without a person: of the whole."""
    clause: str = ""
    is_pause: bool = False
    """Whether nothing at all is done on these days."""

    @property
    def is_refusal(self) -> bool:
        return not self.any_of[0].allowed

    def allows(self, day: date) -> bool:
        return any(_holds(each, day) for each in self.any_of)

    def breaks(self, first: date | None, last: date) -> bool:
        """Whether no day of a task suits it, or not the one on which it has to be done."""
        if not self.allows(last) or (self.is_pause and first is not None and not self.allows(first)):
            return True
        return first is not None and not self.is_refusal and self.is_beginning and not self.allows(first)

    @property
    def is_beginning(self) -> bool:
        """Whether it says from when on something can be."""
        return all(isinstance(each, Dates) and each.first is not None and each.last is None for each in self.any_of)


def _holds(demand: Dates | Weekdays, day: date) -> bool:
    if isinstance(demand, Weekdays):
        return (day.weekday() in demand.days) == demand.allowed
    return ((demand.first or day) <= day <= (demand.last or day)) == demand.allowed


def date_rules(situation: Situation) -> tuple[DateRule, ...]:
    """What all facts demand of days."""
    if date_rules not in situation.known:
        clauses = ((fact, clause) for fact in situation.facts for clause in clauses_of(fact.text))
        situation.known[date_rules] = tuple(rule for fact, clause in clauses for rule in _read(situation, fact, clause))
    rules: tuple[DateRule, ...] = situation.known[date_rules]
    return rules


_BETWEEN: Final = re.compile(r"\bbetween (?P<first>[^,;]{3,25}?) and (?=[^,;]{3,25})", re.IGNORECASE)
_PAUSE: Final = re.compile(
    r"\b(?:no (?:work|working|one works|body works)|nobody (?:works|can work|is here|is in)|cannot (?:work"
    r"|study|train)"
    r"|can't (?:work|study|train)|not (?:work|study|train)|(?:do not|don't) (?:work|study|train)"
    r"|(?:the |our )?(?:office|company|firm|team|whole team) (?:is|are) (?:closed|off|away|on (?:leave|holiday))"
    r"|(?:we|we're|everybody|everyone|all of us)(?: are| is)? (?:off|away|closed|on (?:leave|holiday|vacation))"
    r"|shut ?down"
    r"|company holiday)\b"
    r"|不(?:能|会|用)?(?:学习|复习|上班|开工|工作|施工|训练|干活)|没法(?:学习|工作)|没人(?:上班|工作|在)|放假"
    r"|停工|休息|全员休假"
    r"|公司(?:放假|休假|关门)|没有人(?:上班|工作)",
    re.IGNORECASE,
)
"""Nothing is done on these days, whatever it is."""


def _read(situation: Situation, fact: HandedFact, clause: str) -> Iterator[DateRule]:
    if situation.is_of_other_option(clause) or is_of_its_day(clause, situation.brief.goal):
        return  # its own day bounds the whole plan already
    clause = _BETWEEN.sub(r"from \g<first> to ", clause).replace("Spring Festival", "Chinese New Year")
    spans = [*_spans(clause, situation)]
    if not spans or _ASIDE.search(clause):
        return
    person = situation.about(fact, clause)
    rest = clause
    for start, end, _ in spans:
        rest = rest[:start] + " " * (end - start) + rest[end:]
    # Where nobody else is known, whoever asks does all of it.
    is_own = not situation.people and not fact.by and is_first_person(clause)
    is_pause = person is None and (is_own or bool(_PAUSE.search(rest)))
    things = frozenset() if person or is_pause or _WHOLE.search(rest) else _things(rest)
    allowed: list[Dates | Weekdays] = []
    for start, end, demand in spans:
        for read in _meant(clause, start, end, demand):
            if read.allowed:
                allowed.append(read)
            else:
                whom = person.person_id if person else ""
                yield DateRule(fact, (read,), whom, things, clause, is_pause=is_pause)
    if allowed:
        yield DateRule(fact, tuple(allowed), person.person_id if person else "", things, clause)


def _things(rest: str) -> frozenset[str]:
    cleaned = _FILLER_ZH.sub(" ", _ONLY.sub(" ", _REFUSED.sub(" ", rest)))
    return frozenset(
        each
        for each in words_of(cleaned)
        if each not in _FILLER and not each.isdigit() and (each.isascii() or len(each) > 1)
    )


def _spans(clause: str, situation: Situation) -> Iterator[tuple[int, int, Dates | Weekdays]]:
    """The days that a clause names, from left to right, as if they were allowed."""
    from engine.lexicon.reading.times import times_in  # the first text that is read loads the grammar

    low = clause.lower()
    taken: list[tuple[int, int]] = []
    found: list[tuple[int, int, Dates | Weekdays]] = []
    for read in constraint_patterns.READERS:
        for start, end, allows, _ in read(low):
            if isinstance(allows, Weekdays):
                found.append((start, end, allows))
                taken.append((start, end))
    asked = situation.asked
    if asked is not None:
        plain = _NEUTRAL.sub(lambda match: " " * len(match[0]), clause)
        for time in times_in(plain, asked):
            if any(time.start < end and start < time.end for start, end in taken):
                continue
            for first, last in _each_of(plain[max(0, time.start - 30) : time.end], time, asked):
                if first or last:
                    found.append((time.start, time.end, Dates(first, last)))
    yield from sorted(found, key=lambda each: each[:2])


_LISTED: Final = re.compile(
    (r"\s?(?:,\s?or|,\s?and|,|\bor\b|\band\b|&|/|、|或者?(?!许)|和|及)\s?(?:on\s)?"), re.IGNORECASE
)
_RANGE: Final = re.compile(r"\b(?:to|until|till|through|between|from)\b|[-–—~～]|到|至|之间|从", re.IGNORECASE)
_LISTED_DAYS: Final = re.compile(
    r"(?:\d{1,2}(?:st|nd|rd|th)?(?:\s[A-Za-z]{3,9})?\s?(?:,|or|and|&)\s?(?:or\s|and\s)?){1,4}$"
)
_DAY_ALONE: Final = re.compile(r"\d{1,2}")


def _each_of(said: str, time: "Found[When]", asked: "Asked") -> Iterator[tuple[date | None, date | None]]:
    """The days of a list, each by itself: "on 12 or 19 December" is two days, and no week."""
    from engine.lexicon.reading.times import times_in

    own = said[-(time.end - time.start) :]
    before = _LISTED_DAYS.search(said[: len(said) - len(own)])
    listed = (before[0] if before else "") + own
    parts = [each.strip() for each in _LISTED.split(listed) if each.strip()]
    whole = iso(time.value.first), iso(time.value.last)
    if len(parts) < 2 or _RANGE.search(listed):
        yield whole
        return
    month = re.sub(r"^\d{1,2}(?:st|nd|rd|th)?\s?", "", parts[-1])
    days = []
    for part in parts:
        named = f"{part} {month}" if _DAY_ALONE.fullmatch(part) else part
        days += [iso(each.value.first) for each in times_in(named, asked) if each.value.first == each.value.last]
    if len(days) != len(parts):
        yield whole
        return
    for day in days:
        yield day, day


def _meant(clause: str, start: int, end: int, demand: Dates | Weekdays) -> Iterator[Dates | Weekdays]:
    """The demand as the words around it mean it; nothing where they only mention the day."""
    before, after = clause[:start], clause[end:]
    if isinstance(demand, Dates):
        if _NOT_BEFORE.search(before):
            yield Dates(demand.first or _next(demand.last), None)
            return
        if _NOT_AFTER.search(before):
            yield Dates(None, demand.last or demand.first)
            return
    if _is_refused(before, after) or (_PAUSE.search(before + after) and not _ONLY.search(before + after)):
        yield _refused(demand)
    elif (
        (isinstance(demand, Dates) and (demand.first is None) != (demand.last is None))
        or _ONLY.search(before[-60:])
        or _ONLY.search(after[:16])
    ):
        yield demand


def _next(day: date | None) -> date | None:
    return day + DAY if day else None


def _is_refused(before: str, after: str) -> bool:
    near = re.split(r"[,，、]|\band\b", before)[-1][-60:]
    behind = re.split(r"[,，]|\bfrom\b", after)[0][:40]
    if re.search(r"\bexcept\b|除了|other than", near, re.IGNORECASE):
        return not _REFUSED.search(behind)
    if re.search(r"\bonly\b|只(?!要)|仅", near, re.IGNORECASE):
        return False
    return bool(_REFUSED.search(near)) != bool(_REFUSED.search(behind)) or bool(
        _REFUSED.search(near) and not near.strip().lower().startswith("not")
    )


def _refused(demand: Dates | Weekdays) -> Dates | Weekdays:
    if isinstance(demand, Weekdays):
        return Weekdays(demand.days, allowed=False)
    return Dates(demand.first, demand.last, allowed=False)


def applies(rule: DateRule, task: PlanTask, plan: Plan) -> bool:
    """Whether a rule is about this task."""
    if rule.person_id:
        return task.owner == rule.person_id
    if rule.is_pause:
        return True
    if not rule.things:
        # What is said of the whole is about its day; what it has to be done by is about every task.
        return _is_bound(rule) or _is_the_event(task, plan)
    if concerns(task, rule.things):
        return not is_preparing(task) or _is_bound(rule)
    named_elsewhere = any(concerns(each, rule.things) and not is_preparing(each) for each in plan.tasks)
    return not named_elsewhere and not _is_bound(rule) and _is_the_event(task, plan) and _is_known(rule, plan)


def _is_bound(rule: DateRule) -> bool:
    return all(isinstance(each, Dates) and each.allowed and each.first is None for each in rule.any_of)


def _is_the_event(task: PlanTask, plan: Plan) -> bool:
    event = event_task(plan)
    return event is not None and task.task_id == event.task_id and is_event(task)


_PLACE: Final = re.compile(
    r"\b(?:halls?|venue|rooms?|place|location|site|house|church|theatre|theater|stadium|gym|school|park"
    r"|restaurant|hotel"
    r"|cent(?:re|er)|studio|office|auditorium|kitchen|building|club)\b|场|厅|馆|室|楼|酒店|饭店|学校|中心|教堂"
    r"|园|机房",
    re.IGNORECASE,
)


def _is_known(rule: DateRule, plan: Plan) -> bool:
    """Whether what is planned takes place in it, or the plan uses it."""
    if _PLACE.search(rule.clause):
        return True
    said = "\n".join((plan.title, plan.goal, *(f"{each.title}\n{each.expected_output}" for each in plan.tasks)))
    return not rule.things.isdisjoint(words_of(said)) or shared_topics(rule.clause, said) > 0


def closest_day(
    day: date, rules: tuple[DateRule, ...], *, earliest: date | None, latest: date | None, later_first: bool = False
) -> date | None:
    """The allowed day that is nearest, of two the earlier unless the later one comes first; None if there is none."""
    steps = sorted(range(-FARTHEST, FARTHEST + 1), key=lambda each: (abs(each), (each < 0) == later_first))
    for step in steps:
        found = day + step * DAY
        is_within = (earliest is None or found >= earliest) and (latest is None or found <= latest)
        if is_within and all(rule.allows(found) for rule in rules):
            return found
    return None
