"""Makes each call to Slack once. Only `ConversationReconciler` decides what is tried again.

A post is drawn with Slack's newer blocks, or without where the workspace lacks them.
"""

import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from slack_sdk.errors import SlackObjectFormationError
from slack_sdk.models.blocks import Block
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse
from slack_sdk.webhook import WebhookResponse
from slack_sdk.webhook.async_client import AsyncWebhookClient

from bot.posts.difference import Create, Learn, LookAgain, LookUp, Open, Search, Step, Update
from bot.posts.failures import BAD_BLOCKS, CALL_ERRORS, CallFailed, Diverted, Refused, Throttled, Unsure, failure
from bot.posts.languages import UserSettings, settings_of
from bot.posts.post_records import PostRecord, Spot
from bot.posts.rate_limits import HISTORY, OPEN, PERSON, POST, REPLIES, RESPOND, UPDATE, Lane
from bot.posts.response_urls import ResponseUrls
from bot.views.kit.blocks import context
from bot.views.kit.notices import maybe_twice, posted_twice
from bot.views.kit.post import Post, StepEnd
from bot.views.kit.presenter import Reaction, SessionStatus
from bot.views.kit.story.buttons import without_pages
from engine.kernel import Millis, StreamKey, Tenant

log = logging.getLogger(__name__)

UNKNOWN_BLOCKS: Final = frozenset({BAD_BLOCKS, "invalid_blocks_format"})
"""What a workspace says to blocks that it does not know."""


UNMODELLED: Final = frozenset({"data_table"})
"""Blocks that slack_sdk 3.48 has no model of, and so cannot check."""


class Drawings:
    """Knows which workspaces lack the newer blocks, until the process ends; after the next start all are tried.

    Args:
        has_pages: whether stories have pages that a button may open.
    """

    def __init__(self, *, has_pages: bool = True) -> None:
        self._lacking: set[Tenant] = set()
        self._has_pages = has_pages

    def of(self, tenant: Tenant, post: Post) -> list[dict[str, Any]]:
        """Return the blocks of a post if slack_sdk's models accept them, as Slack would.

        They are returned as they were drawn: the client would check models a second time. Blocks that change with every
        update get an id of the content's, since Slack wants another one each time.
        """
        blocks = [*(post.plain_blocks if tenant in self._lacking else post.blocks)]
        if not self._has_pages:
            blocks = without_pages(blocks)
        try:
            for block in Block.parse_all([each for each in blocks if each["type"] not in UNMODELLED]):
                block.validate_json()
        except SlackObjectFormationError as error:
            raise Refused(BAD_BLOCKS) from error
        return _with_ids(blocks, post.digest)

    def is_refused(self, tenant: Tenant, post: Post, refused: Refused) -> bool:
        """Return whether the newer blocks may be why a post was refused; from then on they are done without."""
        if not post.has_newer or refused.why not in UNKNOWN_BLOCKS or tenant in self._lacking:
            return False
        log.info("%s takes none of Slack's newer blocks: %s", tenant.team_id, refused.why)
        self._lacking.add(tenant)
        return True


def _with_ids(blocks: Sequence[dict[str, Any]], digest: str) -> list[dict[str, Any]]:
    changing = ("plan", "task_card")
    return [
        block | {"block_id": f"{digest}-{number}"} if block["type"] in changing else block
        for number, block in enumerate(blocks)
    ]


Fence = Callable[[], None]
"""Raises `LeaseLost` where another process may make a call by now; called at the last moment before it."""

Clients = Callable[[Tenant], Awaitable[AsyncWebClient]]
"""Returns the client for a tenant's workspace; raises `CallFailed` where we are not installed."""


def always(client: AsyncWebClient) -> Clients:
    """Return the same client for every tenant."""

    async def same(_: Tenant) -> AsyncWebClient:
        return client

    return same


EVENT_TYPE: Final = "towow_post"
"""Of the metadata by which each message is found again: it names the stream and the post's key."""

EXTRA_TYPE: Final = "towow_extra"
"""Of the metadata of a message that stood there twice and could not be deleted: no look finds it any more."""

PAGE: Final = 200
"""Messages asked for at a time."""

BEFORE: Final[Millis] = 3_600_000
"""How much older than our call a message may seem and still be its result, as clocks differ."""


