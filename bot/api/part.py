"""What a protocol adds to the HTTP interface."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.kernel import Event
from engine.runtime.streams import without_private

if TYPE_CHECKING:
    from bot.api.route import Route
    from bot.protocol_row import Protocol


class Reader(NamedTuple):
    """What somebody may know of the private texts of one stream. Without anything, none of them."""

    is_told_all: bool = False
    """As whoever asked, or as an admin."""
    user: str = ""
    """Who takes part."""
    agent_ids: frozenset[str] = frozenset()
    """For whom they decide."""


NOBODY = Reader()


def _reads_nothing(_state: Any, _user: str) -> Reader:
    return NOBODY


def _tells_nothing(event: Event, reader: Reader) -> Event:
    return event if reader.is_told_all else without_private(event)


@dataclass(frozen=True, slots=True)
class ApiPart:
    routes: "Sequence[Route]" = ()
    takes_part: Callable[[Any, str], bool] = lambda _state, _user: False
    """Whether a user has a part in a stream with this state, so that a token of theirs may read its events."""
    reader: Callable[[Any, str], Reader] = _reads_nothing
    """What a user with a part in a stream may know of its private texts."""
    told: Callable[[Event, Reader], Event] = _tells_nothing
    """An event as a reader may know it."""


def parts_of(protocols: "Sequence[Protocol]") -> Mapping[str, ApiPart]:
    """Return each protocol's part, by the protocol's name."""
    return {each.name: each.api() for each in protocols if each.api is not None}
