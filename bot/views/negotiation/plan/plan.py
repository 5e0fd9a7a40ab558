"""Shows the parts of a proposal.

Puts a version of the plan beside the one before: what either says of its times, and of what each person does.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.modals import modal
from bot.views.kit.mrkdwn import Fit
from bot.views.kit.surfaces import people_table
from bot.views.negotiation.names import asked_on, bold_name, name_in_thread, start_text, step_text, when_text
from bot.views.negotiation.plan.marks import NO_MARKS, Marks, both_data, marked
from bot.views.negotiation.voting.votes import why_open, wish_text
from engine.negotiation.answers import AdjustmentSummary, Assignment, Change, RequestDeclined
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import Proposal

ALL_TASKS, LONGEST_TASK, SHORTEST_TASK = 720, 300, 110
"""Characters of what all and each of the people in a plan do, where a click shows the rest."""

FEW_STEPS = 3
"""Of more steps, a click shows what they bring about."""


def roles(state: Negotiation, title: str, seats: Sequence[Assignment], texts: Texts, fit: Fit) -> list[Block]:
    longest = min(LONGEST_TASK, max(SHORTEST_TASK, ALL_TASKS // max(len(seats), 1)))
    proposal = state.final.final_proposal if state.final else state.proposal
    tells_core = proposal is not None and not all(each.core for each in proposal.assignments)  # else it says nothing
    people = [_role(state, each, texts, fit, longest, tells_core=tells_core) for each in seats]
    lines = ["• " + " · ".join(filter(None, each)) for each in people]
    return people_table(title, (texts.say("Who"), texts.say("Part")), people, lines, fit)


def _role(
    state: Negotiation, seat: Assignment, texts: Texts, fit: Fit, longest: int, *, tells_core: bool
) -> tuple[str, str]:
    """Somebody's name, and what they do."""
    who = name_in_thread(state, seat.agent_id, fit, seat.display_name)
    core = texts.say("⭐ core") if seat.core and tells_core else ""
    role, task = fit.line(seat.role, 80), fit.line(seat.responsibility, longest)
    part = texts.say("{what}: {detail}", what=role, detail=task) if role and task else role or task
    return who, " · ".join(each for each in (core, part) if each)


def timeline(state: Negotiation, proposal: Proposal, texts: Texts, fit: Fit) -> list[Block]:
    today, marks, lines = asked_on(state), Marks.of(state, proposal), []
    if start := start_text(proposal.timeline.start_date, texts, fit, today):
        lines.append(texts.say("• {date}: start", date=start))
    is_long = len(proposal.timeline.milestones) > FEW_STEPS
    for number, each in enumerate(fit.first(proposal.timeline.milestones, 10), 1):
        when, what = step_text(each, texts, fit, today), fit.line(each.name, 120)
        result, sign = fit.line(each.deliverable, 160), marks.sign("milestone", number=number)
        if result and is_long and not fit.only_whole():
            result = ""
        text = texts.say("{what}: {detail}", what=when, detail=what) if when and what else when or what
        lines.append(" ".join(filter(None, ("•", sign, " – ".join(part for part in (text, result) if part)))))
    return blocks.titled_list(texts.say("*When*"), lines)


def conditions(state: Negotiation, proposal: Proposal, texts: Texts, fit: Fit) -> list[Block]:
    lines, marks = [], Marks.of(state, proposal)
    for each in fit.first(proposal.conditions, 12):
        who, condition = name_in_thread(state, each.agent_id, fit), fit.line(each.condition, 200)
        text = texts.say("{what}: {detail}", what=who, detail=condition)
        mark = marks.of_condition(each)
        lines.append(marked(text, each, fit.line, texts, asked_on(state), mark))
    return blocks.titled_list(texts.say("*Conditions*"), lines)


def gaps(said: Sequence[str], texts: Texts, fit: Fit) -> list[Block]:
    """The gaps that a version itself names."""
    lines = [f"• {fit.line(each, 200)}" for each in fit.first(said, 10)]
    return blocks.titled_list(texts.say("*Nobody for this yet*"), lines)


def changes(state: Negotiation, proposal: Proposal, texts: Texts, fit: Fit) -> list[Block]:
    """What changed since the version before, and which requests were declined."""
    summary = proposal.adjustment_summary
    if summary is None:
        return []
    made = [f"• {change_line(each, texts, fit)}" for each in fit.first(summary.changes_made, 8)]
    missing, marks = texts.say("no reason was given"), Marks.of(state, proposal)
    # A wish may have been read as data only after the version was made, which then contradicts what it says of it.
    broken = {each.agent_id for each in summary.requests_addressed if marks.is_broken("request", each.agent_id)}
    left = (RequestDeclined(agent_id=each.agent_id, request=each.request) for each in summary.requests_addressed)
    declined = (*(each for each in left if each.agent_id in broken), *summary.requests_declined)
    return [
        *blocks.titled_list(texts.say("*What changed*"), made),
        *blocks.titled_list(texts.say("*Taken up*"), _addressed(state, summary, broken, marks, texts, fit)),
        *requests(state, declined, texts.say("*Not taken up, and why*"), missing, texts, fit, marks),
    ]


def change_line(change: Change, texts: Texts, fit: Fit) -> str:
    """What one change was about, before and after."""
    aspect, before, after = fit.line(change.aspect, 100), fit.line(change.before, 160), fit.line(change.after, 200)
    told = f"{before} → {after}" if before and after else after or before
    return texts.say("{what}: {detail}", what=aspect, detail=told) if aspect and told else aspect or told


