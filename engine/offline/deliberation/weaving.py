"""Works every fact into a plan: as what a task waits for, by what one sees that it is done, or what it is called.

What cannot be worked in is told with the position (`unplaced`), so that no fact is passed over in silence.
"""

import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from msgspec.structs import replace

from engine.deliberation.answers import Plan, PlanTask
from engine.deliberation.check_dates import AFTERWARDS
from engine.deliberation.check_facts import task_for
from engine.deliberation.check_needs import COVERED
from engine.deliberation.date_rules import DateRule, applies, date_rules
from engine.deliberation.fact_reading import Demand, demands
from engine.deliberation.needs_reading import needs_in, uncounted
from engine.deliberation.own_day import is_of_its_day
from engine.deliberation.plan_changes import with_tasks
from engine.deliberation.situation import Situation, event_task, iso, task_text
from engine.deliberation.topic_words import shared_topics
from engine.deliberation.words import share, words_of
from engine.facts.shortening import shorten
from engine.kernel import FactKind, HandedFact
from engine.lexicon.constraints import Dates
from engine.offline.deliberation.phrasing import phrase

LONGEST_CRITERION: Final = 200
MOST_CRITERIA: Final = 5
"""Of one task: what is more is left out where an answer is read."""
_MONEY: Final = re.compile(
    r"\b(?:budget|spend|afford|funds?|costs?|euros?|dollars?|pounds?|yuan|rmb)\b|[€$£¥]|预算|经费|费用|花费"
    r"|\d+(?:元|块|万)",
    re.IGNORECASE,
)
_MONEY_TASK: Final = re.compile(r"\bbudget\b|预算", re.IGNORECASE)
_DEMANDS: Final = re.compile(
    r"\d|\b(?:must|only|at least|at most|no more|has to|have to|should|needs?|never|every|each|all|without|no|not|can"
    r"|cannot|can't|wants?|likes?|prefers?|requires?|allergic|vegetarian|wheelchair|important|bilingual|accessible"
    r"|one|two|three|four|five|six|ten)\b|必须|只|至少|最多|不|需|要|都|每|全|希望|重要|无障碍|素食|过敏"
    r"|[一两二三四五六七八九十]",
    re.IGNORECASE,
)
_WEAK: Final = re.compile(
    r"^(?:my |our |the )?(?P<a>[\w ]{3,30}?) (?:is|are) (?:my |our |the )?(?:\w+ )?weak"
    r"(?:est|ness|er| part| spot| point)\b"
    r"|\bweak(?:est|ness)?(?: (?:part|spot|point|subject|side|area))?(?: is| in| at|:) (?:the "
    r"|my )?(?P<b>[\w ]{3,30})"
    r"|\b(?:bad|poor|weak|worst) (?:at|in) (?P<c>[\w ]{3,30})|\bstruggles? with (?:the )?(?P<d>[\w ]{3,30})"
    r"|(?P<e>[\u4e00-\u9fff]{2,8}?)(?:是|属于)?(?:我的|最|比较|一直|很|太)*(?:弱项|短板|薄弱|弱(?!点)|最差|较差)"
    r"|(?:弱项|短板)(?:是|在于|:|：)(?P<f>[\u4e00-\u9fff]{2,8})",
    re.IGNORECASE,
)

_WHERE: Final = (
    (
        re.compile(
            r"\b(?:vegetarian|vegan|allerg\w+|halal|kosher|gluten|diets?|menu|eat)\b|素食|吃素|过敏|忌口|清真|菜单",
            re.IGNORECASE,
        ),
        re.compile(r"food|cater|meal|餐|饮", re.IGNORECASE),
    ),
    (
        re.compile(
            r"\b(?:wheelchair|accessible|parking|seats?|room|venue|hall|floor|lift)\b"
            r"|轮椅|无障碍|停车|座位|场地|电梯",
            re.IGNORECASE,
        ),
        re.compile(r"venue|room|hall|场地", re.IGNORECASE),
    ),
    (
        re.compile(r"\b(?:projector|microphone|sound|screen|stream|wifi)\b|投影|麦克风|音响|直播|网络", re.IGNORECASE),
        re.compile(r"equipment|设备", re.IGNORECASE),
    ),
    (
        re.compile(r"\b(?:invit\w+|guests?|sign-?ups?|registration)\b|邀请|报名|来宾", re.IGNORECASE),
        re.compile(r"invit|sign-up|邀请|报名", re.IGNORECASE),
    ),
)
"""Which task facts of a kind belong to, by words of both."""
_ARTICLE: Final = re.compile(r"^(?:an?|the)\s+", re.IGNORECASE)


class Unplaced(NamedTuple):
    """A fact that no task takes up, and why."""

    fact: HandedFact
    why: Literal["person", "done", "nothing"]
    name: str = ""
    """Whom it is about, where they have no task."""


