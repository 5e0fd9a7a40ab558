"""What the page needs before its visitor chooses a person: the people, and what the app and the workspace offer."""

from __future__ import annotations

from aiohttp import web
from pydantic import BaseModel

from ..agents import can_be_stopped
from ..installation import Command, Function, Shortcut, Team
from ..model import User
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
