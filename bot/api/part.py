"""What a protocol adds to the HTTP interface."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bot.api.route import Route
    from bot.protocols import Protocol


@dataclass(frozen=True, slots=True)
class ApiPart:
    routes: "Sequence[Route]" = ()
    takes_part: Callable[[Any, str], bool] = lambda _state, _user: False
    """Whether a user has a part in a stream with this state, so that a token of theirs may read its events."""


def parts_of(protocols: "Sequence[Protocol]") -> Mapping[str, ApiPart]:
    """Return each protocol's part, by the protocol's name."""
    return {each.name: each.api() for each in protocols if each.api is not None}
