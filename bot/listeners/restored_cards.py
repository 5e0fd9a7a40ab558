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

from bot.listeners.private_messages import write_to
from bot.listeners.services import Services
from bot.posts.failures import CALL_ERRORS, failure
from bot.posts.post_records import PostRecords
from bot.posts.stored_posts import Restored, RestoredTenants
from bot.texts import Texts
from bot.views.kit import notices
from engine.errors import Refusal, StoreError, UnknownStream
from engine.kernel import StreamKey, Tenant
from engine.store.port import UNKNOWN_POSTS, Store

log = logging.getLogger(__name__)

LINK: Final = re.compile(r"/archives/(\w+)/p(\d{10})(\d{6})(?:\?thread_ts=(\d+\.\d+))?")
"""To a message, as `bot.posts.post_records` writes it."""


class _Card(NamedTuple):
    """The message whose button was pressed."""

    channel: str
    ts: str
    message: Mapping[str, Any]
    key: StreamKey


async def refused_on_card(
    services: Services, client: AsyncWebClient, tenant: Tenant, body: Mapping[str, Any], refusal: Refusal, texts: Texts
) -> None:
    """Look, after a refusal, whether the card that was clicked is newer than the backup, and say so where it is.

    Args:
        body: of the click, as Slack sends it.
        texts: in the language of who clicked.
    """
    card = _card_of(tenant, body)
    if card is None:
        return
    restored = await RestoredTenants(services.store).find(tenant)
    if restored is None or float(card.ts) * 1_000 >= restored.until:
        return
    known = await PostRecords(services.store, card.key).read()
    if any((each.channel, each.ts) == (card.channel, card.ts) for each in known.values()):
        return
    is_unknown = isinstance(refusal, UnknownStream)
    services.background.spawn(_tell(services, client, card, restored, texts, is_unknown=is_unknown))


def _card_of(tenant: Tenant, body: Mapping[str, Any]) -> _Card | None:
    """Return None where it is no message that everybody who reads it can see, or says no stream."""
    container, message = body.get("container") or {}, body.get("message") or {}
    value = body["actions"][0].get("value")
    if container.get("type") != "message" or container.get("is_ephemeral"):
        return None
    try:
        said = json.loads(value)
    except (TypeError, ValueError):
        return None
    stream = said.get("stream") if isinstance(said, dict) else None
    if not isinstance(stream, str):
        return None
    key = StreamKey(tenant, stream)
    return _Card(container["channel_id"], container["message_ts"], message, key)


async def _tell(
    services: Services, client: AsyncWebClient, card: _Card, restored: Restored, texts: Texts, *, is_unknown: bool
) -> None:
    try:
        said = notices.from_before_the_restore(texts)
        kept = card.message.get("metadata")
        await client.chat_update(channel=card.channel, ts=card.ts, text=said, blocks=[], metadata=kept)
        if is_unknown and await _is_first(services.store, card, restored):
            await _tell_asker(services, client, card)
    except CALL_ERRORS as error:
        log.warning("a card that is newer than the backup stays: %s", failure(error).why)
    except StoreError as error:
        log.warning("whoever asked is not told yet that it is newer than the backup: %s", error)


async def _is_first(store: Store, card: _Card, restored: Restored) -> bool:
    """Return whether nobody was told about this stream yet, and keep that they were."""
    tenant, stream = card.key
    if stream in await store.records(tenant, UNKNOWN_POSTS, stream, limit=1):
        return False
    row = Restored(since=restored.since, until=restored.until).model_dump_json(exclude_defaults=True)
    await store.put_records(tenant, UNKNOWN_POSTS, {stream: row})
    return True


async def _tell_asker(services: Services, client: AsyncWebClient, card: _Card) -> None:
    channel, thread = _thread_of(card)
    answer = await client.conversations_replies(channel=channel, ts=thread, limit=1)
    root: Mapping[str, Any] = next(iter(answer.get("messages") or ()), {})
    user = root.get("user")
    if not user or root.get("bot_id"):
        return  # it began without a message: nothing but the card says of whom
    texts = await services.texts.of(client, card.key.tenant, user)
    link = await _permalink(client, channel, thread)
    await write_to(services, client, user, notices.asked_before_the_restore(link, texts))


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
