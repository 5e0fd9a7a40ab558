"""Finds sums of money, and that there is none, in Chinese and English texts."""

import re
from functools import cache

from babel import Locale

from engine.facts.circumstances import Money
from engine.lexicon.forms import Form, matches
from engine.lexicon.reading.asked import Found, in_usual_forms
from engine.lexicon.reading.numbers import WORDS, amount

MOST = 1_000_000_000_000

_SYMBOLS = {
    "us$": "USD", "hk$": "HKD", "nt$": "TWD", "s$": "SGD", "a$": "AUD", "c$": "CAD", "r$": "BRL",
    "$": "USD", "€": "EUR", "£": "GBP", "¥": "CNY", "￥": "CNY", "₩": "KRW", "₹": "INR", "₽": "RUB", "₺": "TRY",
}  # fmt: skip
_WORDS = {
    "dollar": "USD", "buck": "USD", "euro": "EUR", "pound": "GBP", "quid": "GBP", "yuan": "CNY", "rmb": "CNY",
    "renminbi": "CNY", "kuai": "CNY", "yen": "JPY", "won": "KRW", "rupee": "INR", "franc": "CHF", "ruble": "RUB",
    "元": "CNY", "块": "CNY", "块钱": "CNY", "圆": "CNY", "元人民币": "CNY", "块人民币": "CNY", "元rmb": "CNY",
    "美金": "USD", "刀": "USD", "美刀": "USD", "港币": "HKD", "台币": "TWD", "新币": "SGD", "澳元": "AUD",
    "加元": "CAD", "日币": "JPY",
}  # fmt: skip
"""Beside the names that CLDR has for currencies."""
_COMMON = frozenset(
    {"usd", "eur", "gbp", "cny", "jpy", "hkd", "sgd", "chf", "aud", "cad", "inr", "krw", "twd", "sek", "nok", "dkk"}
)
_SCALES = {"k": 1_000, "thousand": 1_000, "grand": 1_000, "m": 1_000_000, "million": 1_000_000, "mn": 1_000_000}
_SCALES |= {"w": 10_000, "万": 10_000, "千": 1_000, "百万": 1_000_000, "亿": 100_000_000, "": 1}

_NUMBER = (
    r"(?:\d{1,3}(?:[,.]\d{3}){1,3}(?![\d])|\d{1,9}(?:\.\d{1,2})?(?![\d])|(?<![一二两三四五六七八九十百千万])[一二两三四五六七八九十百千万]{1,10}(?!名|位|个|人|月|天|周)"
    rf"|{WORDS}\b)"
)
_SCALE = r"(?:\s?(?P<scale>k|w|m|mn|thousand|grand|million|百万|万|千|亿)(?![a-z]))?"
_PER_HEAD = (
    r"(?:\s?(?P<head>(?:per|a|/|each)\s?(?:head|person|guest|attendee|participant|people|pax|人|位)|each\b|pp\b|p\.p\."
    r"|每人|/人|一个人|一位))?"
)
_FILLERS = (
    r"(?:\s(?:of|is|was|are|has|about|around|up|to|at|most|max|roughly|approximately|not|more|than|under|below|within"
    r"|limit|cap|capped|total|for|this|a|the|only|just|will|be)){0,5}"
)
_NONE = Form(
    r"(?:没有|没|零|无|0)(?:什么|任何)?(?:预算|经费|资金|钱)(?!不)|不花钱|分文没有|没钱"
    r"|\b(?:no|zero|without(?: a| any)?|don['’]t have (?:a|any))\s(?:budget|money|funding|funds)\b",
    re.IGNORECASE,
)


def _cldr(language: str) -> dict[str, str]:
    """The name of each currency, by its code."""
    return {str(code): str(name) for code, name in Locale(language).currencies.items()}


@cache
def _currencies() -> dict[str, str]:
    """The code of each name, in lower case: CLDR's names in both languages, and what people say instead."""
    names: dict[str, str] = {}
    for language in ("en", "zh"):
        for code, name in _cldr(language).items():
            names.setdefault(name.lower(), code)
            if language == "en" and " " not in name:
                names.setdefault(name.lower() + "s", code)
    names |= {code.lower(): code for code in _cldr("en") if code.lower() in _COMMON}
    names |= _WORDS | {f"{word}s": code for word, code in _WORDS.items() if word.isascii()}
    return {name: code for name, code in names.items() if "(" not in name and "（" not in name}


