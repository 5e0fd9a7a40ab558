"""Makes what a delivery knows fit into the bounds of an envelope: people and models may write more."""

import json
from collections.abc import Mapping
from typing import Any, Final, TypeVar

from pydantic import ValidationError

from engine.facts.visible import without_surrogates
from engine.workers.envelope_lines import Strict

Payload = TypeVar("Payload", bound=Strict)

NOTHING: Final = "…"
"""In the place of a text that may not be empty: its words were erased."""
ELLIPSIS: Final = "…"


def fitted(kind: type[Payload], said: Mapping[str, Any]) -> Payload:
    """Return the payload; what is too long for it is cut, and ends with an ellipsis.

    Args:
        said: values that JSON has.

    Raises:
        pydantic.ValidationError: something else than its length is wrong.
    """
    try:
        return kind.model_validate(said)
    except ValidationError as error:
        cut = json.loads(json.dumps(said))
        for each in error.errors(include_url=False):
            _cut(cut, each["loc"], each["type"], each.get("ctx", {}).get("max_length", 0))
        return kind.model_validate(cut)


def _cut(said: Any, loc: tuple[int | str, ...], why: str, most: int) -> None:
    *way, last = loc
    for step in way:
        if isinstance(step, int) or (isinstance(said, dict) and step in said):
            said = said[step]  # any other step names one of several shapes that it may have
    match why:
        case "string_too_long":
            said[last] = without_surrogates(said[last])[: most - 1] + ELLIPSIS
        case "string_too_short":
            said[last] = NOTHING
        case "string_unicode":
            said[last] = without_surrogates(said[last])
        case "too_long":
            said[last] = said[last][:most]
        case _:
            pass
