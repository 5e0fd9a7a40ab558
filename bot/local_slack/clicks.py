"""A person uses an element of a message, a modal or Home: block_actions."""

from __future__ import annotations

from . import blocks as blockkit
from .interaction_payloads import actor, channel_reference, identity, response_url
from .model import Json, Message, User, View
from .outcome import TIMED_OUT, Outcome
from .refusals import NotPossible
from .requests import Click, ElementAction, ViewAction
from .shapes import message_shape, view_shape
from .uploads import given_files
from .visibility import open_view, visible_message
from .workspace import Workspace


async def click(workspace: Workspace, user: User, request: Click) -> Outcome:
    """An element of a message. Its answer carries the modal the app opened, if it did."""
    message = visible_message(workspace, user, request.channel, request.ts)
    block, element = _find(message.blocks, request, f"The message {request.ts}")
    dialog = element.get("confirm")
    if dialog is not None and not request.confirm:
        return Outcome(sent=False, confirm=dialog)
    values = _remember(workspace, user, message, block, element, request.value)
    if not _dispatches(block):
        return Outcome(sent=False)
    trigger = workspace.triggers.issue(user.id)
    channel = workspace.channels[message.channel]
    payload = _payload(workspace, user, trigger.id, _action(workspace, block, element, request.value)) | {
        "container": _container(message),
        "channel": channel_reference(channel),
        "state": {"values": values},
        "response_url": response_url(workspace, user, channel, message.ts),
    }
    if message.visible_to is None:  # Slack does not send what an ephemeral message said
        payload["message"] = message_shape(workspace, workspace.messages[message.key], metadata=True)
    ack = await workspace.send("interactive", payload)
    opened = workspace.modals.get(trigger.opened)
    return Outcome(acked=ack.in_time, error=None if ack.in_time else TIMED_OUT, modal=opened, confirm=dialog)


async def act(workspace: Workspace, user: User, request: ViewAction) -> Outcome:
    """An element of a modal or of Home. Its answer carries the modal that is then on top."""
    view = open_view(workspace, user, request.view_id)
    block, element = _find(view.blocks, request, f"The view {view.id}")
    dialog = element.get("confirm")
    if dialog is not None and not request.confirm:
        return Outcome(sent=False, confirm=dialog)
    view = fill_in(workspace, view, {block["block_id"]: {element["action_id"]: request.value}})
    if not _dispatches(block):
        return Outcome(sent=False, modal=view if view.type == "modal" else None)
    trigger = workspace.triggers.issue(user.id, view.id)
    payload = _payload(workspace, user, trigger.id, _action(workspace, block, element, request.value)) | {
        "container": {"type": "view", "view_id": view.id},
        "view": view_shape(workspace, view),
        "state": {"values": view.values},
    }
    ack = await workspace.send("interactive", payload)
    stack = workspace.modal_stack(user.id)
    top = stack[-1] if stack else None
    return Outcome(acked=ack.in_time, error=None if ack.in_time else TIMED_OUT, modal=top, confirm=dialog)


def fill_in(workspace: Workspace, view: View, entered: blockkit.Values) -> View:
    """The view with these values in its inputs; buttons have none."""
    values = {block_id: dict(actions) for block_id, actions in view.values.items()}
    for block_id, actions in entered.items():
        for action_id, value in actions.items():
            found = blockkit.find_element(view.blocks, action_id, block_id)
            if found is None:
                raise NotPossible(f"{view.id} has no input {block_id}/{action_id}; it has: {_names(view.blocks)}.")
            if action_id in values.get(block_id, {}):
                given = given_files(workspace, view.user, value) if found[1]["type"] == "file_input" else value
                values[block_id][action_id] = _entered(found[1], given)
    if values == view.values:
        return view
    changed = view.model_copy(update={"values": values})
    return (workspace.modals if view.type == "modal" else workspace.homes).put(changed)


def _find(blocks: list[Json], request: ElementAction, what: str) -> tuple[Json, Json]:
    found = blockkit.find_element(blocks, request.action_id, request.block_id, request.index)
    if found is None:
        raise NotPossible(f"{what} shows no element {request.action_id}; it shows: {_names(blocks)}.")
    return found


def _names(blocks: list[Json]) -> str:
    return ", ".join(f"{block['block_id']}/{one['action_id']}" for block, one in blockkit.elements(blocks)) or "none"


def _remember(
    workspace: Workspace, user: User, message: Message, block: Json, element: Json, value: object
) -> dict[str, dict[str, Json]]:
    """What this user has entered in this message so far, this included."""
    mine = workspace.message_inputs.setdefault(f"{user.id} {message.key}", {})
    if element["type"] in blockkit.STATEFUL:
        mine.setdefault(block["block_id"], {})[element["action_id"]] = _entered(element, value)
    values = blockkit.initial_values(message.blocks)
    for block_id, actions in values.items():
        actions |= {name: state for name, state in mine.get(block_id, {}).items() if name in actions}
    return values


def _dispatches(block: Json) -> bool:
    return block["type"] != "input" or bool(block.get("dispatch_action", False))


def _action(workspace: Workspace, block: Json, element: Json, value: object) -> Json:
    told = ("type", "action_id", "text", "value", "url", "style", "confirm", "placeholder")
    action = {name: element[name] for name in told if name in element}
    if element["type"] == "feedback_buttons":
        pressed = _pressed(element, value)
        action |= {"text": pressed["text"], "value": pressed["value"]}
    action |= {"block_id": block["block_id"], "action_ts": workspace.timestamps.next()}
    return action | (_entered(element, value) if element["type"] in (*blockkit.STATEFUL, "overflow") else {})


def _pressed(element: Json, value: object) -> Json:
    """Which of two feedback buttons was pressed: the one with this value."""
    for name in ("positive_button", "negative_button"):
        button: Json = element[name]
        if button["value"] == value:
            return button
    raise NotPossible(f"{element['action_id']} has no button with the value {value}.")


def _entered(element: Json, value: object) -> Json:
    try:
        return blockkit.entered(element, value)
    except ValueError as wrong:
        raise NotPossible(str(wrong)) from None


def _payload(workspace: Workspace, user: User, trigger_id: str, action: Json) -> Json:
    return {
        "type": "block_actions",
        **identity(workspace),
        "user": actor(workspace, user),
        "trigger_id": trigger_id,
        "actions": [action],
    }


def _container(message: Message) -> Json:
    container: Json = {
        "type": "message",
        "message_ts": message.ts,
        "channel_id": message.channel,
        "is_ephemeral": message.visible_to is not None,
    }
    return container | ({"thread_ts": message.thread_ts} if message.thread_ts else {})
