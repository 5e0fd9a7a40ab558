"""ToWow with one protocol more, in a local workspace."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from bot.demo.demo import CHANNEL
from bot.local_slack import Message, Outcome
from bot.registry import PROTOCOLS
from engine.errors import ModelUnavailable
from engine.kernel import Event, StreamKey
from engine.runtime.streams import opened
from engine.store.port import Store
from tests.bot.driver import YOU, Driver, playing, text_of

from . import TOY
from .asks import Restaurant
from .rules import EVENTS, Lunch
from .views import DISH, JOIN

WISH: Final = "lunch on Friday, something with noodles"


class LunchDriver:
    """Somebody has proposed a lunch in the channel, unless nobody has yet."""

    def __init__(self, it: Driver) -> None:
        self.it = it

    async def proposes(self, user: str = YOU, *, restaurant: str | None = "Noodles & Co") -> None:
        """
        Args:
            restaurant: what the model suggests; None where it cannot be reached.
        """
        if restaurant is None:
            self.it.script.fails["suggest"] = ModelUnavailable("as the script has it")
        else:
            self.it.script.says["suggest"] = Restaurant(name=restaurant)
        await self.it.demo.person(user).say(CHANNEL, f"<@{self.it.demo.workspace.bot_user_id}> {WISH}")
        await self.it.settles()

    async def joins(self, user: str, dish: str) -> Outcome:
        form = await self.it.clicks(user, JOIN, card=await self.card())
        assert form.modal is not None, form
        outcome = await self.it.demo.person(user).submit(form.modal, {DISH: {DISH: dish}})
        await self.it.settles()
        return outcome

    async def key(self) -> StreamKey:
        metadata = (await self.card()).metadata
        assert metadata is not None
        return StreamKey(self.it.demo.tenant, metadata["event_payload"]["stream"])

    async def state(self) -> Lunch:
        found = await self.it.demo.towow.runtime.look_up(await self.key())
        assert found.protocol == TOY.name
        assert isinstance(found.state, Lunch)
        return found.state

    async def events(self) -> list[Event]:
        stored = await self.it.demo.towow.store.load(await self.key())
        assert stored is not None
        return [opened(each, EVENTS) for each in stored.events]

    async def card(self) -> Message:
        [card] = [each for each in await self.it.everything(YOU) if each.metadata]
        return card

    async def shown(self) -> str:
        return text_of(await self.card())


@asynccontextmanager
async def lunching(store: Store, **circumstances: Any) -> AsyncIterator[LunchDriver]:
    async with playing(store, protocols=(*PROTOCOLS, TOY), **circumstances) as it:
        yield LunchDriver(it)
