"""What code found wrong, as a critique: risks, and suggestions with what they would change as data."""

from collections.abc import Sequence
from typing import Final

from engine.deliberation.answers import Critique, Plan, Risk, SlotChange, Suggestion, ValidityCheck
from engine.deliberation.check_texts import day
from engine.deliberation.events import Finding
from engine.deliberation.given import ArgumentGiven
from engine.deliberation.plan_changes import task_of
from engine.deliberation.situation import Situation
from engine.offline.deliberation.phrasing import listed, phrase

INFEASIBLE: Final = frozenset(
    {"past_deadline", "start_after_deadline", "after_end", "date_fact", "date_owner", "cycle", "dependency_order"}
    | {"unknown_owner", "owner_ruled_out", "capacity", "budget", "option_ruled_out"}
)
UNREALISTIC: Final = frozenset({"load"})
INCOMPLETE: Final = frozenset({"missing_need", "too_late", "missing_task", "no_choice", "unknown_dependency"})


def critique_of(
    found: Sequence[Finding], plan: Plan, situation: Situation, arguments: Sequence[ArgumentGiven]
) -> Critique:
    serious = [each for each in found if each.severity != "low"]
    return Critique(
        risks=tuple(_risk(each, situation, arguments) for each in serious),
        suggestions=tuple(
            _suggestion(each, plan, situation, arguments) for each in found if each.changes or each.severity == "high"
        ),
        validity_check=ValidityCheck(
            feasible=not any(each.code in INFEASIBLE for each in serious),
            realistic=not any(each.code in UNREALISTIC for each in serious),
            complete=not any(each.code in INCOMPLETE for each in serious),
        ),
    )


def _risk(found: Finding, situation: Situation, arguments: Sequence[ArgumentGiven]) -> Risk:
    severity = found.severity if found.severity in ("high", "medium") else "low"
    return Risk(
        risk=found.text,
        severity=severity,  # type: ignore[arg-type]
        impact=phrase(f"impact.{severity}", situation.language),
        task_id=found.task_id,
        repeats=_same(found.text, "risk", arguments),
    )


def _suggestion(found: Finding, plan: Plan, situation: Situation, arguments: Sequence[ArgumentGiven]) -> Suggestion:
    solution = cure_in_words(found.changes, plan, situation)
    return Suggestion(
        issue=found.text,
        solution=solution,
        priority=found.severity,  # type: ignore[arg-type]
        changes=found.changes,
        repeats=_same(solution, "suggestion", arguments),
    )


def _same(text: str, kind: str, arguments: Sequence[ArgumentGiven]) -> str:
    """The id under which the same thing was said before."""
    found = (each.argument_id for each in reversed(arguments) if each.kind == kind and text and text[:200] in each.text)
    return next(found, "")


def cure_in_words(changes: Sequence[SlotChange], plan: Plan, situation: Situation) -> str:
    language = situation.language
    words = [change_in_words(each, plan, situation) for each in changes]
    return listed([each for each in words if each], language) or phrase("cure.none", language)


def change_in_words(change: SlotChange, plan: Plan, situation: Situation, choice: str = "") -> str:
    language = situation.language
    task = task_of(plan, change.task_id)
    title = task.title if task else change.value
    match change.slot:
        case "deadline":
            before = day(task.deadline, language) if task else ""
            return phrase("change.deadline", language, title=title, before=before, after=day(change.value, language))
        case "start":
            return phrase("change.start", language, title=title, after=day(change.value, language))
        case "owner":
            key = "change.owner" if change.value else "change.nobody"
            return phrase(key, language, title=title, after=situation.called(change.value))
        case "hours":
            return phrase("change.hours", language, title=title, after=change.value)
        case "task":
            return phrase("change.task" if change.value else "change.gone", language, title=title)
        case "choice":
            return phrase("change.choice", language, before=choice or "–", after=change.value)
    return ""
