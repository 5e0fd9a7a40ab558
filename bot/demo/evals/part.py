"""What a protocol adds to `towow evals`, and how its cases are read."""

import re
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar
from zoneinfo import ZoneInfo

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, TypeAdapter, ValidationError

from bot.models import asks_by_protocol
from bot.protocol_row import Protocol
from engine.directory.profile import Profiles
from engine.errors import Misconfigured
from engine.files.bounded_yaml import BoundedLoader
from engine.kernel import Ask, Command, Compute, Millis, StreamKey, Tenant
from engine.llm.asker import Asker
from engine.llm.port import Model, Prompt
from engine.runtime.clock import JumpingClock
from engine.runtime.computing import Computing
from engine.runtime.in_process import in_process
from engine.runtime.ports import EffectRunner
from engine.store.memory import MemoryStore


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


TIME_ZONE: Final = "Asia/Shanghai"
ASKED_AT: Final = datetime(2026, 11, 23, 9, tzinfo=ZoneInfo(TIME_ZONE))
"""A Monday, so that "next Thursday" means the same day whenever the cases are played."""
REQUESTER: Final = "U_YOU"
TENANT: Final = Tenant("T_EVALS")


async def play_stream(
    protocol: Protocol,
    stream: str,
    begin: Callable[[Millis], Command],
    goes_on: Callable[[Any], bool],
    *,
    model: Model,
    prompts: Mapping[str, Prompt],
    profiles: Profiles,
    afterwards: Sequence[Callable[[Millis], Command]] = (),
) -> Any:
    """Begin a stream and play it to its end, with the clock jumping from deadline to deadline. Return its state.

    Args:
        begin: makes the first command, of the time at which it comes.
        goes_on: whether a state waits for anything that time brings.
        afterwards: make what somebody does when it has come to its end.

    Raises:
        Refusal: the first command, or one of those afterwards, is refused.
    """
    clock = JumpingClock.running_from(round(1000 * ASKED_AT.timestamp()))
    store = MemoryStore()
    await store.open()

    async def people(_: Tenant) -> Profiles:
        return profiles

    asker = Asker(model, asks_by_protocol([protocol], prompts, people), clock)
    computing = Computing({protocol.name: protocol.computations}, clock)
    runners: Mapping[str, EffectRunner] = {Ask.kind: asker, Compute.kind: computing}
    runtime = in_process(store, clock, [protocol.rulebook], runners, [Ask, Compute])
    key = StreamKey(TENANT, stream)
    try:
        await runtime.start()
        await runtime.handle(key, protocol.name, begin(clock.now()))
        while True:
            await runtime.activity.idle()
            state, _ = await runtime.read(key)
            due = await store.next_due()
            if due is None or not goes_on(state):
                break
            clock.jump(due)
            await runtime.sweep()
        for make in afterwards:
            await runtime.handle(key, protocol.name, make(clock.now()))
            await runtime.activity.idle()
        state, _ = await runtime.read(key)
        return state
    finally:
        await runtime.close()
        await store.close()
