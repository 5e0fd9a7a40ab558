"""What Slack shows of apps that are agents, and of workflows with a step of theirs."""

from __future__ import annotations

import secrets

from .authoring import WORKFLOW_BOT
from .installation import Function
from .limits import NotPossible, Refusal
from .model import AgentSession, Channel, Json, Prompts, StepRun, User
from .posts import Draft, post
from .requests import RunWorkflow, StopSession
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


RAN = "function_executed"
USER_CONTEXT = "slack#/types/user_context"
CHANNEL = "slack#/types/channel_id"
NAME = "A workflow"


def run_workflow(workspace: Workspace, user: User, request: RunWorkflow) -> StepRun:
    """Whoever runs it is told to the app by Slack, and by nobody else."""
    step = _step(workspace, request.callback_id)
    context = {"id": user.id, "secret": secrets.token_hex(8)}
    own = {name: context for name, kind in step.inputs.items() if kind == USER_CONTEXT}
    if taken := own.keys() & request.inputs.keys():
        raise NotPossible(f"Slack itself fills in {', '.join(taken)}: whoever runs the workflow.")
    return _run(workspace, step, {**request.inputs, **own}, user.id)


def run_on_schedule(workspace: Workspace, request: RunWorkflow) -> StepRun:
    """Nobody runs it, so the app is told of nobody; Slack publishes no such workflow where the step must know."""
    step = _step(workspace, request.callback_id)
    nobody = {name for name, kind in step.inputs.items() if kind == USER_CONTEXT}
    return _run(workspace, step.model_copy(update={"required": tuple({*step.required} - nobody)}), request.inputs, "")


def complete(workspace: Workspace, run_id: str, outputs: Json) -> StepRun:
    """End a run of the step, with its outputs."""
    run = _running(workspace, run_id)
    step = _step(workspace, run.callback_id)
    missing = [name for name in step.must_return if name not in outputs]
    wrong = [name for name, one in outputs.items() if step.outputs.get(name) != "string" or not isinstance(one, str)]
    if missing or wrong:
        raise Refusal("parameter_validation_failed", [f"invalid output: {name}" for name in (*missing, *wrong)])
    ended = workspace.step_runs.put(run.model_copy(update={"status": "completed", "outputs": outputs}))
    said = "\n".join(each for each in outputs.values() if each)
    channel = _channel_of(workspace, step, run)
    if channel is not None and said:
        post(workspace, channel, WORKFLOW_BOT, Draft(text=said, workflow=NAME))
    return ended


def fail(workspace: Workspace, run_id: str, error: str) -> StepRun:
    """End a run of the step, with an error."""
    run = _running(workspace, run_id)
    ended = workspace.step_runs.put(run.model_copy(update={"status": "failed", "error": error}))
    channel = _channel_of(workspace, _step(workspace, run.callback_id), run)
    if channel is not None and run.user in channel.members:
        post(workspace, channel, WORKFLOW_BOT, Draft(text=f"This workflow has ended: {error}", workflow=NAME), run.user)
    return ended


def _step(workspace: Workspace, callback_id: str) -> Function:
    found = next((one for one in workspace.app.functions if one.callback_id == callback_id), None)
    if found is None or RAN not in workspace.app.subscriptions:
        raise NotPossible(f"The app has no step {callback_id} for workflows.")
    return found


def _run(workspace: Workspace, step: Function, inputs: Json, user: str) -> StepRun:
    if missing := [name for name in step.required if not inputs.get(name)]:
        raise NotPossible(f"The step lacks {', '.join(missing)}.")
    run = workspace.step_runs.put(
        StepRun(id=workspace.new_id("Fx"), callback_id=step.callback_id, inputs=inputs, user=user)
    )
    created = int(workspace.now())
    workspace.announce_now(
        {
            "type": RAN,
            "function": {
                "id": f"Fn{step.callback_id.upper()}",
                "callback_id": step.callback_id,
                "title": step.title,
                "description": step.description,
                "type": "app",
                "input_parameters": _described(step.inputs, step.required),
                "output_parameters": _described(step.outputs, step.must_return),
                "app_id": workspace.app.id,
                "date_created": created,
                "date_updated": created,
                "date_deleted": 0,
            },
            "inputs": inputs,
            "function_execution_id": run.id,
            "workflow_execution_id": workspace.new_id("Wx"),
            "bot_access_token": "xwfp-local-run",
        }
    )
    return run


def _described(parameters: dict[str, str], required: tuple[str, ...]) -> list[Json]:
    return [
        {"type": kind, "name": name, "title": name, "description": "", "is_required": name in required}
        for name, kind in parameters.items()
    ]


def _running(workspace: Workspace, run_id: str) -> StepRun:
    run = workspace.step_runs.get(run_id)
    if run is None:
        raise Refusal("function_execution_not_found")
    if run.status != "running":
        raise Refusal("execution_not_in_running_state")
    return run


def _channel_of(workspace: Workspace, step: Function, run: StepRun) -> Channel | None:
    """Where the workflow says what came of the step: in the channel that it was given."""
    named = next((run.inputs.get(name) for name, kind in step.inputs.items() if kind == CHANNEL), None)
    return workspace.channels.get(str(named)) if named else None
