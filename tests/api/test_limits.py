"""What is said of somebody's limits is told over HTTP to that person alone, not to whoever asked, and to no admin."""

from typing import Any, Final

import pytest

from bot.api.negotiation.demands import reader, told
from bot.api.part import NOBODY, Reader
from engine.facts.data import Days
from engine.kernel import Event, payload
from engine.negotiation.answers import LimitVerdict, OfferDecision
from engine.negotiation.events import LimitDoubt, LimitsWeighed, OfferSubmitted
from engine.negotiation.terms import HeldFinding
from tests.negotiation.scenario import REQUESTER, voting

CANARY: Final = "canary of bo"
IDS: Final[dict[str, Any]] = {"demand_id": "d-00000001", "channel_id": "collab-00000001"}
DOUBT: Final = LimitDoubt(words=CANARY, verdict=LimitVerdict.BROKEN, quote=CANARY, why=CANARY, by="reader")
EVENTS: Final[tuple[Event, ...]] = (
    LimitsWeighed(**IDS, agent_id="bo", round=1, version=1, by="reader", waits=True, doubts=(DOUBT,)),
    OfferSubmitted(
        **IDS,
        offer_id="offer_001",
        agent_id="bo",
        display_name="Bo",
        decision=OfferDecision.DECLINE,
        broken_limit=HeldFinding(words=CANARY, wanted=Days(weekdays=("mon",))),
    ),
)
LINKED = voting("bo", "cy", linked={"bo": "U_BO", "cy": "U_CY"}).state
UNLINKED = voting("bo", "cy", linked={"cy": "U_CY"}).state


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
@pytest.mark.parametrize(
    "who",
    [
        pytest.param(reader(LINKED, REQUESTER), id="whoever asked"),
        pytest.param(reader(UNLINKED, REQUESTER), id="whoever asked and speaks for them"),
        pytest.param(reader(LINKED, "U_CY"), id="another participant"),
        pytest.param(Reader(is_told_all=True), id="an admin"),
        pytest.param(NOBODY, id="nobody"),
    ],
)
def test_nobody_else_is_told(event: Event, who: Reader) -> None:
    assert CANARY not in str(payload(told(event, who)))


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_the_owner_is(event: Event) -> None:
    assert CANARY in str(payload(told(event, reader(LINKED, "U_BO"))))


def test_others_see_that_the_seat_waits() -> None:
    assert payload(told(EVENTS[0], NOBODY))["waits"] is True
