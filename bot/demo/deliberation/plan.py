"""Has a plan argued out in the terminal, of what a file or the command line says."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from msgspec.structs import replace
from pydantic import Field, StringConstraints, ValidationError

from bot.demo.demo import CHANNEL, REQUESTER, Demo, DemoSettings, Posted, running_demo, telling_what_is_waited_for
from bot.listeners.deliberation.planning import begin
from bot.listeners.intake import cause_of_message
from bot.local_slack import Message
from engine.deliberation.closing.decision_record import DecisionRecord, decision_record
from engine.deliberation.commands import RaisePoint
from engine.deliberation.envelopes.outputs import Plan
from engine.deliberation.envelopes.session import SessionState
from engine.deliberation.events import EVENTS, HostDecided
from engine.deliberation.opening.briefs import fact_of, written_brief
from engine.deliberation.policy import Policy
from engine.deliberation.rounds.plans import final_plan
from engine.deliberation.rules import RULEBOOK
from engine.deliberation.session_json.outputs import plan_of
from engine.deliberation.session_json.session import session_state
from engine.deliberation.state import Deliberation, Status
from engine.deliberation.terms import (
    LONGEST_FACT,
    LONGEST_GOAL,
    LONGEST_OPTION,
    LONGEST_TITLE,
    MOST_FACTS,
    MOST_OPTIONS,
    Action,
    Brief,
)
from engine.errors import InvalidInput, Misconfigured, Refusal
from engine.facts.asked import local_day
from engine.files.yaml_locations import Fault, InvalidFile, Position, read_yaml
from engine.kernel import Event, FactKind, HandedPerson, Place, StreamKey, Validated
from engine.runtime.streams import Envelope, envelope
from engine.store.port import Store

Name = Annotated[str, StringConstraints(min_length=1, max_length=80, pattern=r"^\S+$")]
Day = Annotated[str, StringConstraints(pattern=r"^(\d{4}-\d{2}-\d{2})?$")]
Words = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_FACT, pattern=r"\S")]


Option = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_OPTION, pattern=r"\S")]


class GivenFact(Validated):
    text: Words
    by: str = ""
    """Who said it: a ``person_id`` of the people."""
    kind: FactKind | None = None


class GivenPerson(Validated):
    person_id: Name
    name: str = ""
    role: str = ""
    brings: str = ""
    hours: float | None = Field(None, ge=0)


class GivenBrief(Validated):
    """The fields of a brief's file."""

    goal: str = Field("", max_length=LONGEST_GOAL)
    title: str = Field("", max_length=LONGEST_TITLE)
    facts: tuple[Words | GivenFact, ...] = Field((), max_length=MOST_FACTS)
    options: tuple[Option, ...] = Field((), max_length=MOST_OPTIONS)
    people: tuple[GivenPerson, ...] = ()
    starts: Day = ""
    """ISO date."""
    ends: Day = ""

    def brief(self, *, today: str, time_zone: str) -> Brief:
        facts = [
            fact_of(each, place) if isinstance(each, str) else fact_of(each.text, place, each.kind, each.by)
            for place, each in enumerate(self.facts, 1)
        ]
        read = written_brief(
            self.goal, today=today, time_zone=time_zone, facts=facts, options=self.options, title=self.title
        )
        people = tuple(HandedPerson(**each.model_dump()) for each in self.people)
        return replace(read, people=people, starts=self.starts or read.starts, ends=self.ends or read.ends)


def read_brief_file(path: Path) -> GivenBrief:
    """Read a brief from a file."""
    try:
        located = read_yaml(path, path.read_text("utf-8"))
        try:
            return GivenBrief.model_validate(located.data)
        except ValidationError as error:
            raise InvalidFile(located.faults(error, GivenBrief)) from error
    except InvalidFile as error:
        raise Misconfigured([str(each) for each in sorted(error.faults)]) from error
    except UnicodeDecodeError as error:
        raise Misconfigured([str(Fault(path, Position(), "this is not UTF-8 text"))]) from error
    except OSError as error:
        raise Misconfigured([f"{path} cannot be read: {error.strerror}"]) from error


def with_options(given: GivenBrief, goal: str | None, facts: list[str], options: list[str]) -> GivenBrief:
    """Add what was said on the command line: the goal in place of the file's, the rest after it."""
    wanted = goal or given.goal
    if not wanted.strip():
        raise InvalidInput("Say what is to be planned, as an argument or as the goal of --brief.")
    choices = (*given.options, *options)
    if len(choices) == 1:
        raise InvalidInput("One option is no choice; name at least two with --option.")
    added = {"goal": wanted, "facts": (*given.facts, *facts), "options": choices}
    try:
        return GivenBrief.model_validate(given.model_dump() | added)
    except ValidationError as error:
        raise InvalidInput("; ".join(f"{each['loc'][0]}: {each['msg']}" for each in error.errors())) from error


class PlanReport(Validated):
    session_id: str
    status: Status
    reason: str
    """Why it ended; empty where it has not."""
    session: SessionState
    """All that was said."""
    plan: Plan | None
    """The plan that it ended with; null where no agent made one."""
    report: str
    """Markdown."""
    decision_record: DecisionRecord
    events: tuple[Envelope, ...]


