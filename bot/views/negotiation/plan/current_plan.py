"""The plan as it stands, in few lines: when and where, who does what and how they stand, what is missing, what changed.

It names people without mentioning them, so that nobody is notified when it changes.
"""

from unicodedata import east_asian_width

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.fit import Fit
from bot.views.kit.mrkdwn import escaped, local_time, web_link
from bot.views.kit.readers import AddressOf, no_address
from bot.views.kit.surfaces import people_table
from bot.views.negotiation.afterwards.check_ins import standing_mark
from bot.views.negotiation.agreement.hands import agreed_by_rules, with_hand
from bot.views.negotiation.names import bold_name
from bot.views.negotiation.plan import clashes, needs
from bot.views.negotiation.plan.dates import asked_on, day_of, start_text, step_text, when_text
from bot.views.negotiation.plan.marks import Marks, troubles
from bot.views.negotiation.plan.plan import change_line
from bot.views.negotiation.search import gap_search
from bot.views.negotiation.voting.rounds import round_key
from bot.views.negotiation.voting.votes import secret_vote_text, vote_text
from engine.facts.circumstances import When
from engine.negotiation.answers import Assignment, Milestone
from engine.negotiation.state import Negotiation, Round
from engine.negotiation.terms import Proposal

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
    people = []
    for seat in proposal.assignments:
        brings = " · ".join(filter(None, (_part(seat, texts, fit), standing_mark(state, seat.agent_id, texts))))
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
    if seat.agent_id in state.withdrawn:
        return texts.say("👋 {who} has left", who=who)
    voted = next((each for each in reversed(state.rounds) if each.version == proposal.version), None)
    return _voted(state, voted, seat.agent_id, who, texts) if voted else f"▫️ {who}"


def _decided(state: Negotiation, confirmed: tuple[str, ...], agent_id: str, who: str, texts: Texts) -> str:
    if agent_id not in confirmed:
        return texts.say("▫️ {who} has not agreed", who=who)
    seats = [each.seats[agent_id] for each in state.rounds if agent_id in each.seats]
    if seats and seats[-1].human is not None:
        return with_hand(texts.say("✅ {who} agreed", who=who), state, seats[-1], texts)
    if agent_id in agreed_by_rules(state):
        return texts.say("○ {who}: the twin would, by simple rules", who=who)
    return texts.say("✅ {who} agreed (twin)", who=who) if seats else texts.say("✅ {who} was found", who=who)


def _voted(state: Negotiation, voted: Round, agent_id: str, who: str, texts: Texts) -> str:
    seat = voted.seats.get(agent_id)
    if seat is None:
        return f"▫️ {who}"
    if seat.vote is None and state.current is voted and seat.waits:
        return texts.say("⏳ waits for {who}", who=who)
    if seat.vote is None and state.current is voted:
        return texts.say("⏳ {who} is being asked", who=who)
    if seat.vote is None:
        return texts.say("▫️ {who} gave no answer", who=who)
    said = (secret_vote_text if state.is_secret(voted) else vote_text)(who, seat.vote, texts)
    return with_hand(said, state, seat, texts)


def _missing(state: Negotiation, proposal: Proposal, texts: Texts, fit: Fit) -> str:
    """What nobody covers, what the plan itself calls open, and who is taken twice."""
    lacked = needs.missing_now(state, texts, fit)
    named = gap_search.other_gaps(state, proposal.gaps)
    lacked += fit.first([said for each in named if (said := fit.line(each, 120)) and said not in lacked], 4)
    lines = [texts.say("❌ Missing: {what}", what=texts.say("; ").join(lacked))] if lacked else []
    taken = clashes.short_line(state, texts, fit)
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
    if opened is not None and opened.deadline:
        until = local_time(opened.deadline, texts)
        if round_address := address(round_key(opened)):
            parts.append(texts.say("votes until {moment}", moment=until))
            parts.append(web_link(round_address, texts.say("Go to the vote")))
        else:
            parts.append(texts.say("votes until {moment}, below", moment=until))
    return " · ".join(parts)
