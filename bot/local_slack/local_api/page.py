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


def page_routes() -> list[web.RouteDef]:
    return [web.get("/", show), web.get(FILES, show)]


async def show(request: web.Request) -> web.StreamResponse:
    file = PAGE / request.match_info.get("file", "index.html")
    if not file.is_file():
        raise web.HTTPNotFound
    kind = f"{KINDS[file.suffix]}; charset=utf-8"
    return web.FileResponse(file, headers={**HEADERS, "Content-Type": kind})
