"""Uploads in Slack's three steps: ask for a URL, send the bytes there, say where the file belongs."""

from __future__ import annotations

from aiohttp import web

from ..limits import Refusal
from ..model import File, Json
from ..posts import Draft, check_draft, post
from ..shapes import file_shape
from ..workspace import Workspace
from .calls import Call, joined_channel_of


def get_upload_url(workspace: Workspace, call: Call) -> Json:
    file = File(
        id=workspace.new_id("F"),
        name=call.required("filename"),
        length=call.number("length", 0),
        user=workspace.app.bot_user_id,
        created=int(workspace.now()),
    )
    workspace.files.put(file)
    return {"upload_url": f"{workspace.app_url}/upload/{file.id}", "file_id": file.id}


def complete_upload(workspace: Workspace, call: Call) -> Json:
    """The files are shared in one message, if a channel was named. Refused, none of them is."""
    wanted = call.records("files") or []
    ready = [(workspace.files.get(str(one.get("id"))), one) for one in wanted]
    if not ready or any(file is None or file.content is None for file, _ in ready):
        raise Refusal("file_not_found")
    named = call.optional("channel_id") or call.optional("channels")
    channel = joined_channel_of(workspace, Call(call.method, call.token, {"channel": named})) if named else None
    draft = Draft(
        text=call.text("initial_comment"),
        blocks=call.records("blocks") or [],
        thread_ts=call.optional("thread_ts"),
        files=[file.id for file, _ in ready if file is not None],
    )
    if channel is not None:
        check_draft(channel, draft)
    done = []
    for file, one in ready:
        assert file is not None  # noqa: S101  (refused above)
        channels = [channel.id] if channel is not None else []
        changes = {"title": one.get("title") or file.name, "shared": True, "channels": channels}
        done.append(workspace.files.put(file.model_copy(update=changes)))
    if channel is not None:
        post(workspace, channel, workspace.app.bot_user_id, draft)
    return {"files": [file_shape(workspace, file) for file in done]}


def info(workspace: Workspace, call: Call) -> Json:
    file = workspace.files.get(call.required("file"))
    if file is None or file.content is None:
        raise Refusal("file_not_found")
    return {"file": file_shape(workspace, file), "comments": [], "response_metadata": {"next_cursor": ""}}


async def receive_upload(workspace: Workspace, request: web.Request) -> web.Response:
    """The upload URL: raw bytes, or a form with one file."""
    file = workspace.files.get(request.match_info["file"])
    if file is None or file.shared:
        return web.Response(status=404, text="This upload URL is unknown or was used.")
    content = await request.read()
    if request.content_type == "multipart/form-data":
        fields = [field for field in (await request.post()).values() if isinstance(field, web.FileField)]
        content = fields[0].file.read() if fields else b""
    workspace.files.put(file.model_copy(update={"content": content}))
    return web.Response(text=f"OK - {len(content)}")