def woven(plan: Plan, situation: Situation) -> Plan:
    """Work in what is no matter of dates, hours or owners. Doing it twice changes nothing more."""
    for demand in demands(situation):
        plan = _with_demand(plan, demand, situation)
    plan = _with_weakest(plan, situation)
    plan = _with_needs(plan, situation)
    plan = _with_rules(plan, situation)
    cited = {each for task in plan.tasks for each in task.because}
    for fact in situation.facts:
        if fact.fact_id not in cited and (task := _place(fact, plan, situation)) is not None:
            plan = with_tasks(plan, {task.task_id: _meeting(task, fact, shorten(fact.text, LONGEST_CRITERION))})
    return _with_all_before(plan)


def _with_all_before(plan: Plan) -> Plan:
    """Let what all of it is about wait for every task that a fact asks for."""
    event = event_task(plan)
    waited_for = {each for task in plan.tasks for each in task.depends_on}
    for task in plan.tasks if event else ():
        is_loose = task.because and task.task_id not in waited_for and task.deadline
        is_after = AFTERWARDS.intersection(task.tags) or (event and task.deadline > event.deadline)
        if event and is_loose and not is_after and task.task_id != event.task_id:
            plan = _waiting(plan, event.task_id, task.task_id)
    return plan


def unplaced(plan: Plan, situation: Situation) -> Iterator[Unplaced]:
    """The facts that no task takes up. Those about options are weighed elsewhere."""
    cited = {each for task in plan.tasks for each in task.because}
    done = {each.fact.fact_id for each in demands(situation) if each.says == "done"}
    for fact in situation.facts:
        if fact.fact_id in cited or _names_option(fact, situation):
            continue
        person = situation.about(fact, fact.text)
        if fact.fact_id in done:
            yield Unplaced(fact, "done")
        elif person is not None and not any(each.owner == person.person_id for each in plan.tasks):
            yield Unplaced(fact, "person", person.name)
        else:
            yield Unplaced(fact, "nothing")


def _names_option(fact: HandedFact, situation: Situation) -> bool:
    return any(situation.is_of_other_option(fact.text) or each in fact.text for each in situation.brief.options)


def _meeting(task: PlanTask, fact: HandedFact, criterion: str = "") -> PlanTask:
    """The task with the fact as a reason, and as one of the criteria by which it is accepted."""
    criteria = task.acceptance_criteria
    if criterion and criterion not in criteria:
        criteria = (*criteria, criterion)[-MOST_CRITERIA:]
    return replace(task, because=tuple(dict.fromkeys((*task.because, fact.fact_id))), acceptance_criteria=criteria)


# ── what takes long, what comes first, who does what ──────────────────────────────────────────────────────────────


def _with_demand(plan: Plan, demand: Demand, situation: Situation) -> Plan:
    match demand.says:
        case "ahead" | "due":
            task = task_for(plan, demand.what)
            if task is not None:
                plan = with_tasks(plan, {task.task_id: _meeting(task, demand.fact)})
        case "lasts":
            task, event = task_for(plan, demand.what), event_task(plan)
            if task is None:
                return plan
            plan = with_tasks(plan, {task.task_id: _meeting(task, demand.fact)})
            if event is not None and task.task_id != event.task_id and task.deadline <= event.deadline:
                plan = _waiting(plan, event.task_id, task.task_id)
                for each in event.depends_on:
                    before = next((one for one in plan.tasks if one.task_id == each), None)
                    if before is not None and not before.because and before.deadline <= task.starts:
                        plan = _waiting(plan, task.task_id, each)
        case "order":
            first = task_for(plan, demand.what, loosely=True)
            then = task_for(plan, demand.then, loosely=True)
            if first is None or then is None or first.task_id == then.task_id:
                return plan
            done = first.deadline
            if done and then.starts and then.starts < done <= then.deadline:
                plan = with_tasks(plan, {then.task_id: replace(then, starts=done)})
            plan = _waiting(plan, then.task_id, first.task_id)
            now = next(each for each in plan.tasks if each.task_id == then.task_id)
            plan = with_tasks(plan, {now.task_id: _meeting(now, demand.fact)})
        case "does":
            task = task_for(plan, demand.what)
            if task is not None and task.owner == demand.person_id:
                plan = with_tasks(plan, {task.task_id: _meeting(task, demand.fact)})
    return plan


def _waiting(plan: Plan, task_id: str, for_: str) -> Plan:
    """Let a task wait for another one, unless that would go round in a circle."""
    tasks = {each.task_id: each for each in plan.tasks}
    waiting, seen = [for_], set[str]()
    while waiting:
        each = waiting.pop()
        if each == task_id:
            return plan
        if each in tasks and each not in seen:
            seen.add(each)
            waiting += tasks[each].depends_on
    task = tasks[task_id]
    return with_tasks(plan, {task_id: replace(task, depends_on=tuple(dict.fromkeys((*task.depends_on, for_))))})


