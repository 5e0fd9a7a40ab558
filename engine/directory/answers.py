"""What a model answers about a profile."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator

from engine.facts.circumstances import Count
from engine.facts.data import MaybeDatum
from engine.kernel import ModelAnswer


def _scope(value: Any) -> Any:
    return "whole" if isinstance(value, str) and value.strip().lower() == "whole" else "own"


class LimitRead(ModelAnswer):
    """One limit, as data. A limit that is no data is left out."""

    number: Count
    """Which of the lines it is."""
    data: MaybeDatum = None
    scope: Annotated[Literal["own", "whole"], BeforeValidator(_scope)] = "own"


class ProfileRead(ModelAnswer):
    limits: tuple[LimitRead, ...] = ()
