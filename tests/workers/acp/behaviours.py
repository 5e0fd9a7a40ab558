"""What the agent of the tests does with a prompt, good or bad."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

Behaviour = Callable[[Any], Awaitable[str | None]]
"""Is given the agent; returns its stop reason, None for ``end_turn``."""
BEHAVIOURS: dict[str, Behaviour] = {}

LATE: list[Any] = []
"""What an agent says after its turn."""
FLOOD = json.dumps({"jsonrpc": "2.0", "method": "session/update", "params": {"flood": "x" * 4000}}).encode() + b"\n"
SECRET = "what the agent printed"


class Refused(Exception):
    """One side does not do what the other calls."""

    def __init__(self, code: int, message: str = "refused") -> None:
        super().__init__(code)
        self.code, self.message = code, message


def behaviour(how: str) -> Callable[[Behaviour], Behaviour]:
    def keep(does: Behaviour) -> Behaviour:
        BEHAVIOURS[how] = does
        return does

    return keep


def leave(name: str, text: str) -> None:
    Path(name).write_text(text, "utf-8")


def note(name: str, line: object) -> None:
    """Add a line to a file."""
    with Path(name).open("a") as file:
        file.write(f"{line}\n")


def child(*, own_session: bool) -> None:
    command = [sys.executable, "-I", "-S", "-c", "import signal; signal.pause()"]
    note("pids", subprocess.Popen(command, start_new_session=own_session, stdout=subprocess.DEVNULL).pid)


def shout(line: bytes) -> None:
    """Write all of it."""
    os.set_blocking(1, True)
    while line:
        line = line[os.write(1, line) :]


def begin() -> None:
    """Let the test know, which reads this from a pipe."""
    leave("begun", "now")


async def hang() -> None:
    await asyncio.Event().wait()


@behaviour("writes")
async def _(agent: Any) -> None:
    await agent.write()


@behaviour("lies")
async def _(agent: Any) -> None:
    await agent.say("Everything is done, and all files are there.")


@behaviour("is blocked")
async def _(agent: Any) -> None:
    leave("BLOCKED.md", "# What I lack\n- the budget\n- whose the hall is\n")


@behaviour("links its excuse")
async def _(agent: Any) -> None:
    os.symlink("/etc/hostname", "BLOCKED.md")


@behaviour("hangs before")
async def _(agent: Any) -> None:
    begin()
    await hang()


@behaviour("hangs after")
async def _(agent: Any) -> None:
    await agent.write()
    _outlive()


@behaviour("ignores terminate")
async def _(agent: Any) -> None:
    _outlive()
    begin()
    await hang()


def _outlive() -> None:
    """Stay when the other side closes, and when told to go."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if os.fork() == 0:
        note("pids", os.getpid())
        signal.pause()
        os._exit(0)


@behaviour("floods")
async def _(agent: Any) -> None:
    while True:
        shout(FLOOD)


@behaviour("leaves a child")
async def _(agent: Any) -> None:
    child(own_session=False)
    child(own_session=True)
    await agent.write()


@behaviour("dies mid-line")
async def _(agent: Any) -> None:
    shout(b'{"jsonrpc": "2.0", "id": 2, "result": {"stopReason": "end_')
    os._exit(3)


@behaviour("speaks garbage")
async def _(agent: Any) -> None:
    garbage = [f"{SECRET}", "[1]", '"text"', '{"id": []}', '{"id": 2, "error": 5}', "[" * 100_000, "\x00\xff", "{}"]
    for each in [*garbage, '{"method": 5}', '{"method": "session/update"}', '{"id": 77, "result": {}}']:
        shout(each.encode("latin-1") + b"\n")
    await agent.write()


@behaviour("speaks of another session")
async def _(agent: Any) -> None:
    await agent.write()
    await agent.say("Somebody else's words.", session="session-of-another")


@behaviour("says much")
async def _(agent: Any) -> None:
    await agent.say("much " * 600_000)
    await agent.write()


@behaviour("wants files of ours")
async def _(agent: Any) -> None:
    for method, params in (
        ("fs/read_text_file", {"sessionId": agent.session, "path": "/etc/hostname"}),
        ("fs/write_text_file", {"sessionId": agent.session, "path": "there", "content": "x"}),
        ("terminal/create", {"sessionId": agent.session, "command": "id"}),
        ("_anything", {}),
    ):
        try:
            note("answers", await agent.wire.request(method, params))
        except Refused as refused:
            note("answers", refused.code)
    await agent.write()


