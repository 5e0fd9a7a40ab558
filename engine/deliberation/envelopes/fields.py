"""What the fields of all envelopes are made of: names, numbers, texts and times, each with its bounds.

Numbers and truths are never read from texts. Times stay as they were written, so that what is read and written again
is the same.
"""

import math
from collections.abc import Sequence
from datetime import date, datetime
from typing import Annotated, Final, Literal, get_args

from pydantic import AfterValidator, ConfigDict, Field

from engine.deliberation.answers import LONGEST_OUTPUT
from engine.deliberation.terms import Action, Agent
from engine.kernel import Validated

MOST_ROUNDS: Final = 5
LONGEST_LIST: Final = 50


class Envelope(Validated):
    """A part of the protocol's JSON. An optional field is left out while it is empty.

    Texts may be empty: people's words can be erased. Errors do not quote what was sent, which may be somebody's words.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True, hide_input_in_errors=True, allow_inf_nan=False, serialize_by_alias=True
    )


QUOTES_NOTHING: Final = ConfigDict(hide_input_in_errors=True)
"""For what reads a union: it is no class that could say so itself."""


def _is_empty(value: object) -> bool:
    return not value


OPTIONAL: Final = Field(exclude_if=_is_empty)
"""``Annotated[..., OPTIONAL]`` marks a field that is left out of the JSON while it is empty."""

# An enum itself would quote a wrong value in its error, however deep that is nested.
AgentId = Literal[Agent.HOST, Agent.PLANNER, Agent.CRITIC, Agent.REPORTER]
HostAction = Literal[Action.CONTINUE, Action.CONVERGE, Action.FORCE_OPPOSITION, Action.TERMINATE]
Debater = Literal[Agent.PLANNER, Agent.CRITIC]
"""Who takes positions."""
OutputType = Literal["position", "plan", "critique", "report", "control"]
ToolName = Literal["compare_positions", "get_now", "calculate_date"]
Level = Literal["high", "medium", "low"]
Weekday = Literal["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
WEEKDAYS: Final[tuple[Weekday, ...]] = get_args(Weekday)
"""As `date.weekday` counts them."""

RoundNumber = Annotated[int, Field(strict=True, ge=1, le=MOST_ROUNDS)]
Count = Annotated[int, Field(strict=True, ge=0, le=1_000_000_000)]
Number = (
    Annotated[int, Field(strict=True, ge=0, le=1_000_000_000)]
    | Annotated[float, Field(strict=True, ge=0, le=1_000_000_000)]
)
"""Not negative. An integer stays one."""
Fraction = Annotated[float, Field(strict=True, ge=0, le=1)]
Truth = Annotated[bool, Field(strict=True)]

Id = Annotated[str, Field(max_length=200)]
Ids = Annotated[tuple[Id, ...], Field(max_length=LONGEST_LIST)]
Text = Annotated[str, Field(max_length=LONGEST_OUTPUT)]
"""No text is longer than what one output may say: 2,000 tokens, counted in characters."""
Texts = Annotated[tuple[Text, ...], Field(max_length=LONGEST_LIST)]


def _is_day(text: str) -> str:
    try:
        date.fromisoformat(text)
    except ValueError:
        raise ValueError("no calendar has such a day; write one as YYYY-MM-DD") from None
    return text


def _is_time(text: str) -> str:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        raise ValueError("there is no such time; write one as ISO 8601") from None
    return text


_DAY: Final = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_HOUR: Final = r"([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?"

IsoDate = Annotated[str, Field(pattern=f"^{_DAY}$", json_schema_extra={"format": "date"}), AfterValidator(_is_day)]
Timestamp = Annotated[
    str,
    Field(pattern=f"^{_DAY}T{_HOUR}(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$", json_schema_extra={"format": "date-time"}),
    AfterValidator(_is_time),
]
"""An instant: it says its zone."""
LocalTime = Annotated[str, Field(pattern=f"^{_DAY}T{_HOUR}$"), AfterValidator(_is_time)]
"""What a clock on the wall shows; its zone is said beside it."""


def check_weekday(day: str, weekday: Weekday) -> None:
    """Check that the day falls on the weekday that was named."""
    if (right := WEEKDAYS[date.fromisoformat(day).weekday()]) != weekday:
        raise ValueError(f"{day} is a {right}, not a {weekday}")


MOST_COMPARED: Final = 20

_Row = Annotated[tuple[Fraction, ...], Field(min_length=1, max_length=MOST_COMPARED)]


def _is_similarity(rows: Sequence[Sequence[float]]) -> Sequence[Sequence[float]]:
    size = len(rows)
    if any(len(row) != size for row in rows):
        raise ValueError(f"a similarity matrix is square; this one has {size} rows of {[len(row) for row in rows]}")
    for i, row in enumerate(rows):
        if not _close(row[i], 1):
            raise ValueError(f"everything is like itself: [{i}][{i}] is 1, not {row[i]}")
        for j in range(i):
            if not _close(row[j], rows[j][i]):
                raise ValueError(f"similarity has no direction: [{i}][{j}] is {row[j]}, [{j}][{i}] {rows[j][i]}")
    return rows


SimilarityMatrix = Annotated[
    tuple[_Row, ...], Field(min_length=1, max_length=MOST_COMPARED), AfterValidator(_is_similarity)
]
_Index = Annotated[int, Field(strict=True, ge=0, le=MOST_COMPARED - 1)]
Pair = tuple[_Index, _Index]
"""Two rows of a matrix."""


def check_most_different(matrix: Sequence[Sequence[float]], pair: tuple[int, int]) -> None:
    """Check that the pair is the least alike of the matrix."""
    i, j = pair
    if i == j or max(pair) >= len(matrix):
        raise ValueError(f"most_different_pair {list(pair)} is no pair of {len(matrix)} positions, counted from 0")
    least = min(similarities(matrix))
    if matrix[i][j] > least and not _close(matrix[i][j], least):
        raise ValueError(f"most_different_pair {list(pair)} is {matrix[i][j]} alike; another one {least}")


def similarities(matrix: Sequence[Sequence[float]]) -> list[float]:
    """Return that of each pair, once."""
    return [value for i, row in enumerate(matrix) for value in row[:i]]


def _close(one: float, other: float) -> bool:
    """Whether only the arithmetic of floats tells them apart."""
    return math.isclose(one, other, abs_tol=1e-6)
