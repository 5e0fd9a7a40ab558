"""The message about how a negotiation ended, successfully or not.

Shows what a model considers still possible after a negotiation without agreement.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.button_values import StreamButton
from bot.views.kit.handover import is_carried_out, is_planned, make_tickets, plan_it
from bot.views.kit.menu import row
from bot.views.kit.mrkdwn import Fit, channel_link, local_time, mention
from bot.views.kit.post import Post
from bot.views.kit.story.buttons import open_page
from bot.views.kit.surfaces import folded
from bot.views.negotiation import afterwards
from bot.views.negotiation.agreement.failure_reasons import (
    as_sentence,
    failure_reason,
    known_facts,
    what_would_help_next,
)
from bot.views.negotiation.button_values import EXPORT, PRIMARY, PROCEED, REOPEN, SHARE, WHY_PLAN, action_button
from bot.views.negotiation.demand.question import is_no_demand, question_text
from bot.views.negotiation.names import bold_name, join_names, name_in_thread, requester, who_stopped
from bot.views.negotiation.plan import marks, plan
from bot.views.negotiation.plan.marks import Marks, counted, troubles
from bot.views.negotiation.rescheduling import moved_line
from bot.views.negotiation.search import gap_search
from bot.views.negotiation.voting.votes import agreed_by_rules, confirmed_by, tally_line
from engine.llm.port import OFFLINE
from engine.negotiation.agreement.handover import hands_over
from engine.negotiation.answers import Assignment, Compromise, Resolution
from engine.negotiation.events import CompromiseOffered, DemandUnclear, ForceFinalized, ProposalFinalized
from engine.negotiation.plan.told_needs import lacking
from engine.negotiation.secrecy import why_left, why_nobody, why_stopped
from engine.negotiation.state import Negotiation, Status
from engine.negotiation.terms import Outcome, Proposal


def outcome(state: Negotiation, texts: Texts) -> Post:
    return Post.from_card(
        afterwards.ending_key(state, "outcome"),
        _notification(state, texts),
        lambda fit: _card(state, texts, fit),
        stream=state.channel_id,
        texts=texts,
    )


def _notification(state: Negotiation, texts: Texts) -> str:
    what = outcome_title(state, texts)
    if state.final is not None:
        missing = marks.lacks(state, texts, lambda each: Fit().line(each, 80))
        detail = missing or Fit().line(state.final.final_proposal.summary, 200)
        return texts.say("{what}: {detail}", what=what, detail=detail)
    if state.status is Status.CANCELLED:
        return what
    return texts.say("{what}: {detail}", what=what, detail=failure_reason(state, texts))


def _card(state: Negotiation, texts: Texts, fit: Fit) -> list[Block]:
    if state.final is not None:
        return _settled(state, state.final, texts, fit)
    if state.status is Status.CANCELLED:
        return _cancelled(state, texts, fit)
    return _failed(state, texts, fit)


def outcome_title(state: Negotiation, texts: Texts) -> str:
    match state.status:
        case Status.FINALIZED | Status.FORCE_FINALIZED if agreed_by_rules(state) and lacking(state):
            return texts.say("📝 A draft by simple rules, not yet whole")
        case Status.FINALIZED | Status.FORCE_FINALIZED if agreed_by_rules(state):
            return texts.say("📝 A draft by simple rules")
        case Status.FINALIZED | Status.FORCE_FINALIZED if lacking(state):
            return texts.say("🤝 A plan, not yet whole")
        case Status.FINALIZED:
            return texts.say("✅ We have a plan")
        case Status.FORCE_FINALIZED if state.final and not state.final.optional_participants:
            return texts.say("🤝 A plan; what it lacked was found")
        case Status.FORCE_FINALIZED:
            return texts.say("🤝 A plan, with partial agreement")
        case Status.CANCELLED if is_no_demand(state) and not state.cancelled_by:
            return texts.say("No demand, so nobody was asked anything")
        case Status.CANCELLED if state.unclear and not state.cancelled_by:
            return texts.say("One question stayed open")
        case Status.CANCELLED:
            return texts.say("This negotiation was stopped")
        case _ if state.outcome is Outcome.NO_CANDIDATES:
            return texts.say("Nobody was found this time")
        case _:
            return texts.say("No agreement this time")


def _settled(state: Negotiation, final: ProposalFinalized | ForceFinalized, texts: Texts, fit: Fit) -> list[Block]:
    proposal = final.final_proposal
    optional = [each for each in proposal.assignments if each.agent_id not in final.confirmed_participants]
    card = [blocks.header(outcome_title(state, texts)), blocks.section(fit.text(proposal.summary, 1_500) or "…")]
    card += blocks.sections([*moved_line(state, texts), missing_text(state, texts, fit)])
    if isinstance(final, ForceFinalized):
        card += blocks.sections([risk_text(final, unconfirmed_names(state, final, texts, fit), texts)])
    for title, hands in confirmed_by(state, final, requester(state, fit), texts):
        card += plan.roles(state, title, hands, texts, fit)
    card += plan.roles(state, texts.say("*Not confirmed*"), optional, texts, fit)
    unanswered = texts.say("enough had agreed before it could be taken up")
    still_open = plan.beside_conditions(proposal, final.open_requests)
    held, wishes = Marks.of(state, proposal), {each.agent_id for each in still_open}
    return [
        *card,
        *plan.timeline(state, proposal, texts, fit),
        *troubles(state, proposal, held, texts, fit, wishes),
        *_held(state, proposal, texts, fit),
        *plan.gaps(gap_search.other_gaps(state, proposal.gaps), texts, fit),
        *gap_search.card(state, texts, fit),
        *marks.clashes_in_plan(state, texts, fit),
        *plan.requests(state, still_open, texts.say("*Still open*"), unanswered, texts, fit, held),
        *_history(state, final, texts, fit),
        *[blocks.section(each) for each in proceeding_lines(state, texts, fit)],
        *afterwards.undo_line(state, texts),
        row(
            [*afterwards.undo_button(state, texts), *(_proceed(state, texts) if _is_next(state) else [])],
            [*_goes_on(state, texts), _share(state, texts), _export(state, texts), _why(state, texts)],
        ),
    ]


def _is_next(state: Negotiation) -> bool:
    """Whether *Go…* is what whoever asked may want to do next: nobody has taken the plan up yet."""
    return not (state.proceeded or is_planned(state.taken_up) or is_carried_out(state.taken_up))


def _goes_on(state: Negotiation, texts: Texts) -> list[Block]:
    """How to go on once one way was taken; what has been begun is not offered again."""
    if _is_next(state):
        return []
    if not state.proceeded:
        return [action_button(PROCEED, state.channel_id, texts)]  # which offers what is left
    if not hands_over(state):
        return []
    plan = [] if is_planned(state.taken_up) else [plan_it(state.channel_id, texts)]
    return plan if is_carried_out(state.taken_up) else [*plan, make_tickets(state.channel_id, texts)]


def _held(state: Negotiation, proposal: Proposal, texts: Texts, fit: Fit) -> list[Block]:
    """What the plan was held against: who covers which need, and the conditions. A click opens it, where Slack can."""
    told = [*marks.needs_in_plan(state, texts, fit), *plan.conditions(state, proposal, texts, fit)]
    if not fit.newer or not proposal.conditions:
        return told
    title = " · ".join((texts.say("Needs and conditions"), counted(state, proposal, marks.signs(state))))
    return folded(title, told, fit)


def proceeding_lines(state: Negotiation, texts: Texts, fit: Fit) -> list[str]:
    """Who decided that the plan is carried out, or took that back, and when; empty if nobody has."""
    decided = state.proceeded
    if decided is None:
        return afterwards.not_after_all_line(state, texts, fit)
    who = mention(decided.by) or fit.line(decided.by, 48) or "?"
    when = local_time(decided.at, texts)
    return [
        texts.say("🚀 It goes ahead: {who} decided that this plan is carried out ({moment}).", who=who, moment=when)
    ]


def announcement(state: Negotiation, texts: Texts) -> Post:
    """The plan for the channel, beside the thread."""

    def card(fit: Fit) -> list[Block]:
        summary = fit.text(state.final.final_proposal.summary, 1_200) if state.final else ""
        demand = fit.line(state.demand_text, 240)
        title = (
            texts.say("📝 “{demand}”: a draft by simple rules", demand=demand)
            if agreed_by_rules(state)
            else texts.say("🤝 “{demand}”: a plan, not yet whole", demand=demand)
            if lacking(state)
            else texts.say("✅ “{demand}”: we have a plan", demand=demand)
        )
        paragraphs = [f"*{title.replace('*', '')}*", summary, missing_text(state, texts, fit)]
        return blocks.sections([*paragraphs, *proceeding_lines(state, texts, fit)])

    return Post.from_card(
        "announcement", outcome_title(state, texts), card, stream=state.channel_id, texts=texts, broadcast=True
    )


def may_be_announced(state: Negotiation) -> bool:
    """Whether the negotiation is in a channel: in direct messages there is nobody else to tell."""
    return bool(channel_link(state.place.channel))


def unconfirmed_names(state: Negotiation, final: ForceFinalized, texts: Texts, fit: Fit) -> str:
    """The names of those who have not agreed."""
    return _names(state, final.optional_participants, texts, fit)


def missing_text(state: Negotiation, texts: Texts, fit: Fit) -> str:
    """Return the essential needs that nobody who agreed covers; empty if all are covered."""
    return lacking_text(marks.lacks(state, texts, lambda each: fit.line(each, 120)), texts)


def lacking_text(missing: str, texts: Texts) -> str:
    if not missing:
        return ""
    return texts.say("⚠️ Nobody who agreed covers: {what}.", what=missing)


def risk_text(final: ForceFinalized, names: str, texts: Texts) -> str:
    """Who has not agreed; empty where everybody has.

    Args:
        names: those who have not agreed.
    """
    if not final.optional_participants:
        return ""
    text = texts.say(
        "⚠️ Not everyone agreed: {n} of {total} confirmed.", n=len(final.confirmed_participants),
        total=final.participants_count,
    )  # fmt: skip
    if not names:
        return text
    return f"{text} " + texts.say(
        "The plan may not hold without {names}; talk to them before you rely on it.", names=names
    )


def _history(state: Negotiation, final: ProposalFinalized | ForceFinalized, texts: Texts, fit: Fit) -> list[Block]:
    """How it was agreed, in small print; nothing where all have confirmed the last version, as the message of its round
    says right above.
    """
    is_last = (state.agreed or final).final_proposal.version == len(state.proposals)
    confirmed = {*final.confirmed_participants}
    is_everybodys = all(each.agent_id in confirmed for each in final.final_proposal.assignments)
    if is_last and is_everybodys and state.rounds and not fit.is_whole:
        return []
    return [blocks.context(history_line(state, final, texts))]


def history_line(state: Negotiation, final: ProposalFinalized | ForceFinalized, texts: Texts) -> str:
    rounds = texts.count("After {n} round", "After {n} rounds", final.rounds_taken)
    version = (state.agreed or final).final_proposal.version
    voted = [each for each in state.rounds if each.version == version]
    count = tally_line(state, voted[-1], texts, is_open=False) if voted else ""
    text = " · ".join(part for part in (rounds, texts.say("version {version}", version=version), count) if part)
    if version == len(state.proposals):
        return text
    return f"{text}\n" + texts.say(
        "This earlier version had more support than the later ones, so it is the one that counts."
    )


def _failed(state: Negotiation, texts: Texts, fit: Fit) -> list[Block]:
    why = as_sentence(failure_reason(state, texts), texts)
    card = [blocks.header(outcome_title(state, texts)), blocks.section(why)]
    if facts := " · ".join(known_facts(state, texts)):
        card.append(blocks.context(facts))
    if state.compromise is None or not state.compromise.compromise.suggestions:
        card += blocks.titled_list(texts.say("*What would help*"), [what_would_help_next(state, texts)])
    card += blocks.sections(afterwards.advice(state, texts))
    if state.compromise is not None:
        card += sections(state.compromise, texts, fit)
    card += plan.requests(state, state.open_requests(), texts.say("*What people asked for*"), "", texts, fit)
    if state.withdrawn:
        card += blocks.titled_list(texts.say("*Who left, and why*"), _leavers(state, texts, fit))
    if analysis := fit.text(why_nobody(state), 600):  # of nothing but control characters, nothing is left
        card.append(blocks.context(analysis))
    card += blocks.sections(afterwards.continuation(state, texts, fit))
    return [
        *card,
        row(
            [] if state.reopened else [_reopen(state, texts)],
            [
                _export(state, texts),
                *([_why(state, texts)] if state.proposals else []),
                open_page(state.channel_id, texts),
            ],
        ),
    ]


def _leavers(state: Negotiation, texts: Texts, fit: Fit) -> list[str]:
    lines = []
    for each in state.withdrawn.values():
        who = bold_name(each.display_name, each.agent_id, fit)
        reason = fit.line(why_left(state, each), 200)
        if each.closed:
            reason = texts.say("the account was closed")
        lines.append("• " + (texts.say("{what}: {detail}", what=who, detail=reason) if reason else who))
    return lines


def _cancelled(state: Negotiation, texts: Texts, fit: Fit) -> list[Block]:
    if state.unclear and not state.cancelled_by:
        return [blocks.header(outcome_title(state, texts)), blocks.section(_unanswered(state.unclear, texts, fit))]
    text = texts.say("{who} stopped it. Nothing was agreed, and nobody owes anything.", who=who_stopped(state, fit))
    reason = fit.text(why_stopped(state), 600)
    undo = afterwards.undo_button(state, texts)
    return [
        blocks.header(outcome_title(state, texts)),
        blocks.section(text),
        *([blocks.section(texts.say("Reason: {reason}", reason=reason))] if reason else []),
        *afterwards.undo_line(state, texts),
        blocks.actions(*undo, open_page(state.channel_id, texts)),
    ]


def _unanswered(asked: DemandUnclear, texts: Texts, fit: Fit) -> str:
    question = question_text(asked, texts, fit)
    return f"{question}\n" + texts.say("Nobody was asked anything. Ask again with the answer.")


def _share(state: Negotiation, texts: Texts) -> Block:
    return blocks.button(texts.say("Share…"), SHARE, StreamButton(stream=state.channel_id).value())


def _export(state: Negotiation, texts: Texts) -> Block:
    return blocks.button(texts.say("Export…"), EXPORT, StreamButton(stream=state.channel_id).value())


def _why(state: Negotiation, texts: Texts) -> Block:
    return blocks.button(texts.say("Why this plan…"), WHY_PLAN, StreamButton(stream=state.channel_id).value())


def _proceed(state: Negotiation, texts: Texts) -> list[Block]:
    return [action_button(PROCEED, state.channel_id, texts, look=PRIMARY)]


def _reopen(state: Negotiation, texts: Texts) -> Block:
    return action_button(REOPEN, state.channel_id, texts, look=PRIMARY)


def _names(state: Negotiation, agent_ids: Sequence[str], texts: Texts, fit: Fit) -> str:
    few = fit.first(agent_ids, 10)
    return join_names([name_in_thread(state, each, fit) for each in few], texts, len(agent_ids))


MOST: Final = 8
"""Lines of one part, at most."""
LONGEST: Final = 400
"""Characters of a line, at most."""

Line = Callable[[str], str]


def sections(offered: CompromiseOffered, texts: Texts, fit: Fit) -> list[Block]:
    compromise, written = offered.compromise, partial(fit.line, most=LONGEST)
    title, summary = texts.say("What would still be possible"), fit.text(compromise.summary, 800) or "…"
    card = [blocks.section(f"*{title}*\n{summary}")]
    for heading, lines in parts(compromise, texts, written):
        card += blocks.titled_list(heading, fit.first(lines, MOST))
    if offered.model == OFFLINE:
        card.append(blocks.context(texts.say("Worked out by simple rules, not by a model. Nobody is bound by it.")))
    else:
        card.append(blocks.context(texts.say("A suggestion of the model’s. Nobody is bound by it.")))
    return card


def parts(compromise: Compromise, texts: Texts, line: Line) -> Iterator[tuple[str, Sequence[str]]]:
    """Headings, each with its lines.

    Args:
        line: makes a person's text safe, on one line.
    """
    groups = (
        (texts.say("*What could be built on*"), [line(each) for each in compromise.facts]),
        (texts.say("*Who could do what*"), [_seat(each, texts, line) for each in compromise.assignments]),
        (texts.say("*Alternatives*"), [_alternative(each, texts, line) for each in compromise.compromises]),
        (texts.say("*Still unsolved*"), [line(each) for each in compromise.unresolved]),
        (texts.say("*Next steps*"), [line(each) for each in compromise.suggestions]),
    )
    for heading, lines in groups:
        if filled := [f"• {each}" for each in lines if each]:
            yield heading, filled


def _seat(seat: Assignment, texts: Texts, line: Line) -> str:
    who = " · ".join(each for each in (line(seat.display_name), line(seat.role)) if each)
    what = line(seat.responsibility)
    return texts.say("{what}: {detail}", what=who, detail=what) if what else who


def _alternative(each: Resolution, texts: Texts, line: Line) -> str:
    text = line(each.resolution)
    if issue := line(each.issue):
        text = f"{issue} → {text}"
    return f"{text} ({why})" if (why := line(each.rationale)) else text
