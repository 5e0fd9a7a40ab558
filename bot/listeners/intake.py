"""Begins streams of any protocol: finds out where the thread belongs, and begins one stream for one cause."""

import base64
import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.actor import CompanyNotKnown
from bot.listeners.gateway import CommandGateway
from bot.listeners.services import Services
from bot.posts.failures import CALL_ERRORS, Refused, failure
from bot.texts import Texts
from bot.views.kit import notices
from bot.workspace_settings import may_begin
from engine.directory.messages import Settings
from engine.errors import IllegalStep, NotAllowed, Refusal, UnknownStream, WrongProtocol
from engine.kernel import Command, Place, Rulebook, StreamKey, Tenant

NAME_TRIES: Final = 4
MEMBERS: Final = 1_000
"""Members of a channel that Slack is asked for in one call."""

_NOTICE: Final = re.compile(
    "assistant_app_thread|(?:bot|channel|group|message|reminder|sh_room)_.*|ekm_access_denied|file_comment"
    "|huddle_thread|(?:un)?pinned_item|slackbot_response|tombstone"
)
"""Kinds of messages that nobody has written, though they may name a user: Slack tells with them what was done."""
SLACKBOT: Final = "USLACKBOT"
"""The user in whose name Slack reminds, and answers: nobody can be told anything there."""


class NotHere(Refusal):
    """There is no such channel here, ToWow is not in it, or whoever asks is not: nobody is told which."""

    code = "E007"
    http_status = 404

    def __init__(self, channel: str) -> None:
        super().__init__(f"There is no channel {channel} that ToWow and whoever asks are both in; invite ToWow there.")
        self.channel = channel


class NotThere(NotAllowed):
    """Admins let demands begin in other channels only."""

    def __init__(self, channels: Sequence[str]) -> None:
        super().__init__(f"Demands begin in {', '.join(channels)} or by direct message.")
        self.channels = channels


class Archived(Refusal):
    """The channel is archived, so nobody can post there any more."""


class Begun(NamedTuple):
    key: StreamKey
    is_new: bool
    """False where this cause had begun the stream before."""


async def begin_once(
    gateway: CommandGateway,
    tenant: Tenant,
    rulebook: Rulebook[Any],
    names: Iterator[str],
    command: Callable[[str], Command],
) -> Begun:
    """Begin one stream for one cause, however often the cause is delivered.

    Args:
        names: the names that the stream may have, made from its cause; see `stream_names`.
        command: makes the command that begins the stream of a name. Its id is made from the cause as well.
    """
    for name in names:
        key = StreamKey(tenant, name)
        try:
            receipt = await gateway.begin(key, rulebook, command(name))
        except (IllegalStep, WrongProtocol):
            # Another stream has this name already: one in 2^40, but then this one would be lost.
            continue
        return Begun(key, is_new=not receipt.duplicate)
    raise IllegalStep("No free name was found for this; post it again.")


async def begin_from(
    services: Services,
    tenant: Tenant,
    rulebook: Rulebook[Any],
    prefix: str,
    *,
    cause: str,
    origin: str,
    place: Place,
    command: Callable[[str], Command],
) -> Begun:
    """Begin a stream, once for each cause; one that goes on from another stream (`origin`) is that stream's only one.

    Args:
        prefix: of the names of the protocol's streams.
        command: as for `begin_once`.
    """
    check_place((await services.settings.directory(tenant)).settings, place)
    if not origin:
        return await begin_once(services.gateway, tenant, rulebook, stream_names(tenant, prefix, cause), command)
    key = StreamKey(tenant, prefix + origin)
    try:
        await services.gateway.read(key, rulebook)
    except UnknownStream:
        return await begin_once(services.gateway, tenant, rulebook, iter((key.stream,)), command)
    return Begun(key, is_new=False)


def stream_names(tenant: Tenant, prefix: str, cause: str) -> Iterator[str]:
    """Name the stream that a cause begins, the likeliest name first: the prefix, then eight letters or digits."""
    for salt in range(NAME_TRIES):
        seed = "\n".join((tenant.enterprise_id, tenant.team_id, cause, str(salt)))
        yield prefix + base64.b32encode(hashlib.sha256(seed.encode()).digest())[:8].decode().lower()


