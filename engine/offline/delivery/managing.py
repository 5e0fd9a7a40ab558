"""The Manager by rules: proposes, instructs, reviews, advises and sums up."""

import re
from collections.abc import Sequence
from typing import Final

from engine.delivery.answers import (
    AdviseAnswer,
    DiscussAnswer,
    FinalReportAnswer,
    InstructAnswer,
    ProposeAnswer,
    ReviewAnswer,
)
from engine.delivery.given import (
    BriefGiven,
    OutcomeGiven,
    ProofGiven,
    ProposalGiven,
    ReportGiven,
    ResultGiven,
    RoleGiven,
    StepsGiven,
    TaskGiven,
    TroubleGiven,
)
from engine.delivery.state import TicketStatus
from engine.facts.language import Language, language_of
from engine.lexicon.matching import tokens
from engine.offline.delivery.phrases import phrase

FEWEST_LETTERS: Final = 12
"""Of a text that is shown as proof; Chinese says as much in half of them."""
NEAR: Final = 2
"""Words that a fact shares with what is lacking, from which on it is about it."""
_LETTER: Final = re.compile(r"\w")


def propose(
    brief: BriefGiven, task: TaskGiven, results: Sequence[ResultGiven], discussion: Sequence[ProposalGiven]
) -> ProposeAnswer:
    language = language_of(brief.goal)
    said = tuple(each for proposal in discussion for each in proposal.worker_says)
    steps = (
        phrase("try_first", language),
        *(phrase("agreed", language, text=each) for each in said),
        phrase("look", language, who=phrase("requester", language)),
        phrase("then", language, title=task.title),
    )
    return ProposeAnswer(
        summary=phrase("proposal", language, title=task.title),
        draft_steps=steps,
        open_questions=() if discussion else (phrase("what_if", language),),
        risks=task.risks or (phrase("risk", language),),
    )


def discuss(brief: BriefGiven, task: TaskGiven, proposal: ProposalGiven) -> DiscussAnswer:
    said = phrase("can_write", language_of(brief.goal))
    return DiscussAnswer(agrees=True, answers=(said,) * len(proposal.open_questions))


def instruct(
    brief: BriefGiven, task: TaskGiven, results: Sequence[ResultGiven], discussion: Sequence[ProposalGiven]
) -> InstructAnswer:
    language = language_of(brief.goal)
    is_person = task.worker_kind == "person"
    steps = [task.description] if task.description and task.description != task.title else []
    for proposal in discussion[-1:]:
        steps += [phrase("agreed", language, text=each) for each in (*proposal.draft_steps, *proposal.worker_says)]
    steps += [phrase("watch", language, text=each) for each in task.risks]
    for label, file in zip(task.expected_outputs, task.files, strict=False):
        steps.append(
            phrase("show", language, label=label) if is_person else phrase("leave", language, label=label, file=file)
        )
    steps.append(phrase("stuck", language))
    used = [phrase("use", language, what=each) for result in results for each in result.results]
    return InstructAnswer(
        summary=phrase("instruct", language, title=task.title.rstrip(".。")),
        steps=tuple(steps),
        resources=tuple(used),
        acceptance_criteria=task.acceptance_criteria,
    )


def review(brief: BriefGiven, task: TaskGiven, instruction: StepsGiven, report: ReportGiven) -> ReviewAnswer:
    """Approve what is there and says something; whether it is good, people say."""
    language = language_of(brief.goal)
    wanted = [phrase("empty", language, label=each.output) for each in report.proof if _says_too_little(each)]
    wanted += [
        phrase("failed_check", language, name=each.partition(":")[0])
        for each in report.checks
        if not each.endswith("passed")
    ]
    if wanted:
        return ReviewAnswer(decision="changes_requested", notes=wanted[0], requested_changes=tuple(wanted))
    has_link = any(each.is_link for each in report.proof)
    return ReviewAnswer(decision="approved", notes=phrase("approve_link" if has_link else "approve", language))


def _says_too_little(proof: ProofGiven) -> bool:
    if proof.is_link or not proof.excerpt:
        return False
    few = FEWEST_LETTERS // 2 if language_of(proof.excerpt) == "zh" else FEWEST_LETTERS
    return len(_LETTER.findall(proof.excerpt)) < few


def advise(
    brief: BriefGiven,
    task: TaskGiven,
    instruction: StepsGiven | None,
    trouble: TroubleGiven,
    roles: Sequence[RoleGiven],
) -> AdviseAnswer:
    language = language_of(brief.goal)
    if trouble.is_blocked:
        what = " ".join(trouble.issues)
        asked = {*tokens(what)}
        known = [each.text for each in brief.facts if len(asked & {*tokens(each.text)}) >= NEAR]
        known = [each for each in known if not any(each in said for said in trouble.told)]
        if known:
            return AdviseAnswer(action="answer", text=phrase("known_answer", language, text=" ".join(known[:3])))
        return AdviseAnswer(action="ask", text=phrase("ask", language, title=task.title, what=what))
    if not trouble.told and len(trouble.attempts) < 4:
        steps = (*(instruction.steps if instruction else ()), phrase("again", language))
        return AdviseAnswer(action="instruct", text=phrase("again", language), steps=tuple(dict.fromkeys(steps)))
    return AdviseAnswer(action="ask", text=phrase("ask_failed", language, title=task.title))


def report(brief: BriefGiven, reason: str, outcomes: Sequence[OutcomeGiven]) -> FinalReportAnswer:
    language = language_of(brief.goal)
    kept = [each for each in outcomes if each.status != TicketStatus.DROPPED]
    done = [each for each in kept if each.status == TicketStatus.DONE]
    left = [each for each in kept if each.status != TicketStatus.DONE]
    if not outcomes:
        return FinalReportAnswer(summary=phrase("nothing", language))
    said = [
        phrase("all_done", language, n=len(kept))
        if kept and not left
        else phrase("some_done", language, done=len(done), n=len(kept))
    ]
    if left:
        said.append(phrase("left", language, titles=_joined([each.title for each in left], language)))
    learned = [
        phrase("learned", language, title=each.title, what=_trouble(each.troubles, language))
        for each in outcomes
        if each.troubles
    ]
    following = [*(one for each in done for one in each.next_actions)]
    following += [phrase("next", language, title=each.title) for each in left]
    return FinalReportAnswer(
        summary=("" if language == "zh" else " ").join(said),
        learned=tuple(learned[:4]),
        next_steps=tuple(following[:4]),
    )


def _joined(titles: Sequence[str], language: Language) -> str:
    return ("、" if language == "zh" else ", ").join(titles[:6])


def _trouble(troubles: Sequence[str], language: Language) -> str:
    first = troubles[0]
    if first.startswith("timeout"):
        return phrase("timeout", language)
    if re.match(r"[a-z_]+(?::|$)", first):
        return phrase("trouble", language)
    return first
