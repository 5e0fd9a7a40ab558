"""A browser for the session; for each test a workspace, an app in it, and pages in which nothing may go wrong."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Final

import pytest
import pytest_asyncio
from slack_bolt.app.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import App, LocalWorkspace
from bot.local_slack.installation import Command, Shortcut

from ..equipment import BROWSER
from ..equipment import browser as installed_browser
from ..local_slack.conftest import CHANNELS, USERS
from .page_objects import Visits

if TYPE_CHECKING:
    from playwright.async_api import Browser

PATIENCE: Final = 20.0
"""Seconds until what should be seen, or answered, is missed; machines may be busy."""
COMMANDS: Final = (Command(command="/towow", usage_hint="what you need"),)
SHORTCUTS: Final = (
    Shortcut(name="New demand", callback_id="new", type="global", description="From anywhere"),
    Shortcut(name="Turn into a demand", callback_id="turn", type="message"),
)


@pytest.fixture(scope="session")
def browser_program() -> str:
    """Its path. Where it is asked for, no event loop may run: Playwright itself is asked for its own."""
    pytest.importorskip("playwright.async_api", reason="Playwright is not installed: make setup")
    return installed_browser() or BROWSER.needed()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser(browser_program: str) -> AsyncIterator[Browser]:
    from playwright import async_api as api

    # Beyond the limit it starts no process that somebody might want next, which here nobody does: a sixth of its work.
    # What is drawn without a graphics card is drawn once: a tenth of the rest.
    arguments = ["--renderer-process-limit=1", "--disable-gpu", "--disable-software-rasterizer"]
    if os.geteuid() == 0:
        arguments.append("--no-sandbox")  # its sandbox does not start for root, as in a container
    api.expect.set_options(timeout=PATIENCE * 1000)
    async with api.async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=browser_program, args=arguments)
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def visits(browser: Browser) -> AsyncIterator[Visits]:
    visits = Visits(browser, [], [])
    yield visits
    for close in reversed(visits.closing):
        await close()
    assert visits.troubles == []


@pytest_asyncio.fixture(loop_scope="session")
async def workspace() -> AsyncIterator[LocalWorkspace]:
    app = App(commands=COMMANDS, shortcuts=SHORTCUTS)
    async with LocalWorkspace(users=USERS, channels=CHANNELS, app=app, ack_timeout=PATIENCE) as workspace:
        yield workspace


@pytest.fixture
def client(workspace: LocalWorkspace) -> AsyncWebClient:
    return AsyncWebClient(token=workspace.bot_token, base_url=workspace.api_url)


@pytest.fixture
def app(client: AsyncWebClient) -> AsyncApp:
    return AsyncApp(
        name="app",
        client=client,
        process_before_response=True,
        raise_error_for_unhandled_request=False,
    )
