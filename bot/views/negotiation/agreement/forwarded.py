"""The plan as a message that somebody would forward, and the form that asks where it is to be posted."""

from collections.abc import Iterator
from typing import Any, Final

from msgspec.structs import replace

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.button_values import SHOW_ALL, Page, StreamButton
from bot.views.kit.fields import Values, channel_field, picked_channel
from bot.views.kit.fit import fit_without_newer
from bot.views.kit.modals import form
from bot.views.kit.mrkdwn import Fit, plain_title
from bot.views.kit.post import LONGEST_TEXT, StepEnd
from bot.views.negotiation.agreement.failure_reasons import as_sentence, failure_reason
from bot.views.negotiation.agreement.outcome import (
    missing_text,
    outcome_title,
    proceeding_lines,
    risk_text,
    unconfirmed_names,
)
from bot.views.negotiation.button_values import SHARE
from bot.views.negotiation.names import asked_on, bold_name, requester, step_text, with_marks
from bot.views.negotiation.plan import plan
from bot.views.negotiation.root import facts_line, plan_times, status_line
from bot.views.negotiation.voting.votes import confirmed_by
from engine.negotiation.events import ForceFinalized, ProposalFinalized
from engine.negotiation.secrecy import in_public
from engine.negotiation.state import Negotiation, Status
from engine.negotiation.terms import Proposal

WHERE: Final = "channel"
"""Name of the field: where the errors of a refused form belong."""
LONGEST_TITLE: Final = 150


def share_form(stream: str, texts: Texts) -> dict[str, Any]:
    fields = [channel_field(WHERE, texts.say("In which channel?"))]
    metadata = StreamButton(stream=stream).value()
    return form(SHARE, texts.say("Share the plan"), texts.say("Share"), fields, texts, metadata=metadata)


def read_share(values: Values) -> str:
    """Return the channel."""
    return picked_channel(values, WHERE)


def forwarded(state: Negotiation, final: ProposalFinalized | ForceFinalized, texts: Texts) -> tuple[Block, ...]:
    """What, when, where, who does what by when, what it costs, what is open, and who has agreed by whose hand.

    Whoever reads it there may be of another company, so it holds what people of another company may read.
    """
    shown = in_public(with_marks(replace(state, place=replace(state.place, shared=True)), texts))
    whole = blocks.button(texts.say("Show all"), SHOW_ALL, Page(stream=state.channel_id, post="outcome").value())
    return fit_without_newer(lambda fit: _card(shown, final, texts, fit), whole)


def _card(state: Negotiation, final: ProposalFinalized | ForceFinalized, texts: Texts, fit: Fit) -> list[Block]:
    proposal = final.final_proposal
    card = [
        blocks.header(plain_title(state.demand_text, LONGEST_TITLE) or "…"),
        blocks.section("\n".join((f"*{outcome_title(state, texts)}*", fit.text(proposal.summary, 1_200) or "…"))),
        *blocks.sections(["\n".join(filter(None, (plan_times(state, texts, fit), facts_line(state, texts, fit))))]),
    ]
    for title, seats in confirmed_by(state, final, requester(state, fit), texts):
        card += plan.roles(state, title, seats, texts, fit)
    optional = [each for each in proposal.assignments if each.agent_id not in final.confirmed_participants]
    card += plan.roles(state, texts.say("*Not confirmed*"), optional, texts, fit)
    card += _steps(state, proposal, texts, fit)
    card += blocks.sections([missing_text(state, texts, fit)])
    if isinstance(final, ForceFinalized):
        card += blocks.sections([risk_text(final, unconfirmed_names(state, final, texts, fit), texts)])
    unanswered = texts.say("enough had agreed before it could be taken up")
    open_requests = plan.beside_conditions(proposal, final.open_requests)
    card += plan.requests(state, open_requests, texts.say("*Still open*"), unanswered, texts, fit)
    card += blocks.sections(proceeding_lines(state, texts, fit))
    return [*card, blocks.context(texts.say("Asked by {who}", who=requester(state, fit)))]


def _steps(state: Negotiation, proposal: Proposal, texts: Texts, fit: Fit) -> list[Block]:
    """By when what is to be done, and by whom."""
    names = {each.agent_id: each.display_name for each in proposal.assignments}
    lines = []
    for each in fit.first(proposal.timeline.milestones, 10):
        day, what = step_text(each, texts, fit, asked_on(state)), fit.line(each.name, 120)
        told = texts.say("{what}: {detail}", what=day, detail=what) if day and what else day or what
        who = bold_name(names[each.agent_id], each.agent_id, fit) if each.agent_id in names else ""
        if told:
            lines.append("• " + " – ".join(filter(None, (told, who))))
    return blocks.titled_list(texts.say("*When*"), lines)


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