THREAD_GONE: Final = "thread_not_found"
NOT_THERE: Final = "message_not_found"
NOT_IN_IT: Final = "not_in_channel"


class Sent(NamedTuple):
    """Where a message stands."""

    ts: str
    thread: str
    """Empty where it stands in the channel itself, as it also does if the thread it was meant for is gone."""


class SlackCalls:
    """Each call raises `CallFailed` where Slack did not take it, and what its ``fence`` raises.

    Args:
        has_pages: whether stories have pages that a button may open.
        page: messages that Slack lets us read at a time.

    Raises:
        ValueError: the client would try again by itself.
    """

    def __init__(
        self, slack: AsyncWebClient | Clients, urls: ResponseUrls, *, has_pages: bool = True, page: int = PAGE
    ) -> None:
        self._page = page
        self._reading: dict[Tenant, _Reading] = {}
        self._slack = _patient(slack) if isinstance(slack, AsyncWebClient) else slack
        self._urls = urls
        self.drawings = Drawings(has_pages=has_pages)

    def lane(self, key: StreamKey, step: Step) -> Lane:
        match step:
            case Learn():
                return Lane(key.tenant, PERSON)
            case Open():
                return Lane(key.tenant, OPEN)
            case Create():
                return Lane(key.tenant, POST, step.channel)
            case Update() if self._urls.has(key.tenant, step.entry.channel, step.entry.ts):
                return Lane(key.tenant, RESPOND)
            case Update():
                return Lane(key.tenant, UPDATE, step.entry.channel)
            case Search():
                return Lane(key.tenant, REPLIES if step.thread else HISTORY, step.channel)
            case LookUp():
                return Lane(key.tenant, REPLIES if step.entry.thread else HISTORY, step.entry.channel)
            case LookAgain():
                return Lane(key.tenant, REPLIES if step.doubt.thread else HISTORY, step.doubt.channel)

    async def settings(self, tenant: Tenant, user: str) -> UserSettings:
        """Return the language and time zone that Slack has of a user."""
        return await settings_of(await self._client(tenant), user)

    async def check(self, tenant: Tenant) -> None:
        """Ask Slack whether it takes our token.

        Raises:
            CallFailed: it does not, or does not say.
        """
        await called((await self._client(tenant)).auth_test())

    async def session(self, tenant: Tenant, spot: Spot, status: SessionStatus, fence: Fence) -> None:
        """Say how a thread stands."""
        client, (channel, thread) = await self._client(tenant), spot
        fence()
        await called(client.agents_sessions_setStatus(channel_id=channel, thread_ts=thread, status=status.value))

    async def react(self, tenant: Tenant, spot: Spot, reaction: Reaction, fence: Fence) -> None:
        """Put a reaction of ours on a message, unless it is there."""
        client, (channel, ts) = await self._client(tenant), spot
        fence()
        try:
            await called(client.reactions_add(channel=channel, timestamp=ts, name=reaction.value))
        except Refused as refused:
            if refused.why != "already_reacted":
                raise

    async def unreact(self, tenant: Tenant, spot: Spot, reaction: Reaction, fence: Fence) -> None:
        """Take a reaction of ours away, if it is there."""
        client, (channel, ts) = await self._client(tenant), spot
        fence()
        try:
            await called(client.reactions_remove(channel=channel, timestamp=ts, name=reaction.value))
        except Refused as refused:
            if refused.why != "no_reaction":
                raise

    async def end_step(self, tenant: Tenant, end: StepEnd, fence: Fence) -> None:
        """End the run of a workflow's step."""
        client = await self._client(tenant)
        fence()
        if end.is_error:
            await called(client.functions_completeError(function_execution_id=end.run, error=end.text))
            return
        outputs = {"result": end.text, "status": end.status, "link": end.link}
        await called(client.functions_completeSuccess(function_execution_id=end.run, outputs=outputs))

    async def open(self, tenant: Tenant, user: str) -> str:
        """Open a person's direct messages with us, and return their channel."""
        client = await self._client(tenant)
        answer = await called(client.conversations_open(users=user))
        return str(answer["channel"]["id"])

    async def is_shared(self, tenant: Tenant, channel: str, *, joins: bool) -> bool:
        """Return whether people of other companies read a channel, or are to by now.

        Args:
            joins: whether to join a public channel that we are not in: there we could post, and not look whether what
                was posted is there.
        """
        client = await self._client(tenant)
        answer = await called(client.conversations_info(channel=channel))
        told = answer.get("channel")
        if not isinstance(told, dict):
            return False
        is_public = told.get("is_channel") is True and told.get("is_private") is False
        if joins and is_public and told.get("is_member") is False:
            try:
                await called(client.conversations_join(channel=channel))
            except CallFailed as failed:
                log.info("%s cannot be joined: %s", channel, failed.why)
        return any(told.get(each) is True for each in ("is_ext_shared", "is_pending_ext_shared"))

    async def create(
        self, key: StreamKey, step: Create, fence: Fence, *, as_text: bool, is_in_doubt: bool = False
    ) -> Sent:
        """Post a message, and return where it stands.

        Args:
            is_in_doubt: whether it may stand there already, and Slack does not let us look: then it says so.
        """
        client = await self._client(key.tenant)
        text, drawn = self._content(key.tenant, step.post, as_text=as_text, is_in_doubt=is_in_doubt)
        fence()
        answer = await called(
            client.chat_postMessage(
                channel=step.channel,
                thread_ts=step.thread or None,
                reply_broadcast=(step.post.broadcast and bool(step.thread)) or None,
                text=text,
                blocks=drawn or None,
                metadata=_metadata(key, step.post.key),
                unfurl_links=False,
                unfurl_media=False,
            )
        )
        return _sent(answer["message"])

    def _content(
        self, tenant: Tenant, post: Post, *, as_text: bool, is_in_doubt: bool
    ) -> tuple[str, list[dict[str, Any]]]:
        """Return the text and the blocks of a post; no blocks where it is shown as text."""
        if as_text:
            return (f"{post.as_text}\n{maybe_twice(post.texts)}" if is_in_doubt else post.as_text), []
        drawn = self.drawings.of(tenant, post)
        return post.text, ([*drawn, context(maybe_twice(post.texts))] if is_in_doubt else drawn)

    async def take_away(self, tenant: Tenant, entry: PostRecord) -> None:
        """Delete a message that another one has taken over from, where Slack lets us and no thread hangs from it. Its
        buttons change nothing in any case.
        """
        if not entry.thread and not entry.is_direct:
            return
        try:
            await called((await self._client(tenant)).chat_delete(channel=entry.channel, ts=entry.ts))
        except CallFailed as failed:
            log.info("a message stays beside the one that has taken over: %s", failed.why)

    async def update(self, key: StreamKey, step: Update, fence: Fence, *, as_text: bool) -> None:
        """Update a message, through the click on it if there was one just now."""
        client = await self._client(key.tenant)
        fence()
        url = self._urls.take(key.tenant, step.entry.channel, step.entry.ts)
        if url is not None:
            await self._respond(client, url, key.tenant, step, as_text=as_text)
            return
        text, drawn = self._content(key.tenant, step.post, as_text=as_text, is_in_doubt=step.entry.is_in_doubt)
        await called(
            client.chat_update(
                channel=step.entry.channel,
                ts=step.entry.ts,
                text=text,
                blocks=drawn,
                metadata=_metadata(key, step.post.key),
            )
        )

    async def _respond(self, client: AsyncWebClient, url: str, tenant: Tenant, step: Update, *, as_text: bool) -> None:
        """Change the clicked card through its `response_url`.

        Raises:
            Diverted: Slack did not take it; `chat.update` may.
        """
        clicked = AsyncWebhookClient(
            url, timeout=client.timeout, proxy=client.proxy, session=client.session, retry_handlers=[]
        )
        text, blocks = self._content(tenant, step.post, as_text=as_text, is_in_doubt=step.entry.is_in_doubt)
        try:
            answer = await clicked.send(text=text, blocks=blocks, replace_original=True)
            why = "" if _is_taken(answer) else f"{answer.status_code} {answer.body}"
        except (*CALL_ERRORS, UnicodeDecodeError) as error:
            why = type(error).__name__
        if why:
            self._urls.drop(tenant, step.entry.channel, step.entry.ts)
            raise Diverted(why)

    async def look_up(self, key: StreamKey, step: LookUp) -> Sent | None:
        """Return the message whose metadata has this key, if there is one."""
        client, entry = await self._client(key.tenant), step.entry
        where = _Where(entry.channel, entry.thread, entry.since, step.after)
        async with aclosing(_found(client, _metadata(key, step.post.key), where, self._read(key.tenant))) as found:
            async for message in found:
                return _sent(message)
        return None

    async def search(self, key: StreamKey, step: Search) -> dict[str, PostRecord]:
        """Return every message about a stream that stands at a place, by its post's key. Of two, that with answers."""
        where = _Where(step.channel, step.thread, step.since)
        found: dict[str, Mapping[str, Any]] = {}
        async for message in _messages(await self._client(key.tenant), where, self._read(key.tenant)):
            post_key = _post_key(message, key)
            if post_key and (post_key not in found or _replies(message) > _replies(found[post_key])):
                found[post_key] = message
        records = {}
        for post_key, each in found.items():
            ts, thread = _sent(each)
            records[post_key] = PostRecord(
                state="posted", channel=step.channel, digest="", ts=ts, thread=thread, is_found=True,
                language=step.post.language,
            )  # fmt: skip
        return records

    async def look_again(self, key: StreamKey, step: LookAgain, fence: Fence) -> Sent | None:
        """Take down every message with this key but the one that is known.

        Returns:
            Where the message stands, if none was known and one was found.
        """
        client, entry, doubt = await self._client(key.tenant), step.entry, step.doubt
        where = _Where(doubt.channel, doubt.thread, doubt.since)
        found = [each async for each in _found(client, _metadata(key, step.post.key), where, self._read(key.tenant))]
        there = entry.ts if entry else ""
        known = None if there or not found else max(found, key=_replies)
        kept = str(known["ts"]) if known else there
        link = await _link(client, doubt.channel, kept) if len(found) > 1 else ""
        for message in found:
            if message["ts"] != kept:
                log.warning("%s of %s stood there twice: Slack carried a call out late", step.post.key, key.stream)
                fence()
                await _take_down(client, key, step, message, link)
        return _sent(known) if known else None

    def _read(self, tenant: Tenant) -> "_Reading":
        return self._reading.setdefault(tenant, _Reading(self._page))

    async def _client(self, tenant: Tenant) -> AsyncWebClient:
        return self._slack if isinstance(self._slack, AsyncWebClient) else _patient(await self._slack(tenant))


