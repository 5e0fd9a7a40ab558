"""Reads numbers, numbers of people, and sums of money."""

import re
from functools import cache
from typing import Final, NamedTuple

from engine.facts.circumstances import Money, People

_WORDS: Final = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty".split()
    )
} | {"a": 1, "an": 1, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "eighty": 80, "a dozen": 12, "hundred": 100}
_DIGITS: Final = {each: number for number, each in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_UNITS: Final = {"十": 10, "百": 100, "千": 1000, "万": 10_000}
NUMBER_EN: Final = (
    r"(?:\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?|a dozen|(?:twenty|thirty|forty|fifty|sixty|eighty|hundred|one|two|three|four"
    r"|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen)\b)"
)
NUMBER_ZH: Final = r"(?:\d+(?:\.\d+)?|[零〇一二两三四五六七八九十百千]+)"


def number(said: str) -> float:
    """Return the number that a text says, 0 where it says none."""
    low = said.strip().lower().replace(",", "")
    if low in _WORDS:
        return _WORDS[low]
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
    """How many people a text speaks of, and where it does."""

    people: People
    start: int
    end: int


class Sum(NamedTuple):
    """How much money a text speaks of, and where it does."""

    money: Money
    start: int
    end: int


@cache
def _people() -> tuple[re.Pattern[str], ...]:
    who = (
        r"(?:\w+\s+)?(?:people|persons?|guests?|attendees|participants?|colleagues|co-?workers|employees|visitors"
        r"|kids|children|students|heads|of us)\b"
    )
    least = r"(?P<least>at least|no fewer than|not fewer than|minimum(?: of)?)"
    most = r"(?P<most>at most|no more than|not more than|up to|max(?:imum)?(?: of)?|fewer than)"
    about = r"(?P<about>about|around|some|roughly|approximately|circa)"
    one = rf"(?:(?:{least}|{most}|{about})\s+)?(?P<a>{NUMBER_EN})(?:\s*(?:-|–|to)\s*(?P<b>{NUMBER_EN}))?"
    return (
        re.compile(rf"(?:\bfor\s+)?\b(?:a (?:group|crowd|party|team) of\s+)?{one}\s+{who}", re.IGNORECASE),
        re.compile(
            rf"\bfor\s+{one}(?=\s*(?:[.,;!?]|$|on\b|in\b|at\b|next\b|this\b|and\b|with\b|by\b|tomorrow\b))",
            re.IGNORECASE,
        ),
        re.compile(
            rf"(?:(?P<least>至少|不少于|最少)|(?P<most>最多|不超过|不多于|至多)|(?P<about>大约|大概|约))?\s*"
            rf"(?P<a>{NUMBER_ZH})(?:\s*(?:-|–|~|到|至)\s*(?P<b>{NUMBER_ZH}))?\s*(?:多)?(?:个|名|位)?"
            rf"(?:人|同事|客人|来宾|宾客|观众|听众|学员|孩子|小朋友|学生|员工)(?![工机员生类均物])(?:(?P<most2>以内|以下)|(?P<least2>以上))?"
        ),
    )


_ASKED_FOR: Final = re.compile(
    r"(?:\b(?:needs?|find|looking for|want|hire)|需要|找|招|缺|来|和|与|及|、)\s*$", re.IGNORECASE
)


def heads_in(text: str) -> list[Heads]:
    """Return the numbers of people that a text speaks of, in its order."""
    found: list[Heads] = []
    for pattern in _people():
        for match in pattern.finditer(text):
            if any(each.start < match.end() and match.start() < each.end for each in found):
                continue
            if _ASKED_FOR.search(text[: match.start()]):
                continue  # they are what is needed, and not the guests
            said = match.groupdict()
            low, high = round(number(match["a"])), round(number(match["b"] or match["a"]))
            if not 0 < low <= high < 100_000 or _GOES_ON.match(text, match.end()):
                continue
            is_least = said.get("least") or said.get("least2")
            is_most = said.get("most") or said.get("most2")
            people = People(at_least=0 if is_most else low, at_most=0 if is_least else high)
            found.append(Heads(people, match.start(), match.end()))
    return sorted(found, key=lambda each: each.start)


_GOES_ON: Final = re.compile(
    r"\s*(?:%|hours?|days?|weeks?|minutes?|months?|years?|小时|分钟|(?:to|who|that can)\s)", re.IGNORECASE
)
"""The number is one of something else: "for 3 hours", "30%", "three people to carry boxes"."""


_CURRENCIES: Final = {
    "€": "EUR", "$": "USD", "£": "GBP", "¥": "CNY", "￥": "CNY", "eur": "EUR", "euro": "EUR", "euros": "EUR",
    "usd": "USD", "dollar": "USD", "dollars": "USD", "gbp": "GBP", "pounds": "GBP", "cny": "CNY", "rmb": "CNY",
    "yuan": "CNY", "元": "CNY", "块": "CNY", "块钱": "CNY", "人民币": "CNY", "chf": "CHF", "欧元": "EUR", "美元": "USD",
}  # fmt: skip


@cache
def _money() -> tuple[re.Pattern[str], ...]:
    amount = r"(?P<n>\d{1,3}(?:[,.]\d{3})+|\d+(?:\.\d+)?)\s*(?P<k>k\b)?"
    word = r"(?:euros?|eur|dollars?|usd|pounds|gbp|cny|rmb|yuan|chf)\b"
    head = r"(?P<head>\s*(?:per|a|each|/)\s*(?:person|head|guest|each)?)?"
    lead = r"(?:(?:the |a |our |with a |on a )*budget\s*(?:is|of|:|up to|about|around)?\s*)?(?:up to |about |max\.? )?"
    return (
        re.compile(
            r"\b(?:there is |we have |with |but )?no (?:money|budget|funds|funding)\b|\bunpaid\b|\bfor free\b", re.I
        ),
        re.compile(r"没有?(?:任何)?(?:预算|经费|钱)|零预算|无预算|无报酬|没有报酬"),
        re.compile(rf"{lead}(?P<c>[€$£¥￥])\s*{amount}(?P<head>\s*(?:per (?:person|head|guest)|each|a head))?", re.I),
        re.compile(
            rf"{lead}{amount}\s*(?P<c>[€£]|{word})(?P<head>\s*(?:per (?:person|head|guest)|each|a head))?", re.I
        ),
        re.compile(
            rf"(?:预算|经费)?\s*(?:是|为|在|大约|大概|约|最多|不超过)*\s*(?P<head>人均|每人|每位)?\s*"
            rf"(?P<n>\d+(?:[.,]\d+)*|[一二两三四五六七八九十百千]+)\s*(?P<wan>万|千)?\s*(?P<c>欧元|美元|元|块钱|块|人民币)(?:以内|左右)?"
        ),
        re.compile(
            r"\bbudget\s*(?:is|of|:)?\s*(?:up to |about |around )?(?P<n>\d{1,3}(?:,\d{3})+|\d{2,}|\d+(?=k\b))(?P<k>k\b)?",
            re.I,
        ),
        re.compile(
            r"(?:预算|经费)\s*(?:是|为|大约|大概|约)?\s*(?P<n>\d{2,}|\d+(?:\.\d+)?(?=[万千]))\s*(?P<wan>万|千)?(?![月日号年])"
        ),
    )


def money_in(text: str) -> list[Sum]:
    """Return the sums of money that a text speaks of; that there is none is one as well."""
    found: list[Sum] = []
    for pattern in _money():
        for match in pattern.finditer(text):
            if any(each.start < match.end() and match.start() < each.end for each in found):
                continue
            said = match.groupdict()
            if said.get("n") is None:
                found.append(Sum(Money(none=True), match.start(), match.end()))
                continue
            plain = re.sub(r"[.,](?=\d{3}(?!\d))", "", said["n"])
            amount = round(number(plain) * (1000 if said.get("k") else _UNITS.get(said.get("wan") or "", 1)))
            currency = _CURRENCIES.get((said.get("c") or "").lower(), "")
            each = bool(said.get("head"))
            money = Money(amount=0 if each else amount, per_head=amount if each else 0, currency=currency)
            found.append(Sum(money, match.start(), match.end()))
    return sorted(found, key=lambda each: each.start)
