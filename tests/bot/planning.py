"""Plans that are argued out in the product: a negotiation that has ended, and what was begun from it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bot.local_slack import Message, Outcome, View
from bot.views.deliberation.values import ARGUMENTS, ASK, DECIDE, EXPORT, POINT, STOP
from bot.views.kit.handover import PLAN_IT
from bot.views.negotiation.button_values import PROCEED
from engine.deliberation.answers import CriticDraft, Critique, Plan, PlannerAnswer, PlanPhase, PlanTask, Position
from engine.deliberation.events import EVENTS
from engine.deliberation.policy import PREFIX
from engine.deliberation.rules import RULEBOOK
from engine.deliberation.state import Deliberation
from engine.kernel import Event, ModelAnswer, StreamKey
from engine.runtime.streams import opened

from .conftest import Given
from .driver import DEMAND, EVERYBODY, YOU, Driver, shows, text_of
from .roles import LINKED

ARGUED: Final = (STOP, POINT, ASK, ARGUMENTS, DECIDE)
"""The buttons of a card while two positions differ."""
TWO_HELD: Final = "revise"
"""The prompt that is not answered, so that the second round stays open."""


@dataclass(frozen=True)
class Planned:
    """A deliberation, with the product in which it goes on."""

    it: Driver
    key: StreamKey

    async def state(self) -> Deliberation:
        state: Deliberation = await self.it.demo.towow.services.gateway.read(self.key, RULEBOOK)
        return state

    async def events(self) -> Sequence[Event]:
        stored = await self.it.demo.towow.store.load(self.key)
        assert stored is not None
        return [opened(each, EVENTS) for each in stored.events]

    async def refusals(self) -> list[str]:
        stored = await self.it.demo.towow.store.load(self.key)
        assert stored is not None
        return [each.partition(":")[0] for each in stored.commands.values() if each]

    async def posts(self) -> dict[str, Message]:
        """Everything that is posted of it, by key."""
        mine = {}
        for each in await self.it.everything(YOU):
            payload: Mapping[str, Any] = (each.metadata or {}).get("event_payload") or {}
            if payload.get("stream") == self.key.stream:
                mine[str(payload["key"])] = each
        return mine

    async def card(self) -> Message:
        return (await self.posts())["plan"]

    async def report(self) -> Message:
        return (await self.posts())["report"]

    async def clicks(self, user: str, action: str, **more: Any) -> Outcome:
        """Click where the button is: on the card, or on the report."""
        card = next(each for each in (await self.posts()).values() if shows(each, action))
        return await self.it.clicks(user, action, card=card, **more)

    async def form(self, user: str, action: str) -> View:
        clicked = await self.clicks(user, action)
        assert clicked.modal is not None, clicked
        return clicked.modal

    async def sends(self, user: str, form: View, **said: str) -> dict[str, str]:
        """Return what stands beside the fields afterwards."""
        sent = await self.it.demo.person(user).submit(form, {name: {name: each} for name, each in said.items()})
        await self.it.settles()
        return sent.errors

    async def goes_on(self) -> None:
        """Let the model answer what it has held back, until it is over."""
        held = self.it.script.held.pop(TWO_HELD, None)
        if held is not None:
            held.set()
        await self.it.settles()

    async def told(self) -> list[list[str]]:
        """What each person was told in private."""
        whispers = await self.it.whispers()
        return [whispers[each] for each in EVERYBODY]


async def agreed(given: Given, demand: str = DEMAND, **circumstances: Any) -> Driver:
    """A demand that everybody has agreed on."""
    return await (await given(demand, linked=LINKED, **circumstances)).goes_on()


async def final_card(it: Driver) -> Message:
    return next(each for each in await it.thread() if shows(each, PROCEED))


def key_of(it: Driver) -> StreamKey:
    return StreamKey(it.key.tenant, PREFIX + it.key.stream)


async def planned(given: Given, by: str = YOU, **circumstances: Any) -> Planned:
    """A plan that was argued out of an agreement, to its end."""
    it = await agreed(given, **circumstances)
    await it.goes(by, PLAN_IT, card=await final_card(it))
    return Planned(it, key_of(it))


async def argued(given: Given, demand: str = DEMAND, **circumstances: Any) -> Planned:
    """Two positions that differ, in a second round in which the Planner thinks for as long as the test lets it."""
    it = await agreed(given, demand, **circumstances)
    it.script.says |= two_positions()
    it.script.held[TWO_HELD] = asyncio.Event()
    it.script.thinking.clear()
    await it.goes(YOU, PLAN_IT, card=await final_card(it))
    await it.script.thinking.wait()
    await it.settles()
    return Planned(it, key_of(it))


def two_positions() -> dict[str, ModelAnswer]:
    """What the Planner and the Critic draft: whether it is done, who does what and by when is not the same."""
    return {
        "plan": PlannerAnswer(
            content="The room first.",
            position=Position(conclusion="The room first, then the guests", key_reasons=("Rooms are rare",)),
            plan=_plan("2027-02-01", "aya"),
        ),
        "draft": CriticDraft(
            content="The guests first.",
            position=Position(conclusion="The guests first, then the room", decision="go_with_changes"),
            plan=_plan("2027-03-01", "bo"),
            critique=Critique(),
        ),
    }


def _plan(deadline: str, owner: str) -> Plan:
    room = PlanTask(
        task_id="task-1", title="Book the room", owner=f"user_agent_{owner}", estimated_hours=4, deadline=deadline
    )
    guests = PlanTask(task_id="task-2", title="Invite the guests", owner="", estimated_hours=2, deadline=deadline)
    return Plan(title="An evening", phases=(PlanPhase(phase_name="Before", tasks=(room, guests)),))


async def card_text(plan: Planned) -> str:
    return text_of(await plan.card())


__all__ = ["ARGUED", "EXPORT", "TWO_HELD", "Planned", "agreed", "argued", "card_text", "final_card", "key_of",
           "planned", "two_positions"]  # fmt: skip
