"""The lines that a client is sent while a deliberation goes on (seed 001, section 6.1)."""

from collections.abc import Iterator

from engine.deliberation.envelopes.stream import AgentOutputEvent, FinalReportEvent, HostDecisionEvent
from engine.deliberation.events import ClosingStated, HostDecided, HostSpoke, PositionTaken, ReportWritten
from engine.deliberation.session_json import bounds
from engine.deliberation.session_json.host import instructions_of, reasons_in_words
from engine.deliberation.session_json.outputs import stated_in_words
from engine.deliberation.session_json.report import final_plan_of
from engine.deliberation.state import Deliberation
from engine.deliberation.terms import Agent
from engine.kernel import Event

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
                content=bounds.text(event.content),
                plan=final_plan_of(state),
            )
        case _:
            pass


def _said(agent: Agent, number: int, content: str) -> AgentOutputEvent:
    return AgentOutputEvent(
        type="agent_output", agent=agent, round=bounds.round_number(number), content=bounds.text(content)
    )
