"""Reads how many come, how many something takes, how much there is to spend and what things cost."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from engine.deliberation.situation import Situation, clauses_of
from engine.deliberation.words import names, words_of
from engine.kernel import FactKind, HandedFact

CAPACITY: Final = re.compile(
    r"\b(?:seats?|(?:holds?|fits?)(?= (?:up to |at most |about |only )?\d)|sleeps|capacity|room for|space for"
    r"|accommodates?|takes? (?:up to|at most|no more|only)"
    r"|(?:up to|at most|no more than|maximum(?: of)?|max\.?|only|limit(?:ed)? (?:to|of)) (?=\d+ (?:people|guests"
    r"|persons|seats|pax)))"
    r"|容纳|坐得下|坐下|可坐|可以坐|能坐|最多|上限|限\d|座位|放得下",
    re.IGNORECASE,
)
_BUDGET: Final = re.compile(
    r"\b(?:budget|spend|at most|no more than|up to|maximum|max|cap(?:ped)?|afford|funds?|below|under|within)\b"
    r"|预算|经费|不超过|上限|最多|以内|拨款|只有.{0,6}(?:元|块)",
    re.IGNORECASE,
)
_BUDGET_NAMED: Final = re.compile(
    r"\b(?:budget|spend|afford|funds?|in total|altogether)\b|预算|经费|拨款|总共|花费", re.IGNORECASE
)
COST: Final = re.compile(
    r"\b(?:costs?|price[sd]?|fees?|rent(?:s|al)?|charges?|quotes?|quoted|asks? (?:for )?|for (?=[€$£¥]|\d)|wants?"
    r"|comes to|invoice)\b"
    r"|费用|价格|报价|租金|收费|要价|花费|单价|成本|要(?=\s?\d)",
    re.IGNORECASE,
)
_REPEATED: Final = re.compile(
    r"\b(?:per|a|an|each|every|/)\s?(?:hour|day|night|week|month|year|unit|piece)\b|每(?:小时|天|日|晚|周|月|年|个"
    r"|件)|/(?:h|hr|day|month)",
    re.IGNORECASE,
)
_COMING: Final = re.compile(
    r"\b(?:guests?|attendees?|participants?|people|visitors?|come|coming|attend\w*|invited|expect\w*|registered"
    r"|sign(?:ed)? up"
    r"|employees|students|families|persons|for \d+)\b|人|位|名",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Amount:
    """A number that a fact names; ``things`` are the words of what it is about."""

    value: int
    fact: HandedFact | None
    things: frozenset[str]
    clause: str
    currency: str = ""


_PARTLY: Final = re.compile(
    r"\b(?:per|each|every|a|one) (?:table|group|car|bus|van|room|team|session|shift|boat|taxi)\b|\(not met"
    r"|每(?:桌|组|车|间|班|场|辆)|没有满足",
    re.IGNORECASE,
)
"""What is said of one part of several, or was not granted."""


def guests(situation: Situation) -> Amount | None:
    """How many come: the largest number that is said of those who come, not of what something takes."""
    found = [
        Amount(_people(clause), fact, frozenset(), clause)
        for fact, clause in _said(situation)
        if not any(names(clause, each) for each in situation.brief.options)
        and not CAPACITY.search(clause)
        and _COMING.search(clause)
        and _people(clause) > 1
    ]
    return max(found, key=lambda each: each.value, default=None)


def capacities(situation: Situation) -> Iterator[Amount]:
    """How many something takes at most."""
    for fact, clause in _said(situation):
        if fact is None or not CAPACITY.search(clause) or _PARTLY.search(clause):
            continue
        most = _most_people(clause) or _seats(clause)
        if most:
            yield Amount(most, fact, words_of(_ending(clause)), clause)


def budget(situation: Situation) -> Amount | None:
    """The smallest sum that is said to be all there is; None where nothing is said of it."""
    found = [
        each
        for each in _sums(situation)
        if _BUDGET.search(each.clause)
        and not COST.search(each.clause)
        and (_BUDGET_NAMED.search(each.clause) or each.fact is None or each.fact.kind is FactKind.CONSTRAINT)
    ]
    return min(found, key=lambda each: each.value, default=None)


def costs(situation: Situation, people: int = 0) -> Iterator[Amount]:
    """What things cost, each as a whole."""
    for each in _sums(situation, people):
        if each.fact is not None and COST.search(each.clause) and not _BUDGET_NAMED.search(each.clause):
            yield each


def _said(situation: Situation) -> Iterator[tuple[HandedFact | None, str]]:
    for clause in clauses_of(f"{situation.brief.title}\n{situation.brief.goal}"):
        yield None, clause
    for fact in situation.facts:
        for clause in clauses_of(fact.text):
            yield fact, clause


def _people(clause: str) -> int:
    from engine.lexicon.reading.people import main_people, people_in  # the first text that is read loads the grammar

    found = main_people(clause, people_in(clause))
    return (found.value.at_most or found.value.at_least) if found else 0


def _most_people(clause: str) -> int:
    """The largest number of people: of several rooms, the largest one counts."""
    from engine.lexicon.reading.people import people_in

    return max((each.value.at_most or each.value.at_least for each in people_in(clause)), default=0)


_SEATS: Final = re.compile(
    r"\b(?:seats?|(?:holds?|fits?)(?= (?:up to |at most |about |only )?\d)|sleeps|capacity(?: (?:of|is|for))?"
    r"|room for|space for|accommodates?)\s(?:up to "
    r"|at most |about |only )?"
    r"(?P<n>\d{1,5})(?![\d.]|\s?(?:%|hours|days|minutes|m\b|kg|tons?|litres?|euros?|€))"
    r"|(?:容纳|坐得下|坐下|可坐|能坐|座位)\D{0,4}(?P<zh>\d{1,5})",
    re.IGNORECASE,
)


def _seats(clause: str) -> int:
    match = _SEATS.search(clause)
    return int(match["n"] or match["zh"]) if match else 0


def _ending(clause: str) -> str:
    """The part of a clause in front of the word that says how many: what takes them."""
    match = CAPACITY.search(clause)
    return clause[: match.start()] if match and match.start() > 2 else clause


def _sums(situation: Situation, people: int = 0) -> Iterator[Amount]:
    from engine.lexicon.reading.money import money_in  # the first text that is read loads the grammar

    for fact, clause in _said(situation):
        if _REPEATED.search(clause):
            continue
        for found in money_in(clause)[:1]:
            money = found.value
            value = money.amount or money.per_head * people
            if value:
                rest = clause[: found.start] + " " + clause[found.end :]
                yield Amount(value, fact, words_of(COST.sub(" ", rest)), clause, money.currency)
