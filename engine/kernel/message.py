"""Messages: commands and effects, the values that both consist of, and how streams are named."""

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from enum import Enum, StrEnum
from functools import cache
from operator import attrgetter
from typing import Any, ClassVar, Final, NamedTuple, Protocol, dataclass_transform

import msgspec
from pydantic import BaseModel, ConfigDict

Millis = int
"""UTC, milliseconds since 1970-01-01."""


LONGEST_ID: Final = 300
"""Characters of a name that comes from outside: a user's, a stream's, a command's."""

_ID: Final = re.compile(rf"[^\s\x00-\x1f\x7f-\x9f\ud800-\udfff]{{1,{LONGEST_ID}}}")


def is_id(said: object) -> bool:
    """Whether this can be the name of something: short, and neither blanks nor control characters in it."""
    return isinstance(said, str) and _ID.fullmatch(said) is not None


def later(at: Millis, seconds: float) -> Millis:
    return at + round(seconds * 1000)


def iso(at: Millis) -> str:
    """ISO 8601, UTC, with Z."""
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Tenant(NamedTuple):
    """The workspace that data belongs to. Every read and every write names one."""

    team_id: str
    enterprise_id: str = ""


class StreamKey(NamedTuple):
    """One negotiation, deliberation or delivery of one tenant."""

    tenant: Tenant
    stream: str


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(msgspec.field,))
class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A frozen record that the engine makes and writes itself (`engine.kernel.encoding`).

    The constructor checks no types: mypy does. What is read is checked, and unknown fields are an error. A field that
    has its default is not written, so the default of a field never changes. A class with a required field behind an
    optional one says ``kw_only=True``.

    Python does not look for cycles through it: it is made of what is there before, so it is in none.
    """


def values_of(fields: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    """Return what reads these fields of a record, in their order."""
    if len(fields) < 2:  # of one, `attrgetter` returns the value itself
        return lambda record: tuple(getattr(record, name) for name in fields)
    return attrgetter(*fields)


@cache
def tag_of(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the field that names a record's class among others, and its value; empty where there is none."""
    known = kind.__struct_config__
    return {known.tag_field: known.tag} if known.tag_field else {}


class Validated(BaseModel):
    """A frozen record of what comes from outside (a form, a file, a button, a row): pydantic checks every field, and
    unknown ones are an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class _Mark(Enum):
    PRIVATE = "private"
    SPARSE = "sparse"


PRIVATE: Final = _Mark.PRIVATE
"""``Annotated[str, PRIVATE]`` marks people's words, and what a model has made of them: they are kept beside the event,
where they can be erased. A field of a record inside an event may be marked as well (`engine.kernel.encoding`)."""

SPARSE: Final = _Mark.SPARSE
"""``Annotated[bool, SPARSE]`` marks a field that the event's payload leaves out while it has its default."""


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


class Place(Message):
    """A conversation in a chat."""

    channel: str = ""
    thread: str = ""
    shared: bool = False
    """Whether people of other companies read along there."""
    message_ts: str = ""
    """The message that asked; empty where none did, as after a slash command."""


class ChangePlace(Command):
    """A channel is known by another id from now on, or people of other companies read along there."""

    old_channel: str
    """The id it had when this was found out. What stands under another one by now knows something newer."""
    channel: str
    shared: bool

    def changes(self, place: Place) -> bool:
        """Whether a stream is told anything new by it; one without a channel stands in none."""
        if not place.channel or place.channel not in (self.old_channel, self.channel):
            return False
        return (self.channel, self.shared) != (place.channel, place.shared)


class OnRestart(StrEnum):
    """What is done at the next start with an effect that was running when the process died."""

    REPEAT = "repeat"
    NEVER = "never"


class Effect(Message, cache_hash=True):
    """Work that a stream owes to the world, done outside; its outcome comes back as a command.

    ``name`` tells the effects of one stream apart; ``scope`` names what they belong to: they are voided together.
    """

    kind: ClassVar[str]
    on_restart: ClassVar[OnRestart] = OnRestart.REPEAT

    name: str
    scope: str


class Ask(Effect):
    """Ask a model. The question is composed when it is asked, from the state at that time and ``about``."""

    kind: ClassVar[str] = "ask"

    prompt: str
    about: str = ""


class Compute(Effect):
    """Work something out that is slow, or needs more than rules may know, such as an encoder of sentences.

    Which function does it is said by the protocol's row (`bot/registry.py`), by ``function``. It gets the state, and
    returns the command that carries the result, so that a replay never works it out again.
    """

    kind: ClassVar[str] = "compute"

    function: str
    about: str = ""


class Computation(Protocol):
    """Works something out of a state, in a thread. Without effects, since it may be done twice."""

    def __call__(self, state: Any, effect: Compute, *, command_id: str, at: Millis) -> Command: ...


class RunWorker(Effect):
    """Have something carried out by a command in a process of its own (`engine.workers`).

    What is run is composed from the state when it runs. It is never begun again by itself: what it has done in the
    world before the process died is not known, so that is for the rules to say.
    """

    kind: ClassVar[str] = "run_worker"
    on_restart: ClassVar[OnRestart] = OnRestart.NEVER

    about: str
    purpose: str = "work"
    """What for, where a protocol has several."""


class RegisterOutputs(Effect):
    """Register what somebody says that they have made: read it, take its digest, run the check that it has to pass.

    Doing it twice comes to the same.
    """

    kind: ClassVar[str] = "register_outputs"

    about: str


class FindRecords(Effect):
    """Find records of all streams of the tenant, after the commit that owes it: what two streams write at once, one of
    them finds.

    Which ones, and the command that comes back, is said by the protocol when it runs (`Rulebook.search`).
    """

    kind: ClassVar[str] = "find"

    about: str = ""


class SendCommand(Effect):
    """Hand a command to another stream of the same tenant; the first one begins it.

    The command is composed when it is sent, from the state (`Rulebook.compose_command`). Its id comes from the
    effect, so that what is delivered twice is handled once.
    """

    kind: ClassVar[str] = "tell"

    to: str
    """The other stream."""
    protocol: str
    """The other stream's."""
