"""chat.*"""

from __future__ import annotations

from ..limits import Refusal
from ..model import Json, Message
from ..posts import LONGEST_TEXT, Draft, delete, edit, post
from ..shapes import message_shape
from ..workspace import Workspace
from .calls import Call, addressed_channel_of, message_of


def post_message(workspace: Workspace, call: Call) -> Json:
    channel = addressed_channel_of(workspace, call)
    message = post(workspace, channel, workspace.app.bot_user_id, _draft(call))
    shape = message_shape(workspace, message, metadata=True)
    return {"channel": channel.id, "ts": message.ts, "message": shape}


def post_ephemeral(workspace: Workspace, call: Call) -> Json:
    channel = addressed_channel_of(workspace, call)
    reader = call.required("user")
    user = workspace.users.get(reader)
    if user is None:
        raise Refusal("user_not_found")
    if user.deleted or user.id not in channel.members:
        raise Refusal("user_not_in_channel")
    message = post(workspace, channel, workspace.app.bot_user_id, _draft(call), visible_to=reader)
    return {"message_ts": message.ts}


def update(workspace: Workspace, call: Call) -> Json:
    message = _own(workspace, call, "cant_update_message")
    text = call.text("text") if "text" in call.arguments else None
    if text is not None and len(text) > LONGEST_TEXT:
        raise Refusal("msg_too_long")
    after = edit(
        workspace,
        message,
        text=text,
        blocks=call.records("blocks", "invalid_blocks_format"),
        attachments=call.records("attachments"),
        metadata=_metadata(call),
    )
    shape = message_shape(workspace, after, metadata=True)
    return {"channel": message.channel, "ts": message.ts, "text": after.text, "message": shape}


def remove(workspace: Workspace, call: Call) -> Json:
    message = _own(workspace, call, "cant_delete_message")
    delete(workspace, message)
    return {"channel": message.channel, "ts": message.ts}


def get_permalink(workspace: Workspace, call: Call) -> Json:
    message = message_of(workspace, call, "message_ts")
    link = f"{workspace.url}/archives/{message.channel}/p{message.ts.replace('.', '')}"
    if message.is_reply:
        link += f"?thread_ts={message.thread_ts}&cid={message.channel}"
    return {"channel": message.channel, "permalink": link}


def _own(workspace: Workspace, call: Call, refusal: str) -> Message:
    message = message_of(workspace, call)
    if message.bot_id != workspace.app.bot_id:
        raise Refusal(refusal)
    return message


def _draft(call: Call) -> Draft:
    return Draft(
        text=call.text("text"),
        blocks=call.records("blocks", "invalid_blocks_format") or [],
        attachments=call.records("attachments") or [],
        metadata=_metadata(call),
        thread_ts=call.optional("thread_ts"),
        broadcast=call.flag("reply_broadcast"),
    )


def _metadata(call: Call) -> Json | None:
    metadata = call.record("metadata")
    if not metadata:
        return metadata
    if not isinstance(metadata.get("event_type"), str) or not isinstance(metadata.get("event_payload"), dict):
        raise Refusal("invalid_metadata_format")
    return {"event_type": metadata["event_type"], "event_payload": metadata["event_payload"]}
