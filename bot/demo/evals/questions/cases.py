"""Cases of single prompts: lists in YAML, one file for each prompt of a protocol, in prompts/evals/<protocol>/."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, model_validator

from bot.demo.evals.part import AnyCase, Pattern, read_cases, read_yaml
from engine.errors import Misconfigured
from engine.files import kept_folder

EVERY_TEXT: Final = "*"
"""Stands for a path: all texts of the answer."""


class Expected(BaseModel):
    """What an answer must be, by path: `needs.tags` is the tags of every need. What is left out is not checked."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    one_of: dict[str, tuple[Any, ...]] = {}
    """There is something at the path, and each is one of these values."""
    says: dict[str, tuple[Pattern, ...]] = {}
    """Each expression is found in something at the path."""
    never: dict[str, tuple[Pattern, ...]] = {}
    """No expression is found in anything at the path."""
    within: dict[str, tuple[Any, Any]] = {}
    """Each number, or ISO date, at the path is from the first to the second."""
    count: dict[str, tuple[int, int]] = {}
    """From so many to so many stand at the path."""


class PromptCase(AnyCase):
    """One question to one prompt, and what must hold of the answer besides what holds of each."""

    prompt: str = ""
    """Its name in the protocol's folder; the file's name says it."""
    scene: str = ""
    """The case of the protocol in which rules ask this question, when they play it to its end."""
    about: str = ""
    """Of several questions to this prompt in a scene: the one about this person or role."""
    nth: int = 1
    """Which of these, counted from 1."""
    words: str = ""
    """What somebody asks, where the question is a person's."""
    told: tuple[str, ...] = ()
    """What the person in `about` has told their twin for good, besides what stands in their profile."""
    given: dict[str, Any] = {}  # noqa: RUF012
    """Instead of a scene: what the prompt is given, written out; a text names one of the values in `values.yaml`."""
    language: str = ""
    """The BCP 47 tag of the language of the answer; where it is left out, the id begins with it: `zh-venue`."""
    expect: Expected = Expected()

    @property
    def tag(self) -> str:
        """The language of the answer, where the question itself does not say it."""
        return self.language or self.id.rpartition("/")[2].partition("-")[0]

    @model_validator(mode="after")
    def _has_one_source(self) -> "PromptCase":
        if bool(self.scene) == bool(self.given):
            raise ValueError("a case has either a scene or what is given")
        return self


def load_prompt_cases(protocol: str, prompts: Sequence[str], path: Path | None = None) -> tuple[PromptCase, ...]:
    """Read the cases of all prompts of a protocol.

    Args:
        path: one file of cases, which each name their prompt; those that came with the code, unless told otherwise.

    Raises:
        Misconfigured: a file is not there, or no list of cases, or names a prompt that is not asked.
    """
    if path is not None:
        cases = read_cases(path, PromptCase)
        if strangers := sorted({each.prompt for each in cases} - set(prompts)):
            raise Misconfigured([f"{path}: no prompt is called {each!r}" for each in strangers])
        return cases
    return tuple(
        each.model_copy(update={"id": f"{name}/{each.id}", "prompt": name})
        for name in prompts
        for each in read_cases(folder_of(protocol) / f"{name}.yaml", PromptCase)
    )


def folder_of(protocol: str) -> Path:
    return kept_folder.folder("prompts") / "evals" / protocol


def given_values(protocol: str, case: PromptCase) -> Mapping[str, Any]:
    """Return what the prompt of a case is given, with the names of shared values replaced by these.

    A record with the key ``like`` is the shared value of that name, with its other keys put over it.
    """
    shared = _shared_values(protocol)
    return {name: _value(value, shared.get(name, {}), case.id) for name, value in case.given.items()}


@cache
def _shared_values(protocol: str) -> Mapping[str, Mapping[str, Any]]:
    values: Mapping[str, Mapping[str, Any]] = read_yaml(folder_of(protocol) / "values.yaml")
    return values


def _value(value: Any, shared: Mapping[str, Any], case: str) -> Any:
    match value:
        case str() if value and shared:
            return _named(value, shared, case)
        case {"like": name, **others}:
            return {**_named(name, shared, case), **others}
        case list():
            return [_value(each, shared, case) for each in value]
        case _:
            return value


def _named(name: str, shared: Mapping[str, Any], case: str) -> Any:
    if name not in shared:
        raise Misconfigured([f"{case}: nothing is called {name!r}; there are: {', '.join(shared)}"])
    return shared[name]
