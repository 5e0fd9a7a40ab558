"""Whoever asked has an agreed plan posted in a channel, as a message that can be forwarded."""

import logging
from collections import deque
from functools import partial
from typing import Final

from slack_bolt.async_app import AsyncApp

from bot.listeners.interaction import Answer, Click, Form, Interaction, beside, errors, on_click, on_form
from bot.listeners.negotiation.reading import read_negotiation
from bot.listeners.services import Services
from bot.posts.failures import CALL_ERRORS, Unsure, failure
from bot.texts import texts_in
from bot.views.kit.button_values import StreamButton
from bot.views.kit.modals import read_metadata
from bot.views.negotiation import notices
from bot.views.negotiation.agreement.forwarded import WHERE, forwarded, read_share, share_form
from bot.views.negotiation.agreement.outcome import outcome_title
from bot.views.negotiation.button_values import SHARE
from engine.errors import NotAllowed
from engine.negotiation.afterwards.proceeding import plan_of
from engine.negotiation.events import ForceFinalized, ProposalFinalized
from engine.negotiation.state import Negotiation

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
