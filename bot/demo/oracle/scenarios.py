"""Files of scenarios: people, what is asked for, every answer of the models, and what should come of it.

docs/oracle.md describes the format.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from engine.errors import Misconfigured
from engine.files.yaml_locations import Fault, InvalidFile, LocatedYaml, Location, read_yaml
from engine.kernel import ModelAnswer
from engine.llm.port import AnswerClasses

AGENT: Final = "user_agent_"
EVERYBODY: Final = "everybody"
"""Stands for each person whom an answer does not name."""
FAILS: Final = ("unavailable", "timeout", "invalid")
"""Stand where a model gives no answer."""
RESERVED: Final = frozenset({"who", "claim", "about"})
"""Names by which an answer finds what it is about (`bot.demo.oracle.playing`)."""

_TICKET: Final = re.compile(r"T-\d+")

Expects = Mapping[str, Any]
"""What of a scenario's end can be expected, by its name, and the type of what is then written."""
Caught = Literal["", "mark", "fault", "refused", "masked", "vote", "open"]
Kind = Literal["day", "hour", "sum", "head", "id", "name", "secret", "cycle"]


class Written(BaseModel):
    """A part of a scenario; a misspelt field is a fault."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class PersonWritten(Written):
    """Somebody who may be asked. What is left out is something plain."""

    name: str
    profile: str = ""
    """What everybody reads of them. It is said again until it is long enough for a profile."""
    user: str | None = None
    """Their Slack user id; left out: nobody is linked to their twin."""
    city: str = "Berlin"
    tags: tuple[str, ...] = ()
    capabilities: Mapping[str, str] = Field(default_factory=dict)
    availability: str = ""
    languages: tuple[str, ...] = ()
    limits: Mapping[str, Any] = Field(default_factory=dict)
    preferences: Mapping[str, Any] = Field(default_factory=dict)
    from_now_on: tuple[str, ...] = ()
    limit_data: tuple[Mapping[str, Any], ...] = ()


class Act(Written):
    """What a person does, and when."""

    at: str
    """``offers``, ``decision``, ``question``, ``end``, or ``round 2``; docs/oracle.md lists them."""
    by: str
    """Somebody of the scenario, ``requester``, or a user id."""
    do: str
    with_: Mapping[str, Any] = Field(default_factory=dict, alias="with")
    refused: bool = False
    """Whether it has to be refused."""


class Planted(Written):
    """One wrong value, which is put into one answer; the scenario is played again with it."""

    at: str
    """The prompt, whose answer and which: ``aggregate``, ``respond/ines``, ``feedback/ines/2``, ``adjust/2``."""
    field: str
    """The path to the value: ``when.start``, ``assignments.0.cost``; with ``+`` at its end the value is put last."""
    value: Any
    kind: Kind
    caught_by: Caught = ""
    """Empty: whatever catches it."""


class Scenario(Written):
    protocol: Literal["negotiation", "deliberation", "delivery"] = "negotiation"
    about: str = ""
    """What it is to show, for whoever reads it."""
    language: str = "en"
    """BCP 47."""
    time_zone: str = "Europe/Berlin"
    asked_at: str = "2027-03-01T09:00"
    """There; ISO."""
    requester: str = "U_ASKS"
    locale: str = ""
    policy: str | Mapping[str, Any] = "balanced"
    demand: str = ""
    brief: Mapping[str, Any] = Field(default_factory=dict)
    roles: tuple[Mapping[str, Any], ...] = ()
    tasks: tuple[Mapping[str, Any], ...] = ()
    people: Mapping[str, PersonWritten] = Field(default_factory=dict)
    names: tuple[str, ...] = ()
    """Proper names that stand in its texts besides those of people and cities."""
    answers: Mapping[str, Any] = Field(default_factory=dict)
    subnets: Mapping[str, Mapping[str, Any]] = Field(default_factory=dict)
    """By what a gap asks for: the answers of the negotiation that looks for it."""
    acts: tuple[Act, ...] = ()
    expect: Mapping[str, Any] = Field(default_factory=dict)
    planted: tuple[Planted, ...] = ()


class Named(Written):
    """A scenario with its name, and the file that it stands in."""

    name: str
    scenario: Scenario
    path: Path


def load_scenarios(folder: Path, returns: Mapping[str, AnswerClasses], expects: Mapping[str, Expects]) -> (
    tuple[Named, ...]
):  # fmt: skip
    """Read every scenario of a folder, or of one file.

    Args:
        returns: what each prompt returns, by protocol.
        expects: what can be expected, and in what shape, by protocol.
    """
    paths = [folder] if folder.is_file() else sorted(folder.rglob("*.yaml"))
    if not paths:
        raise Misconfigured([f"{folder}: there is no file *.yaml with scenarios."])
    found: list[Named] = []
    faults: list[str] = []
    for path in paths:
        try:
            located = read_yaml(path, path.read_text("utf-8"))
        except InvalidFile as error:
            faults += map(str, error.faults)
            continue
        except (OSError, UnicodeDecodeError) as error:
            faults.append(f"{path}: it cannot be read: {error}")
            continue
        for name, written in with_days_as_text(located.data).items():
            wrong = list(_faults(located, str(name), written, returns, expects))
            faults += map(str, wrong)
            if not wrong:
                found.append(Named(name=str(name), scenario=Scenario.model_validate(written), path=path))
    names = [each.name for each in found]
    faults += [f"More than one scenario is called {each}." for each in sorted(set(names)) if names.count(each) > 1]
    if faults:
        raise Misconfigured(faults)
    return tuple(found)


def with_days_as_text(value: Any) -> Any:
    """YAML reads ``2027-03-01`` as a day; everything here is text."""
    match value:
        case dict():
            return {name: with_days_as_text(each) for name, each in value.items()}
        case list():
            return [with_days_as_text(each) for each in value]
        case date():
            return value.isoformat()
        case _:
            return value


def _faults(
    located: LocatedYaml,
    name: str,
    written: Any,
    returns: Mapping[str, AnswerClasses],
    expects: Mapping[str, Expects],
) -> Iterator[Fault]:
    try:
        scenario = Scenario.model_validate(written)
    except ValidationError as error:
        for each in error.errors(include_url=False):
            at = (name, *each["loc"])
            unknown = each["type"] == "extra_forbidden"
            told = f"`{each['loc'][-1]}` is not a field here" if unknown else f"{_path(each['loc'])}: {each['msg']}"
            yield located.fault(at, told)
        return
    known = returns[scenario.protocol]
    for of, answers in (("answers", scenario.answers), *((f"subnets.{k}", v) for k, v in scenario.subnets.items())):
        place: Location = (name, *of.split(".", 1))
        for prompt, said in answers.items():
            if prompt not in known and "/" not in prompt:
                yield located.fault((*place, prompt), f"no prompt of a {scenario.protocol} is called `{prompt}`")
            elif prompt in known:
                schema = _schema(known[prompt])
                for at, each in _single(said, scenario.people, (*place, prompt)):
                    for where, unknown_name in _unknown(each, schema, schema.get("$defs", {}), at):
                        yield located.fault(where, f"`{unknown_name}` is not a field of the answer to `{prompt}`")
    for expected, value in scenario.expect.items():
        if (misshapen := _misshapen(value, expects[scenario.protocol].get(expected))) is not None:
            yield located.fault((name, "expect", expected), f"`{expected}` {misshapen}")
    for number, planted in enumerate(scenario.planted):
        if planted.at.split("/")[0] not in known:
            yield located.fault((name, "planted", number, "at"), f"no prompt is called `{planted.at}`")


def _misshapen(value: Any, shape: Any) -> str | None:
    """Say what is wrong with what is expected; a text in place of a list would else be held letter by letter."""
    if shape is None:
        return "is nothing that can be expected"
    try:
        msgspec.convert(value, shape)
    except msgspec.ValidationError as error:
        return f"has another shape here: {error}"
    return None


@cache
def _schema(of: type[ModelAnswer]) -> dict[str, Any]:
    return of.json_schema()


def _path(location: tuple[str | int, ...]) -> str:
    return ".".join(map(str, location))


def _single(said: Any, people: Mapping[str, Any], at: Location) -> Iterator[tuple[Location, Any]]:
    """Yield each answer in what a scenario says of a prompt: by person, by number, or the one."""
    if is_by_person(said, people) or is_by_number(said):
        for key, each in said.items():
            yield from _single(each, people, (*at, str(key)))
    elif isinstance(said, Mapping):
        yield at, said


def is_by_person(said: Any, people: Mapping[str, Any]) -> bool:
    """Likewise by ticket."""
    known = (each in people or each == EVERYBODY or bool(_TICKET.fullmatch(str(each))) for each in said)
    return isinstance(said, Mapping) and bool(said) and all(known)


def is_by_number(said: Any) -> bool:
    return isinstance(said, Mapping) and bool(said) and all(isinstance(each, int) for each in said)


def _unknown(value: Any, schema: Any, shared: Mapping[str, Any], at: Location) -> Iterator[tuple[Location, str]]:
    """Yield where a field stands that no answer has, and its name."""
    shapes = list(_shapes(schema, shared))
    if isinstance(value, list):
        items = [each["items"] for each in shapes if "items" in each]
        for number, each in enumerate(value):
            for item in items[:1]:
                yield from _unknown(each, item, shared, (*at, number))
    elif isinstance(value, Mapping):
        fields = {name: each for shape in shapes for name, each in shape.get("properties", {}).items()}
        for name, each in value.items() if fields else ():
            if name in fields:
                yield from _unknown(each, fields[name], shared, (*at, str(name)))
            elif name != "kind" and name not in RESERVED:
                yield (*at, str(name)), str(name)


def _shapes(schema: Any, shared: Mapping[str, Any]) -> Iterator[Any]:
    if not isinstance(schema, Mapping):
        return
    if "$ref" in schema:
        yield from _shapes(shared.get(str(schema["$ref"]).rpartition("/")[2], {}), shared)
        return
    yield schema
    for kind in ("anyOf", "oneOf", "allOf"):
        for each in schema.get(kind, ()):
            yield from _shapes(each, shared)
