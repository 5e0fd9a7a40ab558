"""Deliberations of real rules and a scripted model in a runtime; the process may end at any commit."""

import asyncio
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from engine.deliberation.answers import BriefAnswer, ClosingAnswer, CriticReply, HostAnswer, Plan, ReportAnswer
from engine.deliberation.asks import DeliberationAsks
from engine.deliberation.commands import OpenDeliberation, RecordComparison
from engine.deliberation.events import EVENTS, Analysis
from engine.deliberation.policy import Policy
from engine.deliberation.rules import RULEBOOK
from engine.deliberation.state import Deliberation
from engine.directory.profile import Profiles
from engine.errors import ModelUnavailable
from engine.kernel import Ask, Command, Compute, Event, Millis
from engine.llm.asker import Asker, for_every_tenant
from engine.llm.port import Answer, Question, Returns
from engine.runtime.computing import Computing
from engine.runtime.in_process import in_process
from engine.runtime.ports import EffectRunner
from engine.runtime.runtime import Runtime
from engine.runtime.streams import opened as event_of
from engine.store.port import Store
from tests import restarting
from tests.restarting import Restarting, key_of

from .prompts import PROMPTS
from .scenario import BRIEF, NOON, REQUESTER, STREAM, answering, criticised, drafted, plan, planned, task

ASKED = replace(BRIEF, facts=())
"""Code finds nothing wrong with any plan for it."""
KEY = key_of(STREAM)


@dataclass
class Script:
    """A model that says the same whenever it is asked the same, and a comparison that does."""

    levels: tuple[float, ...] = (0.6, 0.75, 0.8, 0.85, 0.95)
    """Of each round."""
    fails: frozenset[str] = frozenset()
    """Names of prompts that nothing answers."""
    made: Plan = field(
        default_factory=lambda: plan(task("task-1", title="Book a room for 50 people", deadline="2027-03-01"))
    )
    critics_decision: str = "go"
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    """Nobody answers before it is open."""
    asked: list[str] = field(default_factory=list)
    """Names of prompts."""

    async def answer(self, question: Question[Returns]) -> Answer[Returns]:
        await self.gate.wait()
        name = question.prompt.name.partition("/")[2]
        self.asked.append(name)
        if name in self.fails:
            raise ModelUnavailable("as the script has it")
        said: Any = self._said(name)
        assert isinstance(said, question.returns)
        return Answer(said, "scripted")

    def _said(self, name: str) -> Any:
        answers = answering("point-1")
        match name:
            case "plan":
                return planned(self.made)
            case "revise":
                return planned(self.made, answers=answers)
            case "draft":
                return drafted(self.made)
            case "criticise":
                return criticised(answers=answers, decision=self.critics_decision)
            case "brief":
                return BriefAnswer(language="en")
            case "host":
                return HostAnswer(content="So it is.")
            case "close":
                return ClosingAnswer(uncertainties=("the weather",), worst_case="rain")
            case "report":
                return ReportAnswer(content="# The plan")
            case _:
                return CriticReply(content="Because.")

    def compare(self, state: Any, effect: Compute, *, command_id: str, at: Millis) -> Command:
        number = int(effect.about)
        level = self.levels[number - 1]
        analysis = Analysis(consensus_level=level, matrix=((1.0, level), (level, 1.0)), agreed=level > 0.9)
        return RecordComparison(command_id=command_id, at=at, round=number, analysis=analysis)


class Process(Restarting):
    protocol = RULEBOOK.protocol
    key = KEY
    script: Script

    async def opens(self, policy: Policy) -> None:
        fields: dict[str, Any] = {"session_id": STREAM, "by": REQUESTER, "brief": ASKED, "policy": policy}
        await self.does(OpenDeliberation(command_id="c-open", at=NOON, **fields))

    async def rests(self) -> None:
        """Let whoever is asked answer, until nothing can happen any more without people or the clock."""
        self.script.gate.set()
        await super().rests()

    async def state(self) -> Deliberation:
        state, _ = await self.runtime.read(KEY)
        assert isinstance(state, Deliberation)
        return state

    async def history(self) -> list[Event]:
        stream = await self.store.load(KEY)
        return [event_of(each, EVENTS) for each in stream.events] if stream else []

    def made(self) -> Runtime:
        asks = {RULEBOOK.protocol: for_every_tenant(DeliberationAsks(PROMPTS, Profiles({})))}
        computing = Computing({RULEBOOK.protocol: lambda: {"compare": self.script.compare}}, self.clock)
        runners: dict[str, EffectRunner] = {
            Ask.kind: Asker(self.script, asks, self.clock), Compute.kind: computing
        }  # fmt: skip
        return in_process(self.store, self.clock, [RULEBOOK], runners, [Ask, Compute], patience=0)


def running(store: Store, script: Script | None = None) -> AbstractAsyncContextManager[Process]:
    return restarting.running(Process, store, script or Script())
