"""The port for models: a question goes in, and a validated answer or a `ModelError` comes out."""

from collections.abc import Callable, Mapping
from typing import Any, Final, Generic, Protocol, TypeVar

import msgspec

from engine.kernel import ModelAnswer, StreamKey
from engine.llm.prompts import Prompt

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
    check: Callable[[Returns], str] | None = None
    """Says what is wrong with an answer that can be read; empty where nothing is. The asker asks again once, with what
    it says, and then takes the answer as it is: the rules hold it to what is true."""
    fault: Fault | None = None
    """Set where the question is asked again, since the last answer did not pass its check."""


OFFLINE: Final = "offline"
"""Who answers where rules do, and no model."""


class Answer(msgspec.Struct, Generic[Returns], frozen=True):
    value: Returns
    model: str
    """Who answered, e.g. ``claude-haiku-5-5`` or ``offline``."""
    is_final: bool = False
    """Whether asking again is of no use: rules say the same again, and one repair was enough."""


class Model(Protocol):
    async def answer(self, question: Question[Returns]) -> Answer[Returns]:
        """
        Raises:
            ModelUnavailable, ModelTimeout, InvalidAnswer: no usable answer; the asker degrades the step.
        """
