"""What an admin or a test does: POST /local/admin/{order}."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from aiohttp import web
from pydantic import BaseModel, Field

from ..agents import run_on_schedule
from ..authoring import say_as_workflow
from ..events import announce_member, announce_user
from ..faults import Fault
from ..installation import App, Surfaces, Team
from ..limits import NotPossible
from ..model import Channel, Json, StepRun, User, UserGroup
from ..requests import Disconnect, Membership, NewChannelId, RateLimits, RunWorkflow, SaidByWorkflow
from ..workspace import Workspace


class Status(BaseModel):
    """How the workspace is: `pending` events are not acknowledged yet, `lost` ones were given up.

    `late` calls are still to be carried out.
    """

    team: Team
    app: App
    url: str
    connections: int
    opened: int  # connections, ever
    pending: int
    late: int = 0
    lost: list[Json] = Field(default_factory=list)
    calls: dict[str, int] = Field(default_factory=dict)  # method or envelope type -> how often
    throttled: dict[str, int] = Field(default_factory=dict)  # method -> how many were answered with 429


class FaultSet(BaseModel):
    id: str


async def status(workspace: Workspace, _: web.Request) -> BaseModel:
    return Status(
        team=workspace.team,
        app=workspace.app,
        url=workspace.url,
        connections=workspace.sockets.connected,
        opened=workspace.sockets.opened,
        pending=len(workspace.pending_events),
        late=len(workspace.late_calls),
        lost=workspace.delivery.lost,
        calls=dict(workspace.faults.calls),
        throttled=dict(workspace.limits.throttled),
    )


async def set_fault(workspace: Workspace, request: web.Request) -> BaseModel:
    return FaultSet(id=workspace.faults.add(Fault.model_validate_json(await request.read())).id)


async def clear_faults(workspace: Workspace, _: web.Request) -> None:
    workspace.faults.clear()


async def reached(workspace: Workspace, request: web.Request) -> None:
    """Answers once the fault has struck (a hold: once its effect is done)."""
    await workspace.faults.rule(request.query["fault"]).reached.wait()


async def release(workspace: Workspace, request: web.Request) -> None:
    workspace.faults.rule(request.query["fault"]).released.set()


async def limits(workspace: Workspace, request: web.Request) -> None:
    asked = RateLimits.model_validate_json(await request.read())
    workspace.limits.switch(asked.on, asked.distributed)


async def surfaces(workspace: Workspace, request: web.Request) -> None:
    """Which of Slack's newer surfaces there are from now on."""
    workspace.surfaces = Surfaces.model_validate_json(await request.read())


async def idle(workspace: Workspace, request: web.Request) -> BaseModel:
    """Answers once nothing has run for `quiet` seconds on end: with how the workspace is then."""
    async with asyncio.timeout(float(request.query.get("timeout", "30"))):
        await workspace.activity.idle(float(request.query.get("quiet", "0.05")))
    return await status(workspace, request)


async def connected(workspace: Workspace, request: web.Request) -> None:
    """Answers once the app has a connection, and has opened more than this many."""
    await workspace.sockets.wait_for_connection(int(request.query.get("more_than", "0")))


async def disconnect(workspace: Workspace, request: web.Request) -> None:
    await workspace.sockets.disconnect_all(Disconnect.model_validate_json(await request.read()).how)


async def put_user(workspace: Workspace, request: web.Request) -> BaseModel:
    """Add a user, or replace one: deactivate them, make them an admin."""
    user = User.model_validate_json(await request.read())
    is_known = user.id in workspace.users
    workspace.users.put(user)
    if is_known:
        announce_user(workspace, user)
    return user


async def deactivate(workspace: Workspace, request: web.Request) -> BaseModel:
    user = workspace.member(request.query["user"])
    closed = workspace.users.put(user.model_copy(update={"deleted": True}))
    if "untold" not in request.query:
        announce_user(workspace, closed)
    return closed


