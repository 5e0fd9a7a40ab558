"""conversations.*: which there are, and what the app can read there. Ephemeral messages are not among it."""

from __future__ import annotations

from ..limits import LONGEST_PAGE, Refusal
from ..model import Channel, Json, Message, micros
from ..shapes import channel_shape, message_shape
from ..workspace import Workspace
from .calls import Call, channel_of, joined_channel_of, page

KINDS = {"channel": "public_channel", "group": "private_channel", "im": "im", "mpim": "mpim"}

LARGEST_GROUP = 8  # people, besides the app


def info(workspace: Workspace, call: Call) -> Json:
    channel = channel_of(workspace, call)
    shape = channel_shape(workspace, channel)
    if not call.flag("include_num_members"):
        shape.pop("num_members", None)
    return {"channel": shape}


def list_(workspace: Workspace, call: Call) -> Json:
    """Public channels, and the others that the app is in."""
    bot = workspace.app.bot_user_id
    return _listed(workspace, call, [one for one in workspace.channels if one.type == "channel" or bot in one.members])


def of_user(workspace: Workspace, call: Call) -> Json:
    """users.conversations: those of the app, or those it shares with `user`."""
    bot = workspace.app.bot_user_id
    user = call.optional("user") or bot
    return _listed(workspace, call, [one for one in workspace.channels if {user, bot} <= set(one.members)])


def members(workspace: Workspace, call: Call) -> Json:
    """Without those whose accounts are closed."""
    return page(call, "members", workspace.active(channel_of(workspace, call).members))


def join(workspace: Workspace, call: Call) -> Json:
    channel = channel_of(workspace, call)
    if channel.is_archived:
        raise Refusal("is_archived")
    if channel.type != "channel":
        raise Refusal("method_not_supported_for_channel_type")
    if workspace.app.bot_user_id not in channel.members:
        channel = workspace.channels.put(workspace.with_bot(channel.model_copy(update={"has_bot": True})))
    return {"channel": channel_shape(workspace, channel)}


def open_(workspace: Workspace, call: Call) -> Json:
    """A DM with one person, or a group DM with several."""
    known = len(workspace.channels)
    if call.text("channel"):
        channel = channel_of(workspace, call)
        if not (channel.is_im or channel.is_mpim):
            raise Refusal("method_not_supported_for_channel_type")
    else:
        channel = _direct(workspace, [user.strip() for user in call.text("users").split(",") if user.strip()])
    answer: Json = {"channel": channel_shape(workspace, channel) if call.flag("return_im") else {"id": channel.id}}
    if len(workspace.channels) == known:
        answer |= {"no_op": True, "already_open": True}
    return answer


def _direct(workspace: Workspace, users: list[str]) -> Channel:
    if not users:
        raise Refusal("users_list_not_supplied")
    if len(users) > LARGEST_GROUP:
        raise Refusal("too_many_users")
    for user_id in users:
        user = workspace.users.get(user_id)
        if user is None:
            raise Refusal("user_not_found")
        if user.deleted:
            raise Refusal("user_disabled")
    return workspace.dm(users[0]) if len(users) == 1 else _group(workspace, users)


def _group(workspace: Workspace, users: list[str]) -> Channel:
    everyone = {*users, workspace.app.bot_user_id}
    for channel in workspace.channels:
        if channel.is_mpim and set(channel.members) == everyone:
            return channel
    names = "--".join(sorted(workspace.users[user].name for user in everyone))
    group = Channel(
        id=workspace.new_id("G"), name=f"mpdm-{names}-1", is_mpim=True, is_private=True, members=sorted(set(users))
    )
    return workspace.channels.put(workspace.with_bot(group))


def _listed(workspace: Workspace, call: Call, channels: list[Channel]) -> Json:
    kinds = {kind.strip() for kind in call.text("types", "public_channel").split(",")}
    hide_archived = call.flag("exclude_archived")
    shapes = [
        channel_shape(workspace, channel)
        for channel in channels
        if KINDS[channel.type] in kinds and not (hide_archived and channel.is_archived)
    ]
    return page(call, "channels", shapes)


def history(workspace: Workspace, call: Call) -> Json:
    """Newest first."""
    channel = joined_channel_of(workspace, call)
    found = [message for message in workspace.messages.history(channel.id) if _wanted(call, message)]
    return _answer(workspace, call, found[::-1]) | {"pin_count": 0}


def replies(workspace: Workspace, call: Call) -> Json:
    """The thread's first message, then its replies, oldest first."""
    channel = joined_channel_of(workspace, call)
    asked = workspace.messages.root(channel.id, call.required("ts"))
    if asked is None or asked.visible_to is not None:
        raise Refusal("thread_not_found")
    root = workspace.messages.root(channel.id, asked.thread_ts) if asked.is_reply else asked
    below = workspace.messages.replies(channel.id, asked.thread_ts or asked.ts)
    return _answer(workspace, call, [*([root] if root else []), *(one for one in below if _wanted(call, one))])


def _wanted(call: Call, message: Message) -> bool:
    if message.visible_to is not None:
        return False
    at = micros(message.ts)
    slack = 0 if call.flag("inclusive") else 1
    oldest, latest = call.text("oldest"), call.text("latest")
    try:
        after_oldest = not oldest or at >= micros(oldest) + slack
        return after_oldest and (not latest or at <= micros(latest) - slack)
    except ValueError:
        raise Refusal("invalid_ts_oldest" if oldest else "invalid_ts_latest") from None


def _answer(workspace: Workspace, call: Call, messages: list[Message]) -> Json:
    metadata = call.flag("include_all_metadata")
    most = LONGEST_PAGE if workspace.limits.distributed else None
    shapes = [message_shape(workspace, message, metadata=metadata) for message in messages]
    answer = page(call, "messages", shapes, most=most)
    return answer | {"has_more": bool(answer["response_metadata"]["next_cursor"])}
