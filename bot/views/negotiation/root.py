"""The root card, which is edited in place: the plan as it stands. Whoever comes late reads only this."""

from collections.abc import Iterator, Sequence

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.button_values import StreamButton
from bot.views.kit.fit import Fit
from bot.views.kit.mrkdwn import local_time, plain_line, plain_title, slack_length
from bot.views.kit.paused import paused_line
from bot.views.kit.post import Post
from bot.views.kit.readers import AddressOf, no_address
from bot.views.kit.story.buttons import open_page
from bot.views.negotiation.afterwards import reopening
from bot.views.negotiation.agreement.failure_reasons import failure_reason
from bot.views.negotiation.agreement.hands import agreed_by_rules, rules_speak
from bot.views.negotiation.button_values import CHANGE, CLARIFY, CLOSE, CORE, EDIT, STOP, VoteButton
from bot.views.negotiation.demand.question import is_no_demand, open_questions
from bot.views.negotiation.labels import step_names
from bot.views.negotiation.names import requester, who_stopped
from bot.views.negotiation.offers.missing import missing_line
from bot.views.negotiation.plan import needs
from bot.views.negotiation.plan.current_plan import current_plan, since_and_until
from bot.views.negotiation.plan.dates import asked_on, asked_time
from bot.views.negotiation.plan.marks import NO_MARKS, Marks
from bot.views.negotiation.search import gap_search
from engine.errors import BudgetSpent, InvalidAnswer
from engine.llm.port import Pause
from engine.negotiation.demand.clarification import time_to_decide
from engine.negotiation.events import StepDegraded
from engine.negotiation.plan.told_needs import lacking
from engine.negotiation.recovery import ATTEMPTS
from engine.negotiation.state import Negotiation, Round, Status, Wait
from engine.negotiation.terms import Outcome, Verdict
from engine.negotiation.voting.between_rounds import is_searching

LONGEST_TITLE = 140
SHORT_TITLE = 60


def root(state: Negotiation, texts: Texts, pause: Pause | None = None, address: AddressOf = no_address) -> Post:
    """``address``: says where the open round is, which it leads to."""
    status = status_line(state, texts, Fit())
    return Post.from_card(
        "root",
        f"{Fit().line(state.demand_text, 120)} · {status}",
        lambda fit: _card(state, texts, fit, pause, address),
        stream=state.channel_id,
        texts=texts,
        restored=state.is_open,
    )


