"""Kill the process at any commit: in the end the deliberation is as if nobody had."""

import itertools
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final

import pytest

from engine.deliberation.commands import AskCritic, ChoosePosition, RaisePoint, StopDeliberation
from engine.deliberation.events import BriefRead, DeliberationOpened, HostSpoke
from engine.deliberation.policy import Policy
from engine.deliberation.state import Status
from engine.deliberation.terms import Agent
from engine.kernel import Event, payload
from engine.store.memory import MemoryStore
from tests.crash.fuse import WHENS, When
from tests.restarting import Fused

from .process import KEY, Process, Script, running
from .scenario import ANN, NOON, REQUESTER

CLOCKS: Final = frozenset({"at", "asked_at", "until"})


async def five_rounds(process: Process) -> None:
    """Somebody objects and asks, and both come to agree in the last round."""
    await process.opens(Policy(host_speaks=False))
    await process.does(RaisePoint(command_id="c-point", at=NOON, by=ANN, text="Too loud."))
    await process.settles()
    await process.does(AskCritic(command_id="c-ask", at=NOON, by=ANN, text="Why?"))
    await process.settles()


async def stopped(process: Process) -> None:
    """Nobody answers the first question; somebody stops it."""
    await process.opens(Policy(host_speaks=False, start="sequential"))
    await process.does(StopDeliberation(command_id="c-stop", at=NOON, by=REQUESTER))
    await process.settles()


async def decided(process: Process) -> None:
    """They end far apart, and the requester chooses."""
    await process.opens(Policy(host_speaks=False, max_rounds=2))
    await process.settles()
    await process.does(ChoosePosition(command_id="c-choose", at=NOON, by=REQUESTER, chosen=Agent.CRITIC))
    await process.settles()


def told(history: list[Event]) -> list[dict[str, Any]]:
    """Without what the clock decides, and the order of what is asked at the same time: the brief is read beside the
    first positions, and stands before all of them here."""
    in_order = sorted(history, key=lambda each: not isinstance(each, (DeliberationOpened, BriefRead)))
    events = [payload(each) | {"type": each.event_type} for each in in_order if not isinstance(each, HostSpoke)]
    plain = [{name: each for name, each in event.items() if name not in CLOCKS} for event in events]
    grouped = itertools.groupby(plain, lambda each: (each["type"], each.get("round")))
    return [each for _, group in grouped for each in sorted(group, key=repr)]


Story = Callable[[Process], Awaitable[None]]

STORIES: Final[dict[str, tuple[Story, dict[str, Any], Status, int]]] = {
    "five rounds": (five_rounds, {}, Status.CONVERGED, 18),
    "stopped": (stopped, {}, Status.TERMINATED, 2),
    "decided": (decided, {"levels": (0.5, 0.5), "critics_decision": "no_go"}, Status.CONVERGED, 9),
    "without a critic and a reporter": (
        five_rounds, {"fails": frozenset({"draft", "criticise", "report"})}, Status.TERMINATED, 7
    ),
}  # fmt: skip
"""How it goes, what the model says, how it ends, and how many commits there are at least, one after the other."""


@dataclass(frozen=True)
class Run:
    told: list[dict[str, Any]]
    status: Status
    has_struck: bool


async def run(name: str, nth: int = 0, when: When = "after") -> Run:
    """
    Args:
        nth: the commit at which the process ends; 0 for none.
    """
    story, said, _, _ = STORIES[name]
    async with running(MemoryStore(), Script(**said)) as process:
        fuse = Fused(process, nth, when)
        await story(process)
        assert await process.store.verify(KEY)
        counts = await process.store.counts()
        assert (counts["owed"], counts["alarms"], counts["open_streams"]) == (0, 0, 0)
        return Run(told(await process.history()), (await process.state()).status, fuse.has_burnt)


@pytest.mark.parametrize("name", STORIES)
@pytest.mark.parametrize("when", WHENS)
async def test_killed_at_each_commit(name: str, when: When) -> None:
    expected = await run(name)
    assert expected.status is STORIES[name][2]
    for struck in itertools.count():
        found = await run(name, struck + 1, when)
        if not found.has_struck:
            break
        assert found.told == expected.told, f"killed {when} commit {struck + 1}"
    assert struck >= STORIES[name][3]
