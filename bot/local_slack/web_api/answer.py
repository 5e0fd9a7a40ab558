"""How a call is answered: faults first, then the token, the rate limit, the method; always in Slack's shape."""

from __future__ import annotations

from collections.abc import Callable

from aiohttp import web

from bot.local_slack.responses import TOO_MANY, with_faults

from ..limits import InvalidBlocks, MissingScope, Refusal, TooMany
from ..model import Json
from ..workspace import Workspace
from .calls import Call, channel_id, check_scopes, read_call
from .methods import METHODS, READING


async def answer(
    workspace: Workspace, request: web.Request, check: Callable[[Workspace, Call], None] | None = None
) -> web.StreamResponse:
    """Args:
    check: whether the token is good; without, it has to be the local one.
    """

    async def answered() -> web.Response:
        if request.method == "GET" and request.match_info["method"] not in READING:
            raise Refusal("method_not_supported_for_http_verb")
        call = await read_call(request)
        (check or check_token)(workspace, call)
        check_scopes(workspace, call)
        wait = workspace.limits.retry_after(call.method, channel_id(workspace, call))
        if wait is not None:
            raise TooMany(wait)
        return in_json({"ok": True, **METHODS[call.method](workspace, call)})

    response = await with_faults(workspace, request.match_info["method"], request, answered, refused)
    if not response.prepared:
        response.headers["x-oauth-scopes"] = ",".join(workspace.app.scopes)
    return response


def check_token(workspace: Workspace, call: Call) -> None:
    """Raises Refusal: not a method, no token, an unknown one, or one of the wrong kind."""
    if call.method not in METHODS:
        raise Refusal("unknown_method")
    if call.method == "api.test":
        return
    if workspace.is_app_removed:
        raise Refusal("account_inactive")
    if call.token is None:
        raise Refusal("not_authed")
    if call.token not in (workspace.app.bot_token, workspace.app.app_token):
        raise Refusal("invalid_auth")
    by_app = call.token == workspace.app.app_token
    if call.method != "auth.test" and by_app != (call.method == "apps.connections.open"):
        raise Refusal("not_allowed_token_type")


def refused(refusal: Refusal) -> web.Response:
    body: Json = {"ok": False, "error": refusal.code}
    if refusal.details:
        messages = [f"[ERROR] {detail}" for detail in refusal.details]
        body |= {"errors": refusal.details, "response_metadata": {"messages": messages}}
    if isinstance(refusal, InvalidBlocks):
        body["errors"] = refusal.errors
    if isinstance(refusal, MissingScope):
        body |= {"needed": refusal.needed, "provided": refusal.provided}
    response = in_json(body)
    if isinstance(refusal, TooMany):
        response.set_status(TOO_MANY)
        response.headers["Retry-After"] = str(refusal.seconds)
    return response


def in_json(body: Json) -> web.Response:
    return web.json_response(body)
