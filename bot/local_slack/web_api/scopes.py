"""Which scopes a call needs, method by method, and the refusal of an app that lacks one of them."""

from __future__ import annotations

from collections.abc import Mapping

from ..model import Channel
from ..refusals import MissingScope
from ..workspace import Workspace
from .calls import Call

SCOPE_OF: Mapping[str, str] = {
    "agents.sessions.setStatus": "chat:write",
    "assistant.threads.setSuggestedPrompts": "assistant:write",
    "bots.info": "users:read",
    "chat.delete": "chat:write",
    "chat.postEphemeral": "chat:write",
    "chat.postMessage": "chat:write",
    "chat.update": "chat:write",
    "conversations.join": "channels:join",
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
