"""Whether there is room for as many as come, and money for what it costs: sums and numbers that facts name."""

from collections.abc import Iterator

from engine.deliberation.answers import FactRead
from engine.deliberation.check_texts import money
from engine.deliberation.checked import Checked, found
from engine.deliberation.events import Finding
from engine.facts.circumstances import Money, People
from engine.facts.data import as_data


def check_amounts(checked: Checked) -> Iterator[Finding]:
    here = [each for each in checked.read if checked.holds_here(each)]
    yield from _room(checked, here)
    yield from _budget(checked, here)


def _room(checked: Checked, here: list[FactRead]) -> Iterator[Finding]:
    """Where one room of several is large enough, the others are for something else."""
    coming = [each for each in here if each.people and not each.person_id]
    rooms = [
        (each, datum.at_most)
        for each in here
        for datum in as_data(each.demands)
        if isinstance(datum, People) and datum.at_most and not each.person_id
    ]
    needed = [
        (each, datum.at_least)
        for each in here
        for datum in as_data(each.demands)
        if isinstance(datum, People) and datum.at_least and not each.person_id
    ]
    least = max((number for _, number in needed), default=0)
    most = max((room for _, room in rooms), default=0)
    guests = max((each.people for each in coming), default=0)
    if least and guests and guests < least:
        facts = dict.fromkeys(each.fact_id for each in (*coming, *(fact for fact, _ in needed)))
        yield found("too_few", "high", checked, facts=tuple(facts), values={"people": guests, "least": least})
    if most and guests > most:
        facts = dict.fromkeys(each.fact_id for each in (*coming, *(fact for fact, _ in rooms)))
        yield found("capacity", "high", checked, facts=tuple(facts), values={"people": guests, "most": most})


def _budget(checked: Checked, here: list[FactRead]) -> Iterator[Finding]:
    """Costs in the budget's own currency only: no rate is assumed. The smallest of several budgets counts."""
    guests = max((each.people for each in here if not each.person_id), default=0)
    budgets = [
        (each, datum)
        for each in here
        for datum in as_data(each.demands)
        if isinstance(datum, Money) and (_sum(datum, guests) or datum.none) and not each.person_id
    ]
    if not budgets:
        return
    fact, most = min(budgets, key=lambda each: _sum(each[1], guests))
    spent = [each for each in here if _sum(each.cost, guests) and (most.none or each.cost.currency == most.currency)]
    total = sum(_sum(each.cost, guests) for each in spent)
    if total > _sum(most, guests):
        facts = dict.fromkeys((fact.fact_id, *(each.fact_id for each in spent)))
        values = {"sum": money(total, most.currency), "most": money(_sum(most, guests), most.currency)}
        yield found("budget", "high", checked, facts=tuple(facts), values=values)


def _sum(money_: Money, guests: int) -> int:
    """All of it; 0 where only what each costs is said, and not how many come."""
    return money_.amount or money_.per_head * guests
