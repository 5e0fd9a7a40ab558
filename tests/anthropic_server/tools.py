"""Tools as the API reads them: which definitions it refuses, and which turns of a conversation."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from .schemas import OPTIONAL, UNIONS, BadSchema, check, counts

DEFINED: Final = frozenset(
    {
        "name",
        "description",
        "input_schema",
        "strict",
        "type",
        "cache_control",
        "input_examples",
        "defer_loading",
        "eager_input_streaming",
    }
)
NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}")
STRICT: Final = 20
BLOCKS: Final[Mapping[str, tuple[frozenset[str], frozenset[str]]]] = {
    "text": (frozenset({"text"}), frozenset({"cache_control", "citations"})),
    "thinking": (frozenset({"thinking", "signature"}), frozenset()),
    "tool_use": (frozenset({"id", "name", "input"}), frozenset({"caller", "cache_control"})),
    "tool_result": (frozenset({"tool_use_id"}), frozenset({"content", "is_error", "cache_control"})),
}
"""What a block must have, and what it may have beside that."""
SPOKEN_BY: Final[Mapping[str, frozenset[str]]] = {
    "user": frozenset({"text", "tool_result"}),
    "assistant": frozenset({"text", "thinking", "tool_use"}),
}


class BadTools(Exception):
    """In the API's tone."""


def check_tools(body: Mapping[str, Any]) -> None:
    """
    Raises:
        BadTools: the first reason why the API would refuse the tools, or the choice among them.
    """
    tools = body.get("tools", [])
    _need(isinstance(tools, list), "tools: Input should be a valid list")
    _need(bool(tools) or "tool_choice" not in body, "tool_choice may only be specified while providing tools.")
    for position, tool in enumerate(tools):
        where = f"tools.{position}.custom"
        for name in ("name", "input_schema"):
            _need(name in tool, f"{where}.{name}: Field required")
        _need(tool.keys() <= DEFINED, f"{where}: Extra inputs are not permitted")
        _need(
            bool(NAME.fullmatch(tool["name"])), f"{where}.name: String should match pattern '^[a-zA-Z0-9_-]{{1,64}}$'"
        )
        _need(tool["input_schema"].get("type") == "object", f"{where}.input_schema.type: Input should be 'object'")
        if tool.get("strict"):
            try:
                check(tool["input_schema"])
            except BadSchema as error:
                raise BadTools(f"{where}.input_schema: {error}") from error
    _need(len({each["name"] for each in tools}) == len(tools), "tools: Tool names must be unique.")
    _check_together(tools, body.get("output_config", {}).get("format"))


def _check_together(tools: Sequence[Mapping[str, Any]], form: Mapping[str, Any] | None) -> None:
    strict = [each["input_schema"] for each in tools if each.get("strict")]
    _need(len(strict) <= STRICT, f"Too many strict tools ({len(strict)}); the limit is {STRICT}.")
    schemas = [*strict, *([form["schema"]] if form else [])]
    optional, unions = (sum(each) for each in zip(*map(counts, schemas), strict=True)) if schemas else (0, 0)
    _need(optional <= OPTIONAL, f"Schemas contains too many optional parameters ({optional}); the limit is {OPTIONAL}.")
    _need(unions <= UNIONS, f"Schemas contains too many parameters with union types ({unions}); the limit is {UNIONS}.")


def check_blocks(where: str, role: str, blocks: Iterable[Mapping[str, Any]]) -> None:
    """
    Raises:
        BadTools: the first block that the API would not take from that side.
    """
    for position, block in enumerate(blocks):
        here, kind = f"{where}.{position}", block.get("type")
        _need(kind in SPOKEN_BY[role], f"{here}: the {role} cannot say a block of type {kind!r}")
        required, optional = BLOCKS[str(kind)]
        for name in sorted(required - block.keys()):
            _need(False, f"{here}.{kind}.{name}: Field required")
        _need(block.keys() <= {"type", *required, *optional}, f"{here}: Extra inputs are not permitted")
        text = block.get("content", "-") if kind == "tool_result" else block.get("text", "-")
        _need(isinstance(text, list) or bool(str(text).strip()), f"{here}: text must contain non-whitespace text")
        _need(isinstance(block.get("input", {}), dict), f"{here}.tool_use.input: Input should be a valid dictionary")


def check_turns(messages: Sequence[Mapping[str, Any]], *, has_tools: bool) -> None:
    """
    Raises:
        BadTools: a call without its result in the very next message, or a result without its call.
    """
    called: list[str] = []
    for position, message in enumerate(messages):
        blocks = message["content"] if isinstance(message["content"], list) else []
        results = [each["tool_use_id"] for each in blocks if each["type"] == "tool_result"]
        missing = [each for each in called if each not in results]
        _need(
            not missing,
            f"messages.{position - 1}: `tool_use` ids were found without `tool_result` blocks immediately after:"
            f" {', '.join(missing)}.",
        )
        strangers = [each for each in results if each not in called]
        _need(
            not strangers, f"messages.{position}: unexpected `tool_use_id` found in `tool_result` blocks: {strangers}"
        )
        _need(len(set(results)) == len(results), f"messages.{position}: each tool_use must have a single result")
        first = [each["type"] for each in blocks[: len(results)]]
        _need(set(first) <= {"tool_result"}, f"messages.{position}: tool_result blocks must come first")
        called = [each["id"] for each in blocks if each["type"] == "tool_use"]
        _need(
            has_tools or not (called or results),
            "Requests which have `tool_use` or `tool_result` blocks in messages must define tools.",
        )


def _need(condition: bool, message: str) -> None:
    if not condition:
        raise BadTools(message)
