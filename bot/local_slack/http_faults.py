"""Applies faults to HTTP calls, to those of the Web API and of response_url alike."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from aiohttp import web

from .faults import ActiveFault, Fault
from .limits import Refusal
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
