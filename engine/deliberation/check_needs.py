"""What a plan leaves out: needs, what was agreed, conditions; and what does not fit into its room or its budget."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final
from zlib import crc32

from engine.deliberation.amounts import budget, capacities, costs, guests
from engine.deliberation.answers import Plan, SlotChange
from engine.deliberation.check_texts import day as said_day
from engine.deliberation.check_texts import money, say
from engine.deliberation.date_rules import date_rules
from engine.deliberation.events import Finding
from engine.deliberation.fact_reading import demands
from engine.deliberation.found import finding
from engine.deliberation.needs_reading import as_task, needs_in, uncounted
from engine.deliberation.situation import Situation, event_task, iso, task_text
from engine.deliberation.topic_words import names_all_topics, shared_topics
from engine.deliberation.words import names, share, words_of
from engine.kernel import FactKind, HandedFact
from engine.lexicon.constraint_patterns import days_ahead, subjects_in

COVERED: float = 0.5
"""From which share of a need's words on a task covers it."""


def check_needs(plan: Plan, situation: Situation, checked: frozenset[str]) -> Iterator[Finding]:
    """
    Args:
        checked: ids of facts that another check has held against the plan.
    """
    language = situation.language
    texts = [task_text(each) for each in plan.tasks]
    cited = {each for task in plan.tasks for each in task.because}
    for agreed in situation.brief.tasks:
        known = any(each.task_id == agreed.task_id for each in plan.tasks)
        if not known and not any(share(agreed.title, text) >= COVERED for text in texts):
            change = SlotChange(slot="task", task_id=agreed.task_id, value=agreed.title)
            text = say("missing_task", language, title=agreed.title)
            yield finding("missing_task", "medium", text, changes=(change,))
    demanding = {each.fact.fact_id for each in demands(situation)}
    for fact in situation.facts:
        if fact.fact_id in checked or (fact.fact_id in cited and len(needs_in(fact.text)) == 1):
            continue
        if situation.is_of_other_option(fact.text) or fact.fact_id in demanding:
            continue
        if situation.brief.options and _is_of_options(fact, situation):
            continue
        match fact.kind:
            case FactKind.NEED | FactKind.GAP:
                for at, need in enumerate(needs_in(fact.text)):
                    if not _is_covered(uncounted(need), texts):
                        task_id = task_id_for(fact.fact_id, at)
                        change = SlotChange(slot="task", task_id=task_id, value=as_task(need, language))
                        severity = _how_grave(fact, need, texts)
                        text = say("missing_need", language, need=need)
                        yield finding("missing_need", severity, text, facts=(fact.fact_id,), changes=(change,))
            case FactKind.CONDITION | FactKind.REQUEST if not _DECLINED.search(fact.text):
                yield from _condition(fact, plan, situation, texts)


_OPTIONAL: Final = re.compile(
    (r"\b(?:not essential|optional\w*|nice to have|if possible)\b|没有也行|可有可无|最好能|可选"), re.IGNORECASE
)


def _is_of_options(fact: HandedFact, situation: Situation) -> bool:
    """Whether it says what an option has to have: facts that name options share words with it."""
    told = (each.text for each in situation.facts if any(names(each.text, one) for one in situation.brief.options))
    return any(share(fact.text, each) > 0 for each in told)


_NUMBER: Final = re.compile(r"\d+")
_HUNDREDS: Final = 9


def task_id_for(fact_id: str, part: int = 0) -> str:
    """The id of the task that a fact asks for: the same for everybody who finds it missing, such as ``task-304``."""
    number = _NUMBER.search(fact_id)
    kind = _NUMBER.sub("", fact_id)
    return f"task-{100 * (1 + crc32(kind.encode()) % _HUNDREDS) + (int(number[0] if number else 0) + 37 * part) % 100}"


_DECLINED: Final = re.compile(r"\(not met|\(declined|（没有满足|（未满足", re.IGNORECASE)
"""How a handover says that a wish was not granted."""


