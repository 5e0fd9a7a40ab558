"""Finds the time zone that a text names ("Beijing time"), and the one of a place."""

import re
from typing import Final

_PLACES: Final = {
    "Asia/Shanghai": "北京|beijing|shanghai|china|中国",
    "Europe/Lisbon": "里斯本|lisbon",
    "Europe/London": "伦敦|london|uk",
    "Europe/Berlin": "柏林|berlin|central european",
    "Europe/Paris": "巴黎|paris",
    "America/New_York": "纽约|new york|eastern",
    "America/Los_Angeles": "旧金山|san francisco|pacific",
    "Asia/Tokyo": "东京|tokyo",
    "Asia/Singapore": "新加坡|singapore",
}
"""What people call a zone, by its IANA name."""
_ZONES: Final = {name: zone for zone, names in _PLACES.items() for name in names.split("|")}
_ENGLISH: Final = "|".join(each for each in _ZONES if each.isascii())
_CHINESE: Final = "|".join(each for each in _ZONES if not each.isascii())
_PLACE: Final = re.compile(rf"\b(?:{_ENGLISH})\b|{_CHINESE}")
ZONE: Final = re.compile(rf"\b(?P<en>{_ENGLISH}) time\b|(?P<zh>{_CHINESE})时间|\b(?:utc|gmt)\b")
"""In a text in lower case."""


def zone_of_place(place: str) -> str:
    """The time zone of a place in lower case, IANA; empty where it is not known."""
    match = _PLACE.search(place)
    return _ZONES[match[0]] if match else ""


def time_zone_in(text: str) -> str:
    """The time zone that a text in lower case names, IANA; empty if it names none."""
    match = ZONE.search(text)
    return (_ZONES[match["en"] or match["zh"]] if match["en"] or match["zh"] else "UTC") if match else ""
