"""What a workflow is told that asked: how the negotiation ended, in words and in a word."""

from collections.abc import Iterator
from typing import Final

from bot.texts import Texts
from bot.views.kit.mrkdwn import Fit
from bot.views.kit.workflow_step import LONGEST_TEXT, StepEnd
from bot.views.negotiation.agreement.failure_reasons import as_sentence, failure_reason
from bot.views.negotiation.agreement.outcome import missing_text, outcome_title
from bot.views.negotiation.erased import with_marks
from bot.views.negotiation.names import bold_name
from bot.views.negotiation.root import status_line
from engine.negotiation.secrecy import in_public
from engine.negotiation.state import Negotiation, Status

AGREED: Final = "agreed"
PARTLY_AGREED: Final = "partly_agreed"
NOT_AGREED: Final = "not_agreed"


def step_end(state: Negotiation, texts: Texts) -> StepEnd | None:
    """Return nothing that the thread does not show to everybody. What was stopped is over once that cannot be undone.

    The workflow goes on with a plan and without one; where it was stopped, or nobody was asked, it cannot.
    """
    if not state.workflow_run or state.is_open or (state.status is Status.CANCELLED and state.reversals.until):
        return None
    shown = in_public(with_marks(state, texts))
    match shown.status:
        case Status.FINALIZED:
            status = AGREED
        case Status.FORCE_FINALIZED:
            status = PARTLY_AGREED
        case Status.FAILED:
            status = NOT_AGREED
        case _:
            return StepEnd(shown.workflow_run, status_line(shown, texts, Fit()))
    text = "\n".join(filter(None, _lines(shown, texts)))
    return StepEnd(shown.workflow_run, Fit().text(text, LONGEST_TEXT), status)


def _lines(state: Negotiation, texts: Texts) -> Iterator[str]:
    fit = Fit()
    yield outcome_title(state, texts)
    if state.final is None:
        yield as_sentence(failure_reason(state, texts), texts)
        return
    proposal = state.final.final_proposal
    yield fit.text(proposal.summary, 1_200)
    for each in proposal.assignments:
        who = bold_name(each.display_name, each.agent_id, fit)
        part = fit.line(each.responsibility or each.role, 160)
        yield "• " + (texts.say("{what}: {detail}", what=who, detail=part) if part else who)
    yield missing_text(state, texts, fit)
