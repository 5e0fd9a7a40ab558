"""Which facts a plan does not keep to: how long something takes, what comes first, who does what, what is done."""

from collections.abc import Iterator
from datetime import date
from typing import Final

from engine.deliberation.answers import Plan, PlanTask, SlotChange
from engine.deliberation.check_needs import task_id_for
from engine.deliberation.check_texts import day as said
from engine.deliberation.check_texts import say
from engine.deliberation.date_rules import DAY
from engine.deliberation.events import Finding
from engine.deliberation.fact_reading import Demand, demands
from engine.deliberation.found import finding
from engine.deliberation.situation import Situation, event_task, iso, names_the_event
from engine.deliberation.topic_words import shared_topics
from engine.deliberation.words import share, words_of

NEAR: Final = 0.6
"""From which share of its words on something is what a task is about."""
BETWEEN: Final = 7
"""Days between two tasks of which only the order is known."""


def check_facts(plan: Plan, situation: Situation) -> Iterator[Finding]:
    yield from _event_day(plan, situation)
    for demand in demands(situation):
        match demand.says:
            case "lasts":
                yield from _lasts(demand, plan, situation)
            case "ahead" | "due":
                yield from _due(demand, plan, situation)
            case "order":
                yield from _order(demand, plan, situation)
            case "does":
                yield from _does(demand, plan, situation)
            case "done":
                yield from _needless(demand, plan, situation)


def task_for(plan: Plan, what: str, *, loosely: bool = False) -> PlanTask | None:
    """The task that words of a fact are about; None where there is none.

    Args:
        loosely: whether a task that names the same ability counts as well.
    """
    scored = [(_closeness(what, each, loosely=loosely), -at, each) for at, each in enumerate(plan.tasks)]
    best = max(scored, key=lambda each: each[:2], default=None)
    if best is not None and best[0] >= NEAR:
        return best[2]
    return event_task(plan) if names_the_event(what) else None


def _closeness(what: str, task: PlanTask, *, loosely: bool) -> float:
    wanted = words_of(what) - _ACTS or words_of(what.partition(" ")[2]) or words_of(what)
    if not wanted:
        return 0.0
    close = _said(wanted, task.title) + 0.2 * share(task.title, what)
    if len(wanted) > 1:
        close = max(close, 0.9 * _said(wanted, f"{task.title}\n{task.expected_output}"))
    if not what.isascii():
        close = max(close, _same_letters(what, task.title))
    return max(close, NEAR) if loosely and shared_topics(what, task.title) else close


_ACTS: Final = frozenset(
    """
    writ design do mak prepar build book run creat draw organis organiz lead order buy test print host edit start begin
    finish don ready sign go send set get bring find check plan review happen
    """.split()  # noqa: SIM905 - as one reads them
)
"""What is done says less of a task than to what it is done."""
_STEM: Final = 5
"""Letters by which English words are taken for forms of one: "invitations" and "invite"."""


def _said(wanted: frozenset[str], text: str) -> float:
    """Which part of some words a text says, in whatever form."""
    words = words_of(text)
    starts = {each[:_STEM] for each in words if len(each) >= _STEM and each.isascii()}
    return sum(each in words or (each.isascii() and each[:_STEM] in starts) for each in wanted) / len(wanted)


_FILLER_ZH: Final = frozenset("的了一和与在要到是个份次做好")


def _same_letters(one: str, other: str) -> float:
    """How much of the shorter one of two Chinese texts the other one says, letter by letter."""
    letters = [{each for each in text if "\u4e00" <= each <= "\u9fff"} - _FILLER_ZH for text in (one, other)]
    shorter, longer = sorted(letters, key=len)
    return len(shorter & longer) / len(shorter) if len(shorter) > 1 else 0.0


def last_day_before(plan: Plan, situation: Situation) -> date | None:
    """The last day for what has to be done before that which all of it is about."""
    event = event_task(plan)
    day = iso(event.deadline) if event else None
    if day is not None:
        return day - DAY
    return iso(situation.brief.ends) or max(
        (known for each in plan.tasks if (known := iso(each.deadline))), default=None
    )


