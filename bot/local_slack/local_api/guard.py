from __future__ import annotations

import hmac
from collections.abc import Collection
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

OURS = ("127.0.0.1", "localhost")
TOKEN_HEADER = "X-Local-Token"  # noqa: S105 - its name
READING = ("GET", "HEAD")
NO_PAGE_ELSEWHERE = ("none", "same-origin")  # what a browser says where no other page had a hand in it


def guarded(token: str, pages: Collection[str] = ("/",)) -> Middleware:
    """
    Args:
        token: what every change under /local/ takes.
        pages: the paths that a link may lead to from elsewhere.
    """

    @web.middleware
    async def only_from_here(request: web.Request, handler: Handler) -> web.StreamResponse:
        _check_host(request)
        _check_origin(request, pages)
        if request.path.startswith("/local/") and request.method not in READING:
            given = request.headers.get(TOKEN_HEADER, "")
            if not hmac.compare_digest(given.encode("utf-8", "surrogateescape"), token.encode()):
                refusal = "This page is of an earlier start of the workspace; load it again."
                return web.json_response({"error": refusal}, status=403)
        return await handler(request)

    return only_from_here


def _check_host(request: web.Request) -> None:
    """The Host must be this machine: a name of somebody else's that leads here is theirs (DNS rebinding)."""
    try:
        host = urlsplit(f"//{request.host}").hostname
    except ValueError:
        host = None
    if host not in OURS:
        raise web.HTTPForbidden(
            text=f"The host {ascii(request.host)[:100]} is not this workspace; use http://127.0.0.1 and its port."
        )


def _check_origin(request: web.Request, pages: Collection[str]) -> None:
    """An Origin must be the same host and port. Where a browser sends none, it says in another header where it is."""
    origins = request.headers.getall("Origin", [])
    if any(origin != f"{request.scheme}://{request.host}" for origin in origins):
        raise web.HTTPForbidden(text="Pages from elsewhere may not use this workspace.")
    site = request.headers.get("Sec-Fetch-Site", "none").lower()
    follows_link = (
        request.method == "GET" and request.path in pages and request.headers.get("Sec-Fetch-Dest") == "document"
    )
    if site not in NO_PAGE_ELSEWHERE and not follows_link:
        raise web.HTTPForbidden(text="Pages from elsewhere may not use this workspace.")
