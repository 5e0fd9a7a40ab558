"""Plans (seed 001, section 2.2).

Whether a plan is sound is the Critic's to say: a deadline in the past or a task that depends on itself can be told.
"""

from typing import Annotated, Final

from pydantic import Field

from engine.deliberation.envelopes.fields import OPTIONAL, Envelope, Id, Ids, IsoDate, Number, Text, Texts

MOST_PHASES: Final = 20
MOST_TASKS: Final = 100
"""Of one phase."""


class PlannedTask(Envelope):
    title: Text
    estimated_hours: Number | None
    """Null where nobody has estimated it."""
    deadline: IsoDate | None
    """Null where there is none."""
    tags: Texts
    task_id: Annotated[Id, OPTIONAL] = ""
    owner: Annotated[Id, OPTIONAL] = ""
    starts: Annotated[IsoDate | None, OPTIONAL] = None
    depends_on: Annotated[Ids, OPTIONAL] = ()
    """Task ids."""
    expected_output: Annotated[Text, OPTIONAL] = ""
    acceptance_criteria: Annotated[Texts, OPTIONAL] = ()
    because: Annotated[Ids, OPTIONAL] = ()
    """The ids of the facts that it rests on."""


class Phase(Envelope):
    phase_name: Text
    duration: Text
    """In the plan's own words."""
    tasks: Annotated[tuple[PlannedTask, ...], Field(max_length=MOST_TASKS)]


Phases = Annotated[tuple[Phase, ...], Field(max_length=MOST_PHASES)]


class Schedule(Envelope):
    """A plan without its title and goal, which stand beside it."""

    phases: Phases
    total_estimated_hours: Number


class Plan(Envelope):
    title: Text
    goal: Text
    phases: Phases
    total_estimated_hours: Number
