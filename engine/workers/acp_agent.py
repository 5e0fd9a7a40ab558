"""One agent in a process of its own, over the Agent Client Protocol: the greeting, its session, one turn."""

import asyncio
import contextlib
from asyncio import FIRST_COMPLETED
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from acp import PROTOCOL_VERSION, RequestError
from acp.connection import Connection
from acp.schema import (
    CancelNotification,
    ClientCapabilities,
    Implementation,
    InitializeRequest,
    InitializeResponse,
    LoadSessionRequest,
    NewSessionRequest,
    PromptRequest,
    ResumeSessionRequest,
    SetSessionConfigOptionSelectRequest,
    SetSessionModeRequest,
    TextContentBlock,
)
from acp.utils import serialize_params
from pydantic import BaseModel, ValidationError

from engine.facts.masking import without_secrets
from engine.facts.shortening import visible
from engine.workers.acp import AgentTrouble
from engine.workers.acp_lines import AgentLines
from engine.workers.acp_listening import Listening, Stop
from engine.workers.acp_permissions import Modes, modes_of, wanted_mode
from engine.workers.process import Launch, ProcessTrouble, WorkerProcess, started

AUTH_REQUIRED: Final = -32000
QUIET: Final = 0.5
"""Seconds without an update after which a turn that was answered has said all."""
LATEST: Final = 5.0
"""Seconds for which updates are waited for once a turn was answered."""
LONGEST_ERROR: Final = 300
"""Characters of what an agent says of an error of its own."""
OURSELVES: Final = Implementation(name="towow", version="1")
"""Files and terminals are not offered: an agent uses its own tools, inside its sandbox."""


