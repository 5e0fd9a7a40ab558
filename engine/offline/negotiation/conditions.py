"""Answers conditions and wishes: by data where there is data, else they are left to whoever asked."""

from datetime import timedelta
from typing import Final, NamedTuple

from engine.facts.asked import Asked
from engine.facts.circumstances import Money, People, When
from engine.facts.data import Days, Hours, Notice, Place
from engine.facts.holding import Part, holds, is_within, moved_to
from engine.facts.language import Language
from engine.negotiation.answers import ConditionAnswer, Milestone, OfferMade, SubstituteOffer, Understanding
from engine.negotiation.plan.parts import iso_day
from engine.offline.model import phrase, phrases
from engine.offline.negotiation.limits import part_of
from engine.offline.reading.circumstances import told_in
from engine.offline.reading.wishes import datum_in

_WHERE: Final[dict[type, str]] = {Days: "when", Hours: "when", People: "people", Money: "money", Place: "place"}


class Ruling(NamedTuple):
    """What becomes of a wish. ``when`` is the new time of the version, where it is moved."""

    is_met: bool
    where: str = ""
    when: When | None = None


def is_left_open(reason: str) -> bool:
    """Whether a refusal is the stand-in's own, which leaves a wish to whoever asked."""
    return reason in phrases()["open"].values()


def answer_conditions(
    offer: OfferMade | SubstituteOffer,
    demand: Understanding,
    when: When,
    asked: Asked,
    language: Language,
    steps: list[Milestone],
    *,
    is_own_time: bool,
) -> tuple[ConditionAnswer, ...]:
    """Return what became of the conditions of one offer; what is to be known days before becomes one of ``steps``."""
    answers = []
    begins = iso_day(when.first if when.exact == "day" else demand.context.deadline)
    handed = told_in(demand.surface_demand, asked).handed if begins else None
    for number, text in enumerate(offer.conditions, 1):
        datum, scope = datum_in(text, asked)
        part = part_of(demand, when) if scope == "whole" or is_own_time else Part()
        is_met = datum is not None and holds(datum, part).status == "met"
        where = _WHERE.get(type(datum), "") if is_met else ""
        if isinstance(datum, Notice) and begins and (day := handed or begins - timedelta(datum.days)) >= asked.day:
            name = phrase("plan.brings", language, name=offer.display_name, what=text).rstrip("。.")
            steps.append(Milestone(name=name, day=day.isoformat(), date=day.isoformat()))
            is_met, where = (begins - day).days >= datum.days, f"milestone/{len(steps)}"
        reason = "" if is_met else phrase("open", language)
        answers.append(
            ConditionAnswer(
                agent_id=offer.agent_id, condition_id=number, condition=text, met=is_met, reason=reason, where=where
            )
        )
    return tuple(answers)


def ruling(text: str, demand: Understanding, when: When, asked: Asked, *, by_requester: bool) -> Ruling:
    """Decide a wish. A time is moved within what the demand leaves open; whoever asked may move it anywhere."""
    datum, _ = datum_in(text, asked)
    if datum is None or isinstance(datum, Notice):
        return Ruling(False)
    if holds(datum, part_of(demand, when)).status == "met":
        return Ruling(True, _WHERE.get(type(datum), ""))
    moved = moved_to(datum, when)
    if moved is None:
        return Ruling(False)
    return Ruling(True, "when", moved) if by_requester or is_within(moved, demand.context.when) else Ruling(False)
