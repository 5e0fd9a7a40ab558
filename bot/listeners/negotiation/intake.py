"""Where every way to ask ends: who may, where the thread will stand, and that one cause is one demand."""

import base64
import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.actor import is_from_outside
from bot.listeners.gateway import CommandGateway, tenant_of
from bot.posts.failures import CALL_ERRORS, Refused, failure
from bot.texts import Texts
from bot.views.negotiation import notices
from bot.workspace_settings import may_begin
from engine.directory.messages import Settings
from engine.errors import IllegalStep, InvalidDemand, NotAllowed, Refusal
from engine.kernel import Place, StreamKey, Tenant
from engine.negotiation.commands import SubmitDemand

ID_TRIES: Final = 4
MEMBERS: Final = 1_000
"""Asked for at a time."""

_LINK: Final = re.compile(r"<((?:https?|mailto|tel):[^|<>]+)(?:\|([^<>]+))?>")
_CHANNEL: Final = re.compile(r"<#([A-Z0-9_]+)(?:\|([^<>]*))?>")
_NO_WORDS: Final = re.compile(r"<[@!][^<>]*>|:[^\s:<>]+:|.\ufe0f|[\u115f\u1160\u3164\uffa0]")
"""What has letters and says nothing: mentions, emoji (Slack writes `:tada:`), and letters that nobody can see."""


class NotHere(Refusal):
    """No thread of ours could be seen there."""


class NotThere(NotAllowed):
    """Admins let demands begin in other channels only."""

    def __init__(self, channels: Sequence[str]) -> None:
        super().__init__(f"Demands begin in {', '.join(channels)} or by direct message.")
        self.channels = channels


class Archived(Refusal):
    """Nobody can post there any more."""


class Begun(NamedTuple):
    key: StreamKey
    is_new: bool
    """False where this cause had begun it before."""


async def submit(
    gateway: CommandGateway, context: AsyncBoltContext, *, cause: str, by: str, text: str, place: Place
) -> None:
    """One cause is one demand, however often it is delivered: its ids are made from the cause.

    Raises:
        Refusal, StoreError, TimeoutError
    """
    check_actor(context, by)
    await begin(gateway, tenant_of(context), cause=cause, by=by, text=text, place=place)


async def begin(gateway: CommandGateway, tenant: Tenant, *, cause: str, by: str, text: str, place: Place) -> Begun:
    """Of somebody who may ask; without a place, it is shown nowhere.

    Raises:
        Refusal, StoreError, TimeoutError
    """
    if not any(each.isalpha() for each in _NO_WORDS.sub("", text)):
        raise InvalidDemand("The demand has no words in it: only mentions, emoji or signs.")
    settings = (await gateway.directory(tenant)).settings
    check_place(settings, place)
    policy = gateway.settings.policy(settings)
    for salt in range(ID_TRIES):
        name = _name(tenant, cause, salt)
        command = SubmitDemand(
            command_id=cause,
            at=gateway.now(),
            demand_id=f"d-{name}",
            channel_id=f"collab-{name}",
            requester_id=by,
            raw_input=text,
            policy=policy,
            place=place,
        )
        key = StreamKey(tenant, command.channel_id)
        try:
            receipt = await gateway.send(key, command)
        except IllegalStep:
            # Another demand has this name already: one in 2^40, but then it would be lost.
            continue
        return Begun(key, is_new=not receipt.duplicate)
    raise IllegalStep("No free name was found for this demand; post it again.")


def check_place(settings: Settings, place: Place) -> None:
    """
    Raises:
        NotThere
    """
    if place.channel and not may_begin(settings, place.channel):
        raise NotThere(settings.channels)


def check_actor(context: AsyncBoltContext, by: str) -> None:
    """
    Raises:
        NotAllowed: somebody of another company; colleagues answer demands, and only their colleagues may ask.
    """
    ours = context.authorize_result and context.authorize_result.team_id
    if is_from_outside(by) or not ours or context.team_id != ours:
        raise NotAllowed("Only people of this workspace can ask here.")


async def place_of(client: AsyncWebClient, channel: str, *, thread: str = "", chosen_by: str = "") -> Place:
    """Only a plain no counts: a demand is not lost because Slack is busy; but what it did not tell is taken for the
    worse, and the channel for one that others read.

    Args:
        chosen_by: who picked the channel from a list; who spoke there was there.

    Raises:
        NotHere, Archived
        CallFailed: it could not be told whether they are in there.
    """
    told = await _told_of(client, channel)
    if told.get("is_archived") is True:
        raise Archived(f"{channel} is archived, so nothing can be posted there.")
    is_open_to_all = told.get("is_channel") is True and told.get("is_private") is False
    if chosen_by and not is_open_to_all and not await _is_member(client, channel, chosen_by):
        raise NotHere(f"{chosen_by} is not in {channel}.")
    # Of direct messages Slack does not say it; nobody but whoever asks reads them.
    is_shared = told.get("is_ext_shared", told.get("is_im") is not True)
    return Place(channel=channel, thread=thread, shared=is_shared is not False)


async def _told_of(client: AsyncWebClient, channel: str) -> Mapping[str, Any]:
    """Empty where Slack does not say just now."""
    try:
        answer = await client.conversations_info(channel=channel)
    except CALL_ERRORS as error:
        failed = failure(error)
        if isinstance(failed, Refused) and failed.why == "channel_not_found":
            raise NotHere(f"{channel} cannot be seen from here; invite ToWow there first.") from error
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


def why_not(refusal: Refusal, text: str, texts: Texts) -> str:
    """Why this demand was not taken."""
    match refusal:
        case InvalidDemand():
            return notices.unusable_demand(text, texts)
        case NotThere():
            return notices.begin_elsewhere(refusal.channels, texts)
        case NotAllowed():
            return notices.outsider(texts)
        case NotHere():
            return notices.not_here(texts)
        case Archived():
            return notices.archived_channel(texts)
        case _:
            return notices.refused(refusal, texts)


def cause_of_message(channel: str, ts: str) -> str:
    """One message is one demand."""
    return f"mention:{channel}:{ts}"


def stream_names(tenant: Tenant, channel: str, ts: str) -> Iterator[str]:
    """What the negotiation of this message is called, the likeliest name first."""
    for salt in range(ID_TRIES):
        yield f"collab-{_name(tenant, cause_of_message(channel, ts), salt)}"


def read_demand(text: str, bot_user_id: str | None) -> str:
    """The demand inside of a message: our own name is not part of it."""
    own = re.compile(rf"<@{re.escape(bot_user_id or '')}(\|[^>]*)?>")
    return as_typed(own.sub(" ", text)).strip()


def as_typed(text: str) -> str:
    """Slack puts links and channels into brackets, with what was typed last, and escapes three characters."""
    text = _LINK.sub(lambda found: found[2] or found[1], text)
    text = _CHANNEL.sub(lambda found: f"#{found[2] or found[1]}", text)
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def is_fresh_and_human(event: Mapping[str, Any]) -> bool:
    """Edits, bots and ourselves are ignored; a file may be enclosed."""
    is_message = event.get("subtype") in (None, "file_share")
    return bool(event.get("user")) and is_message and not (event.get("bot_id") or event.get("edited"))


def _name(tenant: Tenant, cause: str, salt: int) -> str:
    """Eight letters or digits."""
    seed = "\n".join((tenant.enterprise_id, tenant.team_id, cause, str(salt)))
    return base64.b32encode(hashlib.sha256(seed.encode()).digest())[:8].decode().lower()
