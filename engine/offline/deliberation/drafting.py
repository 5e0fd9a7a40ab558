"""Makes a first plan: what was agreed, else what a plan of its kind takes, with dates counted back from the end."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final, NamedTuple

from msgspec.structs import replace

from engine.deliberation.answers import Plan, PlanPhase, PlanTask
from engine.deliberation.check_people import suited
from engine.deliberation.plan_changes import with_tasks
from engine.deliberation.situation import Situation, is_event, iso
from engine.deliberation.words import share
from engine.facts.language import Language
from engine.facts.shortening import shorten
from engine.kernel import FactKind, HandedPerson, HandedTask
from engine.lexicon.constraint_patterns import hours_in
from engine.offline.deliberation.phrasing import phrase
from engine.offline.deliberation.stages import Kind, Stage, kind_of_goal

HOURS_A_TASK: Final = 6.0
"""Of a task of which nobody said how long it takes."""
STUDY_HOURS_A_WEEK: Final = 12.0
LONGEST_TITLE: Final = 100


class Span(NamedTuple):
    first: date
    last: date

    def at(self, percent: float) -> date:
        return self.first + timedelta(days=round((self.last - self.first).days * percent / 100))


def drafted(situation: Situation) -> Plan:
    brief, language = situation.brief, situation.language
    kind = kind_of_goal(f"{brief.title}\n{brief.goal}")
    span = span_of(situation, kind)
    phases = tuple(_agreed(situation, span)) if brief.tasks else tuple(_usual(kind, situation, span, language))
    plan = Plan(title=shorten(brief.title, LONGEST_TITLE), goal=shorten(brief.goal.split("\n")[0], 300), phases=phases)
    return completed(plan, situation)


def span_of(situation: Situation, kind: Kind | None = None) -> Span:
    """From today, or a later beginning, to the last day; of an event that has a day, from today to it."""
    brief = situation.brief
    kind = kind or kind_of_goal(f"{brief.title}\n{brief.goal}")
    today = situation.today or iso(brief.starts) or date(2000, 1, 3)
    starts, ends = iso(brief.starts), iso(brief.ends)
    if starts and starts > today and (kind.name in ("event", "trip", "move") or starts == ends):
        return Span(today, starts)
    first = max(today, starts) if starts else today
    last = ends if ends and ends >= first else first + timedelta(weeks=kind.weeks)
    return Span(first, last)


# ── what was agreed ───────────────────────────────────────────────────────────────────────────────────────────────


def _agreed(situation: Situation, span: Span) -> Iterator[PlanPhase]:
    """The agreed tasks by their dates: what prepares, what it is about, and what comes afterwards."""
    language = situation.language
    tasks = [*_dated([_task(each) for each in situation.brief.tasks], span)]
    event = next((each for each in reversed(tasks) if is_event(each)), None)
    day = event.deadline if event else span.last.isoformat()
    groups = (
        ("phase.prepare", [each for each in tasks if each.deadline < day]),
        ("phase.carry_out", [each for each in tasks if each.deadline == day]),
        ("phase.afterwards", [each for each in tasks if each.deadline > day]),
    )
    for name, group in groups:
        if group:
            yield PlanPhase(phase_name=phrase(name, language), duration=_lasting(group, language), tasks=tuple(group))


def _task(agreed: HandedTask) -> PlanTask:
    return PlanTask(
        task_id=agreed.task_id,
        title=agreed.title,
        owner=agreed.owner,
        estimated_hours=agreed.hours or HOURS_A_TASK,
        starts=agreed.starts,
        deadline=agreed.deadline,
        depends_on=agreed.depends_on,
        expected_output=agreed.expected_output,
        acceptance_criteria=agreed.acceptance,
    )


def _dated(tasks: list[PlanTask], span: Span) -> Iterator[PlanTask]:
    """Those without a date in their order: each a step nearer to the end, before what waits for it."""
    waiting = {on for each in tasks for on in each.depends_on}
    for at, task in enumerate(tasks, 1):
        if task.deadline:
            yield task
            continue
        latest = [each.deadline for each in tasks if task.task_id in each.depends_on and each.deadline]
        percent = 100 * at / (len(tasks) + 1) if task.task_id in waiting else 50 + 50 * at / len(tasks)
        day = min([span.at(percent).isoformat(), *latest])
        yield replace(task, deadline=max(day, task.starts))


# ── what is usual ─────────────────────────────────────────────────────────────────────────────────────────────────


def _usual(kind: Kind, situation: Situation, span: Span, language: Language) -> Iterator[PlanPhase]:
    said = "\n".join((situation.brief.title, situation.brief.goal, *(each.text for each in situation.facts)))
    left_out = {
        stage.task_id for phase in kind.phases for stage in phase.stages if stage.only and not stage.only.search(said)
    }
    weekly = next((hours * (7 if per == "day" else 1) for hours, per in hours_in(said.lower())), STUDY_HOURS_A_WEEK)
    whole = weekly * max(1.0, (span.last - span.first).days / 7)
    for phase in kind.phases:
        tasks = tuple(
            _stage(stage, span, language, whole, left_out) for stage in phase.stages if stage.task_id not in left_out
        )
        if tasks:
            yield PlanPhase(phase_name=phase.name[language], duration=_lasting([*tasks], language), tasks=tasks)


def _stage(stage: Stage, span: Span, language: Language, whole: float, left_out: set[str]) -> PlanTask:
    hours = max(1.0, round(whole * stage.share / 100)) if stage.share else stage.hours
    return PlanTask(
        task_id=stage.task_id,
        title=stage.title[language],
        estimated_hours=hours,
        starts=span.at(stage.begins).isoformat(),
        deadline=span.at(stage.ends).isoformat(),
        tags=stage.tags,
        depends_on=tuple(each for each in stage.after if each not in left_out),
        expected_output=stage.output[language],
        acceptance_criteria=(stage.accept[language],),
    )


def _lasting(tasks: list[PlanTask], language: Language) -> str:
    days = [day for each in tasks for said in (each.starts, each.deadline) if (day := iso(said))]
    if not days:
        return ""
    count = (max(days) - min(days)).days + 1
    if count >= 14:
        return phrase("lasting.weeks", language, n=round(count / 7))
    return phrase("lasting.days", language, n=count) if count > 1 else phrase("lasting.day", language)


# ── what is still missing ─────────────────────────────────────────────────────────────────────────────────────────


def completed(plan: Plan, situation: Situation) -> Plan:
    """Give each task hours, a date, an owner who brings it, and by what one sees that it is done."""
    span, language = span_of(situation), situation.language
    done = {each.task_id: _completed(each, span, language) for each in plan.tasks}
    plan = with_tasks(plan, done)
    owned: dict[str, PlanTask] = {}
    leader = _leader(situation)
    for task in plan.tasks:
        if task.owner or not situation.people:
            continue
        person = suited(task, plan, situation) or (leader if _is_led(task) else None)
        if person is not None:
            because = _offered(task, person.person_id, situation)
            owned[task.task_id] = replace(task, owner=person.person_id, because=because)
    return with_tasks(plan, owned)


_LEADS: Final = re.compile(
    r"\b(?:coordinat|organi[sz]|event plann|project lead|lead|manage|plan)\w*|统筹|策划|组织|负责人|总控|牵头"
    r"|协调",
    re.IGNORECASE,
)
_LED: Final = re.compile(
    r"\b(?:programme|budget|settle|look back|goal|scope|walk|risks?|result|keep to|fixed|looking back"
    r"|kick-?off)\b|流程|预算|复盘|确定|目标|范围"
    r"|收尾|兑现|启动|定内容|定日期",
    re.IGNORECASE,
)


def _leader(situation: Situation) -> HandedPerson | None:
    """Whoever says that they lead or coordinate, by their role before what they bring."""
    people = situation.brief.people
    by_role = next((each for each in people if _LEADS.search(each.role)), None)
    return by_role or next((each for each in people if _LEADS.search(each.brings)), None)


def _is_led(task: PlanTask) -> bool:
    return is_event(task) or bool(_LED.search(task.title))


def _completed(task: PlanTask, span: Span, language: Language) -> PlanTask:
    deadline = task.deadline or span.at(70).isoformat()
    return replace(
        task,
        estimated_hours=task.estimated_hours or HOURS_A_TASK,
        deadline=deadline,
        starts=min(task.starts, deadline) if task.starts else "",
        acceptance_criteria=task.acceptance_criteria or (phrase("accept", language, title=shorten(task.title, 60)),),
        expected_output=task.expected_output or task.title,
    )


def _offered(task: PlanTask, person_id: str, situation: Situation) -> tuple[str, ...]:
    """The offers of its owner that a task rests on."""
    return tuple(
        dict.fromkeys(
            (
                *task.because,
                *(
                    fact.fact_id
                    for fact in situation.facts
                    if fact.kind is FactKind.OFFER
                    and (person := situation.about(fact, fact.text)) is not None
                    and person.person_id == person_id
                    and share(task.title, fact.text) > 0
                ),
            )
        )
    )
