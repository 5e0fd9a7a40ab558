"""Who there is to become, what the app offers, what there is to look at: known before anybody is anyone."""

from __future__ import annotations

from aiohttp import web
from pydantic import BaseModel

from ..installation import Command, Shortcut, Team
from ..model import User
from ..workspace import Workspace


class Installed(BaseModel):
    """The app without its tokens."""

    id: str
    name: str
    bot_user_id: str
    commands: tuple[Command, ...]
    shortcuts: tuple[Shortcut, ...]
    home_tab: bool
    suggestions: tuple[str, ...]


class Lobby(BaseModel):
    team: Team
    app: Installed
    users: list[User]
    panel: bool  # is there one?


async def lobby(workspace: Workspace, _: web.Request) -> Lobby:
    app = Installed.model_validate(workspace.app, from_attributes=True)
    return Lobby(team=workspace.team, app=app, users=list(workspace.users), panel=workspace.panel is not None)
