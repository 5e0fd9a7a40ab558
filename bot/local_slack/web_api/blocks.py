"""blocks.validate"""

from __future__ import annotations

from .. import blocks as blockkit
from ..model import Json
from ..refusals import InvalidBlocks, Refusal
from ..workspace import Workspace
from .calls import Call

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
