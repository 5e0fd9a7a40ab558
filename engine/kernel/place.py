"""Where a stream is shown: a channel and a thread. Opaque to the engine."""

from engine.kernel.commands import Command
from engine.kernel.message import Message


class Place(Message):
    """A conversation in a chat."""

    channel: str = ""
    thread: str = ""
    shared: bool = False
    """Whether people of other companies read along there."""
    message_ts: str = ""
    """The message that asked; empty where none did, as after a slash command."""


class ChangePlace(Command):
    """The channel of a stream is known by another id from now on, or people of other companies read along there."""

    channel: str
    shared: bool

    def changes(self, place: Place) -> bool:
        """Whether a stream is told anything new by it; one without a channel stands in none."""
        return bool(place.channel) and (self.channel, self.shared) != (place.channel, place.shared)
