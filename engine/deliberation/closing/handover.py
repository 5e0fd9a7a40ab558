"""What a finished plan hands to a protocol that goes on from it."""

from engine.deliberation.answers import PlanTask
from engine.deliberation.drafting import DeliberationDraft
from engine.deliberation.events import PlanCarriedOut
from engine.deliberation.policy import PROTOCOL
from engine.deliberation.rounds.plans import final_plan
from engine.deliberation.state import ENDED, Deliberation
from engine.kernel import HandedTask, Handover, HandoverTaken


def hands_over(state: Deliberation) -> bool:
    """Whether another protocol may go on from it: not while it is argued about, nor where words are erased, nor from a
    plan without tasks.
    """
    final = final_plan(state) if state.status in ENDED and not state.erased else None
    return final is not None and bool(final.plan.tasks)


def hand_over(state: Deliberation) -> Handover | None:
    """Return the plan's tasks; None where nothing is handed over."""
    final, brief = final_plan(state), state.brief
    if final is None or not hands_over(state):
        return None
    return Handover(
        origin=state.session_id,
        protocol=PROTOCOL,
        requester_id=state.requester_id,
        title=brief.title,
        goal=brief.goal,
        language=state.said_language,
        place=state.place,
        time_zone=brief.time_zone,
        at=state.ended_at,
        starts=brief.starts,
        ends=brief.ends,
        people=brief.people,
        facts=brief.facts,
        tasks=tuple(map(_task, final.plan.tasks)),
    )


def _task(planned: PlanTask) -> HandedTask:
    return HandedTask(
        task_id=planned.task_id,
        title=planned.title,
        owner=planned.owner,
        starts=planned.starts,
        deadline=planned.deadline,
        hours=planned.estimated_hours or None,
        depends_on=planned.depends_on,
        expected_output=planned.expected_output,
        acceptance=planned.acceptance_criteria,
    )


def taken(draft: DeliberationDraft, command: HandoverTaken) -> None:
    """Note that another stream carries the plan out, so that nothing reopens it any more."""
    if not draft.state.carried_out_in:
        draft.happens(PlanCarriedOut(**draft.ids, stream=command.stream, at=command.at))
