"""Events the app subscribed to, in the envelope of Slack's Events API."""

from __future__ import annotations

from .model import Channel, Json, Message, User, View
from .shapes import message_shape, user_shape, view_shape
from .workspace import Workspace

SUBSCRIPTION = {
    "channel": "message.channels",
    "group": "message.groups",
    "im": "message.im",
    "mpim": "message.mpim",
}


def announce_message(workspace: Workspace, message: Message) -> None:
    """A message, and for a mention in a channel a second event: Slack sends both."""
    channel = workspace.channels[message.channel]
    if message.visible_to is not None or workspace.app.bot_user_id not in channel.members:
        return
    event = message_shape(workspace, message, metadata=True) | {"channel": channel.id, "event_ts": message.ts}
    if message.files and message.bot_id is None:
        event = {"subtype": "file_share"} | event  # a reply that is also shown in the channel is one first
    if _mentions_the_app(workspace, message):
        workspace.announce("app_mention", event | {"type": "app_mention"})
    workspace.announce(SUBSCRIPTION[channel.type], event | {"channel_type": channel.type})


def announce_edit(workspace: Workspace, before: Message, after: Message) -> None:
    """The message as it is now; where it mentions the app, that it does, again or for the first time."""
    _announce_hidden(workspace, before, {"subtype": "message_changed", "message": _inner(workspace, after)})
    channel = workspace.channels[after.channel]
    there = workspace.app.bot_user_id in channel.members
    if after.edited is not None and there and _mentions_the_app(workspace, after):
        event = message_shape(workspace, after) | {"channel": channel.id, "event_ts": after.edited.ts}
        workspace.announce("app_mention", event | {"type": "app_mention"})


def announce_deletion(workspace: Workspace, message: Message) -> None:
    _announce_hidden(workspace, message, {"subtype": "message_deleted", "deleted_ts": message.ts})


def _mentions_the_app(workspace: Workspace, message: Message) -> bool:
    """Whether a person or a workflow does; in a direct message, nobody has to."""
    by_the_app = message.bot_id == workspace.app.bot_id
    is_direct = workspace.channels[message.channel].is_im
    return not (by_the_app or is_direct) and f"<@{workspace.app.bot_user_id}>" in message.text


def announce_member(workspace: Workspace, channel: Channel, user: str, *, joined: bool) -> None:
    """Somebody came into a channel, or left it: told to the app where it is in there, or was until now."""
    ours = workspace.app.bot_user_id
    if channel.is_im or (ours not in channel.members and user != ours):
        return
    kind = "member_joined_channel" if joined else "member_left_channel"
    workspace.announce_now(
        {
            "type": kind,
            "user": user,
            "channel": channel.id,
            "channel_type": "G" if channel.is_private else "C",
            "team": workspace.team_of(user),
        }
    )


def announce_user(workspace: Workspace, user: User) -> None:
    """Something about a person is another thing now: that their account is closed, say."""
    shape = user_shape(workspace, user, locale=True)
    workspace.announce_now({"type": "user_change", "user": shape, "cache_ts": int(workspace.now())})


def announce_home(workspace: Workspace, user: User, tab: str, view: View | None) -> None:
    event: Json = {
        "type": "app_home_opened",
        "user": user.id,
        "channel": workspace.dm(user.id).id,
        "tab": tab,
        "event_ts": workspace.timestamps.next(),
    }
    if view is not None:
        event["view"] = view_shape(workspace, view)
    workspace.announce("app_home_opened", event)


def _announce_hidden(workspace: Workspace, message: Message, more: Json) -> None:
    channel: Channel = workspace.channels[message.channel]
    if message.visible_to is not None or workspace.app.bot_user_id not in channel.members:
        return
    ts = workspace.timestamps.next()
    event: Json = {
        "type": "message",
        "hidden": True,
        "channel": channel.id,
        "channel_type": channel.type,
        "ts": ts,
        "event_ts": ts,
        "previous_message": _inner(workspace, message),
        **more,
    }
    workspace.announce(SUBSCRIPTION[channel.type], event)


def _inner(workspace: Workspace, message: Message) -> Json:
    channel = workspace.channels[message.channel]
    where = {"channel": channel.id, "channel_type": channel.type, "event_ts": message.ts}
    return message_shape(workspace, message, metadata=True) | where
