"""The thread's first message: how it stands and what the plan is now; and the same in short for whoever asks."""

from collections.abc import Iterator, Sequence
from unicodedata import east_asian_width

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.button_values import StreamButton
from bot.views.kit.heading import paused_line
from bot.views.kit.menu import row
from bot.views.kit.mrkdwn import Fit, escaped, local_time, plain_line, plain_title, slack_length, until_time, web_link
from bot.views.kit.post import Post
from bot.views.kit.presenter import AddressOf, no_address
from bot.views.kit.story.buttons import open_page
from bot.views.kit.surfaces import people_table
from bot.views.negotiation import afterwards
from bot.views.negotiation.afterwards import standing_marks
from bot.views.negotiation.agreement.failure_reasons import failure_reason
from bot.views.negotiation.button_values import CLARIFY, CLOSE, EDIT, EXTEND, STOP, action_button, offered_buttons
from bot.views.negotiation.demand.question import is_no_demand, open_questions
from bot.views.negotiation.names import (
    asked_on,
    asked_time,
    bold_name,
    day_of,
    join_names,
    requester,
    start_text,
    step_names,
    step_text,
    when_text,
    who_stopped,
    with_marks,
)
from bot.views.negotiation.offers.offers import missing_line
from bot.views.negotiation.plan.marks import NO_MARKS, Marks, clashes_line, lacks, missing_now, needs_line, troubles
from bot.views.negotiation.plan.plan import change_line
from bot.views.negotiation.search import gap_search
from bot.views.negotiation.voting.rounds import round_key
from bot.views.negotiation.voting.votes import (
    agreed_by_rules,
    has_left_text,
    rules_speak,
    secret_vote_text,
    vote_text,
    with_hand,
)
from engine.errors import BudgetSpent, InvalidAnswer
from engine.facts.circumstances import When
from engine.llm.port import Pause
from engine.negotiation.answers import Assignment, Milestone
from engine.negotiation.demand.clarification import time_to_decide
from engine.negotiation.events import StepDegraded
from engine.negotiation.plan.told_needs import lacking
from engine.negotiation.recovery import ATTEMPTS
from engine.negotiation.secrecy import in_public
from engine.negotiation.state import Negotiation, Round, Status, Wait
from engine.negotiation.terms import Outcome, Proposal, Verdict
from engine.negotiation.voting.between_rounds import is_searching
from engine.negotiation.voting.rounds import time_of_people

Numbered = tuple[int, Milestone]
"""A step with its place among all of them, from 1."""

MOST_CHANGES = 3
MOST_STEPS = 2
SHORT_PART = 34
"""Columns of a role and what it does that stand on a line with the name; else the role says it."""


def current_plan(state: Negotiation, texts: Texts, fit: Fit) -> list[Block]:
    """Return nothing before there is a first version."""
    proposal = state.final.final_proposal if state.final else state.proposal
    if proposal is None:
        return []
    marks = Marks.of(state, proposal)
    when = _times(state, proposal, marks, texts, fit)
    return [
        *blocks.sections(["\n".join(when)] if when else []),
        *_people(state, proposal, texts, fit),
        *blocks.sections([_missing(state, proposal, texts, fit), _changes(state, proposal, texts, fit)]),
        *troubles(state, proposal, marks, texts, fit),
    ]


def plan_times(state: Negotiation, texts: Texts, fit: Fit) -> str:
    """When the agreed plan takes place; empty where that is not known."""
    if state.final is None or state.final.final_proposal.when == When():
        return ""
    return f"🗓️ {when_text(state.final.final_proposal.when, texts, asked_on(state))}"


def _times(state: Negotiation, proposal: Proposal, marks: Marks, texts: Texts, fit: Fit) -> list[str]:
    """When the plan takes place, and its next steps."""
    today = asked_on(state)
    when = when_text(proposal.when, texts, today) if proposal.when != When() else ""
    start = start_text(proposal.timeline.start_date, texts, fit, today)
    # What was only said of when it is stands above already, with what else the demand says.
    is_repeated = state.understanding is not None and when == escaped(state.understanding.context.date or "")
    head = " ".join(filter(None, ("🗓️", when, marks.sign("when")))) if when and not is_repeated else ""
    begins = texts.say("• {date}: start", date=start) if start else ""
    steps = [each for each in enumerate(proposal.timeline.milestones, 1) if _step(*each, marks, today, texts, fit)]
    few = steps if len(steps) <= MOST_STEPS or fit.only_whole() else _main_steps(state, steps, has_start=bool(begins))
    told = [_step(*each, marks, today, texts, fit) for each in few]
    return [each for each in (head, begins, *told) if each]


