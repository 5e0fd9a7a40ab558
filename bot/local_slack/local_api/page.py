"""The page, sent so that nothing but it can run there, and what it needs before a person is chosen."""

from __future__ import annotations

import re
from pathlib import Path

from aiohttp import web
from pydantic import BaseModel, FiniteFloat

from ..agents import can_be_stopped
from ..feed import Change, Panel, PanelEntry, Wait
from ..installation import Command, Function, Shortcut, Team
from ..limits import NotPossible
from ..model import User
from ..requests import Request
from ..workspace import Workspace


class Installed(BaseModel):
    """The app without its tokens."""

    id: str
    name: str
    bot_user_id: str
    commands: tuple[Command, ...]
    shortcuts: tuple[Shortcut, ...]
    functions: tuple[Function, ...]  # steps that it offers to workflows
    home_tab: bool
    can_stop: bool  # does it listen to Slack's own button to stop?
    hears_all: bool  # does it hear messages in channels that do not mention it?
    suggestions: tuple[str, ...]
    welcome: dict[str, str]  # by language


class Overview(BaseModel):
    team: Team
    app: Installed
    users: list[User]
    panel: bool  # is there one?


async def overview(workspace: Workspace, _: web.Request) -> Overview:
    hears_all = "message.channels" in workspace.app.subscriptions
    app = Installed(**workspace.app.model_dump(), can_stop=can_be_stopped(workspace), hears_all=hears_all)
    return Overview(team=workspace.team, app=app, users=list(workspace.users), panel=workspace.panel is not None)


PAGE = Path(__file__).parent.parent / "page"
FILES = r"/{file:mark\.svg|(?:script|style)/[a-z]+\.(?:js|css)}"
KINDS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
POLICY = "; ".join(
    (
        "default-src 'none'",
        *(f"{kind}-src 'self'" for kind in ("script", "style", "img", "connect")),
        *(f"{place} 'none'" for place in ("base-uri", "form-action", "frame-ancestors")),
        "require-trusted-types-for 'script'",  # the browser itself refuses what would become HTML
        "trusted-types 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-cache",
}


BLANK = "TOKEN"
"""Stands in the page for the token of this start."""


def page_routes(token: str) -> list[web.RouteDef]:
    page = (PAGE / "index.html").read_text("utf-8").replace(f'content="{BLANK}"', f'content="{token}"')

    async def show_page(_: web.Request) -> web.StreamResponse:
        headers = {**HEADERS, "Content-Type": f"{KINDS['.html']}; charset=utf-8", "Cache-Control": "no-store"}
        return web.Response(body=page.encode(), headers=headers)

    return [web.get("/", show_page), web.get(FILES, show_file)]


async def show_file(request: web.Request) -> web.StreamResponse:
    file = PAGE / request.match_info["file"]
    if not file.is_file():
        raise web.HTTPNotFound
    kind = f"{KINDS[file.suffix]}; charset=utf-8"
    return web.FileResponse(file, headers={**HEADERS, "Content-Type": kind})


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
        wait=await panel.wait(request.query.get("language", "en")),
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