def _condition(fact: HandedFact, plan: Plan, situation: Situation, texts: list[str]) -> Iterator[Finding]:
    """What somebody wants some days before what is planned has a task that is done by then; the rest is answered."""
    language, ahead, event = situation.language, days_ahead(fact.text), event_task(plan)
    day = iso(event.deadline) if event else None
    if ahead is None or day is None:
        if not _is_covered(fact.text, texts):
            yield finding("unaddressed", "low", say("unaddressed", language, fact=fact.text), facts=(fact.fact_id,))
        return
    latest = max(day - timedelta(days=ahead), situation.today or date.min)
    wanted = subjects_in(fact.text)
    about = [each for each in plan.tasks if wanted & subjects_in(task_text(each)) and each.deadline]
    if any(each.deadline <= latest.isoformat() for each in about):
        return
    task_id = about[0].task_id if about else task_id_for(fact.fact_id)
    change = SlotChange(slot="deadline", task_id=task_id, value=latest.isoformat())
    text = say("too_late", language, fact=fact.text, day=said_day(latest, language))
    if about:
        yield finding("too_late", "medium", text, about[0], facts=(fact.fact_id,), changes=(change,))
        return
    person = situation.person(fact.by)
    key, name = ("as_promised_to", person.name) if person and person.name else ("as_promised", "")
    title = say(key, language, name=name, fact=fact.text.rstrip(".。 "))
    new = SlotChange(slot="task", task_id=task_id, value=title)
    yield finding("too_late", "medium", text, facts=(fact.fact_id,), changes=(new, change))


def _how_grave(fact: HandedFact, need: str, texts: list[str]) -> str:
    """A need of which no task says a word is missing for certain; one that is half said may be covered."""
    if fact.kind is not FactKind.NEED or _OPTIONAL.search(fact.text):
        return "low"
    return "medium" if any(share(need, text) for text in texts) else "high"


def _is_covered(said: str, texts: list[str]) -> bool:
    """Whether a task says most of it, or names the same ability, which it may do in the other language."""
    return any(share(said, text) >= COVERED for text in texts) or names_all_topics(said, texts)


def checked_by_dates(situation: Situation) -> frozenset[str]:
    """The facts that are held against dates."""
    return frozenset(rule.fact.fact_id for rule in date_rules(situation))


def check_amounts(plan: Plan, situation: Situation, choice: str) -> Iterator[Finding]:
    language = situation.language
    coming = guests(situation)
    if coming is not None:
        used = [each for each in capacities(situation) if _is_used(each.clause, each.things, plan, situation, choice)]
        # Where one room of several is large enough, the others are for something else.
        for room in used if all(each.value < coming.value for each in used) else ():
            facts = [each.fact_id for each in (room.fact, coming.fact) if each]
            text = say("capacity", language, people=coming.value, most=room.value, fact=room.clause)
            yield finding("capacity", "high", text, facts=dict.fromkeys(facts))
    most = budget(situation)
    if most is None:
        return
    spent = [
        each
        for each in costs(situation, coming.value if coming else 0)
        if each.currency == most.currency and _is_used(each.clause, each.things, plan, situation, choice)
    ]
    total = sum(each.value for each in spent)
    if total > most.value:
        facts = [each.fact.fact_id for each in (*spent, most) if each.fact]
        text = say("budget", language, sum=money(total, most.currency), most=money(most.value, most.currency))
        yield finding("budget", "high", text, facts=dict.fromkeys(facts))


def _is_used(clause: str, things: frozenset[str], plan: Plan, situation: Situation, choice: str) -> bool:
    """Whether the plan uses what a clause is about: the chosen option, or something that its tasks name."""
    named = [each for each in situation.brief.options if names(clause, each)]
    if named:
        return choice in named
    said = "\n".join((plan.title, plan.goal, *map(task_text, plan.tasks)))
    return not things.isdisjoint(words_of(said)) or shared_topics(clause, said) > 0
