"""An agent, with the library's agent side, in a process of its own: ``python -m tests.workers.acp.agent HOW``.

HOW is one of `BEHAVIOURS`. The agent writes into its directory: ``pids`` (itself, and whom it starts), ``told.md``
(what it is told), ``answers`` (to what it asks leave for), and ``.session``, where a later process finds it again.
"""

import asyncio
import os
import sys
from pathlib import Path
from typing import Any
from uuid import uuid4

import pydantic

# Of the library's models it needs few, and building all of them is half of its start, which is tried often.
pydantic.BaseModel.model_config["defer_build"] = True

from acp import RequestError, run_agent, start_tool_call, update_agent_message_text  # noqa: E402
from acp.schema import (  # noqa: E402
    AgentCapabilities,
    Implementation,
    InitializeResponse,
    LoadSessionResponse,
    NewSessionResponse,
    PermissionOption,
    PromptResponse,
    SetSessionModeResponse,
    ToolCallUpdate,
    Usage,
)

from tests.workers.acp.behaviours import BEHAVIOURS, begin, leave, note  # noqa: E402

ONCE_OR_NOT = ("allow_always", "allow_once", "reject_once")


class Agent:
    def __init__(self, how: str) -> None:
        self.how = how
        self.client: Any = None
        self.session = ""
        self.is_resumed = False
        self.cancelled = asyncio.Event()

    def on_connect(self, client: Any) -> None:
        self.client = client

    async def initialize(self, protocol_version: int, **_: Any) -> InitializeResponse:
        if self.how == "never greets":
            begin()
            await asyncio.Event().wait()
        return InitializeResponse(
            protocol_version=2 if self.how == "another version" else protocol_version,
            agent_capabilities=AgentCapabilities(load_session=self.how != "forgets"),
            agent_info=Implementation(name="agent", version="1.2"),
        )

    async def new_session(self, cwd: str, **_: Any) -> NewSessionResponse:
        if self.how == "wants a login":
            raise RequestError.auth_required()
        self.session = f"session-{uuid4()}"
        leave(".session", self.session)
        return NewSessionResponse(session_id=self.session)

    async def load_session(self, session_id: str, **_: Any) -> LoadSessionResponse:
        if known() != session_id:
            raise RequestError.resource_not_found(session_id)
        self.session, self.is_resumed = session_id, True
        await self.say("What I said the last time.")
        return LoadSessionResponse()

    async def set_session_mode(self, session_id: str, mode_id: str, **_: Any) -> SetSessionModeResponse:
        leave("mode", mode_id)
        return SetSessionModeResponse()

    async def cancel(self, session_id: str, **_: Any) -> None:
        leave("cancelled", session_id)
        self.cancelled.set()

    async def prompt(self, session_id: str, prompt: list[Any], **_: Any) -> PromptResponse:
        leave("told.md", prompt[0].text)
        reason = await BEHAVIOURS[self.how](self)
        usage = Usage(total_tokens=70, input_tokens=50, output_tokens=20)
        ended: Any = reason or "end_turn"
        return PromptResponse.model_construct(stop_reason=ended, usage=usage)

    async def say(self, text: str, session: str = "") -> None:
        await self.client.session_update(session or self.session, update_agent_message_text(text))

    async def write(self) -> None:
        await self.client.session_update(self.session, start_tool_call("call-1", "Write plan.md", kind="edit"))
        leave("plan.md", "# Plan\n")
        await self.say("I have written the plan.")

    async def may(self, command: str, kinds: tuple[str, ...] = ONCE_OR_NOT, **more: Any) -> str:
        """Ask for leave to run a command; return the kind of the option that was chosen, or ``cancelled``."""
        call_id = f"call-{uuid4()}"
        told: dict[str, Any] = {"kind": "execute", "title": "Run a command", "raw_input": {"command": command}, **more}
        asked = ToolCallUpdate(tool_call_id=call_id, **told)
        options = [PermissionOption.model_validate({"optionId": f"o-{it}", "name": it, "kind": it}) for it in kinds]
        answer = await self.client.request_permission(self.session, asked, options)
        chosen = getattr(answer.outcome, "option_id", "o-cancelled").removeprefix("o-")
        note("answers", chosen)
        return str(chosen)


def known() -> str:
    """The session of an earlier process."""
    session = Path(".session")
    return session.read_text() if session.is_file() else ""


def main(how: str) -> None:
    note("pids", os.getpid())
    agent: Any = Agent(how)
    asyncio.run(run_agent(agent))


if __name__ == "__main__":
    main(sys.argv[1])
