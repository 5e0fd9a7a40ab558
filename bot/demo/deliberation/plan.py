"""Plays one deliberation, from the goal to the report, with objections that were scripted before."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.demo.deliberation.brief import GivenBrief
from bot.demo.deliberation.report import PlanReport, report
from bot.demo.demo import CHANNEL, REQUESTER, Demo, DemoSettings, Posted, running_demo
from bot.demo.waiting import telling_what_is_waited_for
from bot.listeners.deliberation.planning import begin
from bot.listeners.intake import cause_of_message
from bot.local_slack import Message
from engine.deliberation.commands import RaisePoint
from engine.deliberation.events import HostDecided
from engine.deliberation.policy import Policy
from engine.deliberation.rules import RULEBOOK
from engine.deliberation.state import Deliberation
from engine.deliberation.terms import Action
from engine.errors import Misconfigured, Refusal
from engine.facts.asked import local_day
from engine.kernel import Event, Place, StreamKey

LAST_ROUND: Final = 5

_POINT: Final = re.compile(r"(?P<text>.*?\S.*?)(?:@(?P<round>\d+))?", re.S)


@dataclass(frozen=True, slots=True)
class ScriptedPoint:
    """What whoever asks objects to, once this round has begun."""

    text: str
    round: int = 1


@dataclass(frozen=True, slots=True)
class Planned:
    report: PlanReport
    thread: Sequence[Message]
    names: Mapping[str, str]
    """Of everybody in the thread, by user id."""
    warnings: Sequence[str]
    is_degraded: bool
    """Whether anything was asked of a model that it did not answer."""


def read_points(texts: Sequence[str]) -> list[ScriptedPoint]:
    """Read the objections that the options name, each with its round.

    Raises:
        Misconfigured: every point that cannot be read.
    """
    points: list[ScriptedPoint] = []
    faults: list[str] = []
    for said in texts:
        match = _POINT.fullmatch(said)
        if match is None:
            faults.append(f"--point {said!r} has no words in it; it looks like 'There is no lift@2' (in round 2)")
            continue
        number = int(match["round"] or 1)
        if not 1 <= number <= LAST_ROUND:
            faults.append(f"--point {said!r}: rounds count from 1 to {LAST_ROUND}")
        else:
            points.append(ScriptedPoint(match["text"].strip(), number))
    if faults:
        raise Misconfigured(faults)
    return points


async def plan(
    given: GivenBrief, settings: DemoSettings, policy: Policy, points: Sequence[ScriptedPoint] = ()
) -> Planned:
    """Have a plan argued out, with objections in their rounds."""
    async with (
        running_demo(settings) as demo,
        telling_what_is_waited_for(demo, asks_a_model=settings.claude is not None),
    ):
        services = demo.towow.services
        message = await demo.person().say(CHANNEL, given.goal)
        time_zone = await services.texts.time_zone(demo.tenant, REQUESTER)
        objections = _Objections(demo, points)
        demo.towow.runtime.observers.listen(objections.hear)
        begun = await begin(
            services,
            demo.tenant,
            cause=cause_of_message(CHANNEL, message.ts),
            by=REQUESTER,
            brief=given.brief(today=local_day(services.now(), time_zone), time_zone=time_zone),
            place=Place(channel=CHANNEL, thread=message.ts),
            policy=policy,
        )
        await objections.raise_those_of(begun.key, 1)
        await demo.settle()
        while (await _read(demo, begun.key)).is_open and await demo.skip():
            await demo.settle()
        state = await _read(demo, begun.key)
        thread = await demo.thread(Posted(message, begun.key))
        told = await report(demo.towow.store, begun.key, state)
        return Planned(told, thread, demo.names, objections.warnings(state), bool(state.errors))


async def _read(demo: Demo, key: StreamKey) -> Deliberation:
    return await demo.towow.services.gateway.read(key, RULEBOOK)


class _Objections:
    """Raises each point as soon as its round has begun."""

    def __init__(self, demo: Demo, points: Sequence[ScriptedPoint]) -> None:
        self._demo = demo
        self._points = points
        self._refused: list[str] = []

    def hear(self, key: StreamKey, events: Sequence[Event]) -> None:
        for each in events:
            if isinstance(each, HostDecided) and each.action in (Action.CONTINUE, Action.FORCE_OPPOSITION):
                self._demo.towow.services.background.spawn(self.raise_those_of(key, each.round + 1))

    async def raise_those_of(self, key: StreamKey, number: int) -> None:
        services = self._demo.towow.services
        for place, point in enumerate(self._points):
            if point.round != number:
                continue
            command = RaisePoint(
                command_id=f"point:{key.stream}:{place}", at=services.now(), by=REQUESTER, text=point.text
            )
            try:
                await services.gateway.send(key, RULEBOOK, command)
            except Refusal as refusal:
                self._refused.append(f"round {number}: the point {point.text!r} was not taken: {refusal}")

    def warnings(self, state: Deliberation) -> Sequence[str]:
        """What of the script could not be done."""
        idle = (each for each in self._points if each.round > len(state.rounds))
        return [*self._refused, *(f"round {each.round} never began, so {each.text!r} was not raised" for each in idle)]
