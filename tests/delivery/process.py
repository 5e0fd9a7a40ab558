"""Deliveries of real rules, a scripted Manager and scripted workers in a runtime; the process may end at any commit."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from engine.delivery import answers as said
from engine.delivery.asks import DeliveryAsks
from engine.delivery.commands import OpenDelivery, RecordDiscussion, RecordWork
from engine.delivery.policy import Policy
from engine.delivery.rules import RULEBOOK
from engine.delivery.state import Delivery, Ticket
from engine.delivery.terms import Permission, Task
from engine.directory.profile import Profiles
from engine.errors import Refusal, StoreError
from engine.kernel import Ask, Command, RegisterOutputs, RunWorker, StreamKey, Tenant
from engine.llm.asker import Asker, for_every_tenant
from engine.llm.port import Answer, Question, Returns
from engine.runtime.clock import JumpingClock
from engine.runtime.in_process import in_process
from engine.runtime.ports import EffectRun, EffectRunner
from engine.runtime.runtime import Runtime
from engine.store.port import Store
from tests.runtime.conftest import Unreliable

from .prompts import PROMPTS
from .scenario import BRIEF, DIGEST, NOON, REQUESTER, ROLES, STREAM, artifact

KEY = StreamKey(Tenant("T_ONE"), STREAM)
ANSWERS: dict[str, Any] = {
    "propose": said.ProposeAnswer(summary="Carefully."),
    "discuss": said.DiscussAnswer(agrees=True),
    "instruct": said.InstructAnswer(summary="Do it well."),
    "work": said.WorkAnswer(outputs=("A text.",)),
    "review": said.ReviewAnswer(decision="approved"),
    "advise": said.AdviseAnswer(action="answer", text="The hall."),
    "report": said.FinalReportAnswer(summary="It is done."),
}
"""What the Manager says, and a model that works, by prompt."""


@dataclass
class Script:
    """Whoever is asked says the same whenever it is asked the same; every worker proves what it says."""

    has_troubles: bool = False
    """Whether a worker asks leave, fails, and lacks something before it proves what it says, each once."""
    ran: list[str] = field(default_factory=list)
    """Names of the attempts that a worker was really begun for, across all processes."""

    async def answer(self, question: Question[Returns]) -> Answer[Returns]:
        answer = ANSWERS[question.prompt.name.partition("/")[2]]
        assert isinstance(answer, question.returns)
        return Answer(answer, "scripted")

    async def work(self, run: EffectRun) -> Command:
        effect = run.effect
        assert isinstance(effect, RunWorker | RegisterOutputs)
        if isinstance(effect, RunWorker):
            self.ran.append(effect.name)
        about: dict[str, Any] = {"command_id": run.command_id, "at": NOON, "ticket_id": effect.about}
        number = int(effect.name.rpartition("-")[2])
        if isinstance(effect, RunWorker) and effect.purpose == "discuss":
            return RecordDiscussion(number=number, answer=said.DiscussAnswer(agrees=True), **about)
        ticket = run.state.tickets[effect.about]
        if self.has_troubles and (trouble := _trouble(ticket)):
            return RecordWork(attempt=number, **about, **trouble)
        made = tuple(artifact(each.label) for each in ticket.task.outputs)
        return RecordWork(attempt=number, artifacts=made, **about)


def _trouble(ticket: Ticket) -> dict[str, Any]:
    """What comes next of what goes wrong, by what has been before; nothing once all of it has."""
    if not ticket.permissions:
        asked = Permission(digest=DIGEST, kind="execute", title="pip install x")
        return {"permission": asked, "agent_session": "s-1"}
    if all(each.outcome != "exit" for each in ticket.attempts):
        return {"failure": "exit"}
    return {} if ticket.answers else {"issues": ("Which room?",)}


@dataclass
class Process:
    """The process: everything in it can be ended and begun again on the same store."""

    store: Unreliable
    clock: JumpingClock
    script: Script
    runtime: Runtime

    async def opens(self, *tasks: Task) -> None:
        policy = Policy(retry_backoff=0)
        fields: dict[str, Any] = {"session_id": STREAM, "by": REQUESTER, "brief": BRIEF, "policy": policy}
        await self.does(OpenDelivery(command_id="c-open", at=NOON, roles=ROLES, tasks=tasks, **fields))

    async def does(self, command: Command) -> None:
        """Until it is taken, whoever dies meanwhile; a refusal is the answer, too."""
        while True:
            try:
                await self.runtime.handle(KEY, RULEBOOK.protocol, command)
            except StoreError:
                await self.restart()
            except Refusal:
                return
            else:
                return

    async def rests(self) -> None:
        await self.runtime.activity.idle()

    async def restart(self) -> None:
        await self.runtime.close()
        self.store.refuses = lambda _: False
        self.runtime = runtime_of(self.store, self.clock, self.script)
        await self.runtime.start()

    async def state(self) -> Delivery:
        state, _ = await self.runtime.read(KEY)
        assert isinstance(state, Delivery)
        return state


def runtime_of(store: Unreliable, clock: JumpingClock, script: Script) -> Runtime:
    asker = Asker(script, {RULEBOOK.protocol: for_every_tenant(DeliveryAsks(PROMPTS, Profiles({})))}, clock)
    runners: dict[str, EffectRunner] = {
        Ask.kind: asker, RunWorker.kind: script.work, RegisterOutputs.kind: script.work
    }  # fmt: skip
    return in_process(store, clock, [RULEBOOK], runners, [Ask, RunWorker, RegisterOutputs], patience=0)


@asynccontextmanager
async def running(store: Store, *, has_troubles: bool = False) -> AsyncIterator[Process]:
    await store.open()
    try:
        clock, unreliable, script = JumpingClock(NOON), Unreliable(store), Script(has_troubles)
        process = Process(unreliable, clock, script, runtime_of(unreliable, clock, script))
        await process.runtime.start()
        try:
            yield process
        finally:
            await process.runtime.close()
    finally:
        await store.close()