class _Where(NamedTuple):
    """Where the message of a call would stand."""

    channel: str
    thread: str
    """Empty for the channel itself."""
    since: Millis
    """When the call began."""
    after: str = ""
    """The ts of a message that is older than it."""


async def _found(
    client: AsyncWebClient, metadata: Mapping[str, Any], where: _Where, read: "_Reading"
) -> AsyncGenerator[dict[str, Any], None]:
    """Yield the messages with this metadata."""
    async with aclosing(_messages(client, where, read)) as messages:
        async for message in messages:
            if _metadata_of(message) == metadata:
                yield message


@dataclass(slots=True)
class _Reading:
    """How far places were read where Slack has answered "too many" in between: whoever tries again goes on from there,
    since all of it may be more than is allowed at a time.
    """

    page: int = PAGE
    """Messages asked for at a time."""
    begun: dict[_Where, tuple[_Where, str, list[dict[str, Any]]]] = field(default_factory=dict)
    """Where -> where it is really read, the next page's cursor, and what of ours was found."""


async def _messages(client: AsyncWebClient, asked: _Where, read: _Reading) -> AsyncGenerator[dict[str, Any], None]:
    """Yield the messages at a place; where the thread is gone, those in the channel itself. A public channel that takes
    our posts though we are not in it is joined first: whoever takes us out of the workspace takes us out of them all.
    """
    where, cursor, before = read.begun.pop(asked, (asked, "", []))
    for message in before:
        yield message
    has_joined = False
    while True:
        try:
            answer = await called(_page(client, where, cursor or None, read.page))
        except Throttled:
            read.begun[asked] = where, cursor, before
            raise
        except Refused as refused:
            if refused.why == NOT_IN_IT and not has_joined:
                has_joined = True
                await called(client.conversations_join(channel=where.channel))
                continue
            if not where.thread or refused.why != THREAD_GONE:
                raise
            where, cursor = where._replace(thread=""), ""
            continue
        messages: list[dict[str, Any]] = answer.get("messages") or []
        for message in messages:
            if message["ts"] > where.after:
                before += [message] if message.get("metadata") else []
                yield message
        cursor = (answer.get("response_metadata") or {}).get("next_cursor") or ""
        if not cursor or (not where.thread and _is_older(messages, where.since - BEFORE)):
            return


