"""The client that every call to Slack is made with."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

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
