"""Plays a scenario, whose answers a scripted model gives."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from pydantic import ValidationError

from bot.demo.oracle.part import Asked, OraclePart, Played
from bot.demo.oracle.scenarios import AGENT, EVERYBODY, FAILS, Act, Planted, Scenario, is_by_number, is_by_person
from bot.models import asks_by_protocol
from engine.directory.profile import Profiles
from engine.errors import InvalidAnswer, ModelError, ModelTimeout, ModelUnavailable, Refusal
from engine.kernel import Ask, Compute, Millis, StreamKey, Tenant, plain
from engine.llm.asker import Asker
from engine.llm.port import Answer, Model, Prompt, Question, Returns
from engine.runtime.clock import JumpingClock
from engine.runtime.computing import Computing
from engine.runtime.in_process import in_process
from engine.runtime.ports import EffectRunner
from engine.runtime.runtime import Runtime
from engine.store.memory import MemoryStore

_IDS = ("agent_id", "agent_ids", "after")


class ScriptedModel:
    """
    Args:
        planted: is put into the answers that it names, each time that they are asked for.
    """

    def __init__(self, scenario: Scenario, part: OraclePart, planted: Planted | None = None) -> None:
        self._scenario = scenario
        self._part = part
        self._planted = planted
        self.asked: list[Asked] = []
        self.questioned: set[str] = set()
        """What was asked for once more, since a check had something against it."""

    async def answer(self, question: Question[Returns]) -> Answer[Returns]:
        """Answer as the scenario says.

        Raises:
            ModelError: the scenario says so.
        """
        prompt = question.prompt.name.rpartition("/")[2]
        asked = self._part.place(self._scenario, prompt, question)
        self.asked.append(asked)
        if question.fault is not None:
            self.questioned.add(prompt)
        said = self._said(asked)
        if isinstance(said, str) and said in FAILS:
            raise _failure(said)
        usual = plain(self._part.usual(self._scenario, asked, question))
        answer = self._part.numbered(self._scenario, asked, question, usual | _as_fields(said))
        answer = with_ids(answer, self._scenario.people)
        if self._planted is not None and self._planted.at in (str(asked), f"{asked.prompt}/{asked.who}", asked.prompt):
            answer = planted_in(answer, self._planted, self._scenario.people)
        try:
            return Answer(question.returns.checked(answer), "oracle")
        except ValidationError as error:
            raise InvalidAnswer(f"{prompt}: {error}") from error

    def _said(self, asked: Asked) -> Any:
        """Return what the scenario says: for this person, and in this round or, if not, the last one before it."""
        answers: Mapping[str, Any] = self._scenario.answers
        if asked.subnet:
            answers = self._scenario.subnets.get(asked.subnet, {})
        said = answers.get(asked.prompt, {})
        if is_by_person(said, self._scenario.people):
            said = said.get(asked.who, said.get(EVERYBODY, {}))
        if is_by_number(said):
            known = [each for each in said if each <= asked.number]
            said = said[max(known)] if known else {}
        return said


def _as_fields(said: Any) -> dict[str, Any]:
    return dict(said) if isinstance(said, Mapping) else {}


def _failure(said: str) -> ModelError:
    kinds = {"unavailable": ModelUnavailable, "timeout": ModelTimeout, "invalid": InvalidAnswer}
    return kinds[said](f"the scenario says that it is {said}")


def with_ids(value: Any, people: Mapping[str, Any]) -> Any:
    """Write agent ids out where a scenario names somebody by their short name."""
    match value:
        case dict():
            return {
                name: _ids(each, people) if name in _IDS else with_ids(each, people) for name, each in value.items()
            }
        case list() | tuple():
            return [with_ids(each, people) for each in value]
        case _:
            return value


def _ids(value: Any, people: Mapping[str, Any]) -> Any:
    """Return the agent ids of people by the names of their files. Somebody who is not in these profiles is left out."""
    if isinstance(value, list | tuple):
        return [_ids(each, people) for each in value]
    return AGENT + value if isinstance(value, str) and value in people else value


def planted_in(answer: dict[str, Any], planted: Planted, people: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer with the planted value at its path.

    Raises:
        KeyError: there is no such place in it.
    """
    *steps, last = planted.field.removesuffix("+").rstrip(".").split(".")
    answer = _copied(answer)
    at: Any = answer
    for step in steps:
        at = at[int(step)] if isinstance(at, list) else at.setdefault(step, {})
    value = with_ids({last: planted.value}, people)[last]
    if planted.field.endswith("+"):
        at.setdefault(last, []).append(value)
    elif isinstance(at, list):
        at[int(last)] = value
    else:
        at[last] = value
    return answer


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _copied(each) for name, each in value.items()}
    return [_copied(each) for each in value] if isinstance(value, list | tuple) else value


