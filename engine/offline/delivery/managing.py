"""The Manager by rules: it passes on what is there, counts, and leaves every judgement to people."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.delivery import answers as shapes
from engine.delivery import given
from engine.delivery.state import TicketStatus
from engine.facts.language import catalogue_of
from engine.offline.delivery.planning import clarify, make_plan
from engine.offline.model import Answerer
from engine.offline.phrasing import phrase

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
