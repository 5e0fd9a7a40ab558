"""Finds the answer in what a model wrote: bare JSON, fenced JSON, JSON with prose around it, with nulls in it."""

import json
import math
from collections.abc import Iterator
from typing import Any, Final

from pydantic import ValidationError

from engine.errors import InvalidAnswer
from engine.llm.port import Returns

MOST_BRACES: Final = 500
"""Opening braces that are tried: this bounds the work that a model's text can cause."""

MOST_FAULTS: Final = 20
"""Faults that are told at once."""


def read_answer(text: str, returns: type[Returns]) -> Returns:
    """Find the JSON object in the text that is the answer.

    If several could be, take the one that fills most of the answer's fields, and the last among equals: quotations
    and first attempts come before the answer.

    Raises:
        InvalidAnswer: its message can be shown to the model; it quotes nothing of the text.
    """
    found: tuple[int, Returns] | None = None
    nearest = (0, _no_object(text))
    for filled, read in _read(text, returns):
        if isinstance(read, str):
            nearest = max(nearest, (filled, read), key=lambda each: each[0])
        elif found is None or filled >= found[0]:
            found = filled, read
    if found is None:
        raise InvalidAnswer(nearest[1])
    return found[1]


def read_answers(text: str, returns: type[Returns]) -> list[Returns]:
    """Return every JSON object in the text that is such an answer."""
    return [read for _, read in _read(text, returns) if not isinstance(read, str)]


def _read(text: str, returns: type[Returns]) -> Iterator[tuple[int, Returns | str]]:
    """Yield how many of the answer's fields each object has, and the answer, or why it is none."""
    start = text.find("{")
    for _ in range(MOST_BRACES):
        if start < 0:
            break
        data, end = _object_at(text, start)
        filled = len(data.keys() & set(returns.__struct_fields__))
        value: Returns | None = None
        if filled:  # an object without a single field of the answer is no answer, even where all have defaults
            try:
                value = returns.checked(data)
                yield filled, value
            except ValidationError as error:
                yield filled, describe_faults(error)
        # What is no answer as a whole may have one inside; what is one is not searched again.
        start = text.find("{", start + 1 if value is None else end)


def _finite(number: str) -> float:
    value = float(number)
    if not math.isfinite(value):
        raise ValueError(f"{number} is more than a number can hold")
    return value


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is not JSON")


_DECODER: Final = json.JSONDecoder(parse_float=_finite, parse_constant=_refuse, strict=False)
"""Without NaN and Infinity, which no rule expects; with line breaks inside strings, which models write."""


def _object_at(text: str, start: int) -> tuple[dict[str, Any], int]:
    """The JSON object that begins there, cleaned, and where it ends; an empty one where there is none."""
    try:
        data, end = _DECODER.raw_decode(text, start)
        return cleaned(data), end
    except (ValueError, RecursionError):
        return {}, start + 1


def cleaned(value: Any) -> Any:
    """Drop nulls, which mean the same as a missing field, and halves of surrogate pairs, which cannot be stored."""
    match value:
        case dict():
            return {_text(key): cleaned(each) for key, each in value.items() if each is not None}
        case list():
            return [cleaned(each) for each in value if each is not None]
        case str():
            return _text(value)
        case _:
            return value


def _text(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _no_object(text: str) -> str:
    if "{" in text:
        return "There is no complete JSON object with the fields of the answer in it."
    return "There is no JSON object in it."


def describe_faults(error: ValidationError, whole: str = "the answer") -> str:
    """Where the faults are and what they are, without the values.

    Args:
        whole: what a fault is in that is in no field.
    """
    faults = error.errors(include_url=False, include_context=False, include_input=False)
    lines = [f"{'.'.join(map(str, fault['loc'])) or whole}: {fault['msg']}" for fault in faults[:MOST_FAULTS]]
    if len(faults) > MOST_FAULTS:
        lines.append(f"and {len(faults) - MOST_FAULTS} more")
    return "; ".join(lines)