def _main_steps(state: Negotiation, steps: list[Numbered], *, has_start: bool) -> list[Numbered]:
    """The first step, unless a start says when it begins, and what it leads to: the step on the day that was asked for,
    or the last one. The others are a click away.
    """
    asked = state.understanding.context.when.first if state.understanding else ""
    days = ((each, day_of(each[1])) for each in steps[1:])
    goal = next((each for each, day in days if asked and day and day.isoformat() == asked), steps[-1])
    return [goal] if has_start else [steps[0], goal]


def _step(number: int, step: Milestone, marks: Marks, today: str, texts: Texts, fit: Fit) -> str:
    day, what = step_text(step, texts, fit, today), fit.line(step.name, 100)
    told = texts.say("{what}: {detail}", what=day, detail=what) if day and what else day or what
    return " ".join(filter(None, ("•", marks.sign("milestone", number=number), told))) if told else ""


def _people(state: Negotiation, proposal: Proposal, texts: Texts, fit: Fit) -> list[Block]:
    """A line for each person: how they stand, and what they bring."""
    marks, people = standing_marks(state, texts), []
    for seat in proposal.assignments:
        brings = " · ".join(filter(None, (_part(seat, texts, fit), marks.get(seat.agent_id, ""))))
        people.append((_stands(state, proposal, seat, texts, fit), brings))
    lines = [" · ".join(filter(None, each)) for each in people]
    return people_table(texts.say("*Who does what*"), (texts.say("Who"), texts.say("Part")), people, lines, fit)


def _part(seat: Assignment, texts: Texts, fit: Fit) -> str:
    role = fit.line(seat.role, 40)
    is_short = _columns(role + seat.responsibility) <= SHORT_PART
    task = fit.line(seat.responsibility, 48) if not role or is_short or fit.only_whole() else ""
    text = texts.say("{what}: {detail}", what=role, detail=task) if role and task else role or task
    return f"⭐ {text}" if seat.core else text


def _columns(text: str) -> int:
    """How wide it is: a Chinese character is as wide as two letters."""
    return sum(2 if east_asian_width(each) in "WF" else 1 for each in text)


def _stands(state: Negotiation, proposal: Proposal, seat: Assignment, texts: Texts, fit: Fit) -> str:
    who = bold_name(seat.display_name, seat.agent_id, fit)
    if state.final is not None:
        return _decided(state, state.final.confirmed_participants, seat.agent_id, who, texts)
    if left := state.withdrawn.get(seat.agent_id):
        return has_left_text(who, left, texts)
    voted = next((each for each in reversed(state.rounds) if each.version == proposal.version), None)
    return _voted(state, voted, seat.agent_id, who, texts) if voted else f"▫️ {who}"


def _decided(state: Negotiation, confirmed: tuple[str, ...], agent_id: str, who: str, texts: Texts) -> str:
    if agent_id not in confirmed:
        return texts.say("▫️ {who} has not agreed", who=who)
    seats = [each.seats[agent_id] for each in state.rounds if agent_id in each.seats]
    if seats and (own := seats[-1].human) is not None:
        return with_hand(texts.say("✅ {who} agreed", who=who), state, seats[-1], own, texts)
    if agent_id in agreed_by_rules(state):
        return texts.say("○ {who}: the twin would, by simple rules", who=who)
    return texts.say("✅ {who} agreed (twin)", who=who) if seats else texts.say("✅ {who} was found", who=who)


def _voted(state: Negotiation, voted: Round, agent_id: str, who: str, texts: Texts) -> str:
    seat = voted.seats.get(agent_id)
    if seat is None:
        return f"▫️ {who}"
    vote = seat.vote
    if vote is None and state.current is voted and seat.waits:
        return texts.say("⏳ waits for {who}", who=who)
    if vote is None and state.current is voted:
        return texts.say("⏳ {who} is being asked", who=who)
    if vote is None:
        return texts.say("▫️ {who} gave no answer", who=who)
    said = (secret_vote_text if state.is_secret(voted) else vote_text)(who, vote, texts)
    return with_hand(said, state, seat, vote, texts)


def _missing(state: Negotiation, proposal: Proposal, texts: Texts, fit: Fit) -> str:
    """What nobody covers, what the plan itself calls open, and who is taken twice."""
    lacked = missing_now(state, texts, fit)
    named = gap_search.other_gaps(state, proposal.gaps)
    lacked += fit.first([said for each in named if (said := fit.line(each, 120)) and said not in lacked], 4)
    lines = [texts.say("❌ Missing: {what}", what=texts.say("; ").join(lacked))] if lacked else []
    taken = clashes_line(state, texts, fit)
    return "\n".join([*lines, *([taken] if taken else [])])


