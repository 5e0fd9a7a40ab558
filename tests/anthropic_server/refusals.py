"""Which requests the API refuses, and how it says so."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, get_args

from anthropic.types import Model

from .schemas import BadSchema, check
from .tools import BadTools, check_blocks, check_tools, check_turns

MODELS: Final = frozenset(name for each in get_args(Model) for name in get_args(each))
"""Those that the SDK knows by name."""

TAKEN: Final = frozenset(
    {
        "model", "max_tokens", "messages", "system", "metadata", "output_config", "service_tier", "stop_sequences",
        "stream", "thinking", "tools", "tool_choice", "cache_control", "container", "diagnostics", "inference_geo",
        "speed",
    }
)  # fmt: skip
BETAS: Final[Mapping[str, str]] = {"context_management": "context-management-2025-06-27"}
"""Fields that are taken with the beta's name in the header ``anthropic-beta`` only."""
SAMPLING: Final = ("temperature", "top_p", "top_k")
MOST_MARKS: Final = 4
"""Places that a request may mark for the cache."""
EFFORTS: Final = ("low", "medium", "high", "xhigh", "max")
TYPES: Final[Mapping[int, str]] = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    500: "api_error",
    504: "timeout_error",
    529: "overloaded_error",
}


@dataclass
class Refusal(Exception):
    status: int
    message: str

    def body(self, request_id: str) -> dict[str, Any]:
        kind = TYPES.get(self.status, "api_error")
        return {"type": "error", "error": {"type": kind, "message": self.message}, "request_id": request_id}


def check_key(headers: Mapping[str, str], key: str) -> None:
    """
    Raises:
        Refusal
    """
    if key and key not in (headers.get("x-api-key"), headers.get("authorization", "").removeprefix("Bearer ")):
        raise Refusal(401, "invalid x-api-key")


def check_request(headers: Mapping[str, str], body: Any, key: str) -> None:
    """
    Raises:
        Refusal: the first reason why the API would not take it.
    """
    check_key(headers, key)
    _need("anthropic-version" in headers, "anthropic-version: header is required")
    _need(isinstance(body, dict), "The request body is not valid JSON.")
    for name in SAMPLING:
        _need(name not in body, f"`{name}` is not supported by this model.")
    for name in body:
        taken = name in TAKEN or BETAS.get(name, "-") in headers.get("anthropic-beta", "").split(",")
        _need(taken, f"{name}: Extra inputs are not permitted")
    _check_model(body)
    _need(isinstance(body.get("stream", False), bool), "stream: Input should be a valid boolean")
    choice = body.get("tool_choice", {}).get("type", "auto")
    _need(choice in ("auto", "none"), "tool_choice: this model cannot be forced to use a tool.")
    _check_messages(body.get("messages"))
    if "system" in body:
        _check_content("system", "user", body["system"])
    _check_cache(body)
    _check_output(body.get("output_config", {}))
    try:
        check_tools(body)
        check_turns(body["messages"], has_tools=bool(body.get("tools")))
    except BadTools as error:
        raise Refusal(400, str(error)) from error


def _need(condition: bool, message: str) -> None:
    if not condition:
        raise Refusal(400, message)


def _check_model(body: Mapping[str, Any]) -> None:
    _need("model" in body, "model: Field required")
    if body["model"] not in MODELS:
        raise Refusal(404, f"model: {body['model']}")
    _need("max_tokens" in body, "max_tokens: Field required")
    _need(type(body["max_tokens"]) is int and body["max_tokens"] > 0, "max_tokens: must be a positive integer")


def _check_messages(messages: Any) -> None:
    _need(isinstance(messages, list) and bool(messages), "messages: at least one message is required")
    for position, message in enumerate(messages):
        role = ("user", "assistant")[position % 2]
        _need(message.get("role") == role, f"messages.{position}: roles must alternate, beginning with the user")
        _need(message.keys() == {"role", "content"}, f"messages.{position}: Extra inputs are not permitted")
        _check_content(f"messages.{position}.content", role, message["content"])
    _need(len(messages) % 2 == 1, "This model does not support a prefilled answer; end with a user message.")


def _check_content(where: str, role: str, content: Any) -> None:
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    _need(bool(blocks), f"{where}: content must not be empty")
    try:
        check_blocks(where, role, blocks)
    except BadTools as error:
        raise Refusal(400, str(error)) from error


def _check_cache(body: Mapping[str, Any]) -> None:
    contents = [body.get("system", ()), *(each["content"] for each in body["messages"])]
    blocks = [*body.get("tools", ()), *(block for each in contents if not isinstance(each, str) for block in each)]
    marks = [block["cache_control"] for block in blocks if "cache_control" in block]
    for mark in marks:
        _need(mark.get("type") == "ephemeral", "cache_control.type: Input should be 'ephemeral'")
        _need(mark.get("ttl", "5m") in ("5m", "1h"), "cache_control.ttl: Input should be '5m' or '1h'")
    _need(
        len(marks) <= MOST_MARKS,
        f"A maximum of {MOST_MARKS} blocks with cache_control may be provided. Found {len(marks)}.",
    )


def _check_output(config: Mapping[str, Any]) -> None:
    _need(config.keys() <= {"effort", "format"}, "output_config: Extra inputs are not permitted")
    effort = config.get("effort", "high")
    _need(effort in EFFORTS, f"output_config.effort: {effort!r} is none of {', '.join(EFFORTS)}")
    if (form := config.get("format")) is None:
        return
    _need(form.keys() == {"type", "schema"}, "output_config.format: type and schema are required")
    _need(form["type"] == "json_schema", "output_config.format.type: must be json_schema")
    try:
        check(form["schema"])
    except BadSchema as error:
        raise Refusal(400, f"output_config.format.schema: {error}") from error
