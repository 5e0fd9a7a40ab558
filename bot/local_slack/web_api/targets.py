"""Finds the channel and the message that a call's arguments name, or refuses as Slack does."""

from __future__ import annotations

from ..model import Channel, Message
from ..refusals import Refusal
from ..workspace import Workspace, dm_id
from .calls import Call
from .scopes import PUBLIC


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
