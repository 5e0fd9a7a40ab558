"""Demands with what must come of them, as prompts/evals/negotiation.yaml has them."""

from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from bot.demo.evals.cases import AnyCase, Pattern, read_cases
from engine.files import kept_folder

FILE: Final = "evals/negotiation.yaml"
"""In the folder of the prompts."""

End = Literal["agreed", "lacking", "question", "failed"]


class ExpectedTime(BaseModel):
    """Dates and times of day as the reader writes them; what is left out is not checked."""

    model_config = ConfigDict(frozen=True, extra="forbid", coerce_numbers_to_str=True)

    first: str | None = None
    last: str | None = None
    start: str | None = None
    end: str | None = None


class Case(AnyCase):
    """A demand, and what must come of it."""

    demand: str
    needs: tuple[Pattern, ...] = ()
    people: int | None = None
    money: int | None = None
    place: Pattern | None = None
    when: ExpectedTime | None = None
    fits: dict[Pattern, tuple[str, ...]] = Field(default_factory=dict)
    """A need -> whom of these somebody has to be asked; names of files in profiles/."""
    never: tuple[str, ...] = ()
    ends: tuple[End, ...]


def load_cases(path: Path | None = None) -> tuple[Case, ...]:
    """Read the cases.

    Args:
        path: the file that came with the code, unless told otherwise.
    """
    return read_cases(path or kept_folder.folder("prompts") / FILE, Case)
