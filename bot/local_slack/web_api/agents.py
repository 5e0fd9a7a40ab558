"""agents.sessions.* and assistant.threads.*"""

from __future__ import annotations

from ..agents import STATUSES, can_be_stopped, check_agents, set_prompts, set_status
from ..model import Json
from ..refusals import Refusal
from ..workspace import Workspace
from .calls import Call
from .targets import joined_channel_of


def set_session_status(workspace: Workspace, call: Call) -> Json:
    check_agents(workspace)
    channel = joined_channel_of(workspace, call, "channel_id")
    status, thread = call.required("status"), call.required("thread_ts")
    if status not in STATUSES:
        raise Refusal("invalid_arguments", [f"must be one of {', '.join(STATUSES)}: status"])
    if workspace.messages.root(channel.id, thread) is None:
        raise Refusal("thread_not_found")
    session = set_status(workspace, channel.id, thread, status)
    answer: Json = {"status": session.status, "agent_status": session.status}
    if not can_be_stopped(workspace):
        answer["warning"] = "missing_agent_session_stopped_event_subscription"
    return answer


def set_suggested_prompts(workspace: Workspace, call: Call) -> Json:
    """With a thread it does nothing, without a word: so Slack does for agents."""
    check_agents(workspace)
    channel = joined_channel_of(workspace, call, "channel_id")
    prompts = call.records("prompts") or []
    if not call.text("thread_ts"):
        set_prompts(workspace, channel.id, prompts, call.text("title"))
    return {}
