"""Commands: what is asked of a stream, and may be refused."""

from engine.kernel.ids import Millis
from engine.kernel.message import Message


class Command(Message):
    """An intention, which may be refused.

    ``command_id`` comes from its cause (a click, an effect, an alarm), so that the same cause twice is one command.
    """

    command_id: str
    at: Millis


class AlarmRang(Command):
    """An alarm's time has come."""

    name: str


class EffectFailed(Command):
    """An effect was tried as often as it may be."""

    name: str
    why: str


class Recover(Command):
    """Look at a stream to which nothing has happened for longer than its rulebook allows, and move it on."""

    running: tuple[str, ...] = ()
    """Names of its effects that are running at this moment; the others in its outbox are lost or parked."""


class CommandDelivered(Command):
    """The other stream has received the command; ``refused`` holds its refusal, if it refused it."""

    name: str
    refused: str = ""


class HandoverTaken(Command):
    """Another stream goes on from what this one has handed over."""

    stream: str
    """The other one."""
    protocol: str
    """The other one's."""
