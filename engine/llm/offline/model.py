"""The offline model: picks the rules by the prompt's name."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from pydantic import BaseModel, ValidationError

from engine.errors import InvalidAnswer, ModelUnavailable
from engine.llm.offline.negotiation.adjustments import adjust
from engine.llm.offline.negotiation.compromises import compromise
from engine.llm.offline.negotiation.feedback import vote
from engine.llm.offline.negotiation.gaps import identify
from engine.llm.offline.negotiation.offers import offer
from engine.llm.offline.negotiation.proposals import weave
from engine.llm.offline.negotiation.recursion import weigh
from engine.llm.offline.negotiation.shortlist import choose
from engine.llm.offline.negotiation.understanding import understand
from engine.llm.port import Answer, Question, Returns

NAME = "offline"

ANSWERERS: Mapping[str, Callable[..., BaseModel]] = MappingProxyType(
    {
        "negotiation/understand": understand,
        "negotiation/filter": choose,
        "negotiation/respond": offer,
        "negotiation/aggregate": weave,
        "negotiation/feedback": vote,
        "negotiation/adjust": adjust,
        "negotiation/gaps": identify,
        "negotiation/recurse": weigh,
        "negotiation/compromise": compromise,
    }
)
"""Each is called with what the prompt is given, by name."""


class OfflineModel:
    """A `Model` (engine/llm/port.py) that keeps nothing between two questions."""

    async def answer(self, question: Question[Returns]) -> Answer[Returns]:
        """
        Raises:
            ModelUnavailable: there are no rules for this prompt.
            InvalidAnswer: nothing sensible can be said, such as a plan without anybody in it.
        """
        answerer = ANSWERERS.get(question.prompt.name)
        if answerer is None:
            raise ModelUnavailable(f"The offline model has no rules for {question.prompt.name}.")
        return Answer(_as(question.returns, answerer(**question.given)), NAME)


def _as(returns: type[Returns], value: Any) -> Returns:
    if isinstance(value, returns):
        return value
    try:
        return returns.model_validate(value.model_dump())
    except ValidationError as error:
        raise InvalidAnswer(f"{type(value).__name__} is not a {returns.__name__}: {error}") from error
