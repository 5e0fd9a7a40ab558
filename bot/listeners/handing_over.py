"""Somebody goes on from what a stream hands over: *Plan it*, *Carry it out*; and whether anybody has."""

from typing import NamedTuple

from bot.listeners.gateway import CommandGateway
from bot.listeners.interaction import Click
from bot.views.kit.button_values import StreamButton
from bot.views.kit.handover import CARRIED_OUT_IN
from engine.errors import NotAllowed, UnknownStream
from engine.kernel import Handover, StreamKey


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


async def handed_over(click: Click, not_theirs: NotAllowed) -> Taken:
    """Return what the clicked stream hands over to whoever asked for it, or to an admin.

    Args:
        not_theirs: raised where they neither asked for it nor are an admin.
    """
    key = click.key(StreamButton.read(click.value).stream)
    handed = await click.services.gateway.hand_over(key)
    click.language = handed.language
    if click.actor != handed.requester_id and not await click.is_admin():
        raise not_theirs
    return Taken(handed, handed.time_zone or await click.services.texts.time_zone(click.tenant, click.actor))
