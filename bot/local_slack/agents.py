"""What Slack shows of apps that are agents: how a thread stands, a button to stop, and what one may say to them."""

from __future__ import annotations

from .model import AgentSession, Json, Prompts, User
from .refusals import NotPossible, Refusal
from .requests import StopSession
from .visibility import visible_channel
from .workspace import Workspace

STATUSES = ("active", "processing", "suspended", "closed")
STOPPED = "agent_session_stopped"
MOST_PROMPTS = 4


def check_agents(workspace: Workspace) -> None:
    """Raises Refusal: the workspace is older than agents, or the app is declared as none."""
    if not workspace.surfaces.agents:
        raise Refusal("unknown_method")
    if not workspace.app.is_agent:
        raise Refusal("not_authorized")


def set_status(workspace: Workspace, channel: str, thread_ts: str, status: str) -> AgentSession:
    """How the session of a thread stands from now on; it begins with the first status."""
    known = workspace.sessions.get(f"{channel}/{thread_ts}")
    since = known.since if known is not None and known.status == status else workspace.now()
    return workspace.sessions.put(AgentSession(channel=channel, thread_ts=thread_ts, status=status, since=since))


def set_prompts(workspace: Workspace, channel: str, prompts: list[Json], title: str) -> Prompts:
    wrong = [one for one in prompts if not one.get("title") or not one.get("message")]
    if wrong or not 0 < len(prompts) <= MOST_PROMPTS:
        raise Refusal("invalid_arguments", [f"1 to {MOST_PROMPTS} prompts, each with a title and a message"])
    shown = [{"title": str(one["title"]), "message": str(one["message"])} for one in prompts]
    return workspace.prompts.put(Prompts(channel=channel, title=title, prompts=shown))


def stop_session(workspace: Workspace, user: User, request: StopSession) -> None:
    """The app hears that somebody wants it to stop; what becomes of the session is for the app to say."""
    channel = visible_channel(workspace, user, request.channel)
    session = workspace.sessions.get(f"{channel.id}/{request.thread_ts}")
    if session is None or session.status != "processing" or not can_be_stopped(workspace):
        raise NotPossible("Nothing works in this thread that could be stopped.")
    event: Json = {
        "type": STOPPED,
        "user": user.id,
        "channel": channel.id,
        "thread_ts": session.thread_ts,
        "streaming_message_ts": [],
        "event_ts": workspace.timestamps.next(),
    }
    workspace.announce(STOPPED, event)


def can_be_stopped(workspace: Workspace) -> bool:
    """Is there a Stop button? Only where the app listens to it."""
    return STOPPED in workspace.app.subscriptions


def visible_sessions(workspace: Workspace, user: User) -> list[AgentSession]:
    seen = {channel.id for channel in workspace.channels if workspace.can_see(user.id, channel)}
    return [session for session in workspace.sessions if session.channel in seen]


def visible_prompts(workspace: Workspace, user: User) -> list[Prompts]:
    seen = {channel.id for channel in workspace.channels if workspace.can_see(user.id, channel)}
    return [prompts for prompts in workspace.prompts if prompts.channel in seen]