EXIT_CODES: Final = {Status.CONVERGED: 0, Status.TERMINATED: 3}
UNFINISHED: Final = 1


def exit_code(status: Status) -> int:
    """Return how a command ends whose deliberation came to this: 0 where there is agreement."""
    return EXIT_CODES.get(status, UNFINISHED)


async def report(store: Store, key: StreamKey, state: Deliberation) -> PlanReport:
    stored = await store.load(key)
    final = final_plan(state)
    return PlanReport(
        session_id=state.session_id,
        status=state.status,
        reason=state.reason or "",
        session=session_state(state),
        plan=plan_of(final.plan) if final else None,
        report=state.report.content if state.report else "",
        decision_record=decision_record(state),
        events=tuple(envelope(each, EVENTS) for each in stored.events) if stored else (),
    )


LAST_ROUND: Final = 5

_POINT: Final = re.compile(r"(?P<text>.*?\S.*?)(?:@(?P<round>\d+))?", re.S)


@dataclass(frozen=True, slots=True)
class ScriptedPoint:
    """What whoever asks objects to, once this round has begun."""

    text: str
    round: int = 1


@dataclass(frozen=True, slots=True)
class Planned:
    report: PlanReport
    thread: Sequence[Message]
    names: Mapping[str, str]
    """Of everybody in the thread, by user id."""
    warnings: Sequence[str]
    is_degraded: bool
    """Whether anything was asked of a model that it did not answer."""


def read_points(texts: Sequence[str]) -> list[ScriptedPoint]:
    """Read the objections that the options name, each with its round.

    Raises:
        Misconfigured: every point that cannot be read.
    """
    points: list[ScriptedPoint] = []
    faults: list[str] = []
    for said in texts:
        match = _POINT.fullmatch(said)
        if match is None:
            faults.append(f"--point {said!r} has no words in it; it looks like 'There is no lift@2' (in round 2)")
            continue
        number = int(match["round"] or 1)
        if not 1 <= number <= LAST_ROUND:
            faults.append(f"--point {said!r}: rounds count from 1 to {LAST_ROUND}")
        else:
            points.append(ScriptedPoint(match["text"].strip(), number))
    if faults:
        raise Misconfigured(faults)
    return points


async def plan(
    given: GivenBrief, settings: DemoSettings, policy: Policy, points: Sequence[ScriptedPoint] = ()
) -> Planned:
    """Have a plan argued out, with objections in their rounds."""
    async with (
        running_demo(settings) as demo,
        telling_what_is_waited_for(demo, asks_a_model=settings.claude is not None),
    ):
        services = demo.towow.services
        message = await demo.person().say(CHANNEL, given.goal)
        time_zone = await services.texts.time_zone(demo.tenant, REQUESTER)
        objections = _Objections(demo, points)
        demo.towow.runtime.observers.listen(objections.hear)
        begun = await begin(
            services,
            demo.tenant,
            cause=cause_of_message(CHANNEL, message.ts),
            by=REQUESTER,
            brief=given.brief(today=local_day(services.now(), time_zone), time_zone=time_zone),
            place=Place(channel=CHANNEL, thread=message.ts),
            policy=policy,
        )
        await objections.raise_those_of(begun.key, 1)
        await demo.settle()
        while (await _read(demo, begun.key)).is_open and await demo.skip():
            await demo.settle()
        state = await _read(demo, begun.key)
        thread = await demo.thread(Posted(message, begun.key))
        told = await report(demo.towow.store, begun.key, state)
        return Planned(told, thread, demo.names, objections.warnings(state), bool(state.errors))


async def _read(demo: Demo, key: StreamKey) -> Deliberation:
    return await demo.towow.services.gateway.read(key, RULEBOOK)


class _Objections:
    """Raises each point as soon as its round has begun."""

    def __init__(self, demo: Demo, points: Sequence[ScriptedPoint]) -> None:
        self._demo = demo
        self._points = points
        self._refused: list[str] = []

    def hear(self, key: StreamKey, events: Sequence[Event]) -> None:
        for each in events:
            if isinstance(each, HostDecided) and each.action in (Action.CONTINUE, Action.FORCE_OPPOSITION):
                self._demo.towow.services.background.spawn(self.raise_those_of(key, each.round + 1))

    async def raise_those_of(self, key: StreamKey, number: int) -> None:
        services = self._demo.towow.services
        for place, point in enumerate(self._points):
            if point.round != number:
                continue
            command = RaisePoint(
                command_id=f"point:{key.stream}:{place}", at=services.now(), by=REQUESTER, text=point.text
            )
            try:
                await services.gateway.send(key, RULEBOOK, command)
            except Refusal as refusal:
                self._refused.append(f"round {number}: the point {point.text!r} was not taken: {refusal}")

    def warnings(self, state: Deliberation) -> Sequence[str]:
        """What of the script could not be done."""
        idle = (each for each in self._points if each.round > len(state.rounds))
        return [*self._refused, *(f"round {each.round} never began, so {each.text!r} was not raised" for each in idle)]
