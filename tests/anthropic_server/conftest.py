"""The server, and the official SDK pointed at it."""

import ssl
from collections.abc import AsyncIterator
from functools import cache

import pytest
from anthropic import AsyncAnthropic, DefaultAioHttpClient

from . import KEY, LocalAnthropic


@pytest.fixture
async def server() -> AsyncIterator[LocalAnthropic]:
    async with LocalAnthropic() as server:
        yield server


@cache
def certificates() -> ssl.SSLContext:
    """Read once: that takes longer than any of these tests."""
    return ssl.create_default_context()


@pytest.fixture
async def client(server: LocalAnthropic) -> AsyncIterator[AsyncAnthropic]:
    http = DefaultAioHttpClient(verify=certificates())
    async with AsyncAnthropic(api_key=KEY, base_url=server.url, max_retries=0, http_client=http) as client:
        yield client
