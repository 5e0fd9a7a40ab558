"""Runs agents over the Agent Client Protocol (wire version 1, JSON-RPC over stdin and stdout).

Whatever an agent says of its work is a claim: what it made is registered like anybody's. Nobody waits with a process
for an answer of people's: the agent is stopped, and gone on with once there is one.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from engine.errors import EngineError
from engine.runtime.clock import Clock
from engine.workers.port import Failure, Limits, WorkOrder, WorkOutcome
from engine.workers.process import Launch
from engine.workers.registry import RoleEntry


class AgentTrouble(EngineError):
    """An agent came to nothing.

    Args:
        failure: as whoever ordered the work is told.
        detail: what happened, in a sentence; nothing of what it printed.
    """

    def __init__(self, failure: Failure, detail: str) -> None:
        super().__init__(detail)
        self.failure: Failure = failure
        self.detail = detail


@dataclass(frozen=True, slots=True)
class AcpContext:
    """What an attempt needs beside its order.

    Args:
        launch: with the command of the role, its directory, its environment and its bounds.
        register: registers what was ordered, and runs the check; its outcome says nothing of the agent.
    """

    launch: Launch
    clock: Clock
    register: Callable[[], Awaitable[WorkOutcome]]


async def run_acp(role: RoleEntry, order: WorkOrder, context: AcpContext) -> WorkOutcome:
    """Run one attempt to its end, and leave nothing running. Only a cancellation is raised."""
    outcome: WorkOutcome = await (await _attempts()).run_attempt(role, order, context)
    return outcome


async def ask_agent(role: RoleEntry, text: str, launch: Launch, limits: Limits, clock: Clock) -> str:
    """Ask an agent one question in a session of its own, and return what it says. It may do nothing that it has to ask
    leave for.

    Args:
        launch: with the command of the role, its directory, its environment and its bounds.

    Raises:
        AgentTrouble: it gave no answer; ``failure`` says why.
    """
    answer: str = await (await _attempts()).ask_once(role, text, launch, limits, clock)
    return answer


async def try_agent(role: RoleEntry, launch: Launch, limits: Limits, clock: Clock) -> str:
    """Greet an agent and open a session, without a turn, so that its model is asked nothing.

    Returns:
        its name and version, as it says.

    Raises:
        AgentTrouble: it could not work; ``detail`` says what would help.
    """
    worker: str = await (await _attempts()).try_out(role, launch, limits, clock)
    return worker


async def _attempts() -> Any:
    """Load what knows the protocol's library, which takes most of a second, beside everything else."""
    return await asyncio.to_thread(import_module, "engine.workers.acp_attempt")
