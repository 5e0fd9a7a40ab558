"""A person submits or closes a modal: view_submission, view_closed."""

from __future__ import annotations

from . import blocks as blockkit
from .clicks import fill_in
from .interaction_payloads import actor, view_identity
from .modals import close, close_all, push_above, update_modal
from .model import Json, User, View
from .outcome import CONNECTION_TROUBLE, TIMED_OUT, Outcome
from .refusals import NotPossible, Refusal
from .requests import Close, Submit
from .shapes import view_shape
from .visibility import open_view
from .workspace import Workspace


async def submit(workspace: Workspace, user: User, request: Submit) -> Outcome:
    """Slack's client checks the inputs first; then the app says what becomes of the modal."""
    view = open_view(workspace, user, request.view_id)
    if view.submit is None:
        raise NotPossible(f"The view {view.id} has no submit button.")
    view = fill_in(workspace, view, request.values)
    problems = blockkit.input_problems(view.blocks, view.values)
    if problems:
        return Outcome(sent=False, errors=problems, modal=view)
    trigger = workspace.triggers.issue(user.id, view.id)
    payload = {
        "type": "view_submission",
        **view_identity(workspace, user),
        "user": actor(workspace, user),
        "trigger_id": trigger.id,
        "view": view_shape(workspace, view),
        "response_urls": [],
    }
    ack = await workspace.send("interactive", payload, answers=True)
    if not ack.in_time:
        return Outcome(error=TIMED_OUT, modal=workspace.modals.get(view.id))
    try:
        errors = _apply_answer(workspace, view, ack.payload)
    except Refusal:
        return Outcome(acked=True, error=CONNECTION_TROUBLE, modal=workspace.modals.get(view.id))
    stack = workspace.modal_stack(user.id)
    return Outcome(acked=True, errors=errors, modal=stack[-1] if stack else None)


async def close_view(workspace: Workspace, user: User, request: Close) -> Outcome:
    """The app hears of it only if it asked to (notify_on_close)."""
    view = open_view(workspace, user, request.view_id)
    if request.whole_stack or view.clear_on_close:
        view = workspace.modals[view.root_view_id]
    cleared = workspace.modal_stack(user.id)[0].id == view.id and (request.whole_stack or view.clear_on_close)
    close(workspace, view)
    stack = workspace.modal_stack(user.id)
    below = stack[-1] if stack else None
    if not view.notify_on_close:
        return Outcome(sent=False, modal=below)
    payload = {
        "type": "view_closed",
        **view_identity(workspace, user),
        "user": actor(workspace, user),
        "view": view_shape(workspace, view),
        "is_cleared": cleared,
    }
    ack = await workspace.send("interactive", payload)
    return Outcome(acked=ack.in_time, modal=below)  # nobody is told when this is not acknowledged


def _apply_answer(workspace: Workspace, view: View, answer: Json) -> dict[str, str]:
    """Apply the app's `response_action`; returns the sentences to show below inputs.

    Raises:
        Refusal: the answer is not one Slack understands.
    """
    match answer.get("response_action"):
        case None if not answer:
            if view.id in workspace.modals:
                close(workspace, view)
        case "clear":
            close_all(workspace, view.user)
        case "update":
            update_modal(workspace, workspace.modals.get(view.id) or view, _view_in(answer))
        case "push":
            push_above(workspace, view.user, _view_in(answer), view.browser)
        case "errors":
            return _errors(view, answer.get("errors"))
        case _:
            raise Refusal("invalid_response")
    return {}


def _errors(view: View, errors: object) -> dict[str, str]:
    inputs = {block["block_id"] for block in view.blocks if block["type"] == "input"}
    if not isinstance(errors, dict) or not errors or not errors.keys() <= inputs:
        raise Refusal("invalid_errors")  # Slack shows nothing of errors that belong to no input
    return {block_id: str(sentence) for block_id, sentence in errors.items()}


def _view_in(answer: Json) -> Json:
    view = answer.get("view")
    if not isinstance(view, dict):
        raise Refusal("invalid_view")
    return view
