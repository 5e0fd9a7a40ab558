"""Reads numbers, numbers of people, and sums of money."""

import re
from typing import Final, NamedTuple

from engine.facts.circumstances import Money, People
from engine.offline.reading.grammar import listed, rule, rules

_TENS: Final = ("thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_MORE: Final = {"a": 1, "an": 1, "a dozen": 12} | {each: 10 * at for at, each in enumerate(_TENS, 3)}
_DIGITS: Final = {each: number for number, each in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_UNITS: Final = {"十": 10, "百": 100, "千": 1000, "万": 10_000}


def number(said: str) -> float:
    """Return the number that a text says, 0 where it says none."""
    low = said.strip().lower().replace(",", "")
    counted = listed("words_numbers")
    if len(parts := re.split("[- ]", low)) == 2 and low not in _MORE:
        return sum(map(number, parts))
    if low in counted or low in _MORE:
        return _MORE[low] if low in _MORE else counted.index(low)
    try:
        return float(low)
    except ValueError:
        return _chinese(low)


def _chinese(said: str) -> int:
    total, last = 0, 0
    for each in said:
        if each in _UNITS:
            total += (last or 1) * _UNITS[each]
            last = 0
        elif each in _DIGITS:
            last = last * 10 + _DIGITS[each] if last else _DIGITS[each]
        else:
            return 0
    return total + last


class Heads(NamedTuple):
    people: People
    start: int
    end: int


def heads_in(text: str) -> list[Heads]:
    """Return the numbers of people that a text speaks of, in its order."""
    found: list[Heads] = []
    for pattern in rules("people"):
        for match in pattern.finditer(text):
            if any(each.start < match.end() and match.start() < each.end for each in found):
                continue
            are_needed = rule("people_asked_for").search(text[: match.start()])  # and no guests
            said = match.groupdict()
            low, high = round(number(match["a"])), round(number(match["b"] or match["a"]))
            if are_needed or not 0 < low <= high < 100_000 or rule("people_goes_on").match(text, match.end()):
                continue
            is_least = said.get("least") or said.get("least2")
            is_most = said.get("most") or said.get("most2")
            people = People(at_least=0 if is_most else low, at_most=0 if is_least else high)
            found.append(Heads(people, match.start(), match.end()))
    return sorted(found, key=lambda each: each.start)


WEEKS: Final = 4  # of a month, where hours a week are compared with hours a month


def effort_in(text: str) -> list[tuple[float, int, int, bool]]:
    """Return the hours a week that a text speaks of, each with where it does, and whether it counts them by months."""
    found = [
        (each, (each["per"] or each["per2"] or each["per3"])[0] in "mM月") for each in rule("effort").finditer(text)
    ]
    return [
        (number(each["n"] or each["n2"] or each["n3"]) / (WEEKS if a_month else 1), *each.span(), a_month)
        for each, a_month in found
    ]


def work_in(text: str, weeks: int) -> tuple[float, int]:
    """Return how many hours of work a text asks for in all, 0 if it does not, and in how many weeks: else in these."""
    if span := rule("work_weeks").search(text):
        weeks = round(number(span["n"])) * (WEEKS if span["unit"][0] in "m月" else 1)
    a_week = max((each[0] for each in effort_in(text)), default=0)
    alone = [each[0] for each in rule("duration").finditer(text) if each["work"]]
    whole = [number(each["n"] or each["n2"]) for said in alone for each in rule("work_hours").finditer(said)]
    return a_week * max(1, weeks) or max(whole, default=0), max(1, weeks)


_CURRENCIES: Final = {
    "€": "EUR", "$": "USD", "£": "GBP", "¥": "CNY", "￥": "CNY", "eur": "EUR", "euro": "EUR", "euros": "EUR",
    "usd": "USD", "dollar": "USD", "dollars": "USD", "gbp": "GBP", "pounds": "GBP", "cny": "CNY", "rmb": "CNY",
    "yuan": "CNY", "元": "CNY", "块": "CNY", "块钱": "CNY", "人民币": "CNY", "chf": "CHF", "欧元": "EUR", "美元": "USD",
}  # fmt: skip


def money_in(text: str) -> list[tuple[Money, int, int]]:
    """Return the sums of money that a text speaks of, with where it does; that there is none is one as well."""
    found: list[tuple[Money, int, int]] = []
    for pattern in rules("money"):
        for match in pattern.finditer(text):
            if any(start < match.end() and match.start() < end for _, start, end in found):
                continue
            said = match.groupdict()
            if said.get("n") is None or said.get("rate"):  # a sum a day is none of the whole
                found.append((Money(none=said.get("n") is None), *match.span()))
                continue
            plain = re.sub(r"[.,](?=\d{3}(?!\d))", "", said["n"])
            amount = round(number(plain) * (1000 if said.get("k") else _UNITS.get(said.get("wan") or "", 1)))
            currency = _CURRENCIES.get((said.get("c") or "").lower(), "")
            each = bool(said.get("head") or said.get("head2"))
            money = Money(amount=0 if each else amount, per_head=amount if each else 0, currency=currency)
            found.append((money, *match.span()))
    return sorted(found, key=lambda each: each[1])
