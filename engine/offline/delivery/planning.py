"""Makes tickets of a goal by rules: one for each task that is listed in it; where none is, one for the goal itself.

Nothing is made up: no task, no hour, no day, no risk. Who does it is only known where a line begins with a name.
"""

import re
from collections.abc import Sequence
from typing import Any, Final

from engine.delivery.answers import ClarifyAnswer, PlanAnswer, PlannedTask
from engine.delivery.given import BriefGiven, PersonGiven
from engine.facts.shortening import shorten
from engine.offline.reading.script import chinese_tag

MOST_TASKS: Final = 40
LONGEST_TITLE: Final = 160

_ITEM: Final = re.compile(r"^\s{0,8}(?:[-*•·]|\(?\d{1,2}[.)、）]|[①-⑳])\s{0,4}(\S.{0,1999})$")
_PART: Final = re.compile(r"[;；]")
_AFTER: Final = re.compile(
    r"(?:and then|then|finally|afterwards|after that)[ ,]\s*|(?:然后|接着|之后|随后|最后)，?", re.I
)
"""Says at the beginning of a task that it comes after the one before."""
_FILE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,40}\.(?:md|txt|csv|json|html|pdf|py|xlsx|docx|png|svg)\b")
_DAY: Final = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)")


def clarify(brief: BriefGiven, **_: Any) -> ClarifyAnswer:
    """Ask nothing: what is missing, rules do not see."""
    return ClarifyAnswer(intent_summary=shorten(brief.goal, LONGEST_TITLE), language=chinese_tag(brief.goal))


def make_plan(brief: BriefGiven, people: Sequence[PersonGiven], **_: Any) -> PlanAnswer:
    tasks: list[PlannedTask] = []
    for number, said in enumerate(_listed(brief.goal), 1):
        after = _AFTER.match(said) if tasks else None
        text = (said[after.end() :] if after else said).strip()
        days = _DAY.findall(text)
        tasks.append(
            PlannedTask(
                task_id=f"task-{number}",
                title=shorten(text, LONGEST_TITLE),
                description=text if len(text) > LONGEST_TITLE else "",
                depends_on=(tasks[-1].task_id,) if after else (),
                expected_outputs=tuple(dict.fromkeys(_FILE.findall(text))),
                owner=_named_first(text, people),
                deadline=days[0] if len(days) == 1 and days[0] >= brief.today else "",
            )
        )
    return PlanAnswer(tasks=tuple(tasks[:MOST_TASKS]))


def _listed(goal: str) -> list[str]:
    """Return what is listed line by line, or between semicolons; else the goal."""
    items = [found[1].strip() for line in goal.splitlines() if (found := _ITEM.match(line))]
    if len(items) > 1:
        return items
    parts = [each.strip(" \n.。") for each in _PART.split(goal)]
    return [each for each in parts if each] if "\n" not in goal.strip() else [" ".join(goal.split())]


def _named_first(text: str, people: Sequence[PersonGiven]) -> str:
    """Return the ``person_id`` of the one whose name a task begins with."""
    named = [each for each in people if each.name and _begins(text, each.name)]
    return max(named, key=lambda each: len(each.name)).person_id if named else ""


def _begins(text: str, name: str) -> bool:
    rest = text[len(name) :]
    return text.casefold().startswith(name.casefold()) and not (name[-1:].isascii() and rest[:1].isalnum())
