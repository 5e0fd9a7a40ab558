"""response_url: the app answers an interaction without a token, five times in thirty minutes."""

from __future__ import annotations

import json

from aiohttp import web

from .http_faults import with_faults
from .interactions import post_answer
from .limits import Refusal
from .model import Json, Message, ResponseUrl
from .posts import delete, edit
from .workspace import Workspace

GONE = ("used_url", "expired_url", "message_not_found")
"""What is refused with 404; all else is a 500. Only the Web API refuses with 200."""


async def respond(workspace: Workspace, request: web.Request) -> web.StreamResponse:
    """Slack answers "ok", or says in JSON what was wrong."""

    async def answered() -> web.Response:
        _answer(workspace, request.match_info["id"], await _body(request))
        return web.Response(text="ok")

    return await with_faults(workspace, "response_url", request, answered, _refused)


def _refused(refusal: Refusal) -> web.Response:
    status = 404 if refusal.code in GONE else 500
    return web.json_response({"ok": False, "error": refusal.code}, status=status)


async def _body(request: web.Request) -> Json:
    try:
        body = json.loads(await request.text())
    except ValueError:
        raise Refusal("invalid_payload") from None
    if not isinstance(body, dict):
        raise Refusal("invalid_payload")
    return body


def _answer(workspace: Workspace, url_id: str, body: Json) -> None:
    url = workspace.response_urls.get(url_id)
    if workspace.is_app_removed:
        raise Refusal("account_inactive")
    if url is None or url.uses_left == 0:
        raise Refusal("used_url")
    if workspace.now() > url.expires:
        raise Refusal("expired_url")
    workspace.response_urls.put(url.model_copy(update={"uses_left": url.uses_left - 1}))
    original = _original(workspace, url, body)
    if original is None:
        user, channel = workspace.users[url.user], workspace.channels[url.channel]
        if post_answer(workspace, user, channel, body) is None:
            raise Refusal("no_text")
    elif body.get("delete_original"):
        delete(workspace, original)
    else:
        edit(
            workspace,
            original,
            text=str(body.get("text") or ""),
            blocks=body.get("blocks") or [],
            attachments=body.get("attachments") or [],
            metadata=body.get("metadata"),
        )


def _original(workspace: Workspace, url: ResponseUrl, body: Json) -> Message | None:
    """The message to replace or delete, if that is asked and it is the app's.

    Raises:
        Refusal: it is gone. Slack does not document what it answers then; a new message would surprise more.
    """
    if url.message_ts is None or not (body.get("delete_original") or body.get("replace_original")):
        return None
    message = workspace.messages.at(url.channel, url.message_ts)
    if message is None:
        raise Refusal("message_not_found")
    return message if message.bot_id is not None else None