def status_line(state: Negotiation, texts: Texts, fit: Fit) -> str:
    """One line."""
    most = state.most_rounds
    match state.status:
        case Status.CREATED if state.awaits_answer:
            return texts.say("One question waits for {who}", who=requester(state, fit))
        case Status.CREATED if state.understanding is None:
            return texts.say("Reading the demand…")
        case Status.CREATED:
            return texts.say("Looking for the right people…")
        case Status.COLLECTING if state.wait is Wait.PEOPLE:
            return texts.say("Waiting for people whose twins could not answer")
        case Status.COLLECTING if state.wait is Wait.CORRECTIONS:
            until = local_time(state.offers_due, texts)
            return texts.say("The offers are in; they can be corrected until {moment}", moment=until)
        case Status.COLLECTING if state.wait is Wait.REQUESTER:
            what = missing_line(state.decisions[-1], texts, fit)
            return texts.say("Missing: {what}. A decision waits for {who}", what=what, who=requester(state, fit))
        case Status.COLLECTING if state.wait is Wait.SUBNETS:
            what = gap_search.running_searches(state, texts, fit)
            return texts.say("Others are looked for: {what}", what=what)
        case Status.BROADCASTING | Status.COLLECTING:
            answered, total = len(state.offers), len(state.invited)
            return texts.say("Collecting offers: {answered} of {total} are in", answered=answered, total=total)
        case Status.AGGREGATING:
            return texts.say("Weaving the offers into one proposal…")
        case Status.PROPOSAL_SENT:
            return texts.say("Preparing round {round} of {most}…", round=state.round, most=most)
        case Status.NEGOTIATING if state.awaits_decision:
            return texts.say("A decision waits for {who}", who=requester(state, fit))
        case Status.NEGOTIATING if is_searching(state):
            what = gap_search.running_searches(state, texts, fit)
            return texts.say("Others are looked for: {what}", what=what)
        case Status.NEGOTIATING if _substitutes(state):
            return texts.say("Asking somebody to take over a part that nobody has…")
        case Status.NEGOTIATING:
            return texts.say("Round {round} of {most}: the votes are coming in", round=state.round, most=most)
        case Status.FINALIZED | Status.FORCE_FINALIZED if state.parent:
            return _found(state, texts)
        case Status.FINALIZED | Status.FORCE_FINALIZED if lacking(state):
            missing = needs.lacks(state, texts, lambda each: fit.line(each, 80))
            if agreed_by_rules(state):
                return texts.say("📝 A draft by simple rules, still without: {what}", what=missing)
            return texts.say("🤝 A plan, still without: {what}", what=missing)
        case Status.FINALIZED | Status.FORCE_FINALIZED if agreed_by_rules(state):
            return texts.say("📝 A draft by simple rules; ask whoever is in it")
        case Status.FINALIZED:
            return texts.say("✅ Agreed")
        case Status.FORCE_FINALIZED:
            return texts.say("🤝 Settled with partial agreement")
        case Status.FAILED if state.reopened:
            return texts.say("No agreement at first: {why}. It was taken up again", why=failure_reason(state, texts))
        case Status.FAILED if state.outcome is Outcome.NO_CANDIDATES:
            return texts.say("Nobody was asked: {why}", why=failure_reason(state, texts))
        case Status.FAILED:
            return texts.say("No agreement this time: {why}", why=failure_reason(state, texts))
        case Status.CANCELLED if not state.cancelled_by and is_no_demand(state):
            return texts.say("No demand, so nobody was asked anything")
        case Status.CANCELLED if not state.cancelled_by and state.unclear:
            if not time_to_decide(state):
                return texts.say("Nobody was asked: one question is open")
            return texts.say("Stopped: the question was not answered")
        case Status.CANCELLED if not state.cancelled_by:
            return texts.say("Stopped: there was no more time for it")
        case Status.CANCELLED:
            return texts.say("Stopped by {who}", who=who_stopped(state, fit))


def _found(state: Negotiation, texts: Texts) -> str:
    """The status of a subnet that has found somebody."""
    if state.released:
        return texts.say("Found too late: the plan goes without it")
    if rules_speak(state):
        return texts.say("○ Found by simple rules, and taken into the plan")
    return texts.say("✅ Found, and taken into the plan")


def _substitutes(state: Negotiation) -> bool:
    """Whether a person whom the plan depends on has left, so that a substitute is asked between two rounds."""
    tally = state.rounds[-1].tally if state.rounds else None
    return tally is not None and tally.decision is Verdict.SUBSTITUTE


def _card(state: Negotiation, texts: Texts, fit: Fit, pause: Pause | None, address: AddressOf) -> list[Block]:
    longest = SHORT_TITLE if _is_above(state) else LONGEST_TITLE
    card = [blocks.header(plain_title(state.demand_text, longest) or "…"), *_origin(state, texts, fit)]
    status = f"*{status_line(state, texts, fit)}*"
    lines = (status, since_and_until(state, texts, address), paused_line(pause, texts))
    said = blocks.section("\n".join(filter(None, lines)))
    # An agreed plan's last card has a row full of buttons; here it takes no room.
    card.append(said | {"accessory": open_page(state.channel_id, texts)} if state.final else said)
    if known := facts_line(state, texts, fit):
        card.append(blocks.context(known))
    if plan := current_plan(state, texts, fit):
        card += plan
    elif needed := needs.short_line(state, texts, fit):
        card.append(blocks.context(needed))
    if state.is_searching and not state.is_open:
        what = gap_search.running_searches(state, texts, fit)
        card.append(blocks.context(texts.say("⏳ The plan stands. Still looked for: {what}", what=what)))
    if state.is_open:
        questions = [f"• {fit.line(each, 240)}" for each in fit.first(open_questions(state), 8)]
        card += blocks.titled_list(texts.say("*Not clear yet*"), questions)
    if small := [each for each in (_small_print(state, texts, fit), *_warnings(state, texts)) if each]:
        card.append(blocks.context("\n".join(small)))
    if state.is_open:
        page = open_page(state.channel_id, texts)
        card.append(blocks.actions(*_owner_buttons(state, texts), _stop(state, texts), page))
    elif state.is_searching:
        card.append(blocks.actions(_stop_searching(state, texts)))
    return card