def _page(client: AsyncWebClient, where: _Where, cursor: str | None, most: int) -> Awaitable[AsyncSlackResponse]:
    if where.thread:
        return client.conversations_replies(
            channel=where.channel,
            ts=where.thread,
            oldest=where.after or None,
            include_all_metadata=True,
            limit=most,
            cursor=cursor,
        )
    # Newest first, without a bound by time: our clock is not Slack's.
    return client.conversations_history(channel=where.channel, include_all_metadata=True, limit=most, cursor=cursor)


async def _take_down(
    client: AsyncWebClient, key: StreamKey, step: LookAgain, message: Mapping[str, Any], link: str
) -> None:
    """Delete a message that stands there twice. Where people have answered it, or Slack does not let us, it loses its
    buttons, and says where the other one is.

    Args:
        link: the address of the other one; empty where there is none.
    """
    channel, ts = step.doubt.channel, str(message["ts"])
    if not _replies(message):
        try:
            await called(client.chat_delete(channel=channel, ts=ts))
        except Refused as refused:
            log.info("Slack does not delete what stands there twice: %s", refused.why)
            if refused.why == NOT_THERE:
                return
        else:
            return
    metadata = _metadata(key, step.post.key) | {"event_type": EXTRA_TYPE}
    told = posted_twice(link, step.post.texts)
    await called(client.chat_update(channel=channel, ts=ts, text=told, blocks=[], metadata=metadata))


