"""One call of a Web API method: its arguments, the scopes it needs, what it names, and pages of what it answers."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aiohttp import web

from ..limits import MissingScope, Refusal
from ..model import Channel, Json, Message
from ..workspace import Workspace, dm_id


@dataclass(frozen=True)
class Call:
    """Arguments may come as query, form or JSON; nested ones in a form are JSON strings."""

    method: str
    token: str | None
    arguments: Mapping[str, object]

    def text(self, name: str, default: str = "") -> str:
        value = self.arguments.get(name)
        return default if value is None else str(value)

    def optional(self, name: str) -> str | None:
        return self.text(name) or None

    def required(self, name: str) -> str:
        """Raises Refusal when it is missing or empty."""
        value = self.text(name)
        if not value:
            raise Refusal("invalid_arguments", [f"missing required field: {name}"])
        return value

    def flag(self, name: str, default: bool = False) -> bool:
        value = self.arguments.get(name)
        return default if value is None else value in (True, 1, "1", "true", "True")

    def number(self, name: str, default: int) -> int:
        try:
            return int(self.text(name) or default)
        except ValueError:
            raise Refusal("invalid_arguments", [f"must be an integer: {name}"]) from None

    def record(self, name: str) -> Json | None:
        value = self._parsed(name)
        if value is not None and not isinstance(value, dict):
            raise Refusal("invalid_arguments", [f"must be an object: {name}"])
        return value

    def records(self, name: str, refusal: str = "invalid_arguments") -> list[Json] | None:
        value = self._parsed(name, refusal)
        if value is None:
            return None
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise Refusal(refusal, [f"must be an array of objects: {name}"])
        return value

    def _parsed(self, name: str, refusal: str = "invalid_arguments") -> object:
        value = self.arguments.get(name)
        if not isinstance(value, str):
            return value
        if not value.strip():
            return None
        try:
            parsed: object = json.loads(value)
        except ValueError:
            raise Refusal(refusal, [f"not JSON: {name}"]) from None
        return parsed


async def read_call(request: web.Request) -> Call:
    arguments: dict[str, object] = dict(request.query)
    if request.content_type == "application/json":
        try:
            body = json.loads(await request.text() or "{}")
        except ValueError:
            raise Refusal("invalid_json") from None
        if not isinstance(body, dict):
            raise Refusal("json_not_object")
        arguments |= body
    elif request.can_read_body:
        arguments |= dict(await request.post())
    scheme, _, bearer = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "basic":
        arguments |= _client(bearer)
        bearer = ""
    sent = arguments.pop("token", None)
    token = bearer if scheme.lower() == "bearer" and bearer else sent
    return Call(request.match_info["method"], str(token) if token else None, arguments)


def _client(encoded: str) -> dict[str, str]:
    """Id and secret of the app, as the SDK shows them where it asks for tokens."""
    try:
        client_id, _, client_secret = base64.b64decode(encoded, validate=True).decode().partition(":")
    except ValueError:
        raise Refusal("invalid_auth") from None
    return {"client_id": client_id, "client_secret": client_secret}


def page(call: Call, name: str, items: Sequence[object], default: int = 100, most: int | None = None) -> Json:
    """One page of `items` under `name`, of at most `most`, and the cursor of the next."""
    start = read_cursor(call.text("cursor"))
    end = start + max(1, min(call.number("limit", default), most or 1000))
    more = end < len(items)
    return {name: list(items[start:end]), "response_metadata": {"next_cursor": cursor(end) if more else ""}}


def cursor(place: int) -> str:
    return base64.b64encode(f"next:{place}".encode()).decode()


def read_cursor(text: str) -> int:
    if not text:
        return 0
    try:
        return int(base64.b64decode(text).decode().removeprefix("next:"))
    except (ValueError, binascii.Error):
        raise Refusal("invalid_cursor") from None


SCOPE_OF: Mapping[str, str] = {
    "agents.sessions.setStatus": "chat:write",
    "assistant.threads.setSuggestedPrompts": "assistant:write",
    "bots.info": "users:read",
    "chat.delete": "chat:write",
    "chat.postEphemeral": "chat:write",
    "chat.postMessage": "chat:write",
    "chat.update": "chat:write",
    "conversations.join": "channels:join",
    "dnd.teamInfo": "dnd:read",
    "files.completeUploadExternal": "files:write",
    "files.getUploadURLExternal": "files:write",
    "files.info": "files:read",
    "reactions.add": "reactions:write",
    "reactions.remove": "reactions:write",
    "team.info": "team:read",
    "usergroups.list": "usergroups:read",
    "usergroups.users.list": "usergroups:read",
    "users.info": "users:read",
    "users.list": "users:read",
}
"""Methods that need the same one whatever they are called about. Whichever is in none of these tables needs none."""

BY_CHANNEL: Mapping[str, str] = {
    "conversations.history": "history",
    "conversations.info": "read",
    "conversations.members": "read",
    "conversations.replies": "history",
}
"""Methods whose scope depends on the kind of channel, by what stands behind its name."""

BY_KINDS: Mapping[str, str] = {"conversations.list": "read", "users.conversations": "read"}
"""The same, for every kind that is asked for."""

NAMES = {"channel": "channels", "group": "groups", "im": "im", "mpim": "mpim"}
KINDS = {"public_channel": "channels", "private_channel": "groups", "im": "im", "mpim": "mpim"}
PUBLIC = "chat:write.public"
"""By which an app may post to public channels that it is not in; it may read none of them for that."""


def check_scopes(workspace: Workspace, call: Call) -> None:
    missing = [each for each in needed(workspace, call) if each not in workspace.app.scopes]
    if missing:
        raise MissingScope(missing, workspace.app.scopes)


def needed(workspace: Workspace, call: Call) -> list[str]:
    """The scopes without any of which the call is refused."""
    if call.method in SCOPE_OF:
        return [SCOPE_OF[call.method]]
    if call.method == "conversations.open":
        return ["mpim:write" if "," in call.text("users") else "im:write"]
    if call.method in BY_CHANNEL:
        channel: Channel | None = workspace.channels.get(call.text("channel"))
        return [f"{NAMES[channel.type]}:{BY_CHANNEL[call.method]}"] if channel is not None else []
    if call.method in BY_KINDS:
        kinds = [each.strip() for each in call.text("types", "public_channel").split(",")]
        return [f"{KINDS[each]}:{BY_KINDS[call.method]}" for each in kinds if each in KINDS]
    return []


def channel_id(workspace: Workspace, call: Call) -> str:
    """The channel's id, however the call names it; the channel need not exist."""
    wanted = call.text("channel")
    if wanted in workspace.users:
        return dm_id(wanted)
    named = [one.id for one in workspace.channels if one.name and one.name == wanted.removeprefix("#")]
    return named[0] if named and wanted not in workspace.channels else wanted


