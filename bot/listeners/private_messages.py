"""Sentences that only one person is told."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

import aiohttp
from slack_sdk.errors import SlackClientError
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.background import BackgroundTasks
from bot.posts.failures import CALL_ERRORS, Refused, failure
from bot.views.kit.blocks import Block, section
from bot.views.kit.notice import notice

log = logging.getLogger(__name__)


def tell(
    background: BackgroundTasks,
    client: AsyncWebClient,
    where: Mapping[str, Any],
    text: str,
    buttons: Block | None = None,
) -> None:
    """Tell one person something, without waiting for it and at most once: where they look, or by direct message where
    Slack does not let us say it there.

    Args:
        buttons: what they can do about it, where there is a conversation.
        where: ``channel``, ``user`` and, inside of a thread, ``thread_ts``; or ``user`` and ``trigger_id``.
    """
    background.spawn(_tell(client, where, text, buttons))


async def _tell(client: AsyncWebClient, where: Mapping[str, Any], text: str, buttons: Block | None) -> None:
    shown = [section(text), buttons] if buttons else None
    try:
        try:
            await _say_there(client, where, text, shown)
        except CALL_ERRORS as error:
            if not isinstance(failure(error), Refused):
                raise  # it may have been told
            opened = await client.conversations_open(users=where["user"])
            await client.chat_postMessage(channel=opened["channel"]["id"], text=text, blocks=shown)
    except (SlackClientError, aiohttp.ClientError, TimeoutError) as error:
        log.warning("%s could not be told: %s", where.get("user"), error)


async def _say_there(
    client: AsyncWebClient, where: Mapping[str, Any], text: str, shown: Sequence[Block] | None
) -> None:
    if "trigger_id" in where:
        await client.views_open(trigger_id=where["trigger_id"], view=notice(text))
    else:
        await client.chat_postEphemeral(**where, text=text, blocks=shown)


def spot_of_click(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return where the person looks who clicked: a conversation, or, in a view, whatever opens over it."""
    container: Mapping[str, Any] = body["container"]
    if container.get("type") == "view":
        return {"trigger_id": body["trigger_id"], "user": body["user"]["id"]}
    thread = container.get("thread_ts") or body.get("message", {}).get("thread_ts")
    spot = {"channel": container["channel_id"], "user": body["user"]["id"]}
    return spot | ({"thread_ts": thread} if thread else {})
