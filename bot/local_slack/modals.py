"""Views the app opens, pushes, updates and publishes, and each person's stack of them."""

from __future__ import annotations

import json

from . import blocks as blockkit
from .limits import Refusal
from .model import Json, View
from .workspace import Workspace

MOST_MODALS = 3  # modals above each other
LARGEST_VIEW = 250_000  # bytes


def open_modal(workspace: Workspace, trigger_id: str, body: Json) -> View:
    check_view(workspace, body, "modal")
    trigger = workspace.triggers.exchange(trigger_id)
    for old in workspace.modal_stack(trigger.user, trigger.browser):
        _remove(workspace, old)
    view = _new(workspace, trigger.user, body, previous=None, browser=trigger.browser)
    trigger.opened = view.id
    return workspace.modals.put(view)


def push_modal(workspace: Workspace, trigger_id: str, body: Json) -> View:
    check_view(workspace, body, "modal")
    trigger = workspace.triggers.exchange(trigger_id)
    view = push_above(workspace, trigger.user, body, trigger.browser)
    trigger.opened = view.id
    return view


def push_above(workspace: Workspace, user_id: str, body: Json, browser: str) -> View:
    """One more modal above those this person has open."""
    stack = workspace.modal_stack(user_id, browser)
    if not stack:
        raise Refusal("not_found")
    if len(stack) >= MOST_MODALS:
        raise Refusal("push_limit_reached")
    return workspace.modals.put(_new(workspace, user_id, body, previous=stack[-1], browser=browser))


def update_modal(workspace: Workspace, view: View, body: Json, expected_hash: str | None = None) -> View:
    """The view with another body; what the person entered stays where block_id and action_id stay."""
    check_view(workspace, body, "modal", itself=view.id)
    if expected_hash and expected_hash != view.hash:
        raise Refusal("hash_conflict")
    fresh = _body(workspace, body)
    values: dict[str, dict[str, Json]] = fresh["values"]
    for block_id, actions in values.items():
        for action_id, state in actions.items():
            kept = view.values.get(block_id, {}).get(action_id)
            if kept is not None and kept["type"] == state["type"]:
                actions[action_id] = kept
    return workspace.modals.put(view.model_copy(update=fresh))


def publish_home(workspace: Workspace, user_id: str, body: Json, expected_hash: str | None = None) -> View:
    check_view(workspace, body, "home")
    if user_id not in workspace.users:
        raise Refusal("user_not_found")
    old = workspace.homes.get(home_id(user_id))
    if expected_hash and (old is None or old.hash != expected_hash):
        raise Refusal("hash_conflict")
    view_id = home_id(user_id)
    return workspace.homes.put(
        View(id=view_id, user=user_id, type="home", root_view_id=view_id, **_body(workspace, body))
    )


def home_id(user_id: str) -> str:
    return "VH" + user_id.removeprefix("U")


def close(workspace: Workspace, view: View) -> None:
    """The view is gone, and those above it."""
    stack = workspace.modal_stack(view.user, view.browser)
    for above in reversed(stack[[one.id for one in stack].index(view.id) :]):
        _remove(workspace, above)


def close_all(workspace: Workspace, user_id: str) -> None:
    for view in reversed(workspace.modal_stack(user_id)):
        _remove(workspace, view)


def check_view(workspace: Workspace, body: Json, kind: str, itself: str | None = None) -> None:
    """Raises Refusal as views.open refuses a view."""
    problems = blockkit.view_problems(body)
    if not problems and body["type"] != kind:
        problems = [f"must be a {kind} [json-pointer:/view/type]"]
    if problems:
        raise Refusal("invalid_arguments", problems)
    if len(json.dumps(body, ensure_ascii=False).encode()) > LARGEST_VIEW:
        raise Refusal("view_too_large")
    external_id = body.get("external_id")
    if external_id and any(view.external_id == external_id and view.id != itself for view in workspace.modals):
        raise Refusal("duplicate_external_id")


def _new(workspace: Workspace, user_id: str, body: Json, previous: View | None, browser: str) -> View:
    view_id = workspace.new_id("V")
    return View(
        id=view_id,
        user=user_id,
        type="modal",
        root_view_id=previous.root_view_id if previous else view_id,
        previous_view_id=previous.id if previous else None,
        browser=browser,
        **_body(workspace, body),
    )


def _body(workspace: Workspace, body: Json) -> Json:
    """The part of a view that the app chooses, as View's fields."""
    blocks = blockkit.filled(body["blocks"])
    titles = {name: {"emoji": True, **body[name]} for name in ("title", "submit", "close") if body.get(name)}
    rest = ("callback_id", "external_id", "private_metadata", "notify_on_close", "clear_on_close")
    return {
        "blocks": blocks,
        "values": blockkit.initial_values(blocks),
        "hash": f"{workspace.timestamps.next()}.{workspace.new_id('')[:8]}",
        "title": None,
        "submit": None,
        "close": None,
        **titles,
        **{name: body[name] for name in rest if body.get(name)},
    }


def _remove(workspace: Workspace, view: View) -> None:
    workspace.modals.drop(view.id)
    workspace.publish_modal_change(view)
