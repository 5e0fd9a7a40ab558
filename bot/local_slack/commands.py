"""A person types a slash command, picks a shortcut, or opens the app's Home."""

from __future__ import annotations

from .events import announce_home
from .interaction_payloads import actor, channel_reference, domain, identity, response_url
from .modals import home_id
from .model import Channel, Json, Message, User, View
from .outcome import CONNECTION_TROUBLE, TIMED_OUT, Outcome
from .posts import Draft, post
from .refusals import NotPossible, Refusal
from .requests import OpenHome, Shortcut, Slash
from .shapes import message_shape
from .visibility import as_seen_by, visible_channel, visible_message
from .workspace import Workspace


async def slash(workspace: Workspace, user: User, request: Slash) -> Outcome:
    """The app may answer at once, in its ack: for this person only, or in the channel."""
    channel = visible_channel(workspace, user, request.channel)
    trigger = workspace.triggers.issue(user.id)
    team = workspace.team
    payload: Json = {
        "token": workspace.app.verification_token,
        "team_id": workspace.team_of(user.id),
        "team_domain": domain(workspace, user),
        "channel_id": channel.id,
        "channel_name": channel_reference(channel)["name"],
        "user_id": user.id,
        "user_name": user.name,
        "command": request.command,
        "text": request.text,
        "api_app_id": workspace.app.id,
        "is_enterprise_install": str(workspace.is_enterprise_install).lower(),
        "response_url": response_url(workspace, user, channel),
        "trigger_id": trigger.id,
    }
    if team.enterprise_id is not None and workspace.is_local(user.id):
        payload |= {"enterprise_id": team.enterprise_id, "enterprise_name": team.enterprise_name or team.enterprise_id}
    ack = await workspace.send("slash_commands", payload, answers=True)
    opened = workspace.modals.get(trigger.opened)
    if not ack.in_time:
        return Outcome(error=f'{request.command} failed with the error "operation_timeout"', modal=opened)
    try:
        message = post_answer(workspace, user, channel, ack.payload)
    except Refusal:
        return Outcome(acked=True, error=CONNECTION_TROUBLE, modal=opened)
    return Outcome(acked=True, modal=opened, message=message and as_seen_by(message, user))


def post_answer(workspace: Workspace, user: User, channel: Channel, answer: Json) -> Message | None:
    """The message in an answer to an interaction, posted: to this person unless it says in_channel."""
    blocks = answer.get("blocks") or []
    if not (answer.get("text") or blocks or answer.get("attachments")):
        return None
    draft = Draft(
        text=str(answer.get("text") or ""),
        blocks=blocks,
        attachments=answer.get("attachments") or [],
        metadata=answer.get("metadata"),
        thread_ts=answer.get("thread_ts"),
    )
    visible_to = None if answer.get("response_type") == "in_channel" else user.id
    return post(workspace, channel, workspace.app.bot_user_id, draft, visible_to)


async def shortcut(workspace: Workspace, user: User, request: Shortcut) -> Outcome:
    trigger = workspace.triggers.issue(user.id)
    payload: Json = {
        **identity(workspace),
        "type": "shortcut",
        "callback_id": request.callback_id,
        "trigger_id": trigger.id,
        "action_ts": workspace.timestamps.next(),
        "user": actor(workspace, user),
    }
    if request.channel is not None and request.ts is not None:
        message = visible_message(workspace, user, request.channel, request.ts)
        if message.visible_to is not None:
            raise NotPossible("Shortcuts do not work on messages that only you can see.")
        channel = workspace.channels[message.channel]
        payload |= {
            "type": "message_action",
            "user": {name: one for name, one in actor(workspace, user).items() if name != "team_id"},
            "channel": channel_reference(channel),
            "message_ts": message.ts,
            "message": message_shape(workspace, workspace.messages[message.key], metadata=True),
            "response_url": response_url(workspace, user, channel, message.ts),
        }
    ack = await workspace.send("interactive", payload)
    opened = workspace.modals.get(trigger.opened)
    return Outcome(acked=ack.in_time, error=None if ack.in_time else TIMED_OUT, modal=opened)


async def open_home(workspace: Workspace, user: User, request: OpenHome) -> View | None:
    """The Home tab as it is now; the app hears that it was opened and may publish a newer one."""
    view = workspace.homes.get(home_id(user.id))
    announce_home(workspace, user, request.tab, view)
    return view
