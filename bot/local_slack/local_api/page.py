"""The page: plain files, sent so that nothing but them can run or be loaded in it."""

from __future__ import annotations

from pathlib import Path

from aiohttp import web

PAGE = Path(__file__).parent.parent / "page"
FILES = r"/{file:mark\.svg|(?:script|style)/[a-z]+\.(?:js|css)}"
KINDS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
POLICY = "; ".join(
    (
        "default-src 'none'",
        *(f"{kind}-src 'self'" for kind in ("script", "style", "img", "connect")),
        *(f"{place} 'none'" for place in ("base-uri", "form-action", "frame-ancestors")),
        "require-trusted-types-for 'script'",  # the browser itself refuses what would become HTML
        "trusted-types 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-cache",
}


BLANK = "TOKEN"
"""Stands in the page for the token of this start."""


def page_routes(token: str) -> list[web.RouteDef]:
    page = (PAGE / "index.html").read_text("utf-8").replace(f'content="{BLANK}"', f'content="{token}"')

    async def show_page(_: web.Request) -> web.StreamResponse:
        headers = {**HEADERS, "Content-Type": f"{KINDS['.html']}; charset=utf-8", "Cache-Control": "no-store"}
        return web.Response(body=page.encode(), headers=headers)

    return [web.get("/", show_page), web.get(FILES, show_file)]


async def show_file(request: web.Request) -> web.StreamResponse:
    file = PAGE / request.match_info["file"]
    if not file.is_file():
        raise web.HTTPNotFound
    kind = f"{KINDS[file.suffix]}; charset=utf-8"
    return web.FileResponse(file, headers={**HEADERS, "Content-Type": kind})