async def put_user_group(workspace: Workspace, request: web.Request) -> BaseModel:
    """Add a user group, or replace one."""
    return workspace.user_groups.put(UserGroup.model_validate_json(await request.read()))


async def put_channel(workspace: Workspace, request: web.Request) -> BaseModel:
    """Add a channel, or replace one: archive it, rename it, remove the app (has_bot)."""
    return workspace.channels.put(workspace.with_bot(Channel.model_validate_json(await request.read())))


async def join(workspace: Workspace, request: web.Request) -> BaseModel:
    return _with_member(workspace, Membership.model_validate_json(await request.read()), present=True)


async def leave(workspace: Workspace, request: web.Request) -> BaseModel:
    return _with_member(workspace, Membership.model_validate_json(await request.read()), present=False)


async def archive(workspace: Workspace, request: web.Request) -> BaseModel:
    channel = _channel(workspace, request.query["channel"])
    return workspace.channels.put(channel.model_copy(update={"is_archived": True}))


async def unarchive(workspace: Workspace, request: web.Request) -> BaseModel:
    channel = _channel(workspace, request.query["channel"])
    restored = workspace.channels.put(channel.model_copy(update={"is_archived": False}))
    if workspace.app.bot_user_id in restored.members:
        kind = "group_unarchive" if restored.is_private else "channel_unarchive"
        workspace.announce_now({"type": kind, "channel": restored.id, "user": restored.members[0]})
    return restored


async def workflow(workspace: Workspace, request: web.Request) -> BaseModel:
    return say_as_workflow(workspace, SaidByWorkflow.model_validate_json(await request.read()))


class StepRuns(BaseModel):
    runs: list[StepRun]


async def step_runs(workspace: Workspace, _: web.Request) -> BaseModel:
    return StepRuns(runs=list(workspace.step_runs))


async def schedule(workspace: Workspace, request: web.Request) -> BaseModel:
    """A workflow runs that nobody began."""
    return run_on_schedule(workspace, RunWorkflow.model_validate_json(await request.read()))


async def share(workspace: Workspace, request: web.Request) -> BaseModel:
    """Share a channel with another company. A private one gets another id first, as in Slack, where one is given."""
    channel = _channel(workspace, request.query["channel"])
    if new := request.query.get("id"):
        channel = _with_id(workspace, channel, new)
    shared = workspace.channels.put(channel.model_copy(update={"is_ext_shared": True}))
    if workspace.app.bot_user_id in shared.members:
        workspace.announce_now({"type": "channel_shared", "connected_team_id": "T_PARTNER", "channel": shared.id})
    return shared


async def unshare(workspace: Workspace, request: web.Request) -> BaseModel:
    """End the sharing of a channel with another company, whose people leave."""
    channel = _channel(workspace, request.query["channel"])
    ours = [each for each in channel.members if workspace.team_of(each) == workspace.team.id]
    own = workspace.channels.put(channel.model_copy(update={"is_ext_shared": False, "members": ours}))
    if workspace.app.bot_user_id in own.members:
        workspace.announce_now(
            {
                "type": "channel_unshared",
                "previously_connected_team_id": "T_PARTNER",
                "channel": own.id,
                "is_ext_shared": False,
            }
        )
    return own


async def change_id(workspace: Workspace, request: web.Request) -> BaseModel:
    """The channel is known by another id from now on, and by the old one no longer."""
    asked = NewChannelId.model_validate_json(await request.read())
    return _with_id(workspace, _channel(workspace, asked.channel), asked.id)


async def restrict(workspace: Workspace, request: web.Request) -> BaseModel:
    """Who may post in a channel is restricted, and the app may not: `why` is Slack's code; an empty one lifts it."""
    channel = _channel(workspace, request.query["channel"])
    return workspace.channels.put(channel.model_copy(update={"restricted": request.query["why"]}))


async def grant(workspace: Workspace, request: web.Request) -> None:
    """The app has these scopes from now on, and no others."""
    workspace.app = workspace.app.model_copy(update={"scopes": tuple(request.query["scopes"].split())})