@behaviour("asks")
async def _(agent: Any) -> str | None:
    return await _ask(agent, ["rm plan.md"])


@behaviour("asks ten times")
async def _(agent: Any) -> str | None:
    return await _ask(agent, ["rm plan.md"] * 10)


@behaviour("asks something else when resumed")
async def _(agent: Any) -> str | None:
    return await _ask(agent, ["rm -r .." if agent.is_resumed else "rm plan.md"])


@behaviour("asks for good")
async def _(agent: Any) -> str | None:
    return await _ask(agent, ["rm plan.md"], kinds=("allow_always", "reject_always"))


@behaviour("asks without a choice")
async def _(agent: Any) -> str | None:
    return await _ask(agent, ["rm plan.md"], kinds=())


@behaviour("asks too much")
async def _(agent: Any) -> str | None:
    return await _ask(agent, ["rm " + "x" * 20_000])


@behaviour("asks and hangs")
async def _(agent: Any) -> None:
    await agent.may("rm plan.md")
    await hang()


async def _ask(agent: Any, commands: list[str], **more: Any) -> str | None:
    for command in commands:
        if await agent.may(command, **more) == "cancelled":
            note("answers", "stopped" if agent.cancelled.is_set() else "goes on")
            return "cancelled"
    await agent.write()
    return None


@behaviour("spends")
async def _(agent: Any) -> None:
    for step in range(1, 11):
        cost = {"amount": 0.1 * step, "currency": "USD"}
        await agent.update("usage_update", used=1000 * step, size=200_000, cost=cost)
    await agent.cancelled.wait()


@behaviour("discusses")
async def _(agent: Any) -> None:
    await agent.say('I think: {"agrees": false, "answers": ["On Friday"], ')
    await agent.say('"concerns": ["The hall is not free"]}')


@behaviour("disagrees late")
async def _(agent: Any) -> None:
    """Its word comes after the answer that ends its turn."""
    saying = agent.say('{"agrees": false, "concerns": ["The hall is not free"]}')
    asyncio.get_running_loop().call_later(0.03, lambda: LATE.append(asyncio.ensure_future(saying)))


@behaviour("disagrees late and shortly")
async def _(agent: Any) -> None:
    """What it says first fills more of the answer's fields."""
    await agent.say('{"agrees": true, "answers": ["On Friday"], "concerns": []}')
    saying = agent.say('{"agrees": false}')
    asyncio.get_running_loop().call_later(0.03, lambda: LATE.append(asyncio.ensure_future(saying)))


@behaviour("agrees and dies")
async def _(agent: Any) -> None:
    await agent.say('{"agrees": true}')
    asyncio.get_running_loop().call_later(0.03, os._exit, 1)


@behaviour("tells late what it did")
async def _(agent: Any) -> None:
    await agent.write()
    saying = agent.say(" It costs 40.")
    asyncio.get_running_loop().call_later(0.03, lambda: LATE.append(asyncio.ensure_future(saying)))


@behaviour("is overloaded")
async def _(agent: Any) -> None:
    raise Refused(-32603, "Internal error: API Error: 529 Overloaded for sk-ant-api03-" + "x" * 40)


@behaviour("chats")
async def _(agent: Any) -> None:
    await agent.say("Sounds good to me!")


@behaviour("asks in a discussion")
async def _(agent: Any) -> None:
    await agent.say(f'{{"agrees": {"false" if await agent.may("ls") == "reject_once" else "true"}}}')


for _reason in ("refusal", "max_tokens", "max_turn_requests", "cancelled", "whim"):

    @behaviour(f"ends with {_reason}")
    async def _(agent: Any, reason: str = _reason) -> str:
        await agent.say("I will not.")
        return reason


for _how in ("asks in read-only", "has options alone", "has no modes", "stays in its mode"):
    BEHAVIOURS[_how] = BEHAVIOURS["writes"]
for _how in ("never greets", "another version", "forgets", "wants a login"):
    BEHAVIOURS[_how] = BEHAVIOURS["asks"]
