"""Finds cities in a text by the table of their names, and whether something is online."""

import re
from collections.abc import Callable, Iterable
from typing import Final

from engine.facts.data import Place
from engine.facts.places import is_city, time_zone_of
from engine.negotiation.given import EligibleProfile
from engine.offline.reading.grammar import rule

ONLINE: Final = re.compile(
    r"\b(?:online|remote(?:ly)?|(?:by|over) video|from afar)\b|在线(?!下)|线上|远程|视频(?:会议|连线)", re.IGNORECASE
)
_NAMED: Final = re.compile(
    r"(?:\b(?i:in|at|from|to|near|around|of)(?:\s+(?:our|the|my))?|,(?=\s+[\w ]+[,.;]))\s+"
    r"((?:[A-ZÀ-Þ][\w'’.-]+)(?:\s+(?:de|do|da|del|la)?\s*[A-ZÀ-Þ][\w'’.-]+){0,2})"
)
_OF_CITY: Final = re.compile(r"\b(?i:an?|our|the|my|visits?)\s+([A-Z][\w'’-]+)\s+(?=[a-z])")  # "our Bremen office"
_SHORT: Final = {"UTC": "UTC", "GMT": "UTC", "CET": "Europe/Berlin"}
_HAN: Final = re.compile(r"[\u4e00-\u9fff]+")
_BEFORE_ZH: Final = re.compile(r"(?:在|到|去|从|来|于|^)$")


def zone_in(text: str) -> tuple[str, int, int] | None:
    """Return the time zone that a text names by a city, "Berlin time", or by its letters."""
    for match in rule("hours_zone").finditer(text):
        name = match["en"] or match["zh"] or ""
        starts = [at for at in range(len(name) - 1) if match["zh"] or not at or name[at - 1] == " "]
        known = [(time_zone_of(name[at:]), at) for at in starts]
        zone, at = next((each for each in known if each[0]), ("", 0))
        if zone or match["short"]:
            return zone or _SHORT[match["short"].upper()], match.start() + at, match.end()
    return None


def places_in(text: str, people: Callable[[], Iterable[EligibleProfile]] = tuple) -> list[tuple[Place, int, int]]:
    """Return the places that a text names, with where it does; what it is near to is where those are who name it."""
    found: list[tuple[Place, int, int]] = []
    for match in _NAMED.finditer(text):
        words = match[1].split()
        for many in range(len(words), 0, -1):
            name = " ".join(words[:many]).rstrip(".'’-")
            if is_city(name) or any(each.location == name for each in people()):
                found.append((Place(city=name), match.start(), match.start(1) + len(name)))
                break
    if not found:
        found = [(Place(city=each[1]), *each.span(1)) for each in _OF_CITY.finditer(text) if is_city(each[1])]
    for run in _HAN.finditer(text):
        at = 0
        while at < len(run[0]):
            name = next((run[0][at : at + many] for many in (4, 3, 2) if is_city(run[0][at : at + many])), "")
            start = run.start() + at
            is_zone = text.startswith("时间", start + len(name))
            if name and not is_zone and (_BEFORE_ZH.search(text[:start]) or not found):
                begins = start - 1 if text[start - 1 : start] in "在到去从来于" and start else start
                found.append((Place(city=name), begins, start + len(name)))
            at += len(name) or 1
    found += [(Place(online=True), each.start(), each.end()) for each in ONLINE.finditer(text)]
    for near in [] if found else rule("places_near").finditer(text):
        told = ((each.location, *each.capabilities.values(), each.profile_summary) for each in people())
        cities = {city for city, *said in told if any(near[near.lastgroup or 0] in each for each in said)}
        found += [(Place(city=each), *near.span(near.lastgroup or 0)) for each in cities if len(cities) == 1]
    return sorted(found, key=lambda each: each[1])
