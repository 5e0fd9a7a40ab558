"""Somebody exports a negotiation that is over."""

import asyncio
import logging
from collections import deque
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from slack_bolt.async_app import AsyncApp

from bot.listeners.exports import Exports
from bot.listeners.gateway import PATIENCE
from bot.listeners.interaction import Answer, Click, Form, Interaction, beside, errors, on_click, on_form
from bot.listeners.negotiation.intake import read_negotiation
from bot.listeners.negotiation.invitations import invite
from bot.listeners.services import Services
from bot.posts.failures import CALL_ERRORS, Unsure, failure
from bot.texts import Texts, texts_in
from bot.views.kit.button_values import StreamButton
from bot.views.kit.export.file import File
from bot.views.kit.export.form import Format
from bot.views.kit.modals import read_metadata
from bot.views.kit.story.schedule import picture_in
from bot.views.negotiation import notices
from bot.views.negotiation.agreement.forwarded import WHERE, forwarded, read_share, share_form
from bot.views.negotiation.agreement.outcome import outcome_title
from bot.views.negotiation.button_values import EXPORT, SHARE
from bot.views.negotiation.export.file import file, formats, has_days
from bot.views.negotiation.export.invitation import meeting
from bot.views.negotiation.export.steps import EXPORTED, EndedNegotiation
from bot.views.negotiation.story.planned import plan_schedule
from engine.errors import NotAllowed, UnknownStream
from engine.kernel import Place, StreamKey
from engine.negotiation.afterwards.proceeding import plan_of
from engine.negotiation.events import EVENTS, ForceFinalized, ProposalFinalized
from engine.negotiation.public.build import Times, times_of
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation
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


log = logging.getLogger(__name__)

REMEMBERED: Final = 1_000
"""Forms that were posted, so that one that is sent twice is one message."""


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, SHARE, _clicked, notices.refused)
    on_form(app, services, SHARE, partial(_sent, deque(maxlen=REMEMBERED)), notices.refused, beside(WHERE))


async def _clicked(click: Click) -> None:
    stream = StreamButton.read(click.value).stream
    await _plan(click, stream)
    await click.open(share_form(stream, await click.texts()))


async def _sent(posted: deque[str], form: Form) -> Answer | None:
    state, final = await _plan(form, read_metadata(form.view, StreamButton).stream)
    view_id, texts = str(form.view["id"]), texts_in(state.language)
    if view_id in posted:
        return None
    try:
        await form.client.chat_postMessage(
            channel=read_share(form.values), text=outcome_title(state, texts), blocks=forwarded(state, final, texts)
        )
    except CALL_ERRORS as error:
        failed = failure(error)
        log.warning("the plan of %s could not be shared: %s", state.channel_id, failed.why)
        told = notices.maybe_shared if isinstance(failed, Unsure) else notices.not_shared
        return errors({WHERE: told(form.known_texts())})
    posted.append(view_id)
    return None


async def _plan(by: Interaction, stream: str) -> tuple[Negotiation, ProposalFinalized | ForceFinalized]:
    state = await read_negotiation(by, stream)
    if not state.is_owned_by(by.actor, as_admin=await by.is_admin()):
        raise NotAllowed("Whoever asked, or an admin, shares the plan.")
    return state, plan_of(state)
