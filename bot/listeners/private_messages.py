"""Sentences that only one person is told."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import aiohttp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.services import Services
from bot.posts.failures import CALL_ERRORS, Broken, Refused, Throttled, Undone, failure
from bot.views.kit.blocks import Block, section
from bot.views.kit.modals import notice
from engine.kernel import Millis

log = logging.getLogger(__name__)

Say = Callable[[AsyncWebClient, Mapping[str, Any], str, Block | None], Awaitable[None]]

FIRST_PAUSE: Final[Millis] = 2_000
"""Before a sentence is said again that Slack did not take; each further one is twice as long."""
MATTERS: Final[Millis] = 300_000
"""For how long whoever clicked still wants to know what came of it."""


def tell(
    services: Services,
    client: AsyncWebClient,
    where: Mapping[str, Any],
    text: str,
    buttons: Block | None = None,
) -> None:
    """Tell one person something, without waiting for it and at most once: where they look, or by direct message where
    Slack does not let us say it there.

    Nobody can look whether such a sentence stands there. So it is said again only where Slack has answered that it was
    not taken, when Slack allows it, and while it still matters.

    Args:
        buttons: what they can do about it, where there is a conversation.
        where: ``channel``, ``user`` and, inside of a thread, ``thread_ts``; or ``user`` and ``trigger_id``.
    """
    say = _show_above if "trigger_id" in where else _say_there
    services.background.spawn(_tell(services, client, say, where, text, buttons))


async def write_to(services: Services, client: AsyncWebClient, user: str, text: str) -> None:
    """Write somebody a direct message, in the same way; return once it was tried."""
    await _tell(services, client, _write, {"user": user}, text, None)


async def _tell(
    services: Services, client: AsyncWebClient, say: Say, where: Mapping[str, Any], text: str, buttons: Block | None
) -> None:
    clock, pause = services.clock, FIRST_PAUSE
    until = clock.after(MATTERS)
    while True:
        try:
            await say(client, where, text, buttons)
        except CALL_ERRORS as error:
            if isinstance(failure(error), Refused) and say is not _write:
                say = _write
                continue
            wait = _wait(error, pause)
            if wait is None or clock.after(wait) > until:
                log.warning("%s could not be told: %s", where.get("user"), failure(error).why)
                return
        else:
            return
        with services.background.activity.waiting():
            await clock.until(clock.after(wait))
        pause *= 2
        if "trigger_id" in where:  # Slack opens nothing through a click that is older than three seconds
            say = _write


async def _show_above(client: AsyncWebClient, where: Mapping[str, Any], text: str, buttons: Block | None) -> None:
    await client.views_open(trigger_id=where["trigger_id"], view=notice(text))


async def _say_there(client: AsyncWebClient, where: Mapping[str, Any], text: str, buttons: Block | None) -> None:
    shown = [section(text), buttons] if buttons else None
    await client.chat_postEphemeral(**where, text=text, blocks=shown)


async def _write(client: AsyncWebClient, where: Mapping[str, Any], text: str, buttons: Block | None) -> None:
    shown = [section(text), buttons] if buttons else None
    opened = await client.conversations_open(users=where["user"])
    await client.chat_postMessage(channel=opened["channel"]["id"], text=text, blocks=shown)


def _wait(error: SlackApiError | aiohttp.ClientError | TimeoutError, pause: Millis) -> Millis | None:
    """Return how long until a call is made again; None where it may have been done, or will never be."""
    match failure(error):
        case Throttled(seconds=seconds):
            return round(1000 * seconds)
        case Undone() | Broken():
            return pause
        case _:
            return None


def spot_of_click(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return where the person looks who clicked: a conversation, or, in a view, whatever opens over it."""
    container: Mapping[str, Any] = body["container"]
    if container.get("type") == "view":
        return {"trigger_id": body["trigger_id"], "user": body["user"]["id"]}
    thread = container.get("thread_ts") or body.get("message", {}).get("thread_ts")
    spot = {"channel": container["channel_id"], "user": body["user"]["id"]}
    return spot | ({"thread_ts": thread} if thread else {})
