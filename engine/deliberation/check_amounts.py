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
    most = max((room for _, room in rooms), default=0)
    guests = max((each.people for each in coming), default=0)
    if most and guests > most:
        facts = dict.fromkeys(each.fact_id for each in (*coming, *(fact for fact, _ in rooms)))
        yield found("capacity", "high", checked, facts=tuple(facts), values={"people": guests, "most": most})


def _budget(checked: Checked, here: list[FactRead]) -> Iterator[Finding]:
    """Costs in the budget's own currency only: no rate is assumed. The smallest of several budgets counts."""
    budgets = [
        (each, datum)
        for each in here
        for datum in as_data(each.demands)
        if isinstance(datum, Money) and (datum.amount or datum.none) and not each.person_id
    ]
    if not budgets:
        return
    fact, most = min(budgets, key=lambda each: each[1].amount)
    spent = [each for each in here if each.cost.amount and (most.none or each.cost.currency == most.currency)]
    total = sum(each.cost.amount for each in spent)
    if total > most.amount:
        facts = dict.fromkeys((fact.fact_id, *(each.fact_id for each in spent)))
        values = {"sum": money(total, most.currency), "most": money(most.amount, most.currency)}
        yield found("budget", "high", checked, facts=tuple(facts), values=values)
