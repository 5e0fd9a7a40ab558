"""What a person does and sees: POST /local/users/{user}/{act}, GET /local/users/{user}/{view}."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from aiohttp import web
from pydantic import BaseModel

from ..agents import run_workflow, stop_session, visible_prompts, visible_sessions
from ..authoring import delete_message, edit_message, react, say, upload
from ..interactions import act, click, close_view, open_home, shortcut, slash, submit
from ..limits import NotPossible
from ..modals import home_id
from ..model import User
from ..requests import (
    Click,
    Close,
    Edit,
    MessageReference,
    OpenHome,
    React,
    Read,
    Request,
    RunWorkflow,
    Say,
    Shortcut,
    Slash,
    StopSession,
    Submit,
    ViewAction,
)
from ..triggers import HEADER, acting_in
from ..visibility import read, unread, visible_channel, visible_conversation, visible_messages
from ..workspace import Workspace

Answer = BaseModel | Sequence[BaseModel] | None


Act = Callable[[Workspace, User, bytes], Awaitable[Answer]]
Body = TypeVar("Body", bound=Request)


def _reading(
    kind: type[Body],
    act: Callable[[Workspace, User, Body], Answer] | Callable[[Workspace, User, Body], Awaitable[Answer]],
) -> Act:
    """Read the request's body before the act is called."""

    async def perform(workspace: Workspace, user: User, body: bytes) -> Answer:
        answer = act(workspace, user, kind.model_validate_json(body))
        return await answer if isinstance(answer, Awaitable) else answer

    return perform


async def _dm(workspace: Workspace, user: User, _: bytes) -> Answer:
    return workspace.dm(user.id)


ACTIONS: dict[str, Act] = {
    "say": _reading(Say, say),
    "edit": _reading(Edit, edit_message),
    "delete": _reading(MessageReference, delete_message),
    "react": _reading(React, react),
    "click": _reading(Click, click),
    "act": _reading(ViewAction, act),
    "submit": _reading(Submit, submit),
    "close": _reading(Close, close_view),
    "slash": _reading(Slash, slash),
    "shortcut": _reading(Shortcut, shortcut),
    "workflow": _reading(RunWorkflow, run_workflow),
    "home": _reading(OpenHome, open_home),
    "read": _reading(Read, read),
    "stop": _reading(StopSession, stop_session),
    "dm": _dm,
}


def _channels(workspace: Workspace, user: User, _: web.Request) -> Answer:
    return [channel for channel in workspace.channels if workspace.can_see(user.id, channel)]


def _channel(workspace: Workspace, user: User, request: web.Request) -> Answer:
    return visible_channel(workspace, user, request.query["channel"])


def _messages(workspace: Workspace, user: User, request: web.Request) -> Answer:
    return visible_messages(workspace, user, request.query["channel"], request.query.get("thread_ts"))


def _conversation(workspace: Workspace, user: User, request: web.Request) -> Answer:
    return visible_conversation(workspace, user, request.query["channel"])


def _modals(workspace: Workspace, user: User, _: web.Request) -> Answer:
    return workspace.modal_stack(user.id)


def _home_now(workspace: Workspace, user: User, _: web.Request) -> Answer:
    return workspace.homes.get(home_id(user.id))


def _users(workspace: Workspace, user: User, _: web.Request) -> Answer:
    return list(workspace.users)


def _files(workspace: Workspace, user: User, request: web.Request) -> Answer:
    """Files shared where this person can see them."""
    seen = {channel.id for channel in workspace.channels if workspace.can_see(user.id, channel)}
    return [file.model_copy(update={"content": None}) for file in workspace.files if seen & set(file.channels)]


def _unread(workspace: Workspace, user: User, _: web.Request) -> Answer:
    return list(unread(workspace, user))


def _sessions(workspace: Workspace, user: User, _: web.Request) -> Answer:
    return visible_sessions(workspace, user)


def _prompts(workspace: Workspace, user: User, _: web.Request) -> Answer:
    return visible_prompts(workspace, user)


VIEWS: dict[str, Callable[[Workspace, User, web.Request], Answer]] = {
    "channels": _channels,
    "channel": _channel,
    "messages": _messages,
    "conversation": _conversation,
    "modals": _modals,
    "home": _home_now,
    "users": _users,
    "files": _files,
    "unread": _unread,
    "sessions": _sessions,
    "prompts": _prompts,
}


async def perform(workspace: Workspace, request: web.Request) -> Answer:
    body = await request.read() or b"{}"
    with acting_in(request.headers.get(HEADER, "")):
        return await ACTIONS[request.match_info["act"]](workspace, _person(workspace, request), body)


async def show(workspace: Workspace, request: web.Request) -> Answer:
    with acting_in(request.headers.get(HEADER, "")):
        return VIEWS[request.match_info["view"]](workspace, _person(workspace, request), request)


async def download(workspace: Workspace, request: web.Request) -> web.Response:
    """A file's bytes, for people who can see it."""
    user = _person(workspace, request)
    file = workspace.files.get(request.match_info["file"])
    seen = [one for one in workspace.channels if file and one.id in file.channels and workspace.can_see(user.id, one)]
    if file is None or file.content is None or not seen:
        raise NotPossible(f"{user.id} sees no file {request.match_info['file']}.")
    return web.Response(body=file.content, headers={"Content-Disposition": "attachment"})


async def receive(workspace: Workspace, request: web.Request) -> web.Response:
    """Take a file that a person has chosen in a form: its bytes are the body. Answer with what is known of it."""
    file = upload(workspace, _person(workspace, request), request.query["name"], await request.read())
    return web.json_response(file.model_dump(mode="json", exclude={"content"}))


def _person(workspace: Workspace, request: web.Request) -> User:
    return workspace.member(request.match_info["user"])
