"""Deliveries in the product with agents whose work is scripted, for tests of whoever leads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from bot.demo.demo import CHANNEL
from bot.local_slack import Message, Outcome, View
from bot.protocol_row import Protocol
from bot.registry import DELIVERY
from engine.delivery.commands import OpenDelivery, RecordWork
from engine.delivery.policy import DEFAULT, Policy
from engine.delivery.rules import RULEBOOK
from engine.delivery.state import Delivery
from engine.delivery.terms import Artifact, Brief, Owner, Permission, Role, Task, WorkerKind
from engine.delivery.work.work_orders import DeliveryWork
from engine.kernel import Command, HandedPerson, Millis, Place, RegisterOutputs, RunWorker, StreamKey, Tenant
from engine.workers.port import WorkOutcome

from .conftest import Begin
from .driver import AYA, NOON, YOU, shows
from .ticketing import GOAL, UNMANAGED, Delivering

AGENT: Final = Owner(kind=WorkerKind.ACP, role_id="coder", name="Coder")
CODER: Final = Role(role_id="coder", name="Coder", kind=WorkerKind.ACP, capabilities=("coding",))
DIGEST: Final = "sha256:" + "ab" * 32
STRICT: Final = Policy(retries=0, escalations=0)
"""What fails once has failed."""
COMMAND: Final = "rm -rf `pwd`/build && echo \u202edone > log"


@dataclass
class ScriptedWork(DeliveryWork):
    """What comes of each attempt, one after the other; after the last one, everything that is expected is there."""

    outcomes: list[Mapping[str, Any]] = field(default_factory=list)

    def outcome(
        self,
        state: Delivery,
        effect: RunWorker | RegisterOutputs,
        outcome: WorkOutcome,
        *,
        command_id: str,
        at: Millis,
    ) -> Command:
        attempt = int(effect.name.rpartition("-")[2])
        said = self.outcomes.pop(0) if self.outcomes else {"artifacts": results(state, effect.about)}
        return RecordWork(command_id=command_id, at=at, ticket_id=effect.about, attempt=attempt, **said)


def results(state: Delivery, ticket_id: str) -> tuple[Artifact, ...]:
    """Proof of each expected output."""
    return tuple(
        Artifact(
            label=each.label,
            uri=f"artifacts/{ticket_id}/{each.path}",
            digest=DIGEST,
            content_type="text/markdown",
            size_bytes=2_048,
            beginning="# What was asked for",
        )
        for each in state.tickets[ticket_id].task.outputs
    )


def asking(digest: str = DIGEST, detail: str = COMMAND) -> Mapping[str, Any]:
    """An agent asks for leave."""
    return {"permission": Permission(digest=digest, kind="execute", title="Clean up", detail=detail)}


@dataclass(frozen=True)
class Led(Delivering):
    async def posts(self) -> dict[str, Message]:
        """Everything that is posted of it in the thread, by key."""
        mine = {}
        for each in await self.it.everything(YOU):
            payload: Mapping[str, Any] = (each.metadata or {}).get("event_payload") or {}
            if payload.get("stream") == self.key.stream:
                mine[str(payload["key"])] = each
        return mine

    async def acts(self, user: str, action: str, **more: Any) -> Outcome:
        """Click where the button is, in the newest message of the thread that has it."""
        card = next(each for each in reversed((await self.posts()).values()) if shows(each, action))
        return await self.it.clicks(user, action, card=card, **more)

    async def opens(self, user: str, action: str) -> View:
        clicked = await self.acts(user, action)
        assert clicked.modal is not None, clicked
        return clicked.modal

    async def fills(self, user: str, form: View, **said: object) -> Outcome:
        outcome = await self.it.demo.person(user).submit(
            form, {name: {name: each} for name, each in ((n.replace("_", "-"), v) for n, v in said.items())}
        )
        await self.it.settles()
        return outcome

    async def private(self, user: str) -> Sequence[str]:
        """What somebody was told in private in the thread."""
        return await self.it.told(user)


def protocols(work: ScriptedWork) -> Sequence[Protocol]:
    return tuple(replace(each, work=lambda: work) if each.name == DELIVERY.name else each for each in UNMANAGED)


async def led(
    begin: Begin,
    *tasks: Task,
    outcomes: Sequence[Mapping[str, Any]] = (),
    goal: str = GOAL,
    policy: Policy = DEFAULT,
    **circumstances: Any,
) -> Led:
    """A delivery that You asked for, with tasks for people and for an agent.

    Args:
        outcomes: what comes of the first attempts.
    """
    it = await begin(linked=[], protocols=protocols(ScriptedWork([*outcomes])), **circumstances)
    workspace = it.demo.workspace
    key = StreamKey(Tenant(workspace.team_id, workspace.enterprise_id or ""), "deliver-1")
    said = await it.demo.person(YOU).say(CHANNEL, "Everything is in this thread.")
    await it.demo.person(YOU).open_home()
    await it.settles()  # from the first event on, ToWow knows whose admins these are
    command = OpenDelivery(
        command_id="open",
        at=NOON,
        session_id=key.stream,
        by=YOU,
        brief=Brief(
            title="An evening about AI",
            goal=goal,
            today="2027-01-15",
            people=(HandedPerson(person_id="aya", user_id=AYA, name="Aya"),),
        ),
        tasks=tasks,
        policy=policy,
        roles=(CODER,),
        place=Place(channel=CHANNEL, thread=said.ts),
    )
    await it.demo.towow.services.gateway.begin(key, RULEBOOK, command)
    await it.settles()
    return Led(it, key)