async def _link(client: AsyncWebClient, channel: str, ts: str) -> str:
    """Return the address of a message; empty where Slack tells none."""
    try:
        answer = await called(client.chat_getPermalink(channel=channel, message_ts=ts))
    except Refused:
        return ""
    return str(answer["permalink"])


def _replies(message: Mapping[str, Any]) -> int:
    """Return how many messages hang under it."""
    return int(message.get("reply_count") or 0)


def _patient(client: AsyncWebClient) -> AsyncWebClient:
    if client.retry_handlers:
        raise ValueError("The SDK's retries would post twice; make the client with retry_handlers=[].")
    return client


async def called(call: Awaitable[AsyncSlackResponse]) -> AsyncSlackResponse:
    """Make a call.

    Raises:
        CallFailed
    """
    try:
        return await call
    except CALL_ERRORS as error:
        raise failure(error) from error
    except AttributeError as error:  # what slack_sdk 3.48 makes of a reply that is text, as proxies give
        raise Unsure("not_json") from error


def _is_taken(answer: WebhookResponse) -> bool:
    """Return whether Slack took it: it answers "ok", or in JSON why not, sometimes with status 200."""
    return answer.status_code == 200 and '"ok":false' not in "".join(answer.body.split())


def _sent(message: Mapping[str, Any]) -> Sent:
    ts, thread = str(message["ts"]), str(message.get("thread_ts") or "")
    return Sent(ts, "" if thread == ts else thread)


def _metadata(key: StreamKey, post_key: str) -> dict[str, Any]:
    return {"event_type": EVENT_TYPE, "event_payload": {"stream": key.stream, "key": post_key}}


def _post_key(message: Mapping[str, Any], key: StreamKey) -> str:
    """Return which post of the stream a message is; empty if it is none."""
    metadata = _metadata_of(message)
    payload = metadata["event_payload"]
    is_ours = metadata["event_type"] == EVENT_TYPE and isinstance(payload, Mapping)
    return str(payload.get("key") or "") if is_ours and payload.get("stream") == key.stream else ""


def _metadata_of(message: Mapping[str, Any]) -> dict[str, Any]:
    metadata = message.get("metadata") or {}
    return {"event_type": metadata.get("event_type"), "event_payload": metadata.get("event_payload")}


def _is_older(messages: list[dict[str, Any]], than: Millis) -> bool:
    """Return whether the last message of a page is older than a time."""
    return bool(messages) and float(messages[-1]["ts"]) * 1000 < than
