"""Somebody exports a negotiation that is over."""

import asyncio
from dataclasses import dataclass, replace
from typing import Final

from bot.listeners.exports import Exports
from bot.listeners.gateway import PATIENCE
from bot.listeners.interaction import Interaction
from bot.listeners.negotiation.invitations import invite
from bot.listeners.negotiation.reading import read_negotiation
from bot.texts import Texts
from bot.views.kit.export.file import File
from bot.views.kit.export.form import Format
from bot.views.kit.story.schedule import picture_in
from bot.views.negotiation import notices
from bot.views.negotiation.button_values import EXPORT
from bot.views.negotiation.export.ended import EXPORTED, EndedNegotiation
from bot.views.negotiation.export.file import file, formats
from bot.views.negotiation.export.ics import has_days
from bot.views.negotiation.export.invitation import meeting
from bot.views.negotiation.story.planned import plan_schedule
from engine.errors import UnknownStream
from engine.kernel import Place, StreamKey
from engine.negotiation.events import EVENTS
from engine.negotiation.public.build import Times, times_of
from engine.negotiation.rules import RULEBOOK
from engine.runtime.streams import opened
from engine.store.port import Store


@dataclass(frozen=True, slots=True)
class ExportedNegotiation:
    """An `Exported` (bot/listeners/exports.py)."""

    ended: EndedNegotiation

    @property
    def about(self) -> str:
        return self.ended.demand

    @property
    def language(self) -> str:
        return self.ended.state.language

    @property
    def place(self) -> Place:
        return self.ended.state.place

    @property
    def requester_id(self) -> str:
        return self.ended.state.requester_id

    @property
    def is_internal(self) -> bool:
        """It leaves the reasons out where another company reads along."""
        return False

    @property
    def formats(self) -> tuple[Format, ...]:
        return formats(self.ended.state) if self.ended.state.status in EXPORTED else ()

    def invites(self, user: str) -> bool:
        return meeting(self.ended.state, user) is not None

    def has_days(self, texts: Texts) -> bool:
        return has_days(self.ended, texts)

    def file(self, wanted: Format, by: str, asked_by: str, texts: Texts) -> File:
        return file(replace(self.ended, asked_by=asked_by), wanted, by, texts)

    def picture(self, texts: Texts) -> str:
        drawn = plan_schedule(self.ended.plan, texts) if self.ended.plan else None
        return picture_in([drawn], texts) if drawn else ""


async def _read(interaction: Interaction, stream: str) -> ExportedNegotiation:
    state = await read_negotiation(interaction, stream)
    is_over = state.status in EXPORTED
    times = await times_in(interaction.services.store, interaction.key(stream)) if is_over else Times()
    return ExportedNegotiation(EndedNegotiation(state, times))


async def times_in(store: Store, key: StreamKey) -> Times:
    """Return when things happened in a negotiation."""
    async with asyncio.timeout(PATIENCE):
        stored = await store.load(key)
    if stored is None:
        raise UnknownStream(f"There is nothing called {key.stream} here.")
    return times_of((each.at, opened(each, EVENTS)) for each in stored.events)


EXPORTS: Final = Exports(RULEBOOK.protocol, EXPORT, _read, notices.refused, invite)
