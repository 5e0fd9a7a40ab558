"""The end: every agent lists what it still does not know, the Reporter writes, and it is over."""

from typing import Final

from msgspec.structs import replace

from engine.deliberation.answers import PlanTask
from engine.deliberation.closing import reporting
from engine.deliberation.commands import RecordClosing, RecordReport
from engine.deliberation.drafting import DeliberationDraft
from engine.deliberation.events import (
    AgentSkipped,
    ClosingBegun,
    ClosingStated,
    DeliberationEnded,
    PlanCarriedOut,
    ReportWritten,
)
from engine.deliberation.policy import PROTOCOL
from engine.deliberation.rounds.plans import final_plan, standing
from engine.deliberation.rounds.turns import (
    brief_scope,
    close_scope,
    compare_scope,
    has_spoken,
    host_scope,
    layout_scope,
    position_scope,
    report_scope,
    speaking,
)
from engine.deliberation.state import ENDED, Deliberation, Status
from engine.deliberation.terms import DEBATERS, Agent, Error, Reason
from engine.kernel import Ask, HandedTask, Handover, HandoverTaken, Millis

CONVERGED: Final = frozenset({Reason.AGREED, Reason.EARLY_AGREEMENT, Reason.USER_DECIDED})
UNDISPUTED: Final = CONVERGED | {Reason.NOT_ARGUED}
"""Nobody disagrees."""
AT_ONCE: Final = frozenset(
    {Reason.EARLY_AGREEMENT, Reason.NOT_ARGUED, Reason.USER_STOP, Reason.TIME_IS_UP, Reason.NO_PLAN, Reason.FORGOTTEN}
)
"""Nobody is asked what they still do not know."""


def begin(draft: DeliberationDraft, reason: Reason, at: Millis) -> None:
    """Argue no more. Whoever has been asked already is not asked again."""
    give_up(draft)
    state = draft.state
    is_at_once = reason in AT_ONCE or state.closing is not None or standing(state) is None
    asks = () if is_at_once else tuple(each for each in DEBATERS if has_spoken(state, each))
    draft.happens(ClosingBegun(**draft.ids, reason=reason, asks=asks, is_divergent=reason not in UNDISPUTED, at=at))
    for agent in asks:
        name = close_scope(agent)
        draft.owes(Ask(name=name, scope=name, prompt="close", about=agent))
    if reason is Reason.FORGOTTEN:
        end(draft, reason, at)
    else:
        _go_on(draft, at)


def hurry(draft: DeliberationDraft, at: Millis) -> None:
    """Close without whoever has not stated anything yet: nobody is said to have failed."""
    state = draft.state
    if state.closing is None:
        return
    give_up(draft)
    closing = state.closing
    draft.happens(ClosingBegun(**draft.ids, reason=closing.reason, is_divergent=closing.is_divergent, at=at))
    _go_on(draft, at)


def give_up(draft: DeliberationDraft) -> None:
    """Wait for nothing any more."""
    state = draft.state
    number = len(state.rounds)
    for agent in speaking(state):
        draft.voids(position_scope(agent, number))
    if state.status is Status.ARGUING and state.current.decision is None:
        draft.voids(compare_scope(number))
        draft.voids(layout_scope(number))
    for agent in state.closing.awaited if state.closing and state.status is Status.CLOSING else ():
        draft.voids(close_scope(agent))
    if state.status is Status.REPORTING:
        draft.voids(report_scope(reporting.next_number(state)))


def _go_on(draft: DeliberationDraft, at: Millis) -> None:
    state = draft.state
    if state.status is not Status.REPORTING:
        draft.waits()
    elif standing(state) is None:
        write(draft, None, at)
    else:
        number = reporting.next_number(state)
        draft.owes(Ask(name=report_scope(number), scope=report_scope(number), prompt="report", about=str(number)))
        draft.waits()


# ── what is still not known ───────────────────────────────────────────────────────────────────────────────────────


def stated(draft: DeliberationDraft, command: RecordClosing) -> None:
    state, answer = draft.state, command.answer
    if state.status is not Status.CLOSING or state.closing is None or command.agent not in state.closing.awaited:
        return  # too late
    if answer is None:
        error = command.error or Error(error="agent_failed", agent=command.agent, round=len(state.rounds))
        skip(draft, command.agent, error, command.at)
        return
    draft.happens(
        ClosingStated(
            **draft.ids,
            agent=command.agent,
            uncertainties=answer.uncertainties,
            worst_case=answer.worst_case,
            model=command.model,
            prompt_hash=command.prompt_hash,
            errors=command.tool_errors,
            at=command.at,
        )
    )
    _once_all_have(draft, command.at)


def skip(draft: DeliberationDraft, agent: Agent, error: Error, at: Millis) -> None:
    """Close without an agent: what it has said in its positions counts."""
    draft.happens(AgentSkipped(**draft.ids, agent=agent, round=len(draft.state.rounds), error=error, at=at))
    draft.voids(close_scope(agent))
    _once_all_have(draft, at)


def _once_all_have(draft: DeliberationDraft, at: Millis) -> None:
    if draft.state.status is Status.REPORTING:
        _go_on(draft, at)


# ── the report ────────────────────────────────────────────────────────────────────────────────────────────────────


def reported(draft: DeliberationDraft, command: RecordReport) -> None:
    state = draft.state
    if state.status is not Status.REPORTING or command.number != reporting.next_number(state):
        return  # too late
    if command.answer is not None and reporting.is_of_another_end(state, command.answer):
        command = replace(command, answer=replace(command.answer, content=f"# {state.brief.title}"))
    write(draft, command, command.at)


def write(draft: DeliberationDraft, command: RecordReport | None, at: Millis, *, error: Error | None = None) -> None:
    """End with a report: of the Reporter, or, where none came, of code."""
    state = draft.state
    if state.closing is None:
        return
    reason = state.closing.reason
    answer = command.answer if command else None
    error = error or (command.error if command and answer is None else None)
    content, summary = reporting.written(state, answer)
    draft.happens(
        ReportWritten(
            **draft.ids,
            content=content,
            summary=summary,
            is_divergent=state.closing.is_divergent,
            at=at,
            model=command.model if command and answer else "",
            prompt_hash=command.prompt_hash if command and answer else "",
            errors=(*(command.tool_errors if command else ()), *((error,) if error else ())),
        )
    )
    end(draft, reason, at)


def end(draft: DeliberationDraft, reason: Reason, at: Millis) -> None:
    state = draft.state
    for each in state.rounds:
        if each.decision and not each.host_words:
            draft.voids(host_scope(each.number))
    if state.read is None and not state.brief.origin:
        draft.voids(brief_scope())
    draft.happens(DeliberationEnded(**draft.ids, is_converged=reason in CONVERGED, reason=reason, at=at))


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
