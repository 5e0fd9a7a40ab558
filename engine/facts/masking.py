"""Keys and tokens are masked in what a model has written, wherever they stand in it; nothing else of it is touched."""

from collections.abc import Collection, Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from engine.facts.content import WITHHELD, secrets_in
from engine.facts.language import Language
from engine.facts.shortening import visible
from engine.kernel import Message, encode

Said = TypeVar("Said")


def without_secrets(said: Said, given: str, language: Language) -> tuple[Said, int]:
    """Return an answer with a mark in the place of each secret, and how many texts had one.

    Args:
        given: what everybody has read: a secret that stands in it as it is may be said again.
        language: of the mark.
    """
    if not _may_hold_any(said):
        return said, 0  # nearly every answer
    changed: list[str] = []

    def masked(value: Any) -> Any:
        if type(value) is str:
            text = _without(value, given, WITHHELD[language])
            if text != value:
                changed.append(text)
            return text
        if isinstance(value, Message):
            fields = {name: (old, masked(old)) for name in value.__struct_fields__ if (old := getattr(value, name))}
            new = {name: each for name, (old, each) in fields.items() if each is not old and each != old}
            return replace(value, **new) if new else value
        if isinstance(value, tuple | list | frozenset):
            return type(value)(map(masked, value)) if value else value
        if isinstance(value, Mapping):
            return {masked(name): masked(each) for name, each in value.items()}
        return value

    return masked(said), len(changed)


def _may_hold_any(said: Any) -> bool:
    """Look at the whole answer at once, as JSON; where something in it is escaped, at each of its texts instead.

    An escape stands between what is beside each other in the text: ``\\n`` before a key would be a letter of its word.
    """
    written = encode(said)
    return "\\" in written or bool(secrets_in(visible(written)))


def _without(text: str, given: str, mark: str) -> str:
    """Return the text unchanged if it has no secret. Invisible characters are removed only for the search."""
    seen = visible(text)
    found: Collection[str] = [each for each in secrets_in(seen) if each not in given]
    if not found:
        return text
    for each in found:
        seen = seen.replace(each, mark)
    return seen
