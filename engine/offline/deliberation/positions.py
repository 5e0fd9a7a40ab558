"""What an agent holds of a plan, in short. Two agents that know the same, and hold the same plan, say the same."""

from collections.abc import Iterator, Sequence
from typing import Final

from engine.deliberation.answers import Decision, Plan, Position
from engine.deliberation.check_options import weigh_options
from engine.deliberation.check_texts import day
from engine.deliberation.events import Finding
from engine.deliberation.option_weights import Evidence, Weighed
from engine.deliberation.situation import Situation, event_task, iso
from engine.facts.shortening import shorten
from engine.kernel import FactKind, HandedFact
from engine.lexicon.constraint_patterns import hours_in
from engine.offline.deliberation.phrasing import listed, phrase, sentence
from engine.offline.deliberation.weaving import unplaced

LONGEST_FACT: Final = 160
"""Characters of somebody's words in a reason."""
MOST_REASONS: Final = 4
MOST_NAMED: Final = 2
"""Tasks that are named of those that nobody has."""
MOST_OPEN: Final = 3
"""Uncertainties beside the facts that no task takes up."""


def position_of(plan: Plan, situation: Situation, left: Sequence[Finding], *, is_blind: bool = False) -> Position:
    """
    Args:
        left: what nothing cures.
        is_blind: whether others know what this agent does not.
    """
    weighed = weigh_options(situation)
    best = weighed[0] if weighed else None
    grave = [each for each in left if each.severity == "high"]
    impossible = bool(grave) or (best is not None and bool(best.ruling_out))
    decision: Decision = "no_go" if impossible else "go_with_changes" if left else "go"
    choice = best.option if best else ""
    reasons = [*_reasons(plan, situation, weighed)]
    return Position(
        conclusion=conclusion(plan, situation, choice, impossible=impossible),
        key_reasons=tuple(reasons[:MOST_REASONS]),
        assumptions=tuple(_assumptions(plan, situation, choice)),
        confidence=_confidence(left, is_blind=is_blind),
        decision=decision,
        choice=choice,
        because=tuple(_because(plan, situation, weighed, left)),
        uncertainties=tuple(_uncertainties(plan, situation, left)),
        worst_case=_worst_case(plan, situation, choice),
    )


def conclusion(plan: Plan, situation: Situation, choice: str, *, impossible: bool) -> str:
    language = situation.language
    if choice:
        return sentence("conclusion.no_choice" if impossible else "conclusion.choice", language, choice=choice)
    if impossible:
        return phrase("conclusion.impossible", language, title=plan.title)
    return phrase("conclusion.plan", language, title=plan.title, day=day(last_day(plan), language))


def last_day(plan: Plan) -> str:
    """The day of what it is all about, else its last deadline."""
    event = event_task(plan)
    return event.deadline if event else max((each.deadline for each in plan.tasks), default="")


def _reasons(plan: Plan, situation: Situation, weighed: Sequence[Weighed]) -> Iterator[str]:
    language = situation.language
    if weighed:
        best, *others = weighed
        for each in others[:2]:
            if each.ruling_out:
                told = said(each.ruling_out[0].fact, situation)
                yield sentence("reason.ruled_out", language, option=each.option, fact=told)
        for evidence in _strongest(best)[:2]:
            yield phrase("reason.speaks_for", language, option=best.option, fact=said(evidence.fact, situation))
        return
    days = sorted(filter(None, (each.deadline for each in plan.tasks)))
    if days:
        hours = f"{plan.total_estimated_hours:g}"
        first, last = day(days[0], language), day(days[-1], language)
        yield phrase("reason.dates", language, count=len(plan.tasks), first=first, last=last, hours=hours)
    owners = [*dict.fromkeys(situation.called(each.owner) for each in plan.tasks if each.owner)]
    if owners:
        yield phrase("reason.owners", language, names=listed(owners, language))
    cited = {each for task in plan.tasks for each in task.because}
    kinds = (FactKind.LIMIT, FactKind.DATE, FactKind.CONDITION, FactKind.CONSTRAINT)
    for fact in situation.facts:
        if fact.fact_id in cited and fact.kind in kinds:
            yield phrase("reason.fact", language, fact=said(fact, situation))


