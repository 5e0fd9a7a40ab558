"""Demands with what must come of them, as prompts/evals/negotiation.yaml has them."""

import re
from pathlib import Path
from typing import Annotated, Final, Literal

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from engine.errors import Misconfigured
from engine.files import folders
from engine.files.bounded_yaml import BoundedLoader

FILE: Final = "evals/negotiation.yaml"
"""In the folder of the prompts."""

End = Literal["agreed", "lacking", "question", "failed"]


def _is_pattern(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(f"{text!r} is no regular expression: {error}") from None
    return text


Pattern = Annotated[str, AfterValidator(_is_pattern)]


class ExpectedTime(BaseModel):
    """Dates and times of day as the reader writes them; what is left out is not checked."""

    model_config = ConfigDict(frozen=True, extra="forbid", coerce_numbers_to_str=True)

    first: str | None = None
    last: str | None = None
    start: str | None = None
    end: str | None = None


class Case(BaseModel):
    """A demand, and what must come of it. What is left out is not checked."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
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


class _NoDates(BoundedLoader):
    """Leaves dates as they are written."""


_NoDates.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def load_cases(path: Path | None = None) -> tuple[Case, ...]:
    """Read the cases.

    Args:
        path: the file that came with the code, unless told otherwise.

    Raises:
        Misconfigured: it is not there, or no list of cases.
    """
    path = path or folders.folder("prompts") / FILE
    try:
        loaded = yaml.load(path.read_text("utf-8"), _NoDates)  # noqa: S506 - derived from the safe loader
        cases = TypeAdapter(tuple[Case, ...]).validate_python(loaded)
    except (OSError, UnicodeDecodeError) as error:
        raise Misconfigured([f"{path}: the cases cannot be read: {error}"]) from error
    except yaml.YAMLError as error:
        raise Misconfigured([f"{path}: this is no YAML: {error}"]) from error
    except ValidationError as error:
        faults = [f"{path}: case {each['loc'][0]}: {each['loc'][1:]}: {each['msg']}" for each in error.errors()]
        raise Misconfigured(faults) from error
    if doubled := {each.id for each in cases if sum(each.id == other.id for other in cases) > 1}:
        raise Misconfigured([f"{path}: more than one case is called {each}" for each in sorted(doubled)])
    return cases
