"""functions.*"""

from __future__ import annotations

from ..model import Json
from ..workflows import complete, fail
from ..workspace import Workspace
from .calls import Call


def complete_success(workspace: Workspace, call: Call) -> Json:
    complete(workspace, call.required("function_execution_id"), call.record("outputs") or {})
    return {}


def complete_error(workspace: Workspace, call: Call) -> Json:
    fail(workspace, call.required("function_execution_id"), call.required("error"))
    return {}
