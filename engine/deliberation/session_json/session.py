"""The state of a session, and what a client shows of it (seed 001, sections 4 and 6.2)."""

from collections.abc import Iterator

from engine.deliberation.envelopes.outputs import AgentOutput, HostOutput
from engine.deliberation.envelopes.report import Cost
from engine.deliberation.envelopes.session import AgentState, AgentStates, RoundHistory, SessionState
from engine.deliberation.envelopes.stream import MultiAgentMessage, ShownOutput, ShownReport, ShownRound
from engine.deliberation.session_json import bounds
from engine.deliberation.session_json.failures import failures_of
from engine.deliberation.session_json.host import host_output
from engine.deliberation.session_json.outputs import closing_outputs, debater_output, debaters_outputs
from engine.deliberation.session_json.plan import position_of
from engine.deliberation.session_json.report import final_plan_of, reporter_output
from engine.deliberation.state import Deliberation, Round, Status
from engine.deliberation.terms import DEBATERS, Agent
from engine.deliberation.turns import speaking
from engine.kernel import iso


def session_state(state: Deliberation, cost: Cost | None = None) -> SessionState:
    """
    Args:
        state: of a deliberation that has begun.
        cost: of all model calls; None where nobody has counted them.
    """
    ended = state.status if state.status in (Status.CONVERGED, Status.TERMINATED) else None
    return SessionState(
        session_id=bounds.an_id(state.session_id),
        user_query=bounds.text(state.brief.goal),
        mode="multi_agent",
        status="in_progress" if ended is None else "converged" if ended is Status.CONVERGED else "terminated",
        current_round=bounds.round_number(len(state.rounds)),
        max_rounds=state.most_rounds,
        agents=_agents(state, cost),
        history=tuple(
            RoundHistory(round=bounds.round_number(each.number), outputs=tuple(round_outputs(state, each, cost)))
            for each in state.rounds
        ),
        consensus_trend=tuple(map(bounds.fraction, state.trend)),
        created_at=iso(state.opened_at),
        updated_at=iso(max(state.opened_at, state.updated_at)),
        reason=state.reason or "",
        errors=failures_of(state),
    )


def agent_outputs(state: Deliberation, cost: Cost | None = None) -> tuple[AgentOutput, ...]:
    """Everything that was said, in order."""
    return tuple(output for each in state.rounds for output in round_outputs(state, each, cost))


def round_outputs(state: Deliberation, of: Round, cost: Cost | None = None) -> Iterator[AgentOutput]:
    """What was said in a round; the last one ends with what is still unknown, and the report."""
    yield from debaters_outputs(state, of)
    if decided := host_output(state, of):
        yield decided
    if of.number == len(state.rounds):
        yield from closing_outputs(state)
        if report := reporter_output(state, cost):
            yield report


# ── agents ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _agents(state: Deliberation, cost: Cost | None) -> AgentStates:
    said = {each: state.last_output(each) for each in DEBATERS}
    outputs = {each: debater_output(state, output) if output else None for each, output in said.items()}
    return AgentStates(
        planner=_agent(outputs[Agent.PLANNER], is_asked=_is_asked(state, Agent.PLANNER)),
        critic=_agent(outputs[Agent.CRITIC], is_asked=_is_asked(state, Agent.CRITIC)),
        host=_agent(_last_decision(state), is_asked=state.status is Status.ARGUING and not speaking(state)),
        reporter=_agent(reporter_output(state, cost), is_asked=state.status is Status.REPORTING),
    )


def _agent(last: AgentOutput | None, *, is_asked: bool) -> AgentState:
    """Waiting is whoever is asked and has not answered yet."""
    return AgentState(status="waiting" if is_asked else "completed" if last else "idle", last_output=last)


def _is_asked(state: Deliberation, agent: Agent) -> bool:
    is_closing = state.status is Status.CLOSING and state.closing is not None and agent in state.closing.awaited
    return is_closing or agent in speaking(state)


def _last_decision(state: Deliberation) -> HostOutput | None:
    decided = (host_output(state, each) for each in reversed(state.rounds))
    return next((each for each in decided if each is not None), None)


# ── what a client shows ───────────────────────────────────────────────────────────────────────────────────────────


def multi_agent_message(state: Deliberation) -> MultiAgentMessage:
    report = None if state.is_open else state.report
    return MultiAgentMessage(
        type="multi_agent_session",
        sessionId=bounds.an_id(state.session_id),
        rounds=tuple(_shown_round(state, each) for each in state.rounds),
        finalReport=ShownReport(content=bounds.text(report.content), plan=final_plan_of(state)) if report else None,
    )


def _shown_round(state: Deliberation, of: Round) -> ShownRound:
    host = host_output(state, of)
    return ShownRound(
        round=bounds.round_number(of.number),
        outputs=tuple(_shown_outputs(state, of, host)),
        hostDecision=host.metadata.decision if host else None,
    )


def _shown_outputs(state: Deliberation, of: Round, host: HostOutput | None) -> Iterator[ShownOutput]:
    for agent in DEBATERS:
        if said := of.outputs.get(agent):
            yield ShownOutput(agent=agent, content=bounds.text(said.content), position=position_of(state, said))
    if host:
        yield ShownOutput(agent=Agent.HOST, content=host.content)
    if of.number == len(state.rounds):
        for each in closing_outputs(state):
            yield ShownOutput(agent=each.agent_id, content=each.content, position=each.metadata.position)
