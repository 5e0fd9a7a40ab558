"""Which envelope each example of the seed is one of, and how the tests read, write and bend it."""

import json
from typing import Any, Final

import pytest
from jsonschema_rs import Draft202012Validator
from pydantic import ValidationError

from engine.deliberation.envelopes.tools import ENVELOPES, schemas

SHAPES: Final = {
    "2.1": ("base_output",),
    "2.2": ("planner_output", "agent_output", "base_output"),
    "2.3": ("critic_output", "agent_output", "base_output"),
    "2.4": ("host_output", "agent_output", "base_output"),
    "2.5": ("reporter_output", "agent_output", "base_output"),
    "3.1 in": ("tool_call",),
    "3.1 out": ("compare_positions_result",),
    "3.2 in": ("tool_call",),
    "3.2 out": ("get_now_result",),
    "3.3 in": ("tool_call",),
    "3.3 out": ("calculate_date_result",),
    "4.1": ("session_state",),
    "5.1": ("host_instruction",),
    "5.2": ("host_instruction",),
    "5.3": ("host_instruction",),
    "5.4": ("host_instruction",),
    "6.1 request": ("start_request",),
    "7.1": ("failure",),
    "7.2": ("failure",),
    "7.3": ("failure",),
    "8": ("position_summary",),
}
"""By section: the envelopes that its example is one of. The lines of 6.1 have tests of their own."""
SCHEMAS: Final = {name: json.loads(text) for name, text in schemas().items()}
CHECKS: Final = {name: Draft202012Validator(schema, validate_formats=True) for name, schema in SCHEMAS.items()}


def read(name: str, value: Any) -> Any:
    return ENVELOPES[name].validate_json(json.dumps(value))


def again(name: str, value: Any) -> Any:
    """What is written of a value that was read."""
    return json.loads(ENVELOPES[name].dump_json(read(name, value)))


def refusal(name: str, value: Any) -> str:
    with pytest.raises(ValidationError) as refused:
        read(name, value)
    return str(refused.value)


def with_(value: Any, at: str, new: Any) -> Any:
    """A copy of a JSON value with something else at a dotted path."""
    copy = json.loads(json.dumps(value))
    *way, last = [int(each) if each.isdigit() else each for each in at.split(".")]
    inside = copy
    for each in way:
        inside = inside[each]
    inside[last] = new
    return copy
