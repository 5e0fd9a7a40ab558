"""Somebody asks: by mentioning us, or with the slash command."""

import base64
import hashlib
import logging
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.desk import Desk, tenant_of, words_for
from bot.listeners.hand import hand_of_message, is_from_outside
from bot.posts.failures import CALL_ERRORS, Refused, failure
from bot.views import notices
from engine.errors import IllegalStep, InvalidDemand, Refusal, StoreError
from engine.kernel import StreamKey, Tenant
from engine.negotiation.messages import Place, SubmitDemand

log = logging.getLogger(__name__)

COMMAND: Final = "/towow"
HELP: Final = frozenset({"", "help", "帮助", "?"})
ID_TRIES: Final = 4

_LINK: Final = re.compile(r"<((?:https?|mailto|tel):[^|<>]+)(?:\|([^<>]+))?>")
_CHANNEL: Final = re.compile(r"<#([A-Z0-9_]+)(?:\|([^<>]*))?>")
_NO_WORDS: Final = re.compile(r"<[@!][^<>]*>|:[^\s:<>]+:|.\ufe0f|[\u115f\u1160\u3164\uffa0]")
"""What has letters and says nothing: mentions, emoji (Slack writes `:tada:`), and letters that nobody can see."""


def register(app: AsyncApp, desk: Desk) -> None:
    @app.event("app_mention")
    async def mentioned(
        event: dict[str, Any], body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient
    ) -> None:
        if not _is_fresh_and_human(event):
            return
        text = read_demand(event["text"], context.bot_user_id)
        thread = event.get("thread_ts") or event["ts"]
        # Slack shows what is said to one person alone only in a thread that has begun: below a fresh mention, nowhere.
        where: dict[str, Any] = {name: event[name] for name in ("channel", "user", "thread_ts") if name in event}
        tenant = tenant_of(context)
        by = hand_of_message(event, tenant)
        if is_from_outside(by):
            desk.tell(client, where, notices.outsider(words_for(text)))
            return
        shared = body.get("is_ext_shared_channel") is True
        try:
            await _submit(
                desk,
                tenant,
                cause=_mention(event["channel"], event["ts"]),
                by=by,
                text=text,
                place=Place(channel=event["channel"], thread=thread, shared=shared),
            )
        except Refusal as refusal:
            desk.tell(client, where, _no(refusal, text))

    @app.event("message")
    async def overheard() -> None:
        """A mention arrives twice, as mention and as message: the mention counts. The rest is not for us."""

    @app.command(COMMAND)
    async def commanded(
        ack: AsyncAck, command: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient
    ) -> None:
        text = _as_typed(command.get("text", "")).strip()
        words = words_for(text)
        if text.casefold() in HELP:
            await ack(notices.usage(COMMAND, words))
            return
        place = await _place(client, command["channel_id"])
        if place is None:
            await ack(notices.not_here(words))
            return
        try:
            await _submit(
                desk,
                tenant_of(context),
                cause=f"slash:{command['trigger_id']}",
                by=command["user_id"],
                text=text,
                place=place,
            )
        except Refusal as refusal:
            await ack(_no(refusal, text))
        except (StoreError, TimeoutError) as error:
            # Acknowledged as not done, in our words; Slack would only speak of a time-out.
            log.error("a demand could not be recorded: %r", error)
            await ack(notices.went_wrong(words))
        else:
            await ack()


async def _place(client: AsyncWebClient, channel: str) -> Place | None:
    """None where no thread could be ours. Only a plain no counts: a demand is not lost because Slack is busy; but what
    it did not tell is taken for the worse, and the channel for one that others read."""
    try:
        answer = await client.conversations_info(channel=channel)
    except CALL_ERRORS as error:
        failed = failure(error)
        if isinstance(failed, Refused) and failed.why == "channel_not_found":
            return None
        return Place(channel=channel, shared=True)
    return Place(channel=channel, shared=answer["channel"].get("is_ext_shared") is True)


def stream_names(tenant: Tenant, channel: str, ts: str) -> Iterator[str]:
    """What the negotiation of this message is called, the likeliest name first."""
    for salt in range(ID_TRIES):
        yield f"collab-{_name(tenant, _mention(channel, ts), salt)}"


def _mention(channel: str, ts: str) -> str:
    return f"mention:{channel}:{ts}"


def read_demand(text: str, bot_user_id: str | None) -> str:
    """The demand inside of a mention: our own name is not part of it."""
    own = re.compile(rf"<@{re.escape(bot_user_id or '')}(\|[^>]*)?>")
    return _as_typed(own.sub(" ", text)).strip()


def _as_typed(text: str) -> str:
    """Slack puts links and channels into brackets, with what was typed last, and escapes three characters."""
    text = _LINK.sub(lambda found: found[2] or found[1], text)
    text = _CHANNEL.sub(lambda found: f"#{found[2] or found[1]}", text)
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _is_fresh_and_human(event: Mapping[str, Any]) -> bool:
    """Edits, bots and ourselves are ignored."""
    return bool(event.get("user")) and not (event.get("bot_id") or event.get("edited") or event.get("subtype"))


def _no(refusal: Refusal, text: str) -> str:
    words = words_for(text)
    return (
        notices.unusable_demand(text, words) if isinstance(refusal, InvalidDemand) else notices.refused(refusal, words)
    )


async def _submit(desk: Desk, tenant: Tenant, *, cause: str, by: str, text: str, place: Place) -> None:
    """One cause is one demand, however often it is delivered: its ids are made from the cause.

    Raises:
        Refusal
    """
    if not any(each.isalpha() for each in _NO_WORDS.sub("", text)):
        raise InvalidDemand("The demand has no words in it: only mentions, emoji or signs.")
    for salt in range(ID_TRIES):
        name = _name(tenant, cause, salt)
        command = SubmitDemand(
            command_id=cause,
            at=desk.now(),
            demand_id=f"d-{name}",
            channel_id=f"collab-{name}",
            requester_id=by,
            raw_input=text,
            policy=desk.policy,
            place=place,
        )
        try:
            await desk.hand_in(StreamKey(tenant, command.channel_id), command)
        except IllegalStep:
            # Another demand has this name already: one in 2^40, but then it would be lost.
            continue
        return
    raise IllegalStep("No free name was found for this demand; post it again.")


def _name(tenant: Tenant, cause: str, salt: int) -> str:
    """Eight letters or digits."""
    seed = "\n".join((tenant.enterprise_id, tenant.team_id, cause, str(salt)))
    return base64.b32encode(hashlib.sha256(seed.encode()).digest())[:8].decode().lower()
