"""One call of a Web API method: its arguments, however they were sent."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass

from aiohttp import web

from ..model import Json
from ..refusals import Refusal


@dataclass(frozen=True)
class Call:
    """Arguments may come as query, form or JSON; nested ones in a form are JSON strings."""

    method: str
    token: str | None
    arguments: Mapping[str, object]

    def text(self, name: str, default: str = "") -> str:
        value = self.arguments.get(name)
        return default if value is None else str(value)

    def optional(self, name: str) -> str | None:
        return self.text(name) or None

    def required(self, name: str) -> str:
        """Raises Refusal when it is missing or empty."""
        value = self.text(name)
        if not value:
            raise Refusal("invalid_arguments", [f"missing required field: {name}"])
        return value

    def flag(self, name: str, default: bool = False) -> bool:
        value = self.arguments.get(name)
        return default if value is None else value in (True, 1, "1", "true", "True")

    def number(self, name: str, default: int) -> int:
        try:
            return int(self.text(name) or default)
        except ValueError:
            raise Refusal("invalid_arguments", [f"must be an integer: {name}"]) from None

    def record(self, name: str) -> Json | None:
        value = self._parsed(name)
        if value is not None and not isinstance(value, dict):
            raise Refusal("invalid_arguments", [f"must be an object: {name}"])
        return value

    def records(self, name: str, refusal: str = "invalid_arguments") -> list[Json] | None:
        value = self._parsed(name, refusal)
        if value is None:
            return None
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise Refusal(refusal, [f"must be an array of objects: {name}"])
        return value

    def _parsed(self, name: str, refusal: str = "invalid_arguments") -> object:
        value = self.arguments.get(name)
        if not isinstance(value, str):
            return value
        if not value.strip():
            return None
        try:
            parsed: object = json.loads(value)
        except ValueError:
            raise Refusal(refusal, [f"not JSON: {name}"]) from None
        return parsed


async def read_call(request: web.Request) -> Call:
    arguments: dict[str, object] = dict(request.query)
    if request.content_type == "application/json":
        try:
            body = json.loads(await request.text() or "{}")
        except ValueError:
            raise Refusal("invalid_json") from None
        if not isinstance(body, dict):
            raise Refusal("json_not_object")
        arguments |= body
    elif request.can_read_body:
        arguments |= dict(await request.post())
    scheme, _, bearer = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "basic":
        arguments |= _client(bearer)
        bearer = ""
    sent = arguments.pop("token", None)
    token = bearer if scheme.lower() == "bearer" and bearer else sent
    return Call(request.match_info["method"], str(token) if token else None, arguments)


def _client(encoded: str) -> dict[str, str]:
    """Id and secret of the app, as the SDK shows them where it asks for tokens."""
    try:
        client_id, _, client_secret = base64.b64decode(encoded, validate=True).decode().partition(":")
    except ValueError:
        raise Refusal("invalid_auth") from None
    return {"client_id": client_id, "client_secret": client_secret}
