"""agents.sessions.*, assistant.threads.*, blocks.validate, functions.* and views.*"""

from __future__ import annotations

from .. import blocks as blockkit
from ..agents import STATUSES, can_be_stopped, check_agents, complete, fail, set_prompts, set_status
from ..limits import InvalidBlocks, Refusal
from ..modals import open_modal, publish_home, push_modal, update_modal
from ..model import Json, View
from ..shapes import view_shape
from ..workspace import Workspace
from .calls import Call, joined_channel_of


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


KINDS = ("blocks", "message", "view")
POINTER = " [json-pointer:"
"""Before the place that a problem is about, at the end of what is said of it."""


def validate(workspace: Workspace, call: Call) -> Json:
    given = [kind for kind in KINDS if call.arguments.get(kind)]
    if len(given) != 1:
        raise Refusal("invalid_arguments", [f"exactly one of {', '.join(KINDS)} has to be given"])
    kind = given[0]
    if problems := _problems(workspace, call, kind):
        raise InvalidBlocks(f"invalid_{kind}", [_violation(each) for each in problems])
    return {}


def _problems(workspace: Workspace, call: Call, kind: str) -> list[str]:
    if kind == "view":
        return blockkit.view_problems(call.record("view"))
    blocks = call.records("blocks") if kind == "blocks" else (call.record("message") or {}).get("blocks", [])
    if problems := blockkit.block_problems(blocks, "message", "" if kind == "blocks" else "/blocks"):
        return problems
    unknown = [] if workspace.surfaces.blocks else [each for each in blocks or [] if each["type"] in blockkit.NEWER]
    return [f"unsupported type: {each['type']} [json-pointer:/blocks]" for each in unknown]


def _violation(problem: str) -> Json:
    message, said, rest = problem.rpartition(POINTER)
    message, pointer = (message, rest.removesuffix("]")) if said and rest.endswith("]") else (problem, "/")
    return {"pointer": pointer, "code": "failed_constraint", "message": message}


def complete_success(workspace: Workspace, call: Call) -> Json:
    complete(workspace, call.required("function_execution_id"), call.record("outputs") or {})
    return {}


def complete_error(workspace: Workspace, call: Call) -> Json:
    fail(workspace, call.required("function_execution_id"), call.required("error"))
    return {}


def open_(workspace: Workspace, call: Call) -> Json:
    return _shown(workspace, open_modal(workspace, call.required("trigger_id"), _view(call)))


def push(workspace: Workspace, call: Call) -> Json:
    return _shown(workspace, push_modal(workspace, call.required("trigger_id"), _view(call)))


def update(workspace: Workspace, call: Call) -> Json:
    view_id, external_id = call.optional("view_id"), call.optional("external_id")
    for view in workspace.modals:
        if view.id == view_id or (external_id is not None and view.external_id == external_id):
            return _shown(workspace, update_modal(workspace, view, _view(call), call.optional("hash")))
    raise Refusal("not_found")


def publish(workspace: Workspace, call: Call) -> Json:
    return _shown(workspace, publish_home(workspace, call.required("user_id"), _view(call), call.optional("hash")))


def _view(call: Call) -> Json:
    view = call.record("view")
    if view is None:
        raise Refusal("invalid_arguments", ["missing required field: view"])
    return view


def _shown(workspace: Workspace, view: View) -> Json:
    return {"view": view_shape(workspace, view)}
