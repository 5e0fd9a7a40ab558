"""What holds of every answer to a prompt of a delivery, by what the prompt was given."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from bot.demo.evals.questions.checks import Rule, words_of
from engine.delivery.answers import (
    AdviseAnswer,
    ClarifyAnswer,
    DiscussAnswer,
    FinalReportAnswer,
    InstructAnswer,
    PlanAnswer,
    ProposeAnswer,
    ReviewAnswer,
    WorkAnswer,
)

Given = Mapping[str, Any]
MOST_TASKS: Final = 9
MOST_STEPS: Final = 8
MOST_QUESTIONS: Final = 3
_FILE: Final = re.compile(r"(?<![\w-])[A-Za-z0-9][\w-]{0,60}+\.(?:md|txt|csv|json|html|pdf|py|xlsx|docx|png|svg)\b")
_ADDRESS: Final = re.compile(r"https?://\S+|(?<![\w.])[\w.]{1,60}+@[\w-]{1,60}+\.\w+")


def _asks_little(given: Given, answer: ClarifyAnswer) -> Iterator[str]:
    if not answer.intent_summary:
        yield "it does not say what it has understood"
    if len(answer.questions) > MOST_QUESTIONS:
        yield f"{len(answer.questions)} questions are more than people answer"
    asked = {each.question for each in given["answered"]}
    yield from (f"it asks again: {each}" for each in answer.questions if each in asked)


def _can_be_carried_out(given: Given, answer: PlanAnswer) -> Iterator[str]:
    """One worker each, something to show, no circle, and nothing done by whom nobody named."""
    tasks, done = answer.tasks, set[str]()
    known = {each.person_id for each in given["people"]} | {each.role_id for each in given["roles"]}
    checks = {check for each in given["roles"] for check in each.checks}
    if not 1 <= len(tasks) <= MOST_TASKS:
        yield f"there are {len(tasks)} tasks"
    if len({each.task_id for each in tasks}) < len(tasks):
        yield "two tasks have the same id"
    for task in tasks:
        if task.owner and task.owner not in known:
            yield f"{task.title} is given to {task.owner}, who is nobody"
        if not task.owner and not task.capabilities:
            yield f"{task.title} is given to nobody"
        if not task.expected_outputs:
            yield f"{task.title} leaves nothing to be shown"
        if task.check and task.check not in checks:
            yield f"{task.title} has to pass {task.check}, which is no check"
        if task.starts and task.deadline and task.starts > task.deadline:
            yield f"{task.title} begins after its end"
    waiting = list(tasks)
    while ready := [each for each in waiting if done.issuperset(each.depends_on)]:
        done |= {each.task_id for each in ready}
        waiting = [each for each in waiting if each not in ready]
    yield from (f"{each.title} can never begin" for each in waiting)


def _proposes(given: Given, answer: ProposeAnswer) -> Iterator[str]:
    yield from _few(answer.draft_steps, "steps", MOST_STEPS)
    yield from _few(answer.open_questions, "open questions", MOST_QUESTIONS)
    if not answer.draft_steps:
        yield "it says no step"
    if not answer.risks:
        yield "it names no risk of a risky task"
    for before in given["discussion"]:
        if before.draft_steps == answer.draft_steps:
            yield "it proposes the same again"


def _answers_each_question(given: Given, answer: DiscussAnswer) -> Iterator[str]:
    if len(answer.answers) != (asked := len(given["proposal"].open_questions)):
        yield f"{asked} questions have {len(answer.answers)} answers"
    if not answer.agrees and not answer.concerns:
        yield "it does not agree, and does not say why"
    yield from _few(answer.concerns, "concerns", MOST_QUESTIONS)


def _instructs(given: Given, answer: InstructAnswer) -> Iterator[str]:
    yield from _few(answer.steps, "steps", MOST_STEPS)
    if not answer.steps:
        yield "it says no step"
    if given["task"].acceptance_criteria and not answer.acceptance_criteria:
        yield "the criteria are lost"
    told = "\n".join((*answer.steps, *answer.resources, answer.summary))
    if given["task"].worker_kind != "person":
        yield from (f"the file {each} is not named" for each in given["task"].files if each not in told)


def _makes_up_no_file(given: Given, answer: Any) -> Iterator[str]:
    known, said = words_of(given), words_of(answer)
    yield from (f"{each} is a file that nobody named" for each in sorted({*_FILE.findall(said)}) if each not in known)
    yield from (f"{each} is made up" for each in sorted({*_ADDRESS.findall(said)}) if each not in known)


def _writes_all_or_nothing(given: Given, answer: WorkAnswer) -> Iterator[str]:
    wanted = len(given["task"].expected_outputs)
    if answer.outputs and len(answer.outputs) != wanted:
        yield f"{wanted} texts are expected, and {len(answer.outputs)} were written"
    if bool(answer.outputs) == bool(answer.issues):
        yield "it lists what it lacks exactly where it writes nothing"
    yield from ("a text is empty" for each in answer.outputs if not each.strip())


def _reviews(given: Given, answer: ReviewAnswer) -> Iterator[str]:
    if (answer.decision == "changes_requested") is not bool(answer.requested_changes):
        yield "it lists changes exactly where it asks for none"
    if not answer.notes:
        yield "it does not say why"
    failed = [each for each in given["report"].checks if not each.endswith("passed")]
    if failed and answer.decision == "approved":
        yield f"it approves though {failed[0]}"
    yield from _few(answer.requested_changes, "changes", 5)


def _advises(given: Given, answer: AdviseAnswer) -> Iterator[str]:
    match answer.action:
        case "reassign":
            if answer.role_id not in {each.role_id for each in given["roles"]}:
                yield f"{answer.role_id} is no role"
        case "instruct":
            if not answer.steps:
                yield "it instructs without a step"
            if given["instruction"] and answer.steps == given["instruction"].steps:
                yield "it instructs the same again"
        case _:
            if not answer.text:
                yield f"it says nothing with {answer.action}"
    if answer.action != "reassign" and answer.role_id:
        yield "it names a role that does nothing"
    if answer.action == "answer" and any(answer.text in each for each in given["trouble"].told):
        yield "it answers the same again"


def _reports(given: Given, answer: FinalReportAnswer) -> Iterator[str]:
    """What is not there is named."""
    left = [each for each in given["outcomes"] if each.status not in ("done", "dropped")]
    told = words_of(answer)
    yield from (f"{each.title} is not done, and is not named" for each in left if each.title not in told)
    yield from _few(answer.learned, "things learned", 4)
    yield from _few(answer.next_steps, "next steps", 4)
    if not given["outcomes"] and answer.learned:
        yield "something was learned of nothing"


def _few(listed: Sequence[str], what: str, most: int) -> Iterator[str]:
    if len(listed) > most:
        yield f"{len(listed)} {what} are more than {most}"


RULES: Final[Mapping[str, Sequence[Rule]]] = {
    "clarify": (_asks_little, _makes_up_no_file),
    "plan": (_can_be_carried_out,),
    "propose": (_proposes, _makes_up_no_file),
    "discuss": (_answers_each_question, _makes_up_no_file),
    "instruct": (_instructs, _makes_up_no_file),
    "work": (_writes_all_or_nothing, _makes_up_no_file),
    "review": (_reviews, _makes_up_no_file),
    "advise": (_advises, _makes_up_no_file),
    "report": (_reports, _makes_up_no_file),
}
"""By prompt."""
