"""What the limits of people demand where a plan says it, and what demands nothing."""

import pytest

from engine.facts.circumstances import Money, People
from engine.facts.data import KINDS, Datum, Days, Effort, Hours, Place, Weeks, is_empty
from engine.facts.holding import Part, holds

BERLIN = Place(city="Berlin", online=True)


@pytest.mark.parametrize("kind", KINDS)
def test_what_says_nothing_demands_nothing(kind: type[Datum]) -> None:
    assert is_empty(kind())
    assert holds(kind(), Part(people=People(at_most=5), hours=3.0, money=Money(none=True))).status == "unknown"


@pytest.mark.parametrize(
    "datum",
    [
        Days(allowed=False),
        Hours(allowed=False, time_zone="Asia/Tokyo"),
        Weeks(allowed=False),
        Place(allowed=False),
        Effort(per="week"),
        Money(currency="EUR"),
    ],
    ids=str,
)
def test_how_without_what_demands_nothing(datum: Datum) -> None:
    assert is_empty(datum)


@pytest.mark.parametrize(
    ("there", "status"),
    [
        (Place(city="柏林"), "met"),
        (Place(online=True), "met"),
        (Place(city="Paris"), "broken"),
        (Place(city="Paris", online=True), "met"),
        (Place(city="Nowhere-on-Sea"), "unknown"),
        (Place(), "unknown"),
    ],
    ids=str,
)
def test_a_place_for_being_there_does_not_bind_what_is_done_from_afar(there: Place, status: str) -> None:
    assert holds(BERLIN, Part(place=there)).status == status