# ── the day of all of it ──────────────────────────────────────────────────────────────────────────────────────────


def _event_day(plan: Plan, situation: Situation) -> Iterator[Finding]:
    """The day that the brief names, or a day between both that it names."""
    first, last, event = iso(situation.brief.starts), iso(situation.brief.ends), event_task(plan)
    day = iso(event.deadline) if event else None
    if event is None or day is None or first is None or last is None or day >= first or "event" not in event.tags:
        return
    language = situation.language
    text = say("event_day", language, title=event.title, day=said(day, language), first=said(first, language))
    change = SlotChange(slot="deadline", task_id=event.task_id, value=first.isoformat())
    yield finding("event_day", "high", text, event, changes=(change,))


# ── how long it takes ─────────────────────────────────────────────────────────────────────────────────────────────


def _lasts(demand: Demand, plan: Plan, situation: Situation) -> Iterator[Finding]:
    task, language = task_for(plan, demand.what), situation.language
    event = event_task(plan)
    if task is not None and event is not None and task.task_id == event.task_id:
        return
    latest, today = last_day_before(plan, situation), situation.today
    if latest is None:
        return
    lasting = demand.days * DAY
    if today is not None and latest - lasting < today:
        text = say("no_time", language, days=(latest - today).days, day=said(latest, language), fact=demand.fact.text)
        yield finding("no_time", "high", text, task, facts=(demand.fact.fact_id,))
        return
    if task is None:
        yield _missing(demand, demand.what, latest, situation, starts=latest - lasting)
        return
    starts, deadline = iso(task.starts), iso(task.deadline)
    if deadline is None or (starts is not None and deadline - starts >= lasting):
        return
    if starts is not None and starts + lasting <= latest:
        first, last = starts, starts + lasting
    else:
        last = max(deadline, today + lasting) if today else deadline
        first = last - lasting
    text = say(
        "too_short",
        language,
        title=task.title,
        days=(deadline - starts).days if starts else 0,
        fact=demand.fact.text,
    )
    if starts is None:
        text = say("no_start", language, title=task.title, fact=demand.fact.text)
    changes = (
        SlotChange(slot="deadline", task_id=task.task_id, value=last.isoformat()),
        SlotChange(slot="start", task_id=task.task_id, value=first.isoformat()),
    )
    yield finding("too_short", "medium", text, task, facts=(demand.fact.fact_id,), changes=changes)


def _due(demand: Demand, plan: Plan, situation: Situation) -> Iterator[Finding]:
    """What has a day of its own, or has to be done so many days before all the rest."""
    task, event, language = task_for(plan, demand.what), event_task(plan), situation.language
    latest = last_day_before(plan, situation)
    if latest is None or (task is not None and event is not None and task.task_id == event.task_id):
        return
    day = demand.day or latest + DAY - demand.days * DAY
    if situation.today is not None and day < situation.today:
        text = say(
            "no_time", language, days=(latest - situation.today).days, day=said(latest, language), fact=demand.fact.text
        )
        yield finding("no_time", "high", text, task, facts=(demand.fact.fact_id,))
    elif task is None and day <= latest:
        yield _missing(demand, demand.what, day, situation)
    elif task is not None and task.deadline > day.isoformat():
        text = say("too_late", language, fact=demand.fact.text, day=said(day, language))
        change = SlotChange(slot="deadline", task_id=task.task_id, value=day.isoformat())
        yield finding("too_late", "medium", text, task, facts=(demand.fact.fact_id,), changes=(change,))


def latest_for(task: PlanTask, plan: Plan, situation: Situation) -> date | None:
    """The day by which facts want a task to be done; None where none says so."""
    latest = last_day_before(plan, situation)
    days = [
        demand.day or latest + DAY - demand.days * DAY
        for demand in demands(situation)
        if latest is not None and demand.says in ("ahead", "due")
        if (about := task_for(plan, demand.what)) is not None and about.task_id == task.task_id
    ]
    return min(days, default=None)


