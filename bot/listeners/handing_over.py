"""Somebody goes on from what a stream hands over, to argue it out or to make tickets of it; and whether anybody has."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from slack_bolt.async_app import AsyncApp

from bot.listeners.gateway import PATIENCE, CommandGateway
from bot.listeners.interaction import Answer, Click, Form, Interaction, Wording, on_click, shows
from bot.listeners.services import Services
from bot.posts.post_records import streams_in
from bot.views.kit.button_values import StreamButton
from bot.views.kit.handover import CARRIED_OUT_IN
from bot.views.kit.modals import notice
from engine.errors import NotAllowed, UnknownStream
from engine.kernel import Handover, StreamKey, Tenant


async def is_carried_out(gateway: CommandGateway, key: StreamKey) -> bool:
    """Return whether what a stream hands over is being carried out, or was."""
    try:
        await gateway.look_up(StreamKey(key.tenant, CARRIED_OUT_IN + key.stream))
    except UnknownStream:
        return False
    return True


class Taken(NamedTuple):
    handed: Handover
    time_zone: str
    """IANA name: the stream's own, or that of whoever clicked."""


async def handed_over(by: Interaction, stream: str, not_theirs: NotAllowed) -> Taken:
    """Return what a stream hands over to whoever asked for it, or to an admin.

    Args:
        not_theirs: raised where they neither asked for it nor are an admin.
    """
    handed = await by.services.gateway.hand_over(by.key(stream))
    by.language = handed.language
    if by.actor != handed.requester_id and not await by.is_admin():
        raise not_theirs
    return Taken(handed, handed.time_zone or await by.services.texts.time_zone(by.tenant, by.actor))


WayOn = Callable[[Interaction, str, str], Awaitable[str]]
"""Goes on from a stream: whoever wants it, the stream, and what identifies their act -> a sentence for them; empty
where it has begun, which the thread shows."""


def takes_up(app: AsyncApp, services: Services, name: str, way_on: WayOn, refused: Wording) -> None:
    """Go on in this way for each click on its button, and for whoever chooses it in a form (`chosen_way`)."""
    services.ways_on[name] = way_on

    async def clicked(click: Click) -> None:
        if said := await way_on(click, StreamButton.read(click.value).stream, click.cause):
            click.tell(said)

    on_click(app, services, name, clicked, refused)


async def chosen_way(form: Form, name: str, stream: str) -> Answer:
    """Go on in the way that somebody has chosen in a form."""
    said = await form.services.ways_on[name](form, stream, form.cause)
    return shows(notice(said)) if said else {}


class ThreadStream(NamedTuple):
    """A stream that is shown in a thread, as it is committed."""

    key: StreamKey
    protocol: str
    state: Any
    """The state of a stream of that protocol."""


async def streams_of_thread(services: Services, tenant: Tenant, channel: str, thread: str) -> list[ThreadStream]:
    """Return the streams that are shown in a thread: the one that began it first, then those that joined it.

    Args:
        channel: where it is, as the signed payload says.
        thread: the ts of the message that begins it; empty for what is said outside of any thread.
    """
    async with asyncio.timeout(PATIENCE):
        keys = await streams_in(services.store, tenant, channel, thread)
        found = []
        for key in keys:
            try:
                committed = await services.gateway.look_up(key)
            except UnknownStream:
                continue  # a store that was restored may know a thread, and not its stream any more
            found.append(ThreadStream(key, committed.protocol, committed.state))
        return found
