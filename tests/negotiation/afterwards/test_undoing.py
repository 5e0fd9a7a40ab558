"""For ten minutes, whoever asked can take back that it was stopped, or that the plan is carried out."""

from collections.abc import Callable

import pytest

from engine.errors import IllegalStep, NotAllowed
from engine.kernel import Ask
from engine.negotiation.afterwards.undoing import UNDO, WINDOW
from engine.negotiation.answers import Need
from engine.negotiation.commands import Cancel, Proceed, TakeBack
from engine.negotiation.events import ProceedingTakenBack, StopTakenBack, UndoEnded
from engine.negotiation.policy import Policy
from engine.negotiation.state import Status
from tests.negotiation.plan.test_core_seats import venue_leaves, with_reserve
from tests.negotiation.scenario import REQUESTER, Scenario, voting
from tests.negotiation.searches import agreed

PATIENT = Policy(human_window=3_600, override_window=3_600)
LINKED = {"ann": "U_ANN"}


def asked() -> Scenario:
    return Scenario(policy=PATIENT).demand()


def asked_back() -> Scenario:
    return asked().understood(question="For how many?")


def understood() -> Scenario:
    return asked().understood()


def collecting() -> Scenario:
    return understood().shortlisted("ann", "bo").offers("ann")


def held() -> Scenario:
    policy = PATIENT.model_copy(update={"first_window": 600})
    return Scenario(policy=policy, linked=LINKED).demand().understood().shortlisted("ann").offers("ann")


def to_decide() -> Scenario:
    need = Need(need_id="need_1", what="a venue")
    return Scenario(policy=PATIENT).demand().understood(needs=(need,)).shortlisted("ann").offers("ann")


def aggregating() -> Scenario:
    return understood().shortlisted("ann").offers("ann").stands(Status.AGGREGATING)


def in_a_round() -> Scenario:
    return voting("ann", "bo", policy=PATIENT, linked=LINKED).twins({"ann": "accept"})


def adjusting() -> Scenario:
    votes = {"ann": "accept", "bo": "negotiate"}
    return voting("ann", "bo").twins(votes).stands(Status.PROPOSAL_SENT)


def substituting() -> Scenario:
    """The seat of the venue is core, and whoever had it has left."""
    return venue_leaves(with_reserve(("loft", 0.9))).stands(Status.NEGOTIATING)


PLACES: dict[str, tuple[Callable[[], Scenario], set[str], set[str]]] = {
    "a demand that is read": (asked, {"understand"}, {"duration"}),
    "a question to whoever asked": (asked_back, set(), {"duration", "question"}),
    "people are looked for": (understood, {"filter"}, {"duration"}),
    "offers come in": (collecting, {"offer/bo"}, {"duration", "offers"}),
    "offers can be corrected": (held, set(), {"duration", "offers"}),
    "something is missing": (to_decide, set(), {"duration", "offers"}),
    "a plan is made": (aggregating, {"aggregate"}, {"duration"}),
    "people vote": (in_a_round, {"feedback/1/bo"}, {"duration", "twins/1", "close/1", "remind/1"}),
    "the next version is made": (adjusting, {"adjust/2"}, {"duration"}),
    "a substitute is asked": (substituting, {"offer/loft"}, {"duration", "substitute/loft"}),
}
"""Where it is stopped, what is asked again when that is taken back, and which alarms are set again."""


@pytest.mark.parametrize("where", PLACES)
def test_what_was_stopped_goes_on_where_it_was_with_the_time_it_had(where: str) -> None:
    begun, owed, alarms = PLACES[where]
    scenario = begun()
    before = scenario.state
    scenario.does(Cancel, by=REQUESTER).stands(Status.CANCELLED)
    stopped_at = scenario.now
    scenario.later(300).does(TakeBack, by=REQUESTER)
    paused = scenario.now - stopped_at

    back = scenario.event(StopTakenBack)
    assert (back.status, back.paused, back.by) == (before.status.value, paused, REQUESTER)
    after = scenario.state
    assert after.status is before.status
    assert (after.outcome, after.cancelled_by, after.reversals.until) == (None, "", 0)
    assert (after.offers, after.proposals, after.invited) == (before.offers, before.proposals, before.invited)
    assert after.until == before.until + paused
    assert after.offers_due == (before.offers_due and before.offers_due + paused)
    for was, now in zip(before.rounds, after.rounds, strict=True):
        assert now.seats == was.seats
        assert now.window.deadline == was.window.deadline + (0 if was.tally else paused)
    assert {each.name for each in scenario.last.effects if isinstance(each, Ask)} == owed
    assert {each.name for each in scenario.last.alarms} == alarms
    assert all(each.due > scenario.now for each in scenario.last.alarms)


def test_it_can_be_finished_afterwards() -> None:
    scenario = in_a_round().does(Cancel, by=REQUESTER).later(10).does(TakeBack, by=REQUESTER)
    scenario.clicks("U_ANN", "ann", "accept").twins({"bo": "accept"})
    scenario.clicks(REQUESTER, "bo", "accept").stands(Status.FINALIZED)


def test_a_stop_can_be_taken_back_and_decided_again() -> None:
    scenario = in_a_round()
    for _ in range(2):
        scenario.does(Cancel, by=REQUESTER).stands(Status.CANCELLED)
        scenario.later(10).does(TakeBack, by=REQUESTER).stands(Status.NEGOTIATING)
    assert len(scenario.state.reversals.stops) == 2


def test_that_a_plan_is_carried_out_is_taken_back_and_may_be_decided_again() -> None:
    scenario = agreed().goes_ahead(announce=True).later(30).does(TakeBack, by=REQUESTER).then(ProceedingTakenBack)
    assert scenario.state.proceeded is None
    assert scenario.state.reversals.was_announced
    scenario.stands(Status.FINALIZED).goes_ahead()
    assert scenario.state.proceeded is not None


@pytest.mark.parametrize("stopped", [True, False], ids=["stopped", "carried out"])
def test_after_ten_minutes_nothing_is_taken_back_any_more(stopped: bool) -> None:
    scenario = in_a_round().does(Cancel, by=REQUESTER) if stopped else agreed().does(Proceed, by=REQUESTER)
    until = scenario.now + WINDOW
    assert scenario.state.reversals.until == until
    scenario.now = until
    scenario.rings(UNDO).then(UndoEnded)
    assert scenario.state.reversals.until == 0
    scenario.does(TakeBack, by=REQUESTER).is_refused(IllegalStep)


def test_a_click_that_comes_before_the_alarm_but_too_late_is_refused() -> None:
    scenario = in_a_round().does(Cancel, by=REQUESTER)
    scenario.now += WINDOW + 1
    scenario.does(TakeBack, by=REQUESTER).is_refused(IllegalStep)


@pytest.mark.parametrize("by", ["U_ANN", "U_EVE", "", f"{REQUESTER}@T_PARTNER"])
def test_nobody_else_takes_it_back(by: str) -> None:
    in_a_round().does(Cancel, by=REQUESTER).does(TakeBack, by=by).is_refused(NotAllowed)
    agreed().goes_ahead().does(TakeBack, by=by).is_refused(NotAllowed)


def test_what_nobody_decided_is_not_taken_back() -> None:
    in_a_round().does(TakeBack, by=REQUESTER).is_refused(IllegalStep)
    agreed().does(TakeBack, by=REQUESTER).is_refused(IllegalStep)
