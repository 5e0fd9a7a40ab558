"""What faults on order do to an answer over HTTP: the same for the Web API and for response_url."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from aiohttp import web

from .faults import Fault
from .refusals import Refusal
from .workspace import Workspace

TOO_MANY = 429  # the HTTP status of a call over its rate


async def despite_mishaps(
    workspace: Workspace,
    method: str,
    request: web.Request,
    answered: Callable[[], Awaitable[web.Response]],
    refused: Callable[[Refusal], web.Response],
) -> web.Response:
    """The answer, or how the refusal looks here, unless a fault hits this call; it is counted either way."""
    with workspace.activity.busy():
        rules = {rule.fault.do: rule for rule in workspace.faults.strike(method)}
        if "delay" in rules:
            await asyncio.sleep(rules["delay"].fault.seconds)
        if "drop_before" in rules:
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
        return _cut(request) if "drop_after" in rules else response


def _cut(request: web.Request) -> web.Response:
    """Close the connection; the response that aiohttp wants goes nowhere."""
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