async def uninstall(workspace: Workspace, _: web.Request) -> None:
    """The app hears that its tokens are gone and that it was uninstalled; whatever it calls then is refused, and
    nothing comes to it any more. Its account is closed, and so it is in no channel.
    """
    workspace.announce_now({"type": "tokens_revoked", "tokens": {"oauth": [], "bot": [workspace.app.bot_user_id]}})
    workspace.announce_now({"type": "app_uninstalled"})
    workspace.is_app_removed = True
    bot = workspace.app.bot_user_id
    for channel in [each for each in workspace.channels if bot in each.members and not each.is_im]:
        others = [each for each in channel.members if each != bot]
        workspace.channels.put(channel.model_copy(update={"has_bot": False, "members": others}))
    workspace.publish_installation()


async def reinstall(workspace: Workspace, request: web.Request) -> None:
    """The app is here again, and in no channel; with the token that it had, unless another one is given."""
    if token := request.query["token"]:
        workspace.app = workspace.app.model_copy(update={"bot_token": token})
    workspace.is_app_removed = False
    workspace.publish_installation()


async def announce_any(workspace: Workspace, request: web.Request) -> None:
    """Any event, as it is: for what this workspace does not do by itself."""
    workspace.enqueue(await request.json())


ACTIONS: dict[str, Callable[[Workspace, web.Request], Awaitable[BaseModel | None]]] = {
    "status": status,
    "fault": set_fault,
    "clear_faults": clear_faults,
    "reached": reached,
    "release": release,
    "limits": limits,
    "surfaces": surfaces,
    "idle": idle,
    "connected": connected,
    "disconnect": disconnect,
    "user": put_user,
    "deactivate": deactivate,
    "channel": put_channel,
    "join": join,
    "leave": leave,
    "archive": archive,
    "unarchive": unarchive,
    "share": share,
    "unshare": unshare,
    "change_id": change_id,
    "restrict": restrict,
    "grant": grant,
    "user_group": put_user_group,
    "workflow": workflow,
    "schedule": schedule,
    "step_runs": step_runs,
    "uninstall": uninstall,
    "reinstall": reinstall,
    "event": announce_any,
}


async def perform(workspace: Workspace, request: web.Request) -> BaseModel | None:
    return await ACTIONS[request.match_info["order"]](workspace, request)


def _channel(workspace: Workspace, wanted: str) -> Channel:
    channel = workspace.channels.get(wanted)
    if channel is None:
        raise NotPossible(f"There is no channel {wanted}.")
    return channel


def _with_id(workspace: Workspace, channel: Channel, new: str) -> Channel:
    moved = channel.model_copy(update={"id": new})
    workspace.channels.drop(channel.id)
    workspace.channels.put(moved)
    workspace.messages.move(channel.id, new)
    if workspace.app.bot_user_id in moved.members:
        event = {"type": "channel_id_changed", "old_channel_id": channel.id, "new_channel_id": new}
        workspace.announce_now(event)
    return moved


def _with_member(workspace: Workspace, membership: Membership, *, present: bool) -> Channel:
    channel = workspace.channels.get(membership.channel)
    if channel is None or membership.user not in workspace.users:
        raise NotPossible(f"There is no channel {membership.channel} or no user {membership.user}.")
    was_there = membership.user in channel.members
    if membership.user == workspace.app.bot_user_id:
        changed = workspace.channels.put(workspace.with_bot(channel.model_copy(update={"has_bot": present})))
    else:
        changed = workspace.channels.put(_with_person(channel, membership.user, present=present))
    if was_there != present:
        announce_member(workspace, changed, membership.user, joined=present)
    return changed


def _with_person(channel: Channel, user: str, *, present: bool) -> Channel:
    members = [member for member in channel.members if member != user]
    if present:
        members.append(user)
    return channel.model_copy(update={"members": members})
