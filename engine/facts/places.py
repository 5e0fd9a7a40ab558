"""Compares cities by their names, which a table gives in two languages."""

from functools import cache
from importlib.resources import files

from engine.facts.language import Language
from engine.facts.quoting import folded

FILE = files(__package__).joinpath("cities.tsv")
"""It comes with the code, and is as constant as a literal; so what rests on it is pure."""


def same_city(one: str, other: str) -> bool | None:
    """Whether two names are of the same city; None where either is unknown to us and they are not equal."""
    if folded(one) == folded(other):
        return bool(one.strip()) or None
    known = _city(one), _city(other)
    return None if None in known else known[0] == known[1]


def _city(name: str) -> str | None:
    return _names().get(folded(name).replace("-", " "))


def is_city(name: str) -> bool:
    """Whether a name is that of a city that we know, and nothing more."""
    return _city(name) is not None


def city_in(name: str, language: Language) -> str:
    """The name of a city in a language; the name as it is where it is not known."""
    city = _city(name)
    return (_chinese()[city] if language == "zh" else city) if city else name


def time_zone_of(name: str) -> str:
    """The time zone of a city, IANA; empty where it is not known."""
    return _zones().get(_city(name) or "", "")


@cache
def _names() -> dict[str, str]:
    found: dict[str, str] = {}
    for en, zh, _, others in _rows():
        for name in filter(None, (en, zh, *others.split(","))):
            found.setdefault(folded(name).replace("-", " "), en)
    return found


@cache
def _zones() -> dict[str, str]:
    return {en: zone for en, _, zone, _ in _rows()}


@cache
def _chinese() -> dict[str, str]:
    return {en: zh for en, zh, _, _ in _rows()}


def _rows() -> list[tuple[str, str, str, str]]:
    rows = []
    for line in FILE.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            en, zh, zone, _, others = line.split("\t")
            rows.append((en, zh, zone, others))
    return rows