def _missing(
    demand: Demand, title: str, deadline: date, situation: Situation, *, starts: date | None = None, owner: str = ""
) -> Finding:
    """A step of which the plan says nothing, with the task that it would be."""
    task_id = task_id_for(demand.fact.fact_id, 1 + (title == demand.then))
    changes = [SlotChange(slot="task", task_id=task_id, value=title)]
    changes.append(SlotChange(slot="deadline", task_id=task_id, value=deadline.isoformat()))
    if starts is not None:
        changes.append(SlotChange(slot="start", task_id=task_id, value=starts.isoformat()))
    if owner:
        changes.append(SlotChange(slot="owner", task_id=task_id, value=owner))
    text = say("missing_step", situation.language, what=title, fact=demand.fact.text)
    return finding("missing_step", "medium", text, facts=(demand.fact.fact_id,), changes=changes)


# ── what comes first ──────────────────────────────────────────────────────────────────────────────────────────────


def _order(demand: Demand, plan: Plan, situation: Situation) -> Iterator[Finding]:
    first = task_for(plan, demand.what, loosely=True)
    then = task_for(plan, demand.then, loosely=True)
    latest, today = last_day_before(plan, situation), situation.today
    if latest is None or (first is not None and then is not None and first.task_id == then.task_id):
        return
    if first is None:
        before = iso(then.deadline) if then else None
        deadline = max(before - BETWEEN * DAY, today or before) if before and then else latest - BETWEEN * DAY
        yield _missing(demand, demand.what, max(deadline, today or deadline), situation)
    elif then is None:
        done = iso(first.deadline) or latest
        yield _missing(demand, demand.then, max(done, min(done + BETWEEN * DAY, latest)), situation)
    elif first.deadline and then.deadline and then.deadline < first.deadline:
        language = situation.language
        text = say(
            "order_fact",
            language,
            title=first.title,
            day=said(first.deadline, language),
            other=then.title,
            other_day=said(then.deadline, language),
            fact=demand.fact.text,
        )
        change = SlotChange(slot="deadline", task_id=first.task_id, value=then.starts or then.deadline)
        yield finding("order_fact", "high", text, first, facts=(demand.fact.fact_id,), changes=(change,))


# ── who does it, and what is done ─────────────────────────────────────────────────────────────────────────────────


def _does(demand: Demand, plan: Plan, situation: Situation) -> Iterator[Finding]:
    task, language = task_for(plan, demand.what), situation.language
    latest = last_day_before(plan, situation)
    if task is None and latest is not None:
        days = [known for each in plan.tasks if (known := iso(each.starts or each.deadline))]
        first = min(days, default=latest)
        deadline = first + (latest - first) * 2 // 3
        yield _missing(demand, demand.what, deadline, situation, owner=demand.person_id)
    elif task is not None and task.owner != demand.person_id:
        name = situation.called(demand.person_id)
        text = say("owner_fact", language, title=task.title, name=name, fact=demand.fact.text)
        change = SlotChange(slot="owner", task_id=task.task_id, value=demand.person_id)
        yield finding("owner_fact", "medium", text, task, facts=(demand.fact.fact_id,), changes=(change,))


def _needless(demand: Demand, plan: Plan, situation: Situation) -> Iterator[Finding]:
    for task in plan.tasks:
        is_same = share(task.title, demand.fact.text) >= 1.0
        if not demand.what.isascii():
            is_same = is_same or _same_letters(task.title, demand.fact.text) >= 0.75
        if is_same and "event" not in task.tags:
            text = say("needless", situation.language, title=task.title, fact=demand.fact.text)
            change = SlotChange(slot="task", task_id=task.task_id)
            yield finding("needless", "medium", text, facts=(demand.fact.fact_id,), changes=(change,))
            return
