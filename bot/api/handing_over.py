"""Finds what a stream hands to one that is begun from it over HTTP."""

from typing import NamedTuple

from bot.api.context import Call
from bot.api.streams import key_of
from bot.api.tokens import Scope
from engine.errors import NotAllowed, UnknownStream
from engine.kernel import Handover


class Origin(NamedTuple):
    handed: Handover
    time_zone: str
    """IANA name: the stream's own, or that of whoever asked."""


async def handed_over(
    call: Call, origin: str, user_id: str | None, *, unknown: UnknownStream, not_theirs: NotAllowed
) -> Origin:
    """Return what the origin hands over to whoever asked for it, or to an admin.

    Args:
        user_id: for whom the caller asks, by the field ``userId``.
        unknown: raised alike whether there is no such stream or it is not theirs to read.
        not_theirs: raised where they neither asked for it nor are an admin.
    """
    is_admin = Scope.ADMIN in call.token.scopes
    by = user_id if is_admin else call.acts_for(user_id, "userId")
    gateway, key = call.context.gateway, key_of(call, origin)
    try:
        found = await gateway.look_up(key)
    except UnknownStream:
        raise unknown from None
    if not call.may_read(found.protocol, found.state):
        raise unknown
    handed = await gateway.hand_over(key)
    if not is_admin and by != handed.requester_id:
        raise not_theirs
    texts = call.context.services.texts
    zone = handed.time_zone or await texts.time_zone(call.workspace.tenant, handed.requester_id)
    return Origin(handed, zone)
