"""The state of a session, and what a client shows of it (seed 001, sections 4 and 6.2)."""

from collections.abc import Iterator, Mapping
from typing import Final, get_args

from engine.deliberation.envelopes.fields import LONGEST_LIST, AgentId, ToolName
from engine.deliberation.envelopes.outputs import AgentOutput, Cost, HostOutput
from engine.deliberation.envelopes.session import (
    AgentFailed,
    AgentOutputEvent,
    AgentState,
    AgentStates,
    AgentTimeout,
    ContentWithheld,
    Failure,
    FinalReportEvent,
    HostDecisionEvent,
    MaxRoundsReached,
    MultiAgentMessage,
    RoundHistory,
    SessionState,
    ShownOutput,
    ShownReport,
    ShownRound,
    ToolExecutionFailed,
)
from engine.deliberation.events import ClosingStated, HostDecided, HostSpoke, PositionTaken, ReportWritten
from engine.deliberation.rounds.turns import speaking
from engine.deliberation.session_json import outputs
from engine.deliberation.session_json.outputs import (
    closing_outputs,
    debater_output,
    debaters_outputs,
    final_plan_of,
    host_output,
    instructions_of,
    position_of,
    reasons_in_words,
    reporter_output,
    stated_in_words,
)
from engine.deliberation.state import Deliberation, Round, Status
from engine.deliberation.terms import DEBATERS, Agent, Error, Reason
from engine.deliberation.wording import language
from engine.facts.language import Language
from engine.kernel import Event, iso

Line = AgentOutputEvent | HostDecisionEvent | FinalReportEvent


def lines_of(state: Deliberation, event: Event) -> Iterator[Line]:
    """What is told of an event; nothing of most.

    Args:
        state: after it.
    """
    match event:
        case PositionTaken():
            yield _said(event.agent, event.round, event.content)
        case HostDecided():
            yield HostDecisionEvent(
                type="host_decision", action=event.action, reason=reasons_in_words(state, event.reasons)
            )
            for each in instructions_of(state, event):
                if each.action == "update_command":
                    yield HostDecisionEvent(type="host_decision", action=each.action, reason=each.reason)
        case HostSpoke():
            yield _said(Agent.HOST, event.round, event.content)
        case ClosingStated():
            content = stated_in_words(state, event.uncertainties, event.worst_case)
            yield _said(event.agent, len(state.rounds), content)
        case ReportWritten():
            yield FinalReportEvent(
                type="final_report",
                agent=Agent.REPORTER,
                content=outputs.text(event.content),
                plan=final_plan_of(state),
            )
        case _:
            pass


def _said(agent: Agent, number: int, content: str) -> AgentOutputEvent:
    return AgentOutputEvent(
        type="agent_output", agent=agent, round=outputs.round_number(number), content=outputs.text(content)
    )


MOST_FAILURES: Final = 2 * LONGEST_LIST

Words = Mapping[Language, str]

LAST_OUTPUT: Final[Words] = {"en": "Its output of the last round stands.", "zh": "使用上一轮输出"}
KEYWORDS: Final[Words] = {"en": "Decided by rules (keyword matching).", "zh": "使用规则判断（关键词匹配）"}
WITHOUT_TOOL: Final[Words] = {"en": "Went on without it.", "zh": "未使用该工具，继续进行"}
WITHHELD: Final[Words] = {"en": "That part is not shown.", "zh": "该部分内容不予显示"}
DIVERGENT: Final[Words] = {"en": "Write the divergent version of the conclusion.", "zh": "输出分歧版结论"}

_TOOLS: Final[Mapping[str, ToolName]] = {each: each for each in get_args(ToolName)}
_AGENTS: Final[Mapping[str, AgentId]] = {each.value: each for each in get_args(AgentId)}


def failures_of(state: Deliberation) -> tuple[Failure, ...]:
    """All that failed, oldest first; last, that the rounds were used up."""
    spoken = language(state)
    found = [failure for each in state.errors if (failure := _failure(each, spoken))]
    return (*found, *_used_up(state, spoken))[-MOST_FAILURES:]


def _used_up(state: Deliberation, spoken: Language) -> Iterator[MaxRoundsReached]:
    if Reason.MAX_ROUNDS in (state.reason, state.closing.reason if state.closing else None):
        yield MaxRoundsReached(
            status="max_rounds_reached", action="force_summary", reporter_instruction=DIVERGENT[spoken]
        )


def _failure(error: Error, spoken: Language) -> Failure | None:
    """None for a tool that the protocol does not know."""
    number = outputs.round_number(error.round)
    agent = _AGENTS.get(error.agent, Agent.HOST)
    match error.error:
        case "agent_timeout":
            return AgentTimeout(
                error="agent_timeout", agent=agent, round=number, action="skip_agent", fallback=LAST_OUTPUT[spoken]
            )
        case "agent_failed":
            return AgentFailed(
                error="agent_failed", agent=agent, round=number, action="skip_agent", fallback=LAST_OUTPUT[spoken]
            )
        case "content_withheld":
            return ContentWithheld(
                error="content_withheld", agent=agent, round=number, action="withhold_content",
                fallback=WITHHELD[spoken],
            )  # fmt: skip
        case "tool_execution_failed":
            tool = _TOOLS.get(error.tool)
            fallback = KEYWORDS if tool == "compare_positions" else WITHOUT_TOOL
            return tool and ToolExecutionFailed(
                error="tool_execution_failed", tool=tool, fallback=fallback[spoken], round=number
            )


def session_state(state: Deliberation, cost: Cost | None = None) -> SessionState:
    """
    Args:
        state: of a deliberation that has begun.
        cost: of all model calls; None where nobody has counted them.
    """
    ended = state.status if state.status in (Status.CONVERGED, Status.TERMINATED) else None
    return SessionState(
        session_id=outputs.an_id(state.session_id),
        user_query=outputs.text(state.brief.goal),
        mode="multi_agent",
        status="in_progress" if ended is None else "converged" if ended is Status.CONVERGED else "terminated",
        current_round=outputs.round_number(len(state.rounds)),
        max_rounds=state.most_rounds,
        agents=_agents(state, cost),
        history=tuple(
            RoundHistory(round=outputs.round_number(each.number), outputs=tuple(round_outputs(state, each, cost)))
            for each in state.rounds
        ),
        consensus_trend=tuple(map(outputs.fraction, state.trend)),
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
        sessionId=outputs.an_id(state.session_id),
        rounds=tuple(_shown_round(state, each) for each in state.rounds),
        finalReport=ShownReport(content=outputs.text(report.content), plan=final_plan_of(state)) if report else None,
    )


def _shown_round(state: Deliberation, of: Round) -> ShownRound:
    host = host_output(state, of)
    return ShownRound(
        round=outputs.round_number(of.number),
        outputs=tuple(_shown_outputs(state, of, host)),
        hostDecision=host.metadata.decision if host else None,
    )


def _shown_outputs(state: Deliberation, of: Round, host: HostOutput | None) -> Iterator[ShownOutput]:
    for agent in DEBATERS:
        if said := of.outputs.get(agent):
            yield ShownOutput(agent=agent, content=outputs.text(said.content), position=position_of(state, said))
    if host:
        yield ShownOutput(agent=Agent.HOST, content=host.content)
    if of.number == len(state.rounds):
        for each in closing_outputs(state):
            yield ShownOutput(agent=each.agent_id, content=each.content, position=each.metadata.position)
