"""The live feed: server-sent events of what changed, as one person sees it."""

from __future__ import annotations

import contextlib

from aiohttp import web

from ..feed import Change, VisibleChange
from ..modals import home_id
from ..model import User
from ..visibility import as_seen_by
from ..workspace import Workspace

RETRY = 500  # milliseconds after which a page that lost its feed asks again


async def stream(workspace: Workspace, request: web.Request) -> web.StreamResponse:
    user = workspace.member(request.match_info["user"])
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-store"})
    with workspace.feed.listen() as changes:
        await response.prepare(request)
        # A listener that leaves is not an error: its connection is found closed at the next change.
        with contextlib.suppress(ConnectionResetError):
            await response.write(f"retry: {RETRY}\n: listening\n\n".encode())
            async for change in changes:
                seen = as_seen_by_person(workspace, user, change)
                if seen is not None:
                    await response.write(f"data: {seen.model_dump_json()}\n\n".encode())
    return response


def as_seen_by_person(workspace: Workspace, user: User, change: Change) -> VisibleChange | None:
    """The change with what is there now; None if it does not concern this person."""
    if change.kind in ("modal", "home"):
        if change.user != user.id:
            return None
        view = workspace.modals.get(change.view_id)
        if change.kind == "home":
            view = workspace.homes.get(home_id(user.id))
        return VisibleChange(**change.model_dump(), view=view)
    if change.kind == "read":
        return VisibleChange(**change.model_dump()) if change.user == user.id else None
    if change.kind == "user":
        return VisibleChange(**change.model_dump(), member=workspace.users.get(change.user))
    channel = workspace.channels.get(change.channel)
    if channel is not None and not workspace.can_see(user.id, channel):
        return None
    if change.kind != "message" or change.channel is None:
        return VisibleChange(**change.model_dump())
    stored = workspace.messages.get(f"{change.channel}/{change.ts}")
    if stored is None or stored.visible_to not in (None, user.id):
        return None
    message = workspace.messages.root(change.channel, change.ts)
    return VisibleChange(**change.model_dump(), message=message and as_seen_by(message, user))
