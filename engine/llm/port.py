"""The port for models: a question goes in, and a validated answer or a `ModelError` comes out."""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final, Generic, Protocol, TypeVar, runtime_checkable

import msgspec

from engine.kernel import Millis, ModelAnswer, StreamKey
from engine.llm.prompts import Prompt
from engine.llm.tools import BROKEN, Tool, ToolCall

Returns = TypeVar("Returns", bound=ModelAnswer)


class Fault(msgspec.Struct, frozen=True):
    """What is wrong with an answer that can be read."""

    answer: ModelAnswer
    what: str


class Question(msgspec.Struct, Generic[Returns], frozen=True):
    """One call. ``given`` holds what the prompt's header declares, as records or plain values."""

    prompt: Prompt
    given: Mapping[str, Any]
    returns: type[Returns]
    key: StreamKey | None = None
    """The stream that asks, for the ledger. No model is told."""
    asked_by: str = ""
    """The user for whom it is asked, whose budget pays; empty where nobody asked. No model is told."""
    charged_to: str = ""
    """The stream whose budget pays; empty: the one that asks."""
    language: str | None = None
    """The tag (BCP 47) of the one in which it is to be answered; None where only what is given tells it."""
    check: Callable[[Returns], str] | None = None
    """Says what is wrong with an answer that can be read; empty where nothing is. The asker asks again once, with what
    it says, and then takes the answer as it is: the rules hold it to what is true."""
    is_slow_to_read: bool = False
    """Whether checking and reading an answer may take long enough for others to notice: then a thread does it."""
    fault: Fault | None = None
    """Set where the question is asked again, since the last answer did not pass its check."""
    until: Millis = 0
    """When nobody waits for the answer any more, by the wall clock; 0 where the step has no end of its own."""
    beside: Mapping[str, Callable[[], Any]] = {}
    """What rules that answer instead may look up, by name. No model is told."""
    tools: Sequence[Tool[Any]] = ()
    """What a model may call before it answers. Rules that answer instead call what they need themselves."""


OFFLINE: Final = "offline"
"""Who answers where rules do, and no model."""


class Answer(msgspec.Struct, Generic[Returns], frozen=True):
    value: Returns
    model: str
    """Who answered, e.g. ``claude-haiku-5-5`` or ``offline``."""
    is_final: bool = False
    """Whether asking again is of no use: rules say the same again, and one repair was enough."""
    tool_calls: tuple[ToolCall, ...] = ()
    """What the model called before it answered, in that order."""

    @property
    def failed_tools(self) -> tuple[str, ...]:
        """The tools that failed, each once: the model had to answer without some of what they say."""
        return tuple(dict.fromkeys(each.name for each in self.tool_calls if each.fault in BROKEN))


class PauseCause(StrEnum):
    BUSY = "busy"
    """It takes so many questions a minute, and more are asked."""
    SILENT = "silent"
    """It has not answered lately, and is left alone for a while."""


class Pause(msgspec.Struct, frozen=True):
    """Why a stream does not go on."""

    cause: PauseCause
    until: Millis
    """About when all of its questions are asked: a full minute of the wall clock."""


class ModelStanding(msgspec.Struct, frozen=True):
    """How a model stands."""

    waiting: int
    """Questions that are not asked yet."""
    is_silent: bool
    """Whether it has not answered lately, and is left alone."""
    until: Millis
    """About when what waits is asked; 0 where nothing waits."""


@runtime_checkable
class Paced(Protocol):
    """A model that answers so many questions a minute."""

    def held_up(self, key: StreamKey) -> Millis:
        """Return for how long questions of a stream have waited for their turn, altogether."""

    def paused(self, key: StreamKey) -> Pause | None:
        """Return why a stream waits now; None where it does not, or not for long."""

    def standing(self) -> ModelStanding: ...

    def listen(self, tell: Callable[[StreamKey], None]) -> None:
        """Let somebody know of each stream of which `paused` says something else than before."""


def never_paused(_: StreamKey) -> None:
    """For models that answer at once."""


class Model(Protocol):
    async def answer(self, question: Question[Returns]) -> Answer[Returns]:
        """
        Raises:
            ModelUnavailable, ModelTimeout, InvalidAnswer, BudgetSpent: no usable answer; the asker degrades the step.
        """