def _addressed(
    state: Negotiation, summary: AdjustmentSummary, broken: Collection[str], marks: Marks, texts: Texts, fit: Fit
) -> list[str]:
    kept = tuple(each for each in summary.requests_addressed if each.agent_id not in broken)
    return [
        f"{marks.sign('request', each.agent_id) or '○'} "
        + texts.say("{what}: {detail}", what=name_in_thread(state, each.agent_id, fit), detail=wish)
        for each in fit.first(kept, 10)
        if (wish := wish_text(state, each.agent_id, each.request, texts, lambda said: fit.line(said, 200)))
    ]


def beside_conditions(proposal: Proposal, asked: Iterable[RequestDeclined]) -> list[RequestDeclined]:
    """Return the requests that do not stand among the conditions already."""
    told = {(each.agent_id, each.condition) for each in proposal.conditions}
    return [each for each in asked if (each.agent_id, each.request) not in told]


def requests(
    state: Negotiation,
    asked: Iterable[RequestDeclined],
    title: str,
    missing: str,
    texts: Texts,
    fit: Fit,
    marks: Marks = NO_MARKS,
) -> list[Block]:
    """The requests that were declined.

    Args:
        missing: takes the place of a missing reason, where no data say what is in the way.
        marks: of the version that does not meet them.
    """
    lines = []
    for each in fit.first(tuple(asked), 10):
        who = name_in_thread(state, each.agent_id, fit)
        wish = wish_text(state, each.agent_id, each.request, texts, lambda said: fit.line(said, 200))
        request = texts.say("{what}: {detail}", what=who, detail=wish) if wish else who
        mark = marks.find("request", each.agent_id) if marks.is_broken("request", each.agent_id) else None
        data = both_data(mark, texts, asked_on(state)) if mark is not None and not each.reason else ""
        why = data or why_open(state, each, missing, texts, lambda said: fit.line(said, 240))
        lines.append(_because(f"• {request}", why))
    return blocks.titled_list(title, lines)


def _because(text: str, reason: str) -> str:
    return f"{text} – {reason}" if reason else text


MOST_BLOCKS: Final = 100
"""Slack's limit of a modal."""
LONGEST_IN_COLUMN: Final = 700
"""Characters of what somebody does, in one column."""


def versions_beside_each_other(state: Negotiation, version: int, texts: Texts) -> dict[str, Any]:
    """A modal that changes nothing.

    Args:
        version: the later one, from 2 on; the state is as its reader may see it.

    Raises:
        LookupError: there are no two such versions.
    """
    if not 1 < version <= len(state.proposals):
        raise LookupError(f"There is no version {version} with one before it.")
    before, after = state.proposals[version - 2], state.proposals[version - 1]
    fit = Fit()
    heads = [texts.say("*Version {version}*", version=number) for number in (version - 1, version)]
    card = [
        blocks.columns(*heads),
        *_beside(fit.text(before.summary, LONGEST_IN_COLUMN), fit.text(after.summary, LONGEST_IN_COLUMN)),
        *_beside(*(_times(each, texts, fit, asked_on(state)) for each in (before, after))),
        *_people(before, after, texts, fit),
        *changes(state, after, texts, fit),
    ]
    return modal(texts.say("Two versions"), card[:MOST_BLOCKS], texts)


def _beside(left: str, right: str) -> list[Block]:
    if left == right:
        return [blocks.section(left)] if left else []
    return [blocks.columns(left or "–", right or "–")]


def _times(proposal: Proposal, texts: Texts, fit: Fit, today: str) -> str:
    when = when_text(proposal.when, texts, today)
    steps = [
        " – ".join(part for part in (step_text(each, texts, fit, today), fit.line(each.name, 100)) if part)
        for each in fit.first(proposal.timeline.milestones, 8)
    ]
    return "\n".join(
        each for each in (when, start_text(proposal.timeline.start_date, texts, fit, today), *steps) if each
    )


def _people(before: Proposal, after: Proposal, texts: Texts, fit: Fit) -> list[Block]:
    """A row for each person whose part differs; then who keeps theirs, in one line."""
    was = {each.agent_id: each for each in before.assignments}
    now = {each.agent_id: each for each in after.assignments}
    found: list[Block] = []
    kept: list[str] = []
    for agent_id in dict.fromkeys([*now, *was]):
        left, right = was.get(agent_id), now.get(agent_id)
        if left is not None and right is not None and _seat_text(left, fit) == _seat_text(right, fit):
            kept.append(bold_name(right.display_name, agent_id, fit))
            continue
        missing = texts.say("has no part in it")
        found.append(blocks.columns(*(_column(each, left or right, missing, fit) for each in (left, right))))
    if kept:
        found.append(blocks.context(texts.say("The same for: {names}", names=texts.say(", ").join(kept))))
    return found


def _column(seat: Assignment | None, named: Assignment | None, missing: str, fit: Fit) -> str:
    name = bold_name(named.display_name, named.agent_id, fit) if named else "?"
    return f"{name}\n{_seat_text(seat, fit) if seat else missing}"


def _seat_text(seat: Assignment, fit: Fit) -> str:
    parts = (fit.line(seat.role, 80), fit.text(seat.responsibility, LONGEST_IN_COLUMN), fit.text(seat.notes, 200))
    return "\n".join(each for each in parts if each) or "…"
