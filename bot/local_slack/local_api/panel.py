"""The panel beside the conversations: GET /local/panel?after={cursor}, POST /local/panel/skip."""

from __future__ import annotations

import re

from aiohttp import web
from pydantic import BaseModel, FiniteFloat

from ..feed import Change
from ..panel import Panel, PanelEntry, Wait
from ..refusals import NotPossible
from ..requests import Request
from ..workspace import Workspace

MOST_ENTRIES = 100
"""Entries in one answer. A page that shows no more than these misses none, however rarely it asks."""
CURSOR = re.compile(r"([0-9a-f]{1,32})-([0-9]{1,18})", re.ASCII)


class PanelContent(BaseModel):
    """What the panel shows now. `whole`: the page saw nothing of this run yet, so these entries are all."""

    now: float  # seconds since 1970
    wait: Wait
    cursor: str
    whole: bool
    entries: list[PanelEntry]  # newest first


class Skip(Request):
    due: FiniteFloat  # the time that the page shows, so that pressing twice does not skip twice


async def show(workspace: Workspace, request: web.Request) -> PanelContent:
    panel = _panel(workspace)
    after = _position(workspace, request.query.get("after"))
    entries = await panel.entries(after or 0, MOST_ENTRIES)
    newest = max([after or 0, *(entry.position for entry in entries)])
    return PanelContent(
        now=workspace.now(),
        wait=await panel.wait(),
        cursor=f"{workspace.run_id}-{newest}",
        whole=after is None,
        entries=list(entries),
    )


async def skip(workspace: Workspace, request: web.Request) -> None:
    await _panel(workspace).skip(Skip.model_validate_json(await request.read()).due)
    workspace.feed.publish(Change(kind="panel"))  # the time has changed, even if nothing happened


def _panel(workspace: Workspace) -> Panel:
    if workspace.panel is None:
        raise NotPossible("This workspace has no panel; `towow demo` starts one that has.")
    return workspace.panel


def _position(workspace: Workspace, cursor: str | None) -> int | None:
    """The position of the last entry that was seen; None if none was, or only in another run of this workspace."""
    if cursor is None:
        return None
    read = CURSOR.fullmatch(cursor)
    if read is None:
        raise NotPossible(f"The cursor {cursor!r} is none; take the one of the last answer, or leave `after` out.")
    return int(read[2]) if read[1] == workspace.run_id else None
