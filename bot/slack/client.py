"""The client that every call to Slack is made with."""

import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from enum import StrEnum
from http import HTTPStatus
from types import SimpleNamespace
from typing import Any, Final

import aiohttp
from slack_sdk.web.async_client import AsyncWebClient

from bot.config import SlackAccess
from engine.proxies import proxy_for

TIMEOUT: Final = 10
"""Seconds that one call to Slack may take."""


@asynccontextmanager
async def slack_client(
    access: SlackAccess, trace_configs: Sequence[aiohttp.TraceConfig] = ()
) -> AsyncIterator[AsyncWebClient]:
    """Make a client whose calls share one session: without it, the SDK opens one, and a connection, for each call.

    The number of connections is not limited, since a call that waits for one would use up its seconds. Slack's cookies
    are not kept.

    Args:
        trace_configs: are told of every call.
    """
    session = aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0),
        timeout=aiohttp.ClientTimeout(total=TIMEOUT),
        cookie_jar=aiohttp.DummyCookieJar(),
        trace_configs=[*trace_configs],
    )
    async with session:
        yield web_client(access.api_url, access.bot_token, session)


def web_client(
    url: str, token: str | None = None, session: aiohttp.ClientSession | None = None, timeout: int = TIMEOUT
) -> AsyncWebClient:
    """Make a client of Slack's API at an address. It tries nothing again: the outbox does."""
    return AsyncWebClient(token, url, timeout=timeout, session=session, proxy=proxy_for(url), retry_handlers=[])


METHOD: Final = re.compile(r"/[a-zA-Z]+(?:\.[a-zA-Z]+)+$")
"""At the end of the address of a method. Answers at other addresses say nothing of a token."""
WHY: Final = re.compile(rb'"error": ?"([a-z_]{1,60})"')
OF_TOKENS: Final = frozenset(
    {b"account_inactive", b"invalid_auth", b"not_authed", b"token_expired", b"token_revoked", b"missing_scope"}
)


class Cause(StrEnum):
    TOKEN = "token"  # noqa: S105 - what is wrong, and none itself
    """Slack takes the token no more, or it may not do this."""
    RATE = "rate"
    SERVER = "server"
    """Slack has failed."""
    NETWORK = "network"
    REFUSED = "refused"
    """Slack has refused this one call, as in a channel that was archived."""


class CallFailures:
    """Of all calls that are made through the sessions which tell it of them, since this process started."""

    def __init__(self) -> None:
        self.counts: dict[Cause, int] = dict.fromkeys(Cause, 0)

    def listening(self) -> aiohttp.TraceConfig:
        """Return what tells it of every call of a session."""
        config = aiohttp.TraceConfig()

        async def answered(_: Any, call: SimpleNamespace, params: aiohttp.TraceResponseChunkReceivedParams) -> None:
            is_refused = b'"ok":false' in params.chunk[:4_096].replace(b" ", b"")
            if is_refused and not call.is_counted and METHOD.search(params.url.path):
                why = WHY.search(params.chunk)
                self._count(call, Cause.TOKEN if why and why.group(1) in OF_TOKENS else Cause.REFUSED)

        async def began(_: Any, call: SimpleNamespace, params: aiohttp.TraceRequestStartParams) -> None:
            call.is_counted = False

        async def arrived(_: Any, call: SimpleNamespace, params: aiohttp.TraceRequestEndParams) -> None:
            if (status := params.response.status) == HTTPStatus.TOO_MANY_REQUESTS:
                self._count(call, Cause.RATE)
            elif status >= HTTPStatus.INTERNAL_SERVER_ERROR:
                self._count(call, Cause.SERVER)

        async def failed(_: Any, call: SimpleNamespace, params: aiohttp.TraceRequestExceptionParams) -> None:
            self._count(call, Cause.NETWORK)

        config.on_request_start.append(began)
        config.on_response_chunk_received.append(answered)
        config.on_request_end.append(arrived)
        config.on_request_exception.append(failed)
        return config

    def _count(self, call: SimpleNamespace, cause: Cause) -> None:
        call.is_counted = True
        self.counts[cause] += 1