def _is_above(state: Negotiation) -> bool:
    """Whether the demand can be read above, where the thread begins."""
    return bool(state.place.thread) and not state.was_asked_otherwise


def _origin(state: Negotiation, texts: Texts, fit: Fit) -> list[Block]:
    """The demand in full where its title is cut and the thread does not begin with it, and where it comes from."""
    found = []
    longest = SHORT_TITLE if _is_above(state) else LONGEST_TITLE
    is_cut = slack_length(plain_line(state.demand_text, 100_000)) > longest
    if is_cut and (not _is_above(state) or fit.only_whole()):
        found.append(blocks.section(fit.text(state.demand_text, 600)))
    if state.parent:
        demand = fit.line(state.parent.demand, 160)
        found.append(blocks.context(texts.say("Wanted for the plan of “{demand}”", demand=demand)))
    if state.reopened_from:
        found.append(blocks.context(reopening.origin_notice(texts)))
    return found


def _warnings(state: Negotiation, texts: Texts) -> list[str]:
    """What the machines could not do, and who stood in."""
    return [
        *_degraded(state, texts),
        *([_recovered(state, texts)] if state.recoveries else []),
        *([texts.say("No model is connected: the twins speak by simple rules.")] if rules_speak(state) else []),
    ]


def _owner_buttons(state: Negotiation, texts: Texts) -> list[Block]:
    """The requester's buttons at this point, except *Stop*."""
    handle = StreamButton(stream=state.channel_id).value()
    buttons = [_close(state.current, state, texts)] if state.current else []
    if state.current and state.policy.core_gate:
        buttons.append(blocks.button(texts.say("Core parts…"), CORE, handle))
    if state.current:
        button = VoteButton(stream=state.channel_id, round=state.current.number, digest=state.current.digest)
        buttons.append(blocks.button(texts.say("Ask for a change…"), CHANGE, button.value()))
    if state.takes_edits and open_questions(state):
        buttons.append(blocks.button(texts.say("Clarify…"), CLARIFY, handle, style="primary"))
    if state.takes_edits:
        buttons.append(blocks.button(texts.say("Edit demand…"), EDIT, handle))
    return buttons


def facts_line(state: Negotiation, texts: Texts, fit: Fit) -> str:
    """The demand's place, date, number of people and budget, on one line."""
    if state.understanding is None:
        return ""
    said = state.understanding.context
    attendees = said.expected_attendees
    proposal = state.final.final_proposal if state.final else state.proposal
    marks = Marks.of(state, proposal) if proposal else NO_MARKS
    told = [
        ("📍", said.location, ""),
        ("📅", asked_time(said, texts, asked_on(state)), marks.sign("deadline")),
        ("👥", texts.count("{n} person", "{n} people", attendees) if attendees else None, marks.sign("capacity")),
        ("💰", said.budget, marks.sign("budget")),
    ]
    return "   ".join(" ".join(filter(None, (icon, fit.line(fact, 120), sign))) for icon, fact, sign in told if fact)


def _small_print(state: Negotiation, texts: Texts, fit: Fit) -> str:
    if _is_above(state) and state.final is not None:
        return ""  # who asked stands above, and after how many rounds it was agreed on the last card
    parts = [texts.say("Asked by {who}", who=requester(state, fit))]
    if state.invited and state.proposal is None:
        parts.append(texts.count("{n} colleague asked", "{n} colleagues asked", len(state.invited)))
    if state.rounds and not state.is_open:
        parts.append(texts.count("{n} round", "{n} rounds", len(state.rounds)))
    return " · ".join(parts)


