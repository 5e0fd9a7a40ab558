"""What a protocol adds to ``towow evals``."""

from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.demo.evals.cases import AnyCase
from engine.directory.profile import Profiles
from engine.llm.port import Model, Prompt


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
