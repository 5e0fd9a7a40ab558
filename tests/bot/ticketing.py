"""Deliveries in the product, with tickets of people. Nobody manages them: code instructs, and the requester reviews."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from bot.demo.demo import CHANNEL
from bot.local_slack import Message, Outcome, View
from bot.registry import DELIVERY, PROTOCOLS
from engine.delivery.answers import ProposeAnswer
from engine.delivery.commands import OpenDelivery, RecordProposal
from engine.delivery.events import EVENTS
from engine.delivery.rules import RULEBOOK
from engine.delivery.state import Delivery, Ticket
from engine.delivery.terms import Brief, ExpectedOutput, Owner, Task, WorkerKind
from engine.errors import ModelError, ModelUnavailable
from engine.kernel import Ask, Command, EffectFailed, Event, Millis, Place, StreamKey, Tenant
from engine.llm.port import Answer, Prompt, Question
from engine.runtime.streams import opened

from .conftest import Begin
from .driver import AYA, BO, NOON, YOU, Driver, presses, shows, text_of

GOAL: Final = "Fifty people meet for an evening about AI."
E = TypeVar("E", bound=Event)


class NobodyManages:
    """A Manager who is never there but to propose: whatever else a model would say, code says."""

    def compose(self, state: Delivery, ask: Ask) -> Question[Any]:
        raise ModelUnavailable("Nobody manages here.")

    def read(self, state: Delivery, ask: Ask, prompt: Prompt, answer: Answer[Any], **told: Any) -> Command:
        raise AssertionError("Nobody was asked.")

    def fallback(self, state: Delivery, ask: Ask, why: ModelError, *, command_id: str, at: Millis) -> Command:
        if ask.prompt == "propose":
            number = len(state.tickets[ask.about].proposals) + 1
            answer = ProposeAnswer(summary=f"Way {number}", open_questions=("Which hall?",))
            return RecordProposal(command_id=command_id, at=at, ticket_id=ask.about, number=number, answer=answer)
        return EffectFailed(command_id=command_id, at=at, name=ask.name, why=type(why).__name__)


UNMANAGED: Final = tuple(
    replace(each, asks=lambda prompts, people: NobodyManages()) if each is DELIVERY else each for each in PROTOCOLS
)


def persons(user: str) -> Owner:
    return Owner(kind=WorkerKind.PERSON, user_id=user, person_id=user.lower(), name=user[2:].title())


def task(task_id: str = "room", owner: Owner | None = None, **fields: Any) -> Task:
    told: dict[str, Any] = {"title": f"Do {task_id}", "outputs": (ExpectedOutput(label="Result"),)}
    return Task(task_id=task_id, owner=owner or persons(AYA), **told | fields)


@dataclass(frozen=True)
class Delivering:
    it: Driver
    key: StreamKey

    async def state(self) -> Delivery:
        state: Delivery = await self.it.demo.towow.services.gateway.read(self.key, RULEBOOK)
        return state

    async def ticket(self, ticket_id: str = "T-1") -> Ticket:
        return (await self.state()).tickets[ticket_id]

    async def events(self) -> Sequence[Event]:
        stored = await self.it.demo.towow.store.load(self.key)
        assert stored is not None
        return [opened(each, EVENTS) for each in stored.events]

    async def happened(self, kind: type[E]) -> list[E]:
        return [each for each in await self.events() if isinstance(each, kind)]

    async def refusals(self) -> list[str]:
        stored = await self.it.demo.towow.store.load(self.key)
        assert stored is not None
        return [each.partition(":")[0] for each in stored.commands.values() if each]

    async def does(self, command: type[Command], **fields: Any) -> None:
        """Something that somebody does elsewhere than in their direct messages."""
        number = len(await self.events())
        told: dict[str, Any] = {"command_id": f"test-{number}", "at": self.it.demo.clock.now(), **fields}
        await self.it.demo.towow.services.gateway.send(self.key, RULEBOOK, command(**told))
        await self.it.settles()

    async def direct(self, user: str) -> dict[str, Message]:
        """What we wrote to somebody, by key, oldest first."""
        person = self.it.demo.person(user)
        messages = await person.messages((await person.dm()).id)
        return {str(each.metadata["event_payload"]["key"]): each for each in messages if each.metadata}

    async def told(self, user: str) -> list[str]:
        """What somebody was told in private, in their direct messages."""
        person = self.it.demo.person(user)
        return [each.text for each in await person.messages((await person.dm()).id) if each.visible_to]

    async def reads(self, user: str, key: str = "ticket-T-1-1") -> str:
        return text_of((await self.direct(user))[key])

    async def clicks(self, user: str, action: str, card: Message | None = None, **more: Any) -> Outcome:
        """Click the newest button of that name in one's direct messages, or one on the card given."""
        if card is None:
            card = next(each for each in reversed((await self.direct(user)).values()) if shows(each, action))
        outcome = await presses(self.it.demo.person(user), card, action, **more)
        await self.it.settles()
        return outcome

    async def form(self, user: str, action: str) -> View:
        clicked = await self.clicks(user, action)
        assert clicked.modal is not None, clicked
        return clicked.modal

    async def sends(self, user: str, form: View, **said: object) -> Mapping[str, str]:
        """Return what stands beside the fields afterwards."""
        values = {name.replace("_", "-"): each for name, each in said.items()}
        sent = await self.it.demo.person(user).submit(form, {name: {name: each} for name, each in values.items()})
        await self.it.settles()
        return sent.errors


async def delivering(begin: Begin, *tasks: Task, **circumstances: Any) -> Delivering:
    """A delivery that You asked for; one ticket of Aya's unless other tasks are given."""
    return await delivered(await begin(linked=[], protocols=UNMANAGED, **circumstances), *tasks)


async def delivered(it: Driver, *tasks: Task, place: Place | None = None, by: str = YOU) -> Delivering:
    """The same, in a product that has begun already.

    Args:
        place: where it is shown, if not in a thread of the channel.
        by: who asks.
    """
    workspace = it.demo.workspace
    key = StreamKey(Tenant(workspace.team_id, workspace.enterprise_id or ""), "deliver-1")
    asked = await it.demo.person(YOU).say(CHANNEL, "Everything is in this thread.")
    command = OpenDelivery(
        command_id="open",
        at=NOON,
        session_id=key.stream,
        by=by,
        brief=Brief(title="An evening about AI", goal=GOAL),
        tasks=tasks or (task(),),
        place=place if place is not None else Place(channel=CHANNEL, thread=asked.ts),
    )
    await it.demo.towow.services.gateway.begin(key, RULEBOOK, command)
    await it.settles()
    return Delivering(it, key)


__all__ = ["AYA", "BO", "GOAL", "UNMANAGED", "Delivering", "delivered", "delivering", "persons", "task"]
