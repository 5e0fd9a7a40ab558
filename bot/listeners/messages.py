"""Somebody writes to ToWow: mentions it, sends a direct message, or types the slash command."""

import logging
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeVar

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.actor import actor_in, check_colleague, tenant_of
from bot.listeners.conversation import Conversations, Utterance
from bot.listeners.handing_over import ThreadStream, streams_of_thread
from bot.listeners.intake import cause_of_message, is_edited, is_fresh_and_human, place_of, why_not_there, words_changed
from bot.listeners.interaction import NOT_RECORDED
from bot.listeners.private_messages import tell
from bot.listeners.services import Services
from bot.listeners.written import groups_by_handle, in_words, without_mention, written
from bot.texts import Texts
from bot.views.kit import notices
from bot.views.kit.blocks import Block
from bot.views.kit.heading import paused_line
from bot.views.kit.presenter import Presenter
from engine.errors import Refusal
from engine.kernel import Place, Tenant

log = logging.getLogger(__name__)

Key = TypeVar("Key")

COMMAND: Final = "/towow"
Presenters = Mapping[str, Presenter[Any]]
"""By the names of their protocols."""
MOST_TOLD: Final = 5
"""Streams of a thread that somebody is told of."""
MOST_KNOWN: Final = 10_000
"""Messages that were answered, and people who were shown what they can do; the oldest are forgotten first."""


def register(app: AsyncApp, services: Services, conversations: Conversations, presenters: Presenters) -> None:
    messages = Messages(services, conversations, presenters)
    app.event("app_mention")(messages.mentioned)
    app.event("message")(messages.written)
    app.command(COMMAND)(messages.commanded)


