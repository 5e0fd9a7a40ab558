"""What a protocol adds to `towow evals`, and how its cases are read."""

import re
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, TypeVar

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, TypeAdapter, ValidationError

from engine.directory.profile import Profiles
from engine.errors import Misconfigured
from engine.files.bounded_yaml import BoundedLoader
from engine.llm.port import Model, Prompt


class AnyCase(BaseModel):
    """What comes in, and what must come of it. What is left out is not checked."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    needs_model: bool = False
    """It takes a model's sense: the rules that answer without a key are not held to it."""


Case = TypeVar("Case", bound=AnyCase)


def _is_pattern(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(f"{text!r} is no regular expression: {error}") from None
    return text


Pattern = Annotated[str, AfterValidator(_is_pattern)]


class _NoDates(BoundedLoader):
    """Leaves dates as they are written."""


_NoDates.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def as_yaml(case: AnyCase) -> str:
    """Return a case as a line of such a file; one of which nothing is expected says so."""
    fields = case.model_dump(mode="json", exclude_defaults=True)
    written = yaml.safe_dump([fields], allow_unicode=True, default_flow_style=None, sort_keys=False, width=10_000)
    return written.strip() if "expect" in fields else f"# Nothing is expected of it yet: add expect.\n{written.strip()}"


def read_cases(path: Path, of: type[Case]) -> tuple[Case, ...]:
    """Read the cases of a file."""
    adapter: TypeAdapter[Any] = TypeAdapter(tuple[of, ...])  # type: ignore[valid-type]
    loaded = read_yaml(path)
    try:
        cases: Sequence[Case] = adapter.validate_python(loaded)
    except ValidationError as error:
        faults = [f"{path}: case {each['loc'][0]}: {each['loc'][1:]}: {each['msg']}" for each in error.errors()]
        raise Misconfigured(faults) from error
    if doubled := {each.id for each in cases if sum(each.id == other.id for other in cases) > 1}:
        raise Misconfigured([f"{path}: more than one case is called {each}" for each in sorted(doubled)])
    return tuple(cases)


def read_yaml(path: Path) -> Any:
    """Read a YAML file."""
    try:
        return yaml.load(path.read_text("utf-8"), _NoDates)  # noqa: S506 - derived from the safe loader
    except (OSError, UnicodeDecodeError) as error:
        raise Misconfigured([f"{path}: the cases cannot be read: {error}"]) from error
    except yaml.YAMLError as error:
        raise Misconfigured([f"{path}: this is no YAML: {error}"]) from error


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a case."""

    case: AnyCase
    end: str
    faults: Mapping[str, Sequence[str]]
    """By check; empty for what holds."""

    @property
    def passed(self) -> bool:
        return not any(self.faults.values())


@dataclass(frozen=True, slots=True)
class Table:
    """What a case is played with."""

    model: Model
    prompts: Mapping[str, Prompt]
    profiles: Profiles
    policy: Any
    """One of the protocol's; None: its own default."""
    kept: dict[str, Any] = field(default_factory=dict)
    """What was worked out for one case and serves others, by a name of its own."""


MakeCase = Callable[[str, str, str, Table], Coroutine[Any, Any, AnyCase]]
"""Takes whose twin it is, what they said, and a demand."""


@dataclass(frozen=True, slots=True)
class EvalsPart:
    load: Callable[[Path | None], Sequence[AnyCase]]
    """Reads cases from a file, or from the one that comes with ToWow."""
    play: Callable[[Any, Table], Awaitable[Outcome]]
    checks: Sequence[str]
    """The names of what is checked."""
    told: MakeCase | None = None
    """Makes a case of what somebody has told their twin for good; None where no twin is asked."""
