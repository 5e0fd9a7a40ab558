"""response_url: the app answers an interaction without a token, five times in thirty minutes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress

from aiohttp import web

from .faults import ActiveFault, Fault
from .interactions import post_answer
from .limits import Refusal
from .model import Json, Message, ResponseUrl
from .posts import delete, edit
from .slack_itself import SlackItself
from .workspace import Workspace

TOO_MANY = 429  # the HTTP status of a call over its rate


async def with_faults(
    workspace: Workspace | SlackItself,
    method: str,
    request: web.Request,
    answered: Callable[[], Awaitable[web.Response]],
    refused: Callable[[Refusal], web.Response],
) -> web.StreamResponse:
    """Count the call and answer it; a fault that hits it delays, replaces, holds back or drops the answer."""
    with workspace.activity.busy():
        rules = {rule.fault.do: rule for rule in workspace.faults.record_call(method)}
        if rules:
            await request.read()  # nobody can once the caller has lost patience, and it is carried out all the same
        if "delay" in rules:
            await asyncio.sleep(rules["delay"].fault.seconds)
        if "drop_before" in rules:
            return _cut(request)
        if "late" in rules:
            workspace.late_calls.put_off(_carried_out(rules["late"], answered))
            return _cut(request)
        broken = rules.get("status") or rules.get("error")
        try:
            response = await answered() if broken is None else _broken(broken.fault, refused)
        except Refusal as refusal:
            response = refused(refusal)
        if response.status == TOO_MANY:
            workspace.limits.throttled[method] += 1
        if "hold" in rules:
            rules["hold"].reached.set()
            await rules["hold"].released.wait()
        if "truncate" in rules:
            return await _half(request, response)
        return _cut(request) if "drop_after" in rules else response


async def _carried_out(rule: ActiveFault, answered: Callable[[], Awaitable[web.Response]]) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(rule.released.wait(), rule.fault.seconds)
    with suppress(Refusal):  # nobody is there to be told
        await answered()


async def _half(request: web.Request, whole: web.Response) -> web.StreamResponse:
    """The head and half of the body; then the connection is gone."""
    body = whole.body if isinstance(whole.body, bytes) else b""
    head = {"Content-Type": whole.content_type, "Content-Length": str(len(body))}
    response = web.StreamResponse(status=whole.status, headers=head)
    await response.prepare(request)
    await response.write(body[: len(body) // 2])
    _cut(request)
    return response


def _cut(request: web.Request) -> web.Response:
    """Close the connection; aiohttp needs a response, which is never sent."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response(status=500)


def _broken(fault: Fault, refused: Callable[[Refusal], web.Response]) -> web.Response:
    throttled = fault.do == "status" and fault.status == TOO_MANY
    response = refused(Refusal("ratelimited" if throttled else fault.error))
    if fault.do == "status":
        response.set_status(fault.status)
    if fault.retry_after is not None:
        response.headers["Retry-After"] = str(fault.retry_after)
    return response


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
