"""Whose turn it is in a round."""

from engine.deliberation.state import Deliberation, Status
from engine.deliberation.terms import DEBATERS, Agent


def speaking(state: Deliberation) -> tuple[Agent, ...]:
    """Who is asked for a position at the moment: both in a blind first round, else the Planner, and then the Critic."""
    if state.status is not Status.ARGUING:
        return ()
    current = state.current
    left = tuple(each for each in DEBATERS if each not in current.outputs and each not in current.skipped)
    if current.number == 1:
        return left if is_parallel(state) else left[:1]
    if left == (Agent.CRITIC,) and not has_spoken(state, Agent.PLANNER):
        return ()  # there is still nothing but its own plan
    return left[:1]


def is_parallel(state: Deliberation) -> bool:
    """Whether both speak at the same time in the current round, neither knowing what the other says."""
    return state.policy.start == "blind" and len(state.rounds) == 1


def has_spoken(state: Deliberation, agent: Agent) -> bool:
    return state.last_output(agent) is not None


def prompt_for(state: Deliberation, agent: Agent) -> str:
    """Which prompt an agent is asked for its position with."""
    if agent is Agent.PLANNER:
        return "revise" if has_spoken(state, Agent.PLANNER) else "plan"
    return "draft" if is_parallel(state) or not has_spoken(state, Agent.PLANNER) else "criticise"


def position_scope(agent: Agent, number: int) -> str:
    return f"{agent}-{number}"


def compare_scope(number: int) -> str:
    return f"compare-{number}"


def brief_scope() -> str:
    return "brief"


def layout_scope(number: int) -> str:
    """Of the Host's laying two blind drafts side by side."""
    return f"layout-{number}"


def host_scope(number: int) -> str:
    return f"host-{number}"


def close_scope(agent: Agent) -> str:
    return f"close-{agent}"


def report_scope(number: int) -> str:
    return f"report-{number}"


def question_scope(question_id: str) -> str:
    return question_id
