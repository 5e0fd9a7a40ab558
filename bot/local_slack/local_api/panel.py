"""The panel beside the conversations: GET /local/panel?after={cursor}, POST /local/panel/skip."""

from __future__ import annotations

import re

from aiohttp import web
from pydantic import BaseModel, FiniteFloat

from ..feed import Change
from ..panel import Entry, Panel, Wait
from ..refusals import NotPossible
from ..requests import Request
from ..workspace import Workspace

MOST = 100
"""Entries of one answer. A page that shows no more than these misses none, however long it did not ask."""
CURSOR = re.compile(r"([0-9a-f]+)-([0-9]{1,18})", re.ASCII)


class Shown(BaseModel):
    """What there is to see now. `whole`: whatever was seen before is of another run, so that these are all."""

    now: float  # seconds since 1970
    wait: Wait
    cursor: str
    whole: bool
    entries: list[Entry]  # newest first


class Skip(Request):
    due: FiniteFloat  # the time that the page shows: who presses twice does not skip twice


async def show(workspace: Workspace, request: web.Request) -> Shown:
    panel = _panel(workspace)
    after = _position(workspace, request.query.get("after"))
    entries = await panel.entries(after or 0, MOST)
    newest = max([after or 0, *(entry.position for entry in entries)])
    return Shown(
        now=workspace.now(),
        wait=await panel.wait(),
        cursor=f"{workspace.run}-{newest}",
        whole=after is None,
        entries=list(entries),
    )


async def skip(workspace: Workspace, request: web.Request) -> None:
    await _panel(workspace).skip(Skip.model_validate_json(await request.read()).due)
    workspace.feed.tell(Change(kind="panel"))  # the time is another one, even if nothing happened


def _panel(workspace: Workspace) -> Panel:
    if workspace.panel is None:
        raise NotPossible("This workspace has no panel; `towow demo` starts one that has.")
    return workspace.panel


def _position(workspace: Workspace, cursor: str | None) -> int | None:
    """Up to where was seen; None if nothing was, or in another run of this workspace."""
    if cursor is None:
        return None
    read = CURSOR.fullmatch(cursor)
    if read is None:
        raise NotPossible(f"The cursor {cursor!r} is none; take the one of the last answer, or leave `after` out.")
    return int(read[2]) if read[1] == workspace.run else None
