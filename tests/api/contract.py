"""Checks every answer that a test gets against the OpenAPI document."""

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from jsonschema_rs import Draft202012Validator

from bot.api.document import PATH, document
from bot.api.routes import routes_of
from bot.registry import PROTOCOLS

ROUTES: Final = routes_of(PROTOCOLS)
DOCUMENT: Final = json.loads(json.dumps(document(ROUTES)))
OURS: Final = {401, 404, 405}
"""Statuses of calls that the document does not name."""


def operation(method: str, path: str) -> dict[str, Any] | None:
    """Return the operation that answers; None where there is none."""
    bare = path.partition("?")[0]
    for template, operations in DOCUMENT["paths"].items():
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), bare) and method.lower() in operations:
            found: dict[str, Any] = operations[method.lower()]
            return found
    return None


@cache
def validator(schema: str) -> Draft202012Validator:
    return Draft202012Validator({**json.loads(schema), "components": DOCUMENT["components"]})


def check_answer(method: str, path: str, status: int, headers: Mapping[str, str], media: str, body: Any) -> None:
    """
    Raises:
        AssertionError: the document says nothing of such an answer.
    """
    assert "Traceback" not in str(body)
    found = operation(method, path)
    if found is None:
        assert status in OURS or (method, status) == ("OPTIONS", 204) or path == PATH
        return
    assert str(status) in found["responses"], f"{method} {path} answers {status}, which is not in the document"
    for name, header in found["responses"][str(status)].get("headers", {}).items():
        assert name in headers or not header.get("required"), f"{method} {path} answers {status} without {name}"
    content = found["responses"][str(status)]["content"]
    assert media in content, f"{method} {path} answers {status} as {media}"
    if media.endswith("json"):
        validator(json.dumps(content[media]["schema"])).validate(body)
