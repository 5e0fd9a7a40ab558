"""The Manager by rules: it passes on what is there, counts, and leaves every judgement to people."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.delivery import answers as shapes
from engine.delivery import given
from engine.delivery.answers import ClarifyAnswer, PlanAnswer, PlannedTask
from engine.delivery.given import BriefGiven, PersonGiven
from engine.delivery.state import TicketStatus
from engine.facts.language import catalogue_of
from engine.facts.shortening import shorten
from engine.offline.model import Answerer, phrase
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


MOST: Final = 4


def propose(
    brief: given.BriefGiven, task: given.TaskGiven, discussion: Sequence[given.ProposalGiven], **_: Any
) -> shapes.ProposeAnswer:
    language = catalogue_of(brief.language)
    return shapes.ProposeAnswer(
        summary=phrase("delivery.proposal", language, title=task.title),
        draft_steps=tuple(each for proposal in discussion for each in proposal.worker_says),
        open_questions=() if discussion else (phrase("delivery.how", language),),
        risks=task.risks or ((task.risk_reason,) if task.risk_reason else ()),
    )


def discuss(brief: given.BriefGiven, proposal: given.ProposalGiven, **_: Any) -> shapes.DiscussAnswer:
    said = phrase("delivery.no_word", catalogue_of(brief.language))
    return shapes.DiscussAnswer(agrees=True, answers=(said,) * len(proposal.open_questions))


def instruct(
    brief: given.BriefGiven,
    task: given.TaskGiven,
    results: Sequence[given.ResultGiven],
    discussion: Sequence[given.ProposalGiven],
) -> shapes.InstructAnswer:
    language = catalogue_of(brief.language)
    is_person = task.worker_kind == "person"
    steps = [task.description] if task.description and task.description != task.title else []
    steps += [
        phrase("delivery.agreed", language, text=each) for proposal in discussion[-1:] for each in proposal.worker_says
    ]
    key = "delivery.show" if is_person else "delivery.leave"
    files = zip(task.expected_outputs, task.files, strict=False)
    steps += [phrase(key, language, label=label, file=file) for label, file in files]
    steps.append(phrase("delivery.stuck", language))
    return shapes.InstructAnswer(
        summary=task.title,
        steps=tuple(steps),
        resources=tuple(phrase("delivery.use", language, what=each) for result in results for each in result.results),
        acceptance_criteria=task.acceptance_criteria,
    )


def work(brief: given.BriefGiven, **_: Any) -> shapes.WorkAnswer:
    """Write nothing, and say so: a frame without words would be no result."""
    return shapes.WorkAnswer(issues=(phrase("delivery.cannot_write", catalogue_of(brief.language)),))


def review(brief: given.BriefGiven, report: given.ReportGiven, **_: Any) -> shapes.ReviewAnswer:
    """Leave it to whoever asked; only a check that has failed is known to be wrong."""
    language = catalogue_of(brief.language)
    failed = [each.partition(":")[0] for each in report.checks if not each.endswith("passed")]
    if failed:
        wanted = tuple(phrase("delivery.failed_check", language, name=each) for each in failed)
        return shapes.ReviewAnswer(decision="changes_requested", notes=wanted[0], requested_changes=wanted)
    return shapes.ReviewAnswer(decision="unsure", notes=phrase("delivery.look", language))


def advise(
    brief: given.BriefGiven, task: given.TaskGiven, trouble: given.TroubleGiven, **_: Any
) -> shapes.AdviseAnswer:
    language = catalogue_of(brief.language)
    name, what = "delivery.ask" if trouble.is_blocked else "delivery.ask_failed", " ".join(trouble.issues)
    return shapes.AdviseAnswer(action="ask", text=phrase(name, language, title=task.title, what=what))


def report(brief: given.BriefGiven, outcomes: Sequence[given.OutcomeGiven], **_: Any) -> shapes.FinalReportAnswer:
    language = catalogue_of(brief.language)
    kept = [each for each in outcomes if each.status != TicketStatus.DROPPED]
    done = [each for each in kept if each.status == TicketStatus.DONE]
    left = [each for each in kept if each.status != TicketStatus.DONE]
    if not outcomes:
        return shapes.FinalReportAnswer(summary=phrase("delivery.nothing", language))
    all_done = "delivery.one_done" if len(kept) == 1 else "delivery.all_done"
    name = all_done if kept and not left else "delivery.some_done"
    said = [phrase(name, language, n=len(kept), done=len(done))]
    if left:
        titles = phrase("delivery.between", language).join(each.title for each in left)
        said.append(phrase("delivery.left", language, titles=titles))
    return shapes.FinalReportAnswer(
        summary=" ".join(said), next_steps=tuple(one for each in done for one in each.next_actions)[:MOST]
    )


_OTHERS: Final = (clarify, propose, discuss, instruct, work, review, advise, report)
ANSWERERS: Final[Mapping[str, Answerer]] = {"plan": make_plan, **{each.__name__: each for each in _OTHERS}}
