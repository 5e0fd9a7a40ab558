"""The event panel of the demo's page: the deadline that comes next, and the engine's events in few words.

They are told without their private fields, because everybody in the workspace sees them; only what people are called is
taken from there.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

from pydantic_core import from_json

from bot.demo.demo import FOREVER, PAGE, Demo
from bot.descriptions import PLAIN, Descriptions, Names, by_event_type
from bot.local_slack import PanelEntry, Wait
from bot.texts import texts_in
from engine.kernel import Event, Millis, payload
from engine.runtime.streams import opened, without_private
from engine.store.port import Alarm, StoredEvent

KEPT: Final = 200
"""Entries that are kept."""

MOMENT: Final[Millis] = 1_000
"""What waits for a deadline by the monotonic clock, as a digest does, may be due that much before its alarm."""


class EventPanel:
    """The panel of a demo (`bot.local_slack.Panel`)."""

    def __init__(self, demo: Demo) -> None:
        self._demo = demo
        self._owners = by_event_type(each.descriptions for each in demo.protocols)
        self._streams: dict[str, Descriptions] = {}
        """By stream, as far as the events were read."""
        self._entries: deque[PanelEntry] = deque(maxlen=KEPT)
        self._position = 0
        """Up to where the events were read."""
        self._names = dict(demo.names)
        """Of users, and of agents as far as events have told them."""
        self._reading = asyncio.Lock()

    def watch(self, changed: Callable[[], None]) -> None:
        self._demo.towow.runtime.observers.watch(lambda _: changed())

    async def wait(self, language: str = "en") -> Wait:
        texts = texts_in(language)
        store = self._demo.towow.store
        thinking, _ = await store.pending_effects(0, 1)
        answering = texts.say("Models are answering")
        due = await self._demo.next_due()
        if due is None:
            return Wait(what=answering if thinking else texts.say("Nothing is waited for"))
        alarms = await store.due(due + MOMENT, 1)
        if alarms:
            due = alarms[0].due
        described = await self._described(alarms[0].key.stream) if alarms else PLAIN
        if alarms and alarms[0].name in described.unawaited_alarms:
            alarms = await self._awaited()
            if not alarms:
                return Wait(what=answering if thinking else texts.say("Nothing is waited for"))
            due, described = alarms[0].due, await self._described(alarms[0].key.stream)
        if thinking and alarms and alarms[0].name in described.distant_alarms:
            return Wait(what=answering)
        what = texts.say("What did not work is tried again")
        if alarms:
            what = described.deadline(alarms[0].name, self._names, texts)
        said = texts.say("Models are answering. {what}", what=what) if thinking else what
        return Wait(what=said, due=due / 1000)

    async def _awaited(self) -> Sequence[Alarm]:
        """Return the soonest alarm that anybody waits for, if there is one."""
        for each in await self._demo.towow.store.due(FOREVER, KEPT):
            if each.name not in (await self._described(each.key.stream)).unawaited_alarms:
                return [each]
        return []

    async def entries(self, after: int, most: int) -> Sequence[PanelEntry]:
        async with self._reading:
            await self._read()
        return [each for each in reversed(self._entries) if each.position > after][:most]

    async def skip(self, due: float) -> None:
        """Jump to the deadline that was shown, or to one before it. What only waits to be tried again, or for its rate,
        happens on the way, and so does what nobody waits for.
        """
        passed = 0
        while True:
            await self._demo.towow.idle()  # models that are answering may finish before the deadline passes
            soonest, awaited = await self._demo.next_due(), await self._awaited()
            if soonest is None or soonest <= passed:
                return
            target = min(round(due * 1000), awaited[0].due if awaited else soonest)
            await self._demo.skip_to(min(soonest, target))
            if soonest >= target:
                return
            passed = soonest

    async def _described(self, stream: str) -> Descriptions:
        """Return the descriptions of a stream's protocol."""
        async with self._reading:
            await self._read()
        return self._streams.get(stream, PLAIN)

    async def _read(self) -> None:
        demo = self._demo
        while page := await demo.towow.store.events(demo.tenant, self._position, PAGE):
            for stored in page:
                described = self._owners.get(stored.event_type, PLAIN)
                self._streams[stored.key.stream] = described
                event = opened(stored, described.events) if stored.event_type in described.events else None
                if name := getattr(event, "display_name", ""):
                    self._names[getattr(event, "agent_id", "")] = name
                if described.is_listed(stored.event_type):
                    public = event and without_private(event)
                    self._entries.append(_entry(described, stored, public, self._names))
            self._position = page[-1].position


def _entry(described: Descriptions, stored: StoredEvent, event: Event | None, names: Names) -> PanelEntry:
    """
    Args:
        event: without its private fields; None where no protocol knows it.
    """
    fields = payload(event) if event else from_json(stored.public)
    actors = [str(fields[name]) for name in described.actors if fields.get(name)]
    return PanelEntry(
        position=stored.position,
        at=stored.at / 1000,
        name=stored.event_type.removeprefix("towow."),
        who=names.get(actors[0], actors[0]) if actors else "",
        text=described.summary(event, stored.at, names) if event else "",
    )
