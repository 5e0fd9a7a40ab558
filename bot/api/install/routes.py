"""Serves the pages of an installation."""

from collections.abc import Awaitable, Callable
from http.cookies import SimpleCookie
from typing import Final

from aiohttp import web
from aiohttp.typedefs import Handler
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse

HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",  # a code stands in the address
    "Cache-Control": "no-store",
}


def add_install_pages(app: web.Application, flow: AsyncOAuthFlow) -> None:
    is_secure = (flow.redirect_uri or "").startswith("https:")

    def serve(answer: Callable[[AsyncBoltRequest], Awaitable[BoltResponse]]) -> Handler:
        async def handle(request: web.Request) -> web.StreamResponse:
            asked = AsyncBoltRequest(body="", query=request.query_string, headers={**request.headers})
            return _sent(await answer(asked), is_secure=is_secure)

        return handle

    app.router.add_route("GET", flow.install_path, serve(flow.handle_installation))
    app.router.add_route("GET", flow.redirect_uri_path, serve(flow.handle_callback))


def _sent(told: BoltResponse, *, is_secure: bool) -> web.Response:
    sent = web.Response(status=told.status, text=told.body, content_type="text/html", headers=HEADERS)
    for said in told.headers.get("set-cookie", ()):
        for name, cookie in SimpleCookie(said).items():
            sent.set_cookie(
                name,
                cookie.value,
                max_age=cookie["max-age"] or (0 if cookie["expires"] else None),
                path="/slack",
                secure=is_secure,
                httponly=True,
                samesite="Lax",  # Slack leads back here: with "Strict", the browser would not show it
            )
    return sent
