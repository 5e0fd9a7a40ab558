"""Numbers as people write them: ``1,200``, ``a dozen``, ``twenty-five``, ``两百五``, ``1.5万``."""

import math
import re
from functools import lru_cache

_ONES = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen"
    "|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
)
_SCALES = "hundred|thousand|million"
WORDS = rf"(?<!ty-)(?:(?:{_ONES})|an?[ ](?:{_SCALES}))(?:(?:[ ]and[ ]|[ -])(?:{_ONES}|{_SCALES})){{0,6}}"
"""A number in words; without regard to case."""
_DOZENS = rf"(?:half a |a |(?:{_ONES}) )?dozen(?! ?s)"

ENGLISH = rf"(?:\d{{1,3}}(?:,\d{{3}}){{1,3}}(?!\d)|\d{{1,7}}(?![\d,]\d)|\b(?:{_DOZENS}|{WORDS})\b)"
"""A number in an English text; for case-insensitive, ASCII patterns."""
_HAN = "[零〇一二两三四五六七八九十百千万廿]"
CHINESE = rf"(?:\d{{1,3}}(?:,\d{{3}}){{1,3}}(?!\d)|\d{{1,9}}(?:\.\d{{1,3}})?[十百千万]?|(?<!{_HAN}){_HAN}{{1,12}})"
"""A number in a Chinese text."""

_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth"
    " sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth"
    " twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first"
)
ORDINALS = {word: value for value, word in enumerate(_ORDINALS.split(), 1)}
_EDGE = re.compile(r"^(?:about|around|approximately)\s+|[\s,.]+$")
MOST = 1_000_000_000
_DIGITS = "零一二三四五六七八九"
_CHINESE_UNITS = {"十": 10, "百": 100, "千": 1_000, "万": 10_000}


@lru_cache(maxsize=4096)
def number(text: str) -> int | None:
    """The value of ``50``, ``五十``, ``两百``, ``fifty`` or ``a dozen``; None if it is no whole number."""
    value = amount(text)
    return int(value) if value is not None and value == int(value) else None


@lru_cache(maxsize=4096)
def amount(text: str) -> float | None:
    """The value of a number, which may have a fraction: ``1.5万`` is 15000."""
    text = _EDGE.sub("", text.strip().lower()).replace(",", "")
    if not text or len(text) > 80:
        return None
    try:
        value = _value(text)
    except ValueError:
        return None
    return value if 0 <= value <= MOST else None


def _value(text: str) -> float:
    if re.fullmatch(r"\d+(?:\.\d+)?", text, re.ASCII):
        return float(text)
    return _english(text) if text.isascii() else _chinese(text)


def _english(text: str) -> float:
    from text_to_num import text2num  # the first number of a process that is written in words loads it

    if text.endswith("dozen"):
        head = text.removesuffix("dozen").strip()
        return 6 if head == "half a" else 12 * (1 if head in ("", "a") else _english(head))
    text = re.sub(r"^an? ", "one ", text).replace(" and ", " ")
    return float(text2num(text, "en"))


def _chinese(text: str) -> float:
    """``两百五`` is 250 and ``二〇二七`` 2027. (cn2an does it too, but takes a third of a second to import.)"""
    mixed = re.fullmatch(r"(\d+(?:\.\d+)?)([十百千万]+)", text, re.ASCII)
    if mixed:
        return float(mixed[1]) * math.prod(_CHINESE_UNITS[unit] for unit in mixed[2])
    if match := re.fullmatch(r"(\d+)([百千万])(\d)", text, re.ASCII):  # 1万5 is 15000
        scale = _CHINESE_UNITS[match[2]]
        return float(int(match[1]) * scale + int(match[3]) * scale // 10)
    text = text.replace("廿", "二十").replace("两", "二").replace("〇", "零")
    if len(text) > 1 and not _CHINESE_UNITS.keys() & set(text):
        return float("".join(str(_DIGITS.index(each)) for each in text))
    total, section, digit, unit = 0, 0, 0, 1
    for at, each in enumerate(text):
        if each == "零":
            unit = 10  # 一百零五 is 105, and no 150
        elif each == "万":
            total, section, digit, unit = (section + digit or 1) * 10_000, 0, 0, 10_000
        elif each in _CHINESE_UNITS:
            unit = _CHINESE_UNITS[each]
            section += (digit if digit or at else 1) * unit
            digit = 0
        else:
            digit = _DIGITS.index(each)
    return float(total + section + digit * (unit // 10 if unit > 10 else 1))
