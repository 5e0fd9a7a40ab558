"""Serves the page of one story to whoever has a link of theirs to it, its events, and its files."""

import logging
import math
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from aiohttp import web
from aiohttp.typedefs import Handler

from bot.api.connections import connection_of
from bot.api.context import ApiContext
from bot.api.event_connections import RECONNECT, SIGN_OF_LIFE
from bot.api.events import HEADERS
from bot.api.problems import RequestRefused
from bot.api.story.page import ASSETS, LANGUAGES, page, sentence
from bot.api.story.story import Stories
from bot.story_links import PATH, Link, LinkExpired, LinkForged, StoryLinks
from bot.texts import texts_in
from engine.errors import Refusal, StoreError, UnknownStream
from engine.facts.language import Language
from engine.kernel import StreamKey, is_id

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.protocol_row import Protocol

log = logging.getLogger(__name__)

POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
"""Nothing in the page comes from elsewhere, and nothing written into it can run."""
SAFETY: Final = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",  # the address is the secret
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex, nofollow",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
FOR_EVER: Final = "public, max-age=31536000, immutable"
OVER: Final = b"event: over\ndata: the link has ended\n\n"

Answer = Callable[[web.Request, StreamKey, Link], Awaitable[web.StreamResponse]]


def add_pages(app: web.Application, context: ApiContext, links: StoryLinks, protocols: "Sequence[Protocol]") -> None:
    """Add the routes of the pages."""
    pages = Pages(context, links, Stories(context, protocols))
    app.router.add_route("GET", f"{PATH}/assets/{{name}}", _file)
    app.router.add_route("GET", f"{PATH}/{{stream}}", pages.checked(pages.shown))
    app.router.add_route("GET", f"{PATH}/{{stream}}/events", pages.checked(pages.followed))


class Pages:
    def __init__(self, context: ApiContext, links: StoryLinks, stories: Stories) -> None:
        self._context = context
        self._links = links
        self._stories = stories

    def checked(self, answer: Answer) -> Handler:
        """Check the link, and say in words why there is no page where there is none."""

        async def handle(request: web.Request) -> web.StreamResponse:
            texts = texts_in(_language(request))
            try:
                key, link = await self._checked(request)
                return await answer(request, key, link)
            except UnknownStream:
                return _sorry(request, HTTPStatus.NOT_FOUND, texts.say("There is nothing here"), texts.say(
                    "Either this was deleted because it had ended long ago, or it is not meant for you."
                ))  # fmt: skip
            except (LinkForged, Refusal):
                return _sorry(request, HTTPStatus.NOT_FOUND, texts.say("There is no such page"), texts.say(
                    "The link is not whole, or it is not meant for you. Open the page from Slack again."
                ))  # fmt: skip
            except LinkExpired:
                return _sorry(request, HTTPStatus.GONE, texts.say("This link has come to its end"), texts.say(
                    "Links work for a few days. Open the page from Slack again."
                ))  # fmt: skip
            except RequestRefused as refused:
                response = _sorry(request, refused.status, texts.say("Not just now"), texts.say(
                    "Too much was asked for at once. Try again in a moment."
                ))  # fmt: skip
                response.headers.update(refused.headers)
                return response
            except (StoreError, TimeoutError) as error:
                log.error("a page could not be read: %s", error)
                return _sorry(request, HTTPStatus.SERVICE_UNAVAILABLE, texts.say("Not just now"), texts.say(
                    "It cannot be read just now. Try again in a moment."
                ))  # fmt: skip

        return handle

    async def _checked(self, request: web.Request) -> tuple[StreamKey, Link]:
        """Return the stream that the link names, and the link, once its signature holds.

        Raises:
            LinkForged: also where there is no such workspace, which nobody is told without a link.
            LinkExpired
            RequestRefused: too often, or before Slack has said whose workspace it is.
        """
        stream = request.match_info["stream"]
        if not is_id(stream):
            raise LinkForged
        try:
            workspace = await self._context.workspace(request.query.get("team", ""))
        except RequestRefused as refused:
            if refused.status == HTTPStatus.FORBIDDEN:
                raise LinkForged from refused
            raise
        link = self._links.check(workspace.tenant, stream, request.query, self._context.services.now())
        connection_of(request).know()
        if wait := self._context.rates.wait(f"page:{link.user}"):
            raise RequestRefused(
                HTTPStatus.TOO_MANY_REQUESTS, "That was too often.", {"Retry-After": str(math.ceil(wait))}
            )
        return StreamKey(workspace.tenant, stream), link

    async def shown(self, request: web.Request, key: StreamKey, link: Link) -> web.Response:
        language = _language(request)
        story = await self._stories.read(key, link.user, language)
        until = link.until // 1000
        languages: dict[Language, str] = {
            each: f"?{self._links.query(key.tenant, key.stream, link.user, until, each)}" for each in LANGUAGES
        }
        return _html(page(story, link, languages, language), HTTPStatus.OK)

    async def followed(self, request: web.Request, key: StreamKey, link: Link) -> web.StreamResponse:
        """Tell whenever something has happened in the story: only that, since the page is read anew then."""
        readers = self._context.readers
        await self._stories.read(key, link.user, _language(request))  # whether it is theirs
        last = request.headers.get("Last-Event-ID", "").strip()
        response = web.StreamResponse(headers=HEADERS | SAFETY | {"Content-Type": HEADERS["Content-Type"]})
        with readers.connected(request, key.tenant, link=link.user) as connection, ExitStack() as watching:
            for each in await self._stories.keys(key):
                watching.enter_context(self._context.changes(each, connection.wake))
            try:
                await response.prepare(request)
                await readers.write(connection, response, RECONNECT)
                while not readers.is_closing:
                    connection.wake.clear()
                    if self._context.services.now() >= link.until:
                        await readers.write(connection, response, OVER)
                        break
                    if (now := await self._stories.version(key)) != last:
                        last = now
                        await readers.write(connection, response, f"id: {now}\ndata: {now}\n\n".encode())
                    elif connection.is_due:
                        await readers.write(connection, response, SIGN_OF_LIFE)
                    else:
                        await connection.wake.wait()
            except (ConnectionResetError, StoreError, TimeoutError, UnknownStream) as error:
                log.debug("whoever reads a page has to come again: %s", error)
        return response


async def _file(request: web.Request) -> web.Response:
    found = ASSETS.get(request.match_info["name"])
    if found is None:
        raise web.HTTPNotFound
    headers = {"Cache-Control": FOR_EVER, "Cross-Origin-Resource-Policy": "same-origin"}
    return web.Response(body=found.content, content_type=found.media, charset="utf-8", headers=headers)


def _language(request: web.Request) -> Language:
    return "zh" if request.query.get("lang") == "zh" else "en"


def _sorry(request: web.Request, status: HTTPStatus, title: str, text: str) -> web.Response:
    return _html(sentence(title, text, _language(request)), status)


def _html(text: str, status: HTTPStatus) -> web.Response:
    return web.Response(text=text, content_type="text/html", charset="utf-8", status=status, headers=SAFETY)