@dataclass(slots=True)
class Agent:
    """An agent that has been greeted.

    Attributes:
        name: as it says.
        worker: its name and version.
    """

    listening: Listening
    name: str
    worker: str
    _environment: Mapping[str, str]
    _connection: Connection
    _lines: AgentLines
    _can_resume: bool
    _can_load: bool

    @property
    def is_gone(self) -> bool:
        """Whether nothing comes of it any more."""
        return self._lines.ended.done()

    @property
    def keeps_sessions(self) -> bool:
        """Whether a session can be gone on with in another process."""
        return self._can_resume or self._can_load

    async def open(self, directory: Path, mode: str, known: str = "") -> bool:
        """Open a session, in the mode in which people decide; return whether it is the known one.

        Args:
            mode: ``session_mode`` of its role.
            known: of an earlier process; "" where there is none.
        """
        answer = await self._resumed(directory, known) if known else None
        is_resumed = answer is not None
        if not is_resumed:
            answer = await self._ask("session/new", NewSessionRequest(cwd=str(directory), mcp_servers=[]))
            match answer:
                case {"sessionId": str(session_id)} if session_id:
                    self.listening.session_id = session_id
                case _:
                    raise AgentTrouble("protocol", "The agent opened a session that has no id.")
        offered = modes_of(answer)
        mode = wanted_mode(self.name, mode, self._environment, offered)
        if mode and mode != offered.current:
            await self._settle(mode, offered, is_resumed=is_resumed)
        return is_resumed

    async def _settle(self, mode: str, offered: Modes, *, is_resumed: bool) -> None:
        """Put the session in a mode. What goes on with a session may leave out which modes there are."""
        if mode not in offered.ids and (offered.ids or not is_resumed):
            there = f"has only {', '.join(offered.ids)}" if offered.ids else "has no modes"
            raise AgentTrouble("misconfigured", f"The agent cannot be put in the mode {mode}: it {there}.")
        session = self.listening.session_id
        if not offered.option:
            await self._ask("session/set_mode", SetSessionModeRequest(session_id=session, mode_id=mode))
            return
        request = SetSessionConfigOptionSelectRequest(session_id=session, config_id=offered.option, value=mode)
        settled = modes_of(await self._ask("session/set_config_option", request))
        if settled.current != mode:
            raise AgentTrouble("misconfigured", f"The agent was put in the mode {mode}, and stays in another one.")

    async def turn(self, text: str) -> str | Stop:
        """Let the agent work until it ends its turn; return its stop reason, or why it was stopped."""
        listening, session_id = self.listening, self.listening.session_id
        prompt = PromptRequest(session_id=session_id, prompt=[TextContentBlock(type="text", text=text)])
        listening.begins()
        turn = asyncio.create_task(self._ask("session/prompt", prompt))
        try:
            await asyncio.wait({turn, listening.stopped}, return_when=FIRST_COMPLETED)
            if listening.stopped.done():
                # What it has done until now is kept by the agent itself, which therefore may end its turn in peace.
                with contextlib.suppress(TimeoutError, AgentTrouble, ConnectionError, RuntimeError):
                    async with asyncio.timeout(listening.limits.permission_wait):
                        cancel = serialize_params(CancelNotification(session_id=session_id))
                        await self._connection.send_notification("session/cancel", cancel)
                        listening.told_to_stop.set()
                        self._count(await turn)
                return listening.stopped.result()
            answer = await turn
        finally:
            turn.cancel()
            await asyncio.wait({turn})
        self._count(answer)
        await self._quiet()
        match answer:
            case {"stopReason": str(reason)}:
                return reason
            case _:
                raise AgentTrouble("protocol", "The agent ended its turn without saying why.")

    async def _quiet(self) -> None:
        """Wait for updates that come after the answer which ended the turn: until nothing has come for a moment."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LATEST):
                while not self._lines.ended.done():
                    self.listening.heard.clear()
                    hearing = asyncio.create_task(self.listening.heard.wait())
                    either: set[asyncio.Future[Any]] = {hearing, self._lines.ended}
                    try:
                        await asyncio.wait(either, timeout=QUIET, return_when=FIRST_COMPLETED)
                    finally:
                        hearing.cancel()
                    if not self.listening.heard.is_set():
                        return

    def _count(self, answer: Any) -> None:
        if isinstance(answer, Mapping):
            self.listening.counted(answer.get("usage"))

    async def _resumed(self, directory: Path, known: str) -> dict[str, Any] | None:
        """What it answers; None where it cannot go on with this session."""
        request: BaseModel
        if self._can_resume:
            method, request = (
                "session/resume",
                ResumeSessionRequest(cwd=str(directory), session_id=known, mcp_servers=[]),
            )
        elif self._can_load:
            method, request = "session/load", LoadSessionRequest(cwd=str(directory), session_id=known, mcp_servers=[])
        else:
            return None
        self.listening.session_id = known
        try:
            answer = await self._ask(method, request)
        except AgentRefused:
            return None  # it is gone, or was another machine's
        return answer if isinstance(answer, dict) else {}

    async def _ask(self, method: str, request: BaseModel) -> Any:
        """Ask the agent, and return its answer."""
        return await ask(self._connection, self._lines, method, request)


class AgentRefused(AgentTrouble):
    """It answered a request with an error."""


class NeverSpoke(AgentTrouble):
    """It ended, or closed its output, before a single message of the protocol."""


class LoginWanted(AgentTrouble):
    """It has no key, or none that its service takes."""


async def ask(connection: Connection, lines: AgentLines, method: str, request: BaseModel) -> Any:
    """Send a request and wait for its answer, for as long as anything can come."""
    asking = asyncio.create_task(connection.send_request(method, serialize_params(request)))
    try:
        await asyncio.wait({asking, lines.ended}, return_when=FIRST_COMPLETED)
        if not asking.done():
            raise _ended(lines)
        return asking.result()
    except RequestError as error:
        if error.code == AUTH_REQUIRED:
            raise LoginWanted("misconfigured", "The agent wants somebody to log in.") from error
        raise AgentRefused("agent_error", _error_text(method, error)) from error
    except ConnectionError as error:
        raise _ended(lines) from error
    finally:
        asking.cancel()
        with contextlib.suppress(asyncio.CancelledError, RequestError, ConnectionError):
            await asking


def _error_text(method: str, error: RequestError) -> str:
    """What an agent says of an error: the cause is known to it alone."""
    code = error.code if isinstance(error.code, int) else 0
    said, _ = without_secrets(" ".join(visible(str(error)).split()), "", "en")
    return f"{method}, error {code}: {said[:LONGEST_ERROR]}"


def _ended(lines: AgentLines) -> AgentTrouble:
    error = lines.ended.result() if lines.ended.done() else None
    if isinstance(error, ProcessTrouble):
        return AgentTrouble(error.failure, str(error))
    if not lines.has_spoken and lines.ended.done():
        return NeverSpoke("protocol", "What was started does not speak the Agent Client Protocol.")
    return AgentTrouble("exit", "The agent ended before it had answered.")


@asynccontextmanager
async def greeted(launch: Launch, listening: Listening) -> AsyncIterator[Agent]:
    """Start an agent and greet it; when the block is left, nothing of it runs any more."""
    try:
        async with started(launch) as process:
            lines = AgentLines(process.stdin, process.lines(), listening.faults)
            connection = Connection(listening.handle, lines)
            try:
                yield await _greet(connection, lines, listening, launch)
            except NeverSpoke as silent:
                raise await _how_it_ended(silent, process, launch) from silent
            finally:
                await connection.close()
    except ProcessTrouble as error:
        raise AgentTrouble(error.failure, str(error)) from error


async def _how_it_ended(silent: NeverSpoke, process: WorkerProcess, launch: Launch) -> AgentTrouble:
    """Return why an agent ended before it spoke."""
    try:
        async with asyncio.timeout(LATEST):
            code = await process.ended()
    except TimeoutError:
        return silent
    hint = " Its sandbox may lack something that it reads: name that in readable." if launch.sandbox else ""
    return NeverSpoke(
        "protocol",
        f"{launch.command[0]} ended with the code {code} before it spoke the Agent Client Protocol; what it printed "
        f"is kept for whoever runs ToWow, in the folder stderr of its session.{hint}",
    )


async def _greet(connection: Connection, lines: AgentLines, listening: Listening, launch: Launch) -> Agent:
    hello = InitializeRequest(
        protocol_version=PROTOCOL_VERSION, client_capabilities=ClientCapabilities(), client_info=OURSELVES
    )
    answer = await ask(connection, lines, "initialize", hello)
    try:
        said = InitializeResponse.model_validate(answer)
    except ValidationError as error:
        raise AgentTrouble("protocol", "The agent's greeting cannot be read.") from error
    if said.protocol_version != PROTOCOL_VERSION:
        spoken = said.protocol_version
        raise AgentTrouble("protocol", f"The agent speaks version {spoken} of its protocol, not {PROTOCOL_VERSION}.")
    can = said.agent_capabilities
    return Agent(
        listening,
        name=said.agent_info.name if said.agent_info else "",
        worker=f"{said.agent_info.name} {said.agent_info.version}"[:200] if said.agent_info else "",
        _environment=launch.environment,
        _connection=connection,
        _lines=lines,
        _can_resume=bool(can and can.session_capabilities and can.session_capabilities.resume is not None),
        _can_load=bool(can and can.load_session),
    )
