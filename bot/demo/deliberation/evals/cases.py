"""Goals and facts with what must come of them, as prompts/evals/deliberation.yaml has them."""

from pathlib import Path
from typing import Final, Literal

from msgspec.structs import replace
from pydantic import BaseModel, ConfigDict

from bot.demo.evals.cases import AnyCase, Pattern, read_cases
from bot.demo.evals.playing import ASKED_AT, TIME_ZONE
from engine.deliberation.opening.briefs import fact_of, written_brief
from engine.deliberation.terms import Brief
from engine.files import kept_folder
from engine.kernel import HandedPerson

FILE: Final = "evals/deliberation.yaml"
"""In the folder of the prompts."""

End = Literal["agreed", "diverged"]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", coerce_numbers_to_str=True)


class Person(_Part):
    brings: str = ""
    hours: float | None = None


class ExpectedTask(_Part):
    """Of the tasks whose title the expression is found in, one has all of this."""

    task: Pattern
    owner: str | None = None
    """By name; empty for nobody."""
    after: str | None = None
    """ISO date: due no earlier."""
    before: str | None = None
    """ISO date: due no later."""
    never: tuple[str, ...] = ()
    """ISO dates on which it is not due."""


class Case(AnyCase):
    goal: str
    """In a person's own words."""
    people: dict[str, Person] = {}  # noqa: RUF012 - pydantic copies it
    facts: tuple[str | dict[str, str], ...] = ()
    """Each a text, or a name and what they said."""
    options: tuple[str, ...] = ()
    starts: str = ""
    ends: str = ""
    choice: str | None = None
    tasks: tuple[ExpectedTask, ...] = ()
    covered: tuple[Pattern, ...] = ()
    """Each is found in some task."""
    rounds: int = 5
    end: End


def load_cases(path: Path | None = None) -> tuple[Case, ...]:
    """
    Args:
        path: the file that came with the code, unless told otherwise.

    Raises:
        Misconfigured: it is not there, or no list of cases.
    """
    return read_cases(path or kept_folder.folder("prompts") / FILE, Case)


def brief_of(case: Case) -> Brief:
    """What a case asks to be planned, on the day on which cases are played."""
    people = tuple(
        HandedPerson(person_id=f"person-{at}", name=name, brings=each.brings, hours=each.hours)
        for at, (name, each) in enumerate(case.people.items(), 1)
    )
    ids = {each.name: each.person_id for each in people}
    said = [each for one in case.facts for each in (one.items() if isinstance(one, dict) else [("", one)])]
    facts = [fact_of(text, at, by=ids.get(name, "")) for at, (name, text) in enumerate(said, 1)]
    today = ASKED_AT.date().isoformat()
    read = written_brief(case.goal, today=today, time_zone=TIME_ZONE, facts=facts, options=case.options)
    return replace(read, people=people, starts=case.starts or read.starts, ends=case.ends or read.ends)