def _strongest(weighed: Weighed) -> list[Evidence]:
    return sorted(weighed.speaks_for, key=lambda each: -each.weight.value)


def said(fact: HandedFact, situation: Situation) -> str:
    """Somebody's words, with their name where it is known."""
    text = shorten(" ".join(fact.text.split()), LONGEST_FACT)
    person = situation.person(fact.by)
    if person is None or not person.name:
        return text
    return phrase("reason.by", situation.language, fact=text.rstrip(" .。"), name=person.name)


def _assumptions(plan: Plan, situation: Situation, choice: str) -> Iterator[str]:
    language = situation.language
    if choice:
        yield phrase("assumption.known", language, choice=choice)
        return
    if situation.people:
        yield phrase("assumption.owners", language)
        if any(not each.owner for each in plan.tasks):
            yield phrase("assumption.nobody", language)
    elif not any([*hours_in(each.text.lower())] for each in situation.facts):
        weeks = max(1.0, _days(plan) / 7)
        yield phrase("assumption.hours", language, hours=f"{plan.total_estimated_hours / weeks:.0f}")
    if last_day(plan):
        yield phrase("assumption.dates", language, day=day(last_day(plan), language))


def _days(plan: Plan) -> int:
    found = [known for each in plan.tasks for text in (each.starts, each.deadline) if (known := iso(text))]
    return (max(found) - min(found)).days if found else 7


def _confidence(left: Sequence[Finding], *, is_blind: bool) -> float:
    weight = sum({"high": 0.25, "medium": 0.1, "low": 0.0}[each.severity] for each in left)
    return round(max(0.2, (0.75 if is_blind else 0.85) - weight), 2)


def _because(plan: Plan, situation: Situation, weighed: Sequence[Weighed], left: Sequence[Finding]) -> list[str]:
    found: dict[str, None] = {}
    if weighed:
        best, *others = weighed
        for each in others:
            found |= dict.fromkeys(each.ruling_out[0].because if each.ruling_out else ())
        for evidence in _strongest(best)[:3]:
            found |= dict.fromkeys(evidence.because)
        for each in others:
            found |= dict.fromkeys(one for evidence in each.ruling_out[1:] for one in evidence.because)
    for task in plan.tasks:
        found |= dict.fromkeys(task.because)
    for finding in left:
        found |= dict.fromkeys(finding.facts)
    known = {each.fact_id for each in situation.facts}
    return [each for each in found if each in known][:12]


def _uncertainties(plan: Plan, situation: Situation, left: Sequence[Finding]) -> list[str]:
    language = situation.language
    found = [each.text for each in left]
    found += nobodys(plan, situation)
    if not situation.brief.ends and not situation.brief.options:
        found.append(phrase("uncertain.end", language))
    told = [
        phrase(f"unplaced.{each.why}", language, name=each.name, fact=each.fact.text)
        for each in unplaced(plan, situation)
    ]
    return [*_open_day(plan, situation), *found[:MOST_OPEN], *told]


def nobodys(plan: Plan, situation: Situation) -> list[str]:
    """Name the tasks that nobody has, in one sentence; nothing where no people are known."""
    language = situation.language
    titles = [f"“{each.title}”" for each in plan.tasks if not each.owner] if situation.people else []
    count = len(titles)
    if count <= MOST_NAMED:
        return [phrase("uncertain.owner", language, titles=listed(titles, language))] if titles else []
    told = ("、" if language == "zh" else ", ").join(titles[:MOST_NAMED])
    return [phrase("uncertain.owners", language, titles=told, count=count if language == "zh" else count - MOST_NAMED)]


def _open_day(plan: Plan, situation: Situation) -> Iterator[str]:
    """Where only the month of what all of it is about is known."""
    first, last, event = situation.brief.starts, situation.brief.ends, event_task(plan)
    if event is not None and first and last and first < last and event.deadline == first:
        language = situation.language
        yield phrase("uncertain.day", language, first=day(first, language), last=day(last, language))


def _worst_case(plan: Plan, situation: Situation, choice: str) -> str:
    language = situation.language
    if choice:
        return phrase("worst.choice", language, choice=choice)
    longest = max(plan.tasks, key=lambda each: each.estimated_hours, default=None)
    if longest is None:
        return ""
    return phrase("worst.date", language, title=longest.title, day=day(last_day(plan), language))
