"""Deliveries of real rules, a scripted Manager and scripted workers in a runtime; the process may end at any commit."""

from contextlib import AbstractAsyncContextManager
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
from engine.kernel import Ask, Command, RegisterOutputs, RunWorker
from engine.llm.asker import Asker, for_every_tenant
from engine.llm.port import Answer, Question, Returns
from engine.runtime.in_process import in_process
from engine.runtime.ports import EffectRun, EffectRunner
from engine.runtime.runtime import Runtime
from engine.store.port import Store
from tests import restarting
from tests.restarting import Restarting, key_of

from .prompts import PROMPTS
from .scenario import BRIEF, DIGEST, NOON, REQUESTER, ROLES, STREAM, artifact

KEY = key_of(STREAM)
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


class Process(Restarting):
    protocol = RULEBOOK.protocol
    key = KEY
    script: Script

    async def opens(self, *tasks: Task) -> None:
        policy = Policy(retry_backoff=0)
        fields: dict[str, Any] = {"session_id": STREAM, "by": REQUESTER, "brief": BRIEF, "policy": policy}
        await self.does(OpenDelivery(command_id="c-open", at=NOON, roles=ROLES, tasks=tasks, **fields))

    async def state(self) -> Delivery:
        state, _ = await self.runtime.read(KEY)
        assert isinstance(state, Delivery)
        return state

    def made(self) -> Runtime:
        asks = {RULEBOOK.protocol: for_every_tenant(DeliveryAsks(PROMPTS, Profiles({})))}
        runners: dict[str, EffectRunner] = {
            Ask.kind: Asker(self.script, asks, self.clock),
            **dict.fromkeys((RunWorker.kind, RegisterOutputs.kind), self.script.work),
        }
        return in_process(self.store, self.clock, [RULEBOOK], runners, [Ask, RunWorker, RegisterOutputs], patience=0)


def running(store: Store, *, has_troubles: bool = False) -> AbstractAsyncContextManager[Process]:
    return restarting.running(Process, store, Script(has_troubles))
