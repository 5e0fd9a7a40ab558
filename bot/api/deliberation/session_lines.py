"""A deliberation as the lines of seed 001, section 6.1, which end with ``[DONE]``."""

from collections.abc import Sequence

from bot.api.feeds import Frame, Owners
from bot.api.part import Reader
from engine.deliberation.envelopes.session import DONE, format_line
from engine.deliberation.rules import RULEBOOK
from engine.deliberation.session_json.session import lines_of
from engine.runtime.streams import event_id, opened
from engine.store.port import StoredEvent


class SessionLines:
    """A `Framing`: folds the events, since the last line has the plan."""

    def __init__(self, owners: Owners, reader: Reader) -> None:
        self._owners = owners
        self._reader = reader
        self._state = RULEBOOK.initial

    @property
    def end(self) -> bytes | None:
        return None if self._state.is_open else format_line(DONE).encode()

    def frames_of(self, stored: StoredEvent) -> Sequence[Frame]:
        owner = self._owners[stored.event_type]
        event = owner.part.told(opened(stored, owner.described.events), self._reader)
        self._state = RULEBOOK.evolve(self._state, event)
        *before, last = [format_line(each) for each in lines_of(self._state, event)] or [""]
        if not last:
            return ()
        position, name = stored.position, event_id(stored.key, stored.seq)
        # Whoever comes back with the id of one of several lines is sent the others.
        parts = [(f"{position}.{at}", line) for at, line in enumerate(before, 1)]
        return (
            *(Frame(position, part, f"id: {part}\n{line}".encode()) for part, line in parts),
            Frame(position, name, f"id: {position}\n{last}".encode()),
        )