@cache
def _forms() -> tuple[Form, ...]:
    names = "|".join(re.escape(name) + (r"(?![a-z])" if name.isascii() else "") for name in _sorted(_currencies()))
    symbols = "|".join(re.escape(symbol) for symbol in _sorted(_SYMBOLS))
    to = r"(?:\s?(?:-|–|—|~|to|and|到|至)\s?(?:[$€£¥￥]\s?)?"
    code = rf"(?P<before>{symbols}|(?<![a-z])(?:usd|eur|gbp|rmb|cny|jpy|hkd|sgd|chf|aud|cad)(?![a-z]))\s?"
    sum_ = rf"(?P<low>{_NUMBER}){_SCALE}(?:{to}(?P<high>{_NUMBER})\s?(?P<scale2>k|w|m|万|千|million)?(?![a-z]))?)?"
    return tuple(
        Form(form, re.IGNORECASE | re.ASCII)
        for form in (
            rf"(?<![\w$€£]){code}{sum_}(?:\s?(?P<after>{names}))?{_PER_HEAD}",
            rf"(?<![\d.,])(?:(?P<avg>人均|每人|每位|per head:?|per person:?)\s?)?{sum_}\s?(?P<after>{names})(?!\sof\b)"
            rf"{_PER_HEAD}",
            rf"(?P<avg>人均|每人(?:预算)?|每位)\s?(?:预算|大概|大约|约|不超过|\s){{0,3}}{sum_}{_PER_HEAD}(?!\s?(?:个|份|张|杯|瓶|小时|天|次|[a-z%]))",
            rf"(?<![\d.,]){sum_}\s?(?P<head>(?:per|a)\s(?:head|person|guest|attendee|participant)|/\s?(?:person|head|pax)|pp\b)",
            rf"(?:预算|经费|费用|资金|花费)(?:大概|大约|约|差不多|是|为|有|在|控制在|不超过|最多|上限|只有|总共|一共|共|[:\s])*?\s?"
            rf"(?P<sum>{sum_}){_PER_HEAD}(?!\s?(?:个|人|位|名|份|天|周|月|%))",
            rf"\b(?:budget|funding|funds|spend(?:ing)?|pay|cost(?:s|ing)?|afford|raised?|price)\b{_FILLERS}\s?:?\s?"
            rf"(?P<sum>{sum_}){_PER_HEAD}(?!\s?(?:people|guests|persons|days|weeks|months|hours|%|(?:st|nd|rd|th)\b|years))",
            rf"(?<![\d.,])(?P<sum>{sum_})(?=\s(?:budget|in (?:funding|the budget|total budget))\b)",
        )
    )


def _sorted(names: dict[str, str]) -> list[str]:
    return sorted(names, key=len, reverse=True)


def money_in(text: str) -> list[Found[Money]]:
    """Every sum that a text names, in its order; of a range, the upper end. That there is none comes first."""
    plain = in_usual_forms(text)
    none = [Found(Money(none=True), match.start(), match.end()) for match in _NONE.finditer(plain)]
    found: list[Found[Money]] = []
    for match in matches(plain, _forms()):
        groups = match.groupdict()
        start, end = match.span("sum") if groups.get("sum") else match.span()
        if any(each.start < end and start < each.end for each in (*none, *found)):
            continue
        money = _money(groups)
        if money is not None:
            said = plain[start:end]
            start += len(said) - len(said.lstrip())
            found.append(Found(money, start, end - len(said) + len(said.rstrip(" ,."))))
    return none + sorted(found, key=lambda each: each.start)


def has_money(budget: str | None) -> bool:
    """Whether words such as "about 2,000" say that there is any."""
    if budget is None or any(each.value.none for each in money_in(budget)):
        return False
    return any(character in "123456789" for character in budget) or bool(money_in(budget))


def _money(groups: dict[str, str | None]) -> Money | None:
    low = _sum(groups["low"], groups["scale"] or groups.get("scale2"))
    high = _sum(groups["high"], groups["scale2"] or groups["scale"]) if groups.get("high") else None
    value = high if high is not None and low is not None and high >= low else low
    if not value or value > MOST:
        return None
    currency = _SYMBOLS.get((groups.get("before") or "").lower(), "")
    for name in (groups.get("after"), groups.get("before")):
        named = _currencies().get((name or "").lower(), "")
        # "$5,000 USD" is what it says; so is "¥3000 日元".
        currency = named or currency
    per_head = bool(groups.get("head") or groups.get("avg"))
    return Money(amount=0 if per_head else value, currency=currency, per_head=value if per_head else 0)


def _sum(said: str | None, scale: str | None) -> int | None:
    if said is None:
        return None
    if re.fullmatch(r"\d{1,3}(?:\.\d{3})+", said):  # 1.200 as in German
        said = said.replace(".", "")
    value = amount(said)
    return None if value is None else round(value * _SCALES[(scale or "").lower()])
