"""Effects: what a stream owes to the world."""

from enum import StrEnum
from typing import Any, ClassVar, Protocol

from engine.kernel.commands import Command
from engine.kernel.ids import Millis
from engine.kernel.message import Message


class OnRestart(StrEnum):
    """What is done at the next start with an effect that was running when the process died."""

    REPEAT = "repeat"
    NEVER = "never"


class Effect(Message):
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
