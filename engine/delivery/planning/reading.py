"""Holds what a model has answered to what exists: ids, dates, lengths. What it made up is left out."""

import re
from collections.abc import Mapping
from datetime import date
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from engine.delivery.answers import (
    AdviseAnswer,
    ClarifyAnswer,
    DiscussAnswer,
    FinalReportAnswer,
    InstructAnswer,
    PlanAnswer,
    PlannedTask,
    ProposeAnswer,
    ReviewAnswer,
)
from engine.delivery.state import Delivery
from engine.delivery.terms import MOST_OUTPUTS, MOST_QUESTIONS, Brief
from engine.directory.availability import available_by
from engine.directory.profile import Profile
from engine.facts.shortening import shorten
from engine.kernel import HandedTask, Millis, ModelAnswer
from engine.times.availability import ReadCalendar
from engine.times.spreading import Work, spread

Answer = TypeVar("Answer", bound=ModelAnswer)

LONGEST_TITLE: Final = 160
"""Characters."""
LONGEST_LABEL: Final = 80
LONGEST_SENTENCE: Final = 400
LONGEST_TEXT: Final = 2_000
MOST_STEPS: Final = 12
_TAG: Final = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}")
"""The form of a language's tag."""
_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,40}")


def held(answer: Answer, state: Delivery) -> Answer:
    """Return the answer within its bounds, naming nothing that does not exist."""
    found: Answer = _held(answer, state)
    return found


def _held(answer: ModelAnswer, state: Delivery) -> Any:
    match answer:
        case ClarifyAnswer():
            return replace(
                answer,
                language=answer.language if _TAG.fullmatch(answer.language) else "",
                intent_summary=shorten(answer.intent_summary, LONGEST_TEXT),
                questions=_short(answer.questions, MOST_QUESTIONS),
            )
        case PlanAnswer():
            return replace(answer, tasks=_tasks(answer.tasks, state))
        case ProposeAnswer():
            return replace(
                answer,
                summary=shorten(answer.summary, LONGEST_TEXT),
                draft_steps=_short(answer.draft_steps),
                open_questions=_short(answer.open_questions, MOST_QUESTIONS),
                risks=_short(answer.risks),
            )
        case DiscussAnswer():
            return replace(answer, answers=_short(answer.answers), concerns=_short(answer.concerns))
        case InstructAnswer():
            return replace(
                answer,
                summary=shorten(answer.summary, LONGEST_TEXT),
                steps=_short(answer.steps),
                resources=_short(answer.resources),
                acceptance_criteria=_short(answer.acceptance_criteria),
            )
        case ReviewAnswer():
            return replace(
                answer,
                notes=shorten(answer.notes, LONGEST_TEXT),
                requested_changes=_short(answer.requested_changes),
            )
        case AdviseAnswer():
            role = answer.role_id if answer.role_id in state.roles else ""
            return replace(answer, text=shorten(answer.text, LONGEST_TEXT), steps=_short(answer.steps), role_id=role)
        case FinalReportAnswer():
            return replace(
                answer,
                summary=shorten(answer.summary, LONGEST_TEXT),
                learned=_short(answer.learned),
                next_steps=_short(answer.next_steps),
            )
        case _:
            return answer


def _short(texts: tuple[str, ...], most: int = MOST_STEPS) -> tuple[str, ...]:
    return tuple(shorten(each, LONGEST_SENTENCE) for each in texts if each.strip())[:most]


def _tasks(tasks: tuple[PlannedTask, ...], state: Delivery) -> tuple[PlannedTask, ...]:
    """Give a new id to each task whose own is no id; what depends on it keeps its way to it."""
    names = {
        each.task_id: each.task_id if _ID.fullmatch(each.task_id) else f"task-{number}"
        for number, each in enumerate(tasks, 1)
    }
    people = {each.person_id for each in state.brief.people if each.user_id}
    known = people | {*state.roles}
    return tuple(
        replace(
            each,
            task_id=names[each.task_id],
            title=shorten(each.title, LONGEST_TITLE),
            description=shorten(each.description, LONGEST_TEXT),
            depends_on=tuple(dict.fromkeys(names.get(name, name) for name in each.depends_on)),
            expected_outputs=tuple(shorten(one, LONGEST_LABEL) for one in each.expected_outputs[:MOST_OUTPUTS]),
            acceptance_criteria=_short(each.acceptance_criteria),
            risks=_short(each.risks),
            risk_reason=shorten(each.risk_reason, LONGEST_SENTENCE),
            owner=each.owner if each.owner in known else "",
            starts=_day(each.starts),
            deadline=_day(each.deadline),
        )
        for each in tasks
    )


def _day(said: str) -> str:
    try:
        return date.fromisoformat(said.strip()).isoformat()
    except ValueError:
        return ""


def scheduled(brief: Brief, profiles: Mapping[str, Profile], busy: Mapping[str, ReadCalendar], now: Millis) -> Brief:
    """Return the brief with a first and a last day for each task that has hours and no day; as it is, where there is
    none of these.

    Args:
        profiles: by the id of the person in the brief.
        busy: likewise, of those whose calendar is known.
    """
    if not brief.today or not any(_is_open(each) for each in brief.tasks):
        return brief
    works = [
        Work(
            each.task_id,
            each.owner,
            (each.hours or 0) if _is_open(each) else 0,
            each.depends_on,
            each.starts,
            each.deadline,
        )
        for each in brief.tasks
    ]
    people = {
        owner: available_by(profiles[owner], busy.get(owner), brief.time_zone, 0)
        for owner in dict.fromkeys(each.owner for each in brief.tasks)
        if owner in profiles
    }
    days = spread(works, people, date.fromisoformat(brief.today), brief.time_zone, now // 1000)
    tasks = tuple(
        replace(
            each,
            starts=each.starts or days[each.task_id].first.isoformat(),
            deadline=days[each.task_id].last.isoformat(),
        )
        if each.task_id in days
        else each
        for each in brief.tasks
    )
    return replace(brief, tasks=tasks)


def _is_open(task: HandedTask) -> bool:
    return bool(task.hours) and not task.deadline
