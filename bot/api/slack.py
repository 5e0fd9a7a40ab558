"""Slack over HTTP: the same listeners as by Socket Mode, once it is known that Slack has sent it, and not long ago."""

import asyncio
import logging
import re
import time
from http import HTTPStatus
from typing import Final

from aiohttp import web
from aiohttp.typedefs import Handler
from slack_bolt.adapter.aiohttp import to_aiohttp_response
from slack_bolt.async_app import AsyncApp
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.signature import SignatureVerifier

from bot.api.bodies import Bodies
from bot.api.connections import connection_of
from bot.api.problems import RequestRefused
from bot.slack.payloads import CONTENT_TYPES, Malformed, read_payload

log = logging.getLogger(__name__)

PATH: Final = "/slack/events"
"""For events, interactivity and commands."""
LARGEST: Final = 1024 * 1024
"""Bytes: a click comes with the whole message that was clicked."""
OLDEST: Final = 300
"""Seconds since Slack signed it."""

_TIMESTAMP: Final = re.compile(r"[0-9]{1,12}")
_SIGNATURE: Final = re.compile(r"v0=[0-9a-f]{64}")


def slack_events(app: AsyncApp, signing_secret: str, bodies: Bodies) -> Handler:
    verifier = SignatureVerifier(signing_secret)
    under_way: set[asyncio.Task[BoltResponse]] = set()

    async def handle(request: web.Request) -> web.StreamResponse:
        try:
            return await answered(request)
        except (RequestRefused, web.HTTPRequestEntityTooLarge) as refused:
            log.warning("a call of %s is refused with %d: %s", PATH, refused.status, _why(refused))
            raise

    async def answered(request: web.Request) -> web.StreamResponse:
        timestamp, signature = _signed(request)
        if request.content_type not in CONTENT_TYPES:
            raise RequestRefused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"The body has to be {' or '.join(CONTENT_TYPES)}.")
        async with bodies.read(request, LARGEST) as body:
            try:
                text = body.decode()
            except UnicodeDecodeError:
                raise RequestRefused(HTTPStatus.BAD_REQUEST, "The body is not UTF-8.") from None
            if not verifier.is_valid(text, timestamp, signature):
                raise RequestRefused(HTTPStatus.UNAUTHORIZED, "That is not Slack's signature.")
            connection_of(request).know()
            try:
                payload = read_payload(request.content_type, text)
            except Malformed as malformed:
                detail = f"Slack sends nothing of this shape: {malformed}."
                raise RequestRefused(HTTPStatus.BAD_REQUEST, detail) from None
            dispatched = asyncio.create_task(app.async_dispatch(_bolt_request(payload, request)))
            under_way.add(dispatched)
            dispatched.add_done_callback(under_way.discard)
            # Slack hangs up after three seconds; shielded, a listener finishes what it has begun.
            return await to_aiohttp_response(await asyncio.shield(dispatched))

    return handle


def _why(refused: RequestRefused | web.HTTPRequestEntityTooLarge) -> str:
    return refused.detail if isinstance(refused, RequestRefused) else "The body is too large."


def _signed(request: web.Request) -> tuple[str, str]:
    """Return when it was signed, and how. Nothing of the body is read where that cannot be Slack's."""
    stamps, signatures = (request.headers.getall(f"X-Slack-{name}", []) for name in ("Request-Timestamp", "Signature"))
    if len(stamps) != 1 or len(signatures) != 1 or not _SIGNATURE.fullmatch(signatures[0]):
        raise RequestRefused(HTTPStatus.UNAUTHORIZED, "It takes Slack's signature.")
    if not _TIMESTAMP.fullmatch(stamps[0]) or abs(time.time() - int(stamps[0])) > OLDEST:
        raise RequestRefused(HTTPStatus.UNAUTHORIZED, f"It was not signed in the last {OLDEST} seconds.")
    return stamps[0], signatures[0]


def _bolt_request(payload: dict[str, object], request: web.Request) -> AsyncBoltRequest:
    """Return what Bolt passes on. The signature was checked here, as it is by nobody in Socket Mode."""
    return AsyncBoltRequest(body=payload, headers={**request.headers}, mode="socket_mode")