def channel_of(workspace: Workspace, call: Call, argument: str = "channel") -> Channel:
    return _seen(workspace, call.text(argument))


def joined_channel_of(workspace: Workspace, call: Call, argument: str = "channel") -> Channel:
    """A channel the app is in."""
    return _joined(workspace, channel_of(workspace, call, argument))


def addressed_channel_of(workspace: Workspace, call: Call) -> Channel:
    """Where to post: besides an id, a channel's name, or a person's id for the DM with them.

    A public channel that the app is not in takes messages for all, where its scopes say so, and none for one person.
    """
    person = call.text("channel")
    if person in workspace.users:
        try:
            return workspace.dm(person)
        except Refusal:
            # chat.postMessage has no code of its own for people who cannot be written to.
            raise Refusal("channel_not_found") from None
    channel = _seen(workspace, channel_id(workspace, call))
    if call.method == "chat.postMessage" and channel.type == "channel" and PUBLIC in workspace.app.scopes:
        return channel
    return _joined(workspace, channel)


def _seen(workspace: Workspace, wanted: str) -> Channel:
    channel = workspace.channels.get(wanted)
    if channel is None or (channel.type != "channel" and workspace.app.bot_user_id not in channel.members):
        raise Refusal("channel_not_found")
    return channel


def _joined(workspace: Workspace, channel: Channel) -> Channel:
    if workspace.app.bot_user_id not in channel.members:
        raise Refusal("not_in_channel")
    return channel


def message_of(workspace: Workspace, call: Call, argument: str = "ts") -> Message:
    """A message that is there for everyone."""
    channel = channel_of(workspace, call)
    message = workspace.messages.at(channel.id, call.required(argument))
    if message is None or message.visible_to is not None:
        raise Refusal("message_not_found")
    return message