def _changes(state: Negotiation, proposal: Proposal, texts: Texts, fit: Fit) -> str:
    """What the last version changed, in one line; empty where it is the first."""
    summary = proposal.adjustment_summary
    if summary is None or state.final is not None:
        return ""
    made = [told for each in summary.changes_made if (told := change_line(each, texts, fit))]
    told = texts.say("; ").join(fit.first(made, MOST_CHANGES))
    return texts.say("🔁 Changed last: {what}", what=told) if told else ""


def since_and_until(state: Negotiation, texts: Texts, address: AddressOf = no_address) -> str:
    """How long it has been going on, and until when one can vote or correct an offer; empty where neither is known."""
    parts = []
    if state.asked_at and state.is_open:
        parts.append(texts.say("since {moment}", moment=local_time(state.asked_at, texts)))
    opened = state.current
    if opened is not None and opened.window.deadline:
        until = until_time(opened.window.deadline, texts)
        if round_address := address(round_key(opened)):
            parts.append(texts.say("votes until {moment}", moment=until))
            parts.append(web_link(round_address, texts.say("Go to the vote")))
        else:
            parts.append(texts.say("votes until {moment}, below", moment=until))
    return " · ".join(parts)


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
            until = until_time(state.offers_due, texts)
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
            missing = lacks(state, texts, lambda each: fit.line(each, 80))
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
    elif needed := needs_line(state, texts, fit):
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
        shown, others = _owner_buttons(state, texts)
        card.append(row(shown, [*others, _stop(state, texts), open_page(state.channel_id, texts)]))
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
        found.append(blocks.context(afterwards.origin_notice(texts)))
    return found


def _warnings(state: Negotiation, texts: Texts) -> list[str]:
    """What the machines could not do, and who stood in."""
    return [
        *_degraded(state, texts),
        *([_recovered(state, texts)] if state.recoveries else []),
        *([texts.say("No model is connected: the twins speak by simple rules.")] if rules_speak(state) else []),
    ]


def _owner_buttons(state: Negotiation, texts: Texts) -> tuple[list[Block], list[Block]]:
    """The requester's buttons at this point, except *Stop*: the one that is asked of them, and the others."""
    handle = StreamButton(stream=state.channel_id).value()
    shown: list[Block] = []
    others = [_close(state.current, state, texts)] if state.current else []
    if state.current is not None and time_of_people(state, state.current):
        others.insert(0, action_button(EXTEND, state.channel_id, texts, round=state.current.number))
    others += offered_buttons(state, texts)
    if state.takes_edits and open_questions(state):
        shown.append(blocks.button(texts.say("Clarify…"), CLARIFY, handle, style="primary"))
    if state.takes_edits:
        others.append(action_button(EDIT, state.channel_id, texts))
    return shown, others


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
    sure = blocks.confirm(
        texts.say("Close round {round} now?", round=opened.number),
        texts.say("Whoever has not voted yet is not waited for; twins’ votes stand."),
        yes=texts.say("Close round"),
        no=texts.say("Keep waiting"),
    )
    look = {"confirm": sure}
    return action_button(CLOSE, state.channel_id, texts, look=look, round=opened.number, digest=opened.digest)


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
    return action_button(STOP, state.channel_id, texts, look={"confirm": sure})


MOST_NAMES = 12


def standing(state: Negotiation, texts: Texts) -> str:
    """Return nothing that the thread does not show to everybody."""
    state, fit = in_public(with_marks(state, texts)), Fit()
    title = fit.line(state.demand_text, 120)
    lines = [
        texts.say("“{what}”: {detail}", what=title, detail=status_line(state, texts, fit)),
        since_and_until(state, texts),
        _awaited(state, texts, fit),
    ]
    if lacked := missing_now(state, texts, fit):
        lines.append(texts.say("❌ Missing: {what}", what=texts.say("; ").join(lacked)))
    return "\n".join(each for each in lines if each)


def _awaited(state: Negotiation, texts: Texts, fit: Fit) -> str:
    """Who still has to answer, by name, which notifies nobody."""
    if state.current is None:
        return ""
    silent = [
        bold_name(each.display_name, each.agent_id, fit) for each in state.current.seats.values() if not each.vote
    ]
    if not silent:
        return texts.say("Everybody has answered; they can still change their minds.")
    return texts.say("Still to answer: {names}", names=join_names(silent[:MOST_NAMES], texts, len(silent)))