def _degraded(state: Negotiation, texts: Texts) -> Iterator[str]:
    """Which steps the model failed to do; none of them counts as consent."""
    unread = [each for each in state.degraded if each.why == InvalidAnswer.code]
    unpaid = [each for each in state.degraded if each.why == BudgetSpent.code]
    unreached = [each for each in state.degraded if each not in (*unread, *unpaid)]
    if unreached and state.policy.require_model:
        yield texts.say(
            "⚠️ The model was out of reach for: {steps}. Nothing stood in; nobody’s consent was assumed from it.",
            steps=_steps(unreached, texts),
        )
    elif unreached:
        yield texts.say(
            "⚠️ The model was out of reach for: {steps}. Simple rules stood in; nobody’s consent was assumed from it.",
            steps=_steps(unreached, texts),
        )
    if unread and state.policy.require_model:
        yield texts.say(
            "⚠️ What the model answered could not be read for: {steps}. Nothing stood in; nobody’s consent was assumed "
            "from it.",
            steps=_steps(unread, texts),
        )
    elif unread:
        yield texts.say(
            "⚠️ What the model answered could not be read for: {steps}. Simple rules stood in; nobody’s consent was "
            "assumed from it.",
            steps=_steps(unread, texts),
        )
    if unpaid and state.policy.require_model:
        yield texts.say(
            "⚠️ The budget for models was spent before: {steps}. Nothing stood in; nobody’s consent was assumed "
            "from it.",
            steps=_steps(unpaid, texts),
        )
    elif unpaid:
        yield texts.say(
            "⚠️ The budget for models was spent before: {steps}. Simple rules stood in; nobody’s consent was assumed "
            "from it.",
            steps=_steps(unpaid, texts),
        )


def _steps(degraded: Sequence[StepDegraded], texts: Texts) -> str:
    failed = [each.prompt for each in degraded]
    parts = [step for prompt, step in step_names(texts).items() if prompt in failed]
    if silent := len({each.agent_id for each in degraded if each.agent_id}):
        parts.append(texts.count("the answers of {n} twin", "the answers of {n} twins", silent))
    return texts.say(", ").join(parts)


def _recovered(state: Negotiation, texts: Texts) -> str:
    """How often the negotiation was stuck and was restarted."""
    text = texts.count(
        "⚠️ It was stuck {n} time, and was taken up again from there.",
        "⚠️ It was stuck {n} times, and was taken up again from there.",
        len(state.recoveries),
    )
    if state.is_open and state.attempts == ATTEMPTS:
        return f"{text} " + texts.say("This is the last attempt.")
    return text


def _close(opened: Round, state: Negotiation, texts: Texts) -> Block:
    return blocks.button(
        texts.say("Close round"),
        CLOSE,
        VoteButton(stream=state.channel_id, round=opened.number, digest=opened.digest).value(),
        confirm=blocks.confirm(
            texts.say("Close round {round} now?", round=opened.number),
            texts.say("Whoever has not voted yet is not waited for; twins’ votes stand."),
            yes=texts.say("Close round"),
            no=texts.say("Keep waiting"),
        ),
    )


def _stop(state: Negotiation, texts: Texts) -> Block:
    return _stop_button(
        state,
        texts,
        texts.say("Stop this negotiation?"),
        texts.say("Everyone in the thread will see that it was stopped. For ten minutes, that can be undone."),
    )


def _stop_searching(state: Negotiation, texts: Texts) -> Block:
    return _stop_button(
        state,
        texts,
        texts.say("Stop looking for what the plan lacks?"),
        texts.say("The plan stays as it is. Whoever is being asked just now hears that it is over."),
    )


def _stop_button(state: Negotiation, texts: Texts, question: str, consequence: str) -> Block:
    sure = blocks.confirm(question, consequence, yes=texts.say("Stop"), no=texts.say("Keep going"))
    return blocks.button(texts.say("Stop"), STOP, StreamButton(stream=state.channel_id).value(), confirm=sure)
