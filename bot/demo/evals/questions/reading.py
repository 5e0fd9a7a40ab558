"""Finds what stands in an answer or in what was given: by path, by the name of the field, and as text."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from engine.kernel import plain


class Found(NamedTuple):
    field: str
    """The name of the field that holds it, or whose list does."""
    value: Any


def leaves(value: Any, field: str = "") -> Iterator[Found]:
    """Yield everything in plain values that has no parts."""
    match value:
        case Mapping():
            for name, each in value.items():
                yield from leaves(each, name)
        case list() | tuple():
            for each in value:
                yield from leaves(each, field)
        case _:
            yield Found(field, value)


def texts(value: Any) -> Iterator[Found]:
    """Yield every text that is not empty."""
    return (each for each in leaves(plain(value)) if isinstance(each.value, str) and each.value)


def words_of(value: Any) -> str:
    return "\n".join(each.value for each in texts(value))


def at(path: str, value: Any) -> list[Any]:
    """Return what stands at a path of names; a list on the way stands for each of its values."""
    found = [plain(value)]
    for name in path.split("."):
        found = [each.get(name) for each in _each(found) if isinstance(each, Mapping)]
    return [each for each in _each(found) if each is not None]


def _each(values: list[Any]) -> Iterator[Any]:
    for value in values:
        if isinstance(value, list):
            yield from _each(value)
        else:
            yield value
