"""A person clicks, submits, types a command, or opens Home: what the app is told, and what it answers."""

from __future__ import annotations

from . import blocks as blockkit
from .authoring import given_files
from .events import announce_home
from .limits import NotPossible, Refusal
from .modals import close, close_all, home_id, push_above, update_modal
from .model import Channel, Json, Message, ResponseUrl, User, View
from .posts import Draft, post
from .requests import (
    CONNECTION_TROUBLE,
    TIMED_OUT,
    Click,
    Close,
    ElementAction,
    OpenHome,
    Outcome,
    Shortcut,
    Slash,
    Submit,
    ViewAction,
)
from .shapes import message_shape, view_shape
from .visibility import as_seen_by, open_view, visible_channel, visible_message
from .workspace import Workspace

RESPONSE_URL_LIFETIME = 30 * 60  # seconds


def identity(workspace: Workspace) -> Json:
    """Team, enterprise and app, as every interaction names them."""
    return {
        "api_app_id": workspace.app.id,
        "token": workspace.app.verification_token,
        "is_enterprise_install": workspace.is_enterprise_install,
        **_company(workspace),
    }


def view_identity(workspace: Workspace, user: User) -> Json:
    """`identity` for view_submission and view_closed, which name the person's own team.

    Ours is in the view's `app_installed_team_id`.
    """
    if workspace.is_local(user.id):
        return identity(workspace)
    return identity(workspace) | {"team": {"id": user.team_id, "domain": domain(workspace, user)}, "enterprise": None}


def _company(workspace: Workspace) -> Json:
    team = workspace.team
    company: Json = {"team": {"id": team.id, "domain": team.domain}, "enterprise": None}
    if team.enterprise_id is not None:
        name = team.enterprise_name or team.enterprise_id
        company["enterprise"] = {"id": team.enterprise_id, "name": name}
        company["team"] |= {"enterprise_id": team.enterprise_id, "enterprise_name": name}
    return company


def domain(workspace: Workspace, user: User) -> str:
    """The domain of the person's team."""
    team_id = workspace.team_of(user.id)
    return workspace.team.domain if team_id == workspace.team.id else team_id.lower()


def actor(workspace: Workspace, user: User) -> Json:
    return {
        "id": user.id,
        "username": user.name,
        "name": user.name,
        "team_id": workspace.team_of(user.id),
    }


def channel_reference(channel: Channel) -> Json:
    return {"id": channel.id, "name": "directmessage" if channel.is_im else channel.name}


def response_url(workspace: Workspace, user: User, channel: Channel, message_ts: str | None = None) -> str:
    """Create a URL at which the app may answer this interaction."""
    url = ResponseUrl(
        id=workspace.new_id("R"),
        user=user.id,
        channel=channel.id,
        message_ts=message_ts,
        expires=workspace.now() + RESPONSE_URL_LIFETIME,
    )
    workspace.response_urls.put(url)
    return f"{workspace.app_url}/response/{url.id}"


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
    """Emoji -> name, as the page shows them; of two names, the first."""
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
