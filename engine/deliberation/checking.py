"""Holds the plans that stand against what has been read out of the brief since they were asked for.

A brief is read beside the first drafts, and nobody waits for it: a draft is checked when it comes in with what was
known when it was asked for. Whatever comes later, plan or data, is held against the other here.
"""

from engine.deliberation.drafting import DeliberationDraft
from engine.deliberation.events import Finding, PlanChecked
from engine.deliberation.plan_check import findings
from engine.deliberation.plans import plan_of
from engine.deliberation.state import Deliberation, Output
from engine.deliberation.terms import DEBATERS
from engine.kernel import Millis


def check_again(draft: DeliberationDraft, at: Millis) -> None:
    """Add what the data says against the plans of both, where it was not found before."""
    for agent in DEBATERS:
        made = plan_of(draft.state, agent)
        if draft.state.read is not None and made is not None and (found := _new(draft.state, made)):
            draft.happens(PlanChecked(**draft.ids, agent=agent, round=made.round, findings=found, at=at))


def _new(state: Deliberation, made: Output) -> tuple[Finding, ...]:
    if made.plan is None or state.read is None:
        return ()
    known = {_about(each) for each in made.findings}
    found = findings(
        made.plan,
        state.brief,
        state.read.facts,
        made.position.choice,
        options=state.options,
        language=state.language,
    )
    return tuple(each for each in found if _about(each) not in known)


def _about(finding: Finding) -> tuple[object, ...]:
    return finding.code, finding.task_id, finding.facts