# ── what it is called, and by what one sees that it is done ───────────────────────────────────────────────────────


def _with_weakest(plan: Plan, situation: Situation) -> Plan:
    language = situation.language
    unnamed = phrase("weakest.unnamed", language)
    for fact in situation.facts:
        match = _WEAK.search(fact.text)
        what = next((each for each in match.groups() if each), "").strip() if match else ""
        for task in plan.tasks if what else ():
            if task.title == unnamed:
                named = replace(task, title=phrase("weakest.named", language, what=what[:1].lower() + what[1:]))
                plan = with_tasks(plan, {task.task_id: _meeting(named, fact)})
    return plan


def _with_needs(plan: Plan, situation: Situation) -> Plan:
    """Let the task that covers a need say so."""
    demanding = {each.fact.fact_id for each in demands(situation)}
    for fact in situation.facts:
        if fact.kind not in (FactKind.NEED, FactKind.GAP) or fact.fact_id in demanding:
            continue
        for need in needs_in(fact.text):
            bare = uncounted(need)
            near = max(plan.tasks, key=lambda each: share(bare, task_text(each)), default=None)
            if near is None or fact.fact_id in near.because or share(bare, task_text(near)) < COVERED:
                continue
            said = replace(near, expected_output=near.expected_output if share(need, near.title) >= 1 else need)
            if share(need, near.title) < 1 and "event" not in near.tags:
                separator = "：" if situation.language == "zh" else ": "
                said = replace(said, title=f"{near.title}{separator}{_ARTICLE.sub('', need)}")
            plan = with_tasks(plan, {near.task_id: _meeting(said, fact)})
    return plan


def _with_rules(plan: Plan, situation: Situation) -> Plan:
    """Let each task name what rules its days; a task that goes on over a pause says so."""
    rules = date_rules(situation)
    tasks: dict[str, PlanTask] = {}
    for task in plan.tasks:
        met = task
        for rule in rules:
            if rule.is_pause:
                if _goes_on_over(task, rule):
                    text = phrase("pause", situation.language, fact=shorten(rule.fact.text, LONGEST_CRITERION))
                    met = _meeting(met, rule.fact, text)
            elif applies(rule, task, plan):
                met = _meeting(met, rule.fact)
        if met is not task:
            tasks[task.task_id] = met
    return with_tasks(plan, tasks)


def _goes_on_over(task: PlanTask, rule: DateRule) -> bool:
    first, last = iso(task.starts), iso(task.deadline)
    if first is None or last is None:
        return False
    days = (each.first for each in rule.any_of if isinstance(each, Dates))
    return any(each is not None and first < each <= last for each in days)


def _covering(fact: HandedFact, task: PlanTask) -> float:
    return share(fact.text, task_text(task)) + shared_topics(fact.text, task.title)


def _place(fact: HandedFact, plan: Plan, situation: Situation) -> PlanTask | None:
    """The task at whose acceptance a fact is looked at; None where nothing follows from it."""
    handled = {each.fact.fact_id for each in demands(situation)}
    event = event_task(plan)
    if is_of_its_day(fact.text, situation.brief.goal):
        return event
    person = situation.about(fact, fact.text)
    if fact.fact_id in handled or _names_option(fact, situation) or not plan.tasks:
        return None
    if fact.kind in (FactKind.NEED, FactKind.GAP):
        # What no task provides becomes a task of its own.
        texts = [
            (share(fact.text, task_text(each)) + shared_topics(fact.text, each.title), each) for each in plan.tasks
        ]
        close, near = max(texts, key=lambda each: each[0])
        return near if close >= COVERED else None
    if person is not None:
        own = [each for each in plan.tasks if each.owner == person.person_id]
        if not own:
            return None
        return max(own, key=lambda each: share(fact.text, task_text(each)))
    before = [each for each in plan.tasks if not AFTERWARDS.intersection(each.tags)] or [*plan.tasks]
    if _MONEY.search(fact.text):
        about = [each for each in before if _MONEY_TASK.search(task_text(each))]
        return about[0] if about else before[0]
    if not _DEMANDS.search(fact.text):
        return None
    for of_fact, of_task in _WHERE:
        hinted = [each for each in before if of_fact.search(fact.text) and of_task.search(each.title)]
        if hinted:
            return hinted[0]
    wanted = words_of(fact.text)
    scored = [
        (len(wanted & words_of(task_text(each))) + shared_topics(fact.text, each.title), -at, each)
        for at, each in enumerate(before)
    ]
    best = max(scored, key=lambda each: each[:2])
    return best[2] if best[0] else event or before[-1]
