"""What is to be planned, as somebody gives it to ``towow plan``: in options, and in a file."""

from pathlib import Path
from typing import Annotated

from msgspec.structs import replace
from pydantic import Field, StringConstraints, ValidationError

from engine.deliberation.opening.briefs import fact_of, written_brief
from engine.deliberation.terms import (
    LONGEST_FACT,
    LONGEST_GOAL,
    LONGEST_OPTION,
    LONGEST_TITLE,
    MOST_FACTS,
    MOST_OPTIONS,
    Brief,
)
from engine.errors import InvalidInput, Misconfigured
from engine.files.yaml_locations import Fault, InvalidFile, Position, read_yaml
from engine.kernel import FactKind, HandedPerson, Validated

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
