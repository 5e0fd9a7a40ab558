"""What a prompt was given, as what the plan check takes."""

from collections.abc import Iterable, Sequence

from engine.deliberation.brief_reading import kind_of
from engine.deliberation.given import Addressed, ArgumentGiven, BriefGiven, FactGiven
from engine.deliberation.option_weights import weigh
from engine.deliberation.situation import Situation
from engine.deliberation.terms import Brief
from engine.kernel import HandedFact, HandedPerson


def situation_of(brief: BriefGiven, facts: Iterable[FactGiven], points: Iterable[HandedFact] = ()) -> Situation:
    """
    Args:
        points: people's objections, which count as facts.
    """
    known = [HandedFact(fact_id=each.fact_id, kind=each.kind, text=each.text, by=each.by) for each in facts]
    told = brief_of(brief)
    weighed = weigh(told.options, (*known, *points), f"{told.title}\n{told.goal}")
    return Situation(told, (*known, *points), weighed[0].option if weighed else "")


def brief_of(given: BriefGiven) -> Brief:
    people = (
        HandedPerson(person_id=each.person_id, name=each.name, role=each.role, brings=each.brings, hours=each.hours)
        for each in given.people
    )
    return Brief(
        title=given.title,
        goal=given.goal,
        today=given.today,
        starts=given.starts,
        ends=given.ends,
        options=given.options,
        people=tuple(people),
        tasks=given.tasks,
    )


def points_of(arguments: Sequence[ArgumentGiven], addressed: Sequence[Addressed]) -> tuple[HandedFact, ...]:
    """What people have objected, each as a fact by its argument's id."""
    found = {each.argument_id: (each.text, each.by) for each in arguments if each.kind == "point"}
    found |= {each.argument: (each.text, each.by) for each in addressed if each.argument and each.by}
    return tuple(
        HandedFact(fact_id=argument, kind=kind_of(text), text=text, by=by) for argument, (text, by) in found.items()
    )
