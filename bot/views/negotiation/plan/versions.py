"""Puts a version of the plan beside the one before: what either says of its times, and of what each person does."""

from typing import Any, Final

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.fit import Fit
from bot.views.kit.modals import modal
from bot.views.negotiation.names import bold_name
from bot.views.negotiation.plan import plan
from bot.views.negotiation.plan.dates import asked_on, start_text, step_text, when_text
from engine.negotiation.answers import Assignment
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import Proposal

MOST_BLOCKS: Final = 100
"""Slack's limit of a modal."""
LONGEST_TASK: Final = 700
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
        *_beside(fit.text(before.summary, LONGEST_TASK), fit.text(after.summary, LONGEST_TASK)),
        *_beside(*(_times(each, texts, fit, asked_on(state)) for each in (before, after))),
        *_people(before, after, texts, fit),
        *plan.changes(state, after, texts, fit),
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
        if left is not None and right is not None and _told(left, fit) == _told(right, fit):
            kept.append(bold_name(right.display_name, agent_id, fit))
            continue
        missing = texts.say("has no part in it")
        found.append(blocks.columns(*(_column(each, left or right, missing, fit) for each in (left, right))))
    if kept:
        found.append(blocks.context(texts.say("The same for: {names}", names=texts.say(", ").join(kept))))
    return found


def _column(seat: Assignment | None, named: Assignment | None, missing: str, fit: Fit) -> str:
    name = bold_name(named.display_name, named.agent_id, fit) if named else "?"
    return f"{name}\n{_told(seat, fit) if seat else missing}"


def _told(seat: Assignment, fit: Fit) -> str:
    parts = (fit.line(seat.role, 80), fit.text(seat.responsibility, LONGEST_TASK), fit.text(seat.notes, 200))
    return "\n".join(each for each in parts if each) or "…"