class Messages:
    """
    Args:
        presenters: by the names of their protocols: what is said to whoever asks in the thread of a stream.
    """

    def __init__(self, services: Services, conversations: Conversations, presenters: Presenters) -> None:
        self._services = services
        self._conversations = conversations
        self._presenters = presenters
        self._answered: dict[tuple[str, str], None] = {}
        """Replies and edits of which somebody was told that they change nothing, the oldest first."""
        self._invited: dict[tuple[Tenant, str, str], None] = {}
        """Who was shown what they can do, in the thread of which stream, the oldest first."""

    async def mentioned(
        self, event: dict[str, Any], body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient
    ) -> None:
        if is_edited(event):
            await self._edited(event, event["channel"], context, client, _outsider(context))
        if not is_fresh_and_human(event):
            return
        # Slack shows what is said to one person alone only in a thread that has begun: below a fresh mention, nowhere.
        where: dict[str, Any] = {name: event[name] for name in ("channel", "user", "thread_ts") if name in event}
        if await self._answers_about(event, body, context, client, where):
            return
        await self._hear(event, body, context, client, where=where, thread=event.get("thread_ts") or event["ts"])

    async def written(
        self, event: dict[str, Any], body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient
    ) -> None:
        """Hear a direct message. In a channel, a mention arrives as a message as well: there the mention counts."""
        if event.get("channel_type") != "im":
            return
        if changed := words_changed(event):
            await self._edited(changed, str(event.get("channel") or ""), context, client)
        if not is_fresh_and_human(event):
            return
        if "thread_ts" in event:
            await self._reply(event, context, client)
            return
        where = {"channel": event["channel"], "user": event["user"]}
        await self._hear(event, body, context, client, where=where, thread=event["ts"])

    async def commanded(
        self, ack: AsyncAck, command: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient
    ) -> None:
        user, tenant = command["user_id"], tenant_of(context)
        texts = await self._services.texts.of(client, tenant, user)
        said = await written(self._services, client, tenant, {"text": command.get("text", "")}, texts)
        utterance = Utterance(
            services=self._services,
            context=context,
            text=said.text or "help",
            mentioned=said.mentioned,
            groups=said.groups or await groups_by_handle(client, said.text),
            actor=actor_in(context),
            cause=f"slash:{command['trigger_id']}",
            place=partial(place_of, client, command["channel_id"]),
            texts=texts,
            is_command=True,
        )
        try:
            answer = await self._conversations.answer(utterance, COMMAND)
        except NOT_RECORDED as error:
            # Say in our words that it was not done; without an acknowledgement, Slack would only speak of a time-out.
            log.error("%s could not be answered: %r", COMMAND, error)
            answer = notices.went_wrong(texts)
        await (ack(answer) if answer else ack())

    async def _answers_about(
        self,
        event: Mapping[str, Any],
        body: Mapping[str, Any],
        context: AsyncBoltContext,
        client: AsyncWebClient,
        where: Mapping[str, Any],
    ) -> bool:
        """Tell whoever asks in the thread of a stream how it stands, once with what they can do there; return whether
        that was what they wanted.

        Nothing begins there: a thread is about one thing. What is addressed to a protocol by its word is for that one.
        """
        text = in_words(without_mention(event.get("text") or "", context.bot_user_id))
        if "thread_ts" not in event or self._conversations.is_claimed(text):
            return False
        tenant = tenant_of(context)
        found = await streams_of_thread(self._services, tenant, event["channel"], event["thread_ts"])
        shown = [each for each in found if each.protocol in self._presenters]
        if not shown:
            return False
        utterance = await self._utterance(event, body, context, client, thread=event["thread_ts"])
        texts = utterance.texts
        told = [await self._standing(each, texts) for each in shown[:MOST_TOLD]]
        answer = "\n\n".join([*told, notices.nothing_begins_here(texts)])
        tell(self._services, client, where, answer, await self._aside(utterance, shown))
        return True

    async def _aside(self, utterance: Utterance, shown: Sequence[ThreadStream]) -> Block | None:
        """Return a button for whoever writes there, the first time that they do."""
        who = (utterance.tenant, shown[0].key.stream, utterance.actor)
        if who in self._invited:
            return None
        button = await self._conversations.aside(utterance, shown)
        if button is not None:
            _remember(self._invited, who)
        return button

    async def _standing(self, shown: ThreadStream, texts: Texts) -> str:
        """Return how a stream stands, and whether it waits for its model."""
        pause = await self._services.pause_of(shown.key)
        told = (self._presenters[shown.protocol].standing(shown.state, texts), paused_line(pause, texts))
        return "\n".join(filter(None, told))

    async def _hear(
        self,
        event: Mapping[str, Any],
        body: Mapping[str, Any],
        context: AsyncBoltContext,
        client: AsyncWebClient,
        *,
        where: Mapping[str, Any],
        thread: str,
    ) -> None:
        """Take a message that is meant for us.

        Args:
            where: to say something to whoever wrote it, and to nobody else.
            thread: in which its stream belongs.
        """
        utterance = await self._utterance(event, body, context, client, thread=thread)
        if answer := await self._conversations.answer(utterance, COMMAND):
            tell(self._services, client, where, answer)

    async def _utterance(
        self,
        event: Mapping[str, Any],
        body: Mapping[str, Any],
        context: AsyncBoltContext,
        client: AsyncWebClient,
        *,
        thread: str,
    ) -> Utterance:
        tenant = tenant_of(context)
        texts = await self._services.texts.of(client, tenant, event["user"])
        said = await written(self._services, client, tenant, event, texts, context.bot_user_id)
        shared = body.get("is_ext_shared_channel") is not False

        async def place() -> Place:
            return Place(channel=event["channel"], thread=thread, shared=shared, message_ts=event["ts"])

        return Utterance(
            services=self._services,
            context=context,
            text=said.text,
            mentioned=said.mentioned,
            actor=actor_in(context),
            cause=cause_of_message(event["channel"], event["ts"]),
            place=place,
            texts=texts,
            groups=said.groups,
        )

    async def _reply(self, event: Mapping[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        """Say that a reply changes nothing."""
        if not self._is_news(event["channel"], event["ts"]):
            return
        texts = await self._services.texts.of(client, tenant_of(context), event["user"])
        if sentence := self._conversations.reply(texts):
            where = {name: event[name] for name in ("channel", "user", "thread_ts")}
            tell(self._services, client, where, sentence)

    async def _edited(
        self,
        message: Mapping[str, Any],
        channel: str,
        context: AsyncBoltContext,
        client: AsyncWebClient,
        outsider: Refusal | None = None,
    ) -> None:
        """Say that an edit changes nothing, and begins nothing.

        Args:
            outsider: why whoever edits may ask nothing here; None for a colleague.
        """
        if not self._is_news(channel, f"{message['ts']} {message['edited'].get('ts')}"):
            return
        tenant, user, thread = tenant_of(context), message["user"], message.get("thread_ts")
        texts = await self._services.texts.of(client, tenant, user)
        has_begun = await streams_of_thread(self._services, tenant, channel, thread or message["ts"])
        said = notices.edits_change_nothing(texts) if has_begun else notices.edits_begin_nothing(texts)
        if not has_begun and outsider is not None:
            said = why_not_there(outsider, texts) or said  # a new message of theirs would begin nothing either
        where = {"channel": channel, "user": user} | ({"thread_ts": thread} if thread else {})
        tell(self._services, client, where, said)

    def _is_news(self, channel: str, what: str) -> bool:
        """Whether it was not answered before."""
        if (channel, what) in self._answered:
            return False
        _remember(self._answered, (channel, what))
        return True


def _outsider(context: AsyncBoltContext) -> Refusal | None:
    """Return why whoever acts may ask nothing here; None for a colleague."""
    try:
        check_colleague(context, actor_in(context))
    except Refusal as refusal:
        return refusal
    return None


def _remember(known: dict[Key, None], key: Key) -> None:
    if len(known) >= MOST_KNOWN:
        del known[next(iter(known))]
    known[key] = None