TENANT: Final = Tenant("T_ORACLE")
MOST_STEPS: Final = 400
"""Deadlines that are jumped to in one scenario."""


def moment(scenario: Scenario) -> Millis:
    at = datetime.fromisoformat(scenario.asked_at).replace(tzinfo=ZoneInfo(scenario.time_zone))
    return Millis(round(1000 * at.timestamp()))


async def play(
    scenario: Scenario,
    part: OraclePart,
    prompts: Mapping[str, Prompt],
    planted: Planted | None = None,
    *,
    around: Any = None,
    watch: Callable[[Any], None] = lambda _: None,
) -> Played:
    """
    Args:
        watch: is shown each state before somebody acts, and in which nothing goes on without the clock.
        planted: a wrong value in one of the answers.
        around: makes, of the scripted model, the one that is asked.

    Raises:
        Refusal: its first command is refused.
    """
    clock, store, protocol = JumpingClock(moment(scenario)), MemoryStore(), part.row
    await store.open()
    script = ScriptedModel(scenario, part, planted)
    model: Model = around(script) if around else script
    profiles = part.profiles(scenario)

    async def people(_: Tenant) -> Profiles:
        return profiles

    runners: dict[str, EffectRunner] = {
        Ask.kind: Asker(model, asks_by_protocol([protocol], prompts, people), clock),
        Compute.kind: Computing({protocol.name: protocol.computations}, clock),
        **part.runners(scenario, clock),
    }
    runtime = in_process(store, clock, [protocol.rulebook], runners, [Ask, Compute, *part.effects])
    stream, begin = part.begin(scenario, clock.now())
    key = StreamKey(TENANT, stream)
    acts = _Acts(scenario, part, watch)
    try:
        await runtime.start()
        await runtime.handle(key, protocol.name, begin)
        await acts.at_once(runtime, key, protocol.name, clock)
        for _ in range(MOST_STEPS):
            await acts.done_by_now(runtime, key, protocol.name, clock)
            state, _version = await runtime.read(key)
            due = await store.next_due()
            if due is None or not part.goes_on(state):
                break
            clock.jump(due)
            await runtime.sweep()
        await acts.done_by_now(runtime, key, protocol.name, clock)
        state, _version = await runtime.read(key)
        stored = await store.load(key)
    finally:
        await runtime.close()
        await store.close()
    events = [each.event_type for each in stored.events] if stored else []
    public = [each.public for each in stored.events] if stored else []
    asked = sorted({str(each) + (f" for {each.subnet}" if each.subnet else "") for each in script.asked})
    seen = part.see(scenario, state, asked)
    return Played(state, events, public, asked, frozenset(script.questioned), (*acts.refused, *acts.left()), seen)


class _Acts:
    """Does what the people of a scenario do, each act once, as soon as it is time for it."""

    def __init__(self, scenario: Scenario, part: OraclePart, watch: Callable[[Any], None]) -> None:
        self._scenario = scenario
        self._part = part
        self._watch = watch
        self._open: list[tuple[int, Act]] = [*enumerate(scenario.acts)]
        self.refused: list[str] = []

    async def done_by_now(self, runtime: Runtime, key: StreamKey, protocol: str, clock: JumpingClock) -> None:
        await runtime.activity.idle()
        await self.at_once(runtime, key, protocol, clock)

    async def at_once(self, runtime: Runtime, key: StreamKey, protocol: str, clock: JumpingClock) -> None:
        """Do what it is time for now, whether or not what was asked is answered."""
        while True:
            state, _ = await runtime.read(key)
            self._watch(state)
            for each in self._open:
                number, act = each
                command = self._part.act(self._scenario, act, state, f"act-{number}", clock.now())
                if command is not None:
                    break
            else:
                return
            self._open.remove(each)
            try:
                await runtime.handle(key, protocol, command)
                if act.refused:
                    self.refused.append(f"{act.do} at {act.at} by {act.by} was taken, and should have been refused")
            except Refusal as refusal:
                if not act.refused:
                    self.refused.append(f"{act.do} at {act.at} by {act.by} was refused: {refusal}")
            await runtime.activity.idle()

    def left(self) -> list[str]:
        return [f"it never was time for {act.do} at {act.at} by {act.by}" for _, act in self._open]
