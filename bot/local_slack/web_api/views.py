"""views.*"""

from __future__ import annotations

from ..modals import open_modal, publish_home, push_modal, update_modal
from ..model import Json, View
from ..refusals import Refusal
from ..shapes import view_shape
from ..workspace import Workspace
from .calls import Call


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
