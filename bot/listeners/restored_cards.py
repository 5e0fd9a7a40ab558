"""Says on cards that are newer than the backup which was restored that they do not hold any more, and to whoever asked.

Nobody can look for the threads of streams that the backup does not know. A click on one of their cards shows where it
is.
"""

import json
import logging
import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.actor import tenant_of
from bot.listeners.interaction import Interaction
from bot.listeners.private_messages import write_to
from bot.posts.failures import CALL_ERRORS, failure
from bot.posts.post_records import PostRecords
from bot.posts.stored_posts import Restored, RestoredTenants
from bot.views.kit import notices
from engine.errors import Refusal, StoreError, UnknownStream
from engine.kernel import StreamKey
from engine.store.port import UNKNOWN_POSTS

log = logging.getLogger(__name__)

LINK: Final = re.compile(r"/archives/(\w+)/p(\d{10})(\d{6})(?:\?thread_ts=(\d+\.\d+))?")
"""To a message, as `bot.posts.addresses` writes it."""


class _Card(NamedTuple):
    """The message whose button was pressed."""

    channel: str
    ts: str
    message: Mapping[str, Any]
    key: StreamKey


async def refused_on_card(click: Interaction, refusal: Refusal) -> None:
    """Look, after a refusal, whether the card that was clicked is newer than the backup, and say so where it is.

    Raises:
        StoreError
    """
    card = _card_of(click)
    if card is None:
        return
    store = click.services.store
    restored = await RestoredTenants(store).find(card.key.tenant)
    if restored is None or float(card.ts) * 1_000 >= restored.until:
        return
    known = await PostRecords(store, card.key).read()
    if any((each.channel, each.ts) == (card.channel, card.ts) for each in known.values()):
        return
    click.services.background.spawn(_tell(click, card, restored, is_unknown=isinstance(refusal, UnknownStream)))


def _card_of(click: Interaction) -> _Card | None:
    """Return None where it is no message that everybody who reads it can see, or says no stream."""
    container, message = click.body.get("container") or {}, click.body.get("message") or {}
    value = click.body["actions"][0].get("value")
    if container.get("type") != "message" or container.get("is_ephemeral"):
        return None
    try:
        said = json.loads(value)
    except (TypeError, ValueError):
        return None
    stream = said.get("stream") if isinstance(said, dict) else None
    if not isinstance(stream, str):
        return None
    key = StreamKey(tenant_of(click.context), stream)
    return _Card(container["channel_id"], container["message_ts"], message, key)


async def _tell(click: Interaction, card: _Card, restored: Restored, *, is_unknown: bool) -> None:
    try:
        texts = await click.texts()
        said = notices.from_before_the_restore(texts)
        kept = card.message.get("metadata")
        await click.client.chat_update(channel=card.channel, ts=card.ts, text=said, blocks=[], metadata=kept)
        if is_unknown and await _is_first(click, card, restored):
            await _tell_asker(click, card)
    except CALL_ERRORS as error:
        log.warning("a card that is newer than the backup stays: %s", failure(error).why)
    except StoreError as error:
        log.warning("whoever asked is not told yet that it is newer than the backup: %s", error)


async def _is_first(click: Interaction, card: _Card, restored: Restored) -> bool:
    """Return whether nobody was told about this stream yet, and keep that they were."""
    tenant, stream = card.key
    if stream in await click.services.store.records(tenant, UNKNOWN_POSTS, stream, limit=1):
        return False
    row = Restored(since=restored.since, until=restored.until).model_dump_json(exclude_defaults=True)
    await click.services.store.put_records(tenant, UNKNOWN_POSTS, {stream: row})
    return True


async def _tell_asker(click: Interaction, card: _Card) -> None:
    channel, thread = _thread_of(card)
    answer = await click.client.conversations_replies(channel=channel, ts=thread, limit=1)
    root: Mapping[str, Any] = next(iter(answer.get("messages") or ()), {})
    user = root.get("user")
    if not user or root.get("bot_id"):
        return  # it began without a message: nothing but the card says of whom
    texts = await click.services.texts.of(click.client, card.key.tenant, user)
    link = await _permalink(click.client, channel, thread)
    await write_to(click.services, click.client, user, notices.asked_before_the_restore(link, texts))


def _thread_of(card: _Card) -> tuple[str, str]:
    """Return the thread that it is about: its own, or where a direct message leads to."""
    thread = card.message.get("thread_ts")
    found = LINK.search(json.dumps(card.message.get("blocks") or [])) if not thread else None
    if found is None:
        return card.channel, thread or card.ts
    channel, seconds, parts, root = found.groups()
    return channel, root or f"{seconds}.{parts}"


async def _permalink(client: AsyncWebClient, channel: str, ts: str) -> str:
    answer = await client.chat_getPermalink(channel=channel, message_ts=ts)
    return str(answer["permalink"])
