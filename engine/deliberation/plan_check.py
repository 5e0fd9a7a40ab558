"""Holds a plan against the brief and the facts: what code finds wrong with it, and what would cure that.

It runs on every model's plan, so it finds only what the words leave no doubt about. The words of `Finding.code` are the
keys of `engine.deliberation.check_texts.TEXTS`, and ``load`` for both of its texts.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from engine.deliberation.answers import Plan
from engine.deliberation.check_dates import check_dates
from engine.deliberation.check_facts import check_facts
from engine.deliberation.check_needs import check_amounts, check_needs, checked_by_dates
from engine.deliberation.check_options import check_options
from engine.deliberation.check_people import check_people
from engine.deliberation.events import Finding
from engine.deliberation.situation import Situation
from engine.deliberation.terms import Brief
from engine.kernel import HandedFact

MOST_FINDINGS: Final = 12
_SEVERITIES: Final = ("high", "medium", "low")


def findings(plan: Plan, brief: Brief, facts: Sequence[HandedFact], choice: str | None = None) -> tuple[Finding, ...]:
    """Return what is wrong with a plan, the gravest first.

    Args:
        facts: those that are known to whoever is told the findings.
        choice: the option of the brief that the position with this plan is for; None where that is not known, so that
            nothing is said of it.
    """
    situation = Situation(brief, tuple(facts), choice or "")
    found = [*_found(plan, situation, choice)]
    once: dict[object, Finding] = {}
    for each in found:
        once.setdefault((each.code, each.task_id, each.facts), each)
    return tuple(sorted(once.values(), key=lambda each: _SEVERITIES.index(each.severity)))[:MOST_FINDINGS]


def _found(plan: Plan, situation: Situation, choice: str | None) -> Iterator[Finding]:
    yield from check_dates(plan, situation)
    yield from check_facts(plan, situation)
    yield from check_people(plan, situation)
    yield from check_amounts(plan, situation, choice or "")
    yield from check_needs(plan, situation, checked_by_dates(situation))
    if choice is not None:
        yield from check_options(plan, situation, choice)
