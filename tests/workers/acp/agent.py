"""An agent in a process of its own: ``python -S -m tests.workers.acp.agent HOW``.

HOW is one of `BEHAVIOURS`. The agent writes into its directory: ``pids`` (itself, and whom it starts), ``told.md``
(what it is told), ``answers`` (to what it asks leave for), and ``.session``, where a later process finds it again.

It speaks the protocol by itself, since the library takes half a second to import, and agents are started often; an
agent with the library's agent side is in `tests.workers.acp.library_agent`.
"""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any, Protocol
from uuid import uuid4

from tests.workers.acp.behaviours import BEHAVIOURS, Refused, begin, leave, note, shout

LOGIN_WANTED, UNKNOWN_SESSION, OUR_FAULT = -32000, -32002, -32603
ONCE_OR_NOT = ("allow_always", "allow_once", "reject_once")
LONGEST_LINE = 2**24
"""Bytes."""

Params = dict[str, Any]


class Wire(Protocol):
    """How an agent calls its client."""

    async def notify(self, method: str, params: Params) -> None: ...

    async def request(self, method: str, params: Params) -> Any:
        """
        Raises:
            Refused
        """


class Agent:
    def __init__(self, how: str, wire: Wire) -> None:
        self.how = how
        self.wire = wire
        self.session = ""
        self.is_resumed = False
        self.cancelled = asyncio.Event()
        self.mode = "auto"

    async def answer(self, method: str, params: Params) -> Params:
        """Do what the client calls.

        Raises:
            Refused
        """
        match method:
            case "initialize":
                return await self._greet(params["protocolVersion"])
            case "session/new":
                return self._begin()
            case "session/load":
                return await self._go_on(params["sessionId"])
            case "session/set_mode":
                leave("mode", params["modeId"])
            case "session/set_config_option":
                self.mode = self.mode if self.how == "stays in its mode" else params["value"]
                leave("option", f"{params['configId']}={params['value']}")
                return {"configOptions": self._offered()["configOptions"]}
            case "session/cancel":
                leave("cancelled", params["sessionId"])
                self.cancelled.set()
            case "session/prompt":
                return await self._work(params["prompt"][0]["text"])
        return {}

    async def _greet(self, version: int) -> Params:
        if self.how == "never greets":
            begin()
            await asyncio.Event().wait()
        return {
            "protocolVersion": 2 if self.how == "another version" else version,
            "agentCapabilities": {"loadSession": self.how != "forgets"},
            "agentInfo": {"name": os.environ.get("AGENT_NAME", "agent"), "version": "1.2"},
        }

    def _begin(self) -> Params:
        if self.how == "wants a login":
            raise Refused(LOGIN_WANTED)
        self.session = f"session-{uuid4()}"
        leave(".session", self.session)
        return {"sessionId": self.session, **self._offered()}

    def _offered(self) -> Params:
        """Its modes, in one of the ways in which agents tell of them."""
        ids = ["read-only", "auto"] if self.how == "asks in read-only" else ["default", "acceptEdits", "auto"]
        match self.how:
            case "has no modes":
                return {}
            case "has options alone" | "stays in its mode":
                values = [{"value": each, "name": each} for each in ids]
                grouped = [{"group": "g", "name": "Modes", "options": values}]
                mode = {"id": "m", "name": "Mode", "category": "mode", "type": "select", "currentValue": self.mode}
                model = {
                    "id": "mode",
                    "name": "Model",
                    "category": "model",
                    "type": "select",
                    "currentValue": "default",
                }
                return {"configOptions": [model | {"options": values}, mode | {"options": grouped}]}
            case _:
                modes = [{"id": each, "name": each} for each in ids]
                return {"modes": {"currentModeId": self.mode, "availableModes": modes}}

    async def _go_on(self, session: str) -> Params:
        if known() != session:
            raise Refused(UNKNOWN_SESSION)
        self.session, self.is_resumed = session, True
        await self.say("What I said the last time.")
        return {}

    async def _work(self, told: str) -> Params:
        leave("told.md", told)
        reason = await BEHAVIOURS[self.how](self)
        usage = {"totalTokens": 70, "inputTokens": 50, "outputTokens": 20}
        return {"stopReason": reason or "end_turn", "usage": usage}

    async def update(self, name: str, session: str = "", **more: Any) -> None:
        update = {"sessionUpdate": name, **more}
        await self.wire.notify("session/update", {"sessionId": session or self.session, "update": update})

    async def say(self, text: str, session: str = "") -> None:
        await self.update("agent_message_chunk", session, content={"type": "text", "text": text})

    async def write(self) -> None:
        await self.update("tool_call", toolCallId="call-1", title="Write plan.md", kind="edit")
        leave("plan.md", "# Plan\n")
        await self.say("I have written the plan.")

    async def may(self, command: str, kinds: tuple[str, ...] = ONCE_OR_NOT) -> str:
        """Ask for leave to run a command; return the kind of the option that was chosen, or ``cancelled``."""
        told = {"kind": "execute", "title": "Run a command", "rawInput": {"command": command}}
        asked = {
            "sessionId": self.session,
            "toolCall": {"toolCallId": f"call-{uuid4()}", **told},
            "options": [{"optionId": f"o-{it}", "name": it, "kind": it} for it in kinds],
        }
        answer = await self.wire.request("session/request_permission", asked)
        chosen: str = answer["outcome"].get("optionId", "o-cancelled").removeprefix("o-")
        note("answers", chosen)
        return chosen


def known() -> str:
    """The session of an earlier process."""
    session = Path(".session")
    return session.read_text() if session.is_file() else ""


class Lines:
    """JSON-RPC over stdin and stdout, a message in each line."""

    def __init__(self) -> None:
        self._answers: dict[int, asyncio.Future[Params]] = {}

    async def notify(self, method: str, params: Params) -> None:
        _send(method=method, params=params)

    async def request(self, method: str, params: Params) -> Any:
        number = len(self._answers)
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        _send(id=number, method=method, params=params)
        message = await answer
        if "error" in message:
            raise Refused(message["error"]["code"])
        return message["result"]

    async def serve(self, agent: Agent) -> None:
        """Returns when the client has closed its side."""
        stdin = asyncio.StreamReader(LONGEST_LINE)
        await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(stdin), sys.stdin)
        called = set()
        async for line in stdin:
            message = json.loads(line)
            if "method" not in message:
                self._answers[message["id"]].set_result(message)
                continue
            called.add(asyncio.create_task(_called(agent, message)))


async def _called(agent: Agent, message: Params) -> None:
    try:
        said = {"result": await agent.answer(message["method"], message["params"])}
    except Refused as refused:
        said = {"error": {"code": refused.code, "message": refused.message}}
    except Exception as error:  # noqa: BLE001 - the client is told of whatever goes wrong, as the library does it
        said = {"error": {"code": OUR_FAULT, "message": repr(error)}}
    if "id" in message:
        _send(id=message["id"], **said)


def _send(**message: Any) -> None:
    shout(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")


async def main(how: str) -> None:
    note("pids", os.getpid())
    lines = Lines()
    await lines.serve(Agent(how, lines))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