def cause_of_message(channel: str, ts: str) -> str:
    """Identify a message as a cause: whatever is delivered about it begins one stream."""
    return f"mention:{channel}:{ts}"


def check_place(settings: Settings, place: Place) -> None:
    if place.channel and not may_begin(settings, place.channel):
        raise NotThere(settings.channels)


async def place_of(
    client: AsyncWebClient, channel: str, *, thread: str = "", message: str = "", chosen_by: str = ""
) -> Place:
    """Find out about the channel that a thread belongs in.

    Refuse only what Slack says plainly, so that no demand is lost because Slack is busy. Where Slack does not say
    whether other companies read the channel, assume that they do.

    Args:
        chosen_by: who picked the channel from a list, and so may not be in it; empty for who spoke there.

    Raises:
        NotHere, Archived
        CallFailed: Slack did not say whether they are in there.
    """
    told = await _channel_info(client, channel)
    if told.get("is_archived") is True:
        raise Archived(f"{channel} is archived, so nothing can be posted there.")
    is_open_to_all = told.get("is_channel") is True and told.get("is_private") is False
    if chosen_by and not is_open_to_all and not await _is_member(client, channel, chosen_by):
        raise NotHere(channel)
    # Slack does not say it of direct messages; nobody but whoever asks reads them.
    is_shared = told.get("is_ext_shared", told.get("is_im") is not True)
    return Place(channel=channel, thread=thread, shared=is_shared is not False, message_ts=message)


def why_not_there(refusal: Refusal, texts: Texts) -> str | None:
    """Say why nothing begins there, or for this person; None for what has another reason."""
    match refusal:
        case NotThere():
            return notices.begin_elsewhere(refusal.channels, texts)
        case CompanyNotKnown():
            return notices.company_not_known(texts)
        case NotAllowed():
            return notices.outsider(texts)
        case NotHere():
            is_between = refusal.channel.startswith("D")
            return notices.not_between(texts) if is_between else notices.not_here(texts)
        case Archived():
            return notices.archived_channel(texts)
        case _:
            return None


def is_fresh_and_human(event: Mapping[str, Any]) -> bool:
    """Whether a message counts: a person's does, of whatever kind; edits, bots, workflows and ourselves are ignored."""
    return _is_of_a_person(event) and not event.get("edited")


def is_edited(message: Mapping[str, Any]) -> bool:
    """Whether a person has written a message otherwise than it was."""
    return _is_of_a_person(message) and isinstance(message.get("edited"), Mapping)


def words_changed(event: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the message of which an event says that its author has changed its words; None for all else."""
    message, before = event.get("message"), event.get("previous_message")
    if event.get("subtype") != "message_changed" or not isinstance(message, Mapping) or "ts" not in message:
        return None
    was = before.get("text") if isinstance(before, Mapping) else None
    return message if is_edited(message) and message.get("text") != was else None


def _is_of_a_person(message: Mapping[str, Any]) -> bool:
    is_message = not message.get("hidden") and not _NOTICE.fullmatch(message.get("subtype") or "")
    return message.get("user") not in (None, "", SLACKBOT) and is_message and not message.get("bot_id")


async def _channel_info(client: AsyncWebClient, channel: str) -> Mapping[str, Any]:
    """Return what Slack says of a channel; nothing where it does not say just now."""
    try:
        answer = await client.conversations_info(channel=channel)
    except CALL_ERRORS as error:
        failed = failure(error)
        if isinstance(failed, Refused) and failed.why == "channel_not_found":
            raise NotHere(channel) from error
        return {}
    found: Mapping[str, Any] = answer["channel"]
    return found


async def _is_member(client: AsyncWebClient, channel: str, user: str) -> bool:
    cursor: str | None = None
    while True:
        try:
            answer = await client.conversations_members(channel=channel, limit=MEMBERS, cursor=cursor)
        except CALL_ERRORS as error:
            raise failure(error) from error
        if user in answer["members"]:
            return True
        cursor = (answer.get("response_metadata") or {}).get("next_cursor")
        if not cursor:
            return False
