"""How a call is answered: faults first, then the token, the rate limit, the method; always in Slack's shape."""

from __future__ import annotations

import asyncio

from aiohttp import web

from ..faults import Rule
from ..model import Json
from ..refusals import Refusal
from ..workspace import Workspace
from .calls import Call, read_call
from .methods import METHODS

SCOPES = "app_mentions:read,channels:history,chat:write,commands,files:write,im:history,im:write,users:read"


async def answer(workspace: Workspace, request: web.Request) -> web.Response:
    method = request.match_info["method"]
    with workspace.activity.busy():
        rules = {rule.fault.do: rule for rule in workspace.faults.strike(method)}
        if "delay" in rules:
            await asyncio.sleep(rules["delay"].fault.seconds)
        if "drop_before" in rules:
            return cut(request)
        for rule in rules.values():
            if rule.fault.do in ("status", "error"):
                return _broken(rule)
        try:
            call = await read_call(request)
            check_token(workspace, call)
            wait = workspace.limits.wait(method, call.optional("channel"))
            if wait is not None:
                return _json(_no("ratelimited"), status=429, retry_after=wait)
            body: Json = {"ok": True, **METHODS[method](workspace, call)}
        except Refusal as refusal:
            body = _no(refusal.code, refusal.details)
        if "hold" in rules:
            rules["hold"].reached.set()
            await rules["hold"].released.wait()
        return cut(request) if "drop_after" in rules else _json(body)


def check_token(workspace: Workspace, call: Call) -> None:
    """Raises Refusal: not a method, no token, an unknown one, or one of the wrong kind."""
    if call.method not in METHODS:
        raise Refusal("unknown_method")
    if call.method == "api.test":
        return
    if call.token is None:
        raise Refusal("not_authed")
    if call.token not in (workspace.app.bot_token, workspace.app.app_token):
        raise Refusal("invalid_auth")
    by_app = call.token == workspace.app.app_token
    if call.method != "auth.test" and by_app != (call.method == "apps.connections.open"):
        raise Refusal("not_allowed_token_type")


def cut(request: web.Request) -> web.Response:
    """Close the connection; the response that aiohttp wants goes nowhere."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response(status=500)


def _no(code: str, details: list[str] | None = None) -> Json:
    body: Json = {"ok": False, "error": code}
    if details:
        body |= {"errors": details, "response_metadata": {"messages": [f"[ERROR] {detail}" for detail in details]}}
    return body


def _broken(rule: Rule) -> web.Response:
    fault = rule.fault
    if fault.do == "status":
        return _json(_no("ratelimited" if fault.status == 429 else "internal_error"), fault.status, fault.retry_after)
    return _json(_no(fault.error), retry_after=fault.retry_after)


def _json(body: Json, status: int = 200, retry_after: int | None = None) -> web.Response:
    headers = {"x-oauth-scopes": SCOPES} | ({"Retry-After": str(retry_after)} if retry_after is not None else {})
    return web.json_response(body, status=status, headers=headers)
