"""Who was not asked offers their help; whoever asked decides, and what becomes of it depends on how far it is."""

import pytest

from engine.errors import Duplicate, IllegalStep, NotAllowed
from engine.kernel import Place
from engine.negotiation.answers import Need, OfferDecision
from engine.negotiation.commands import (
    AnswerHelp,
    CorrectOffer,
    DecideMissing,
    EditDemand,
    GiveUpSeat,
    HandBack,
    OfferHelp,
)
from engine.negotiation.events import HelpAnswered, HelpOffered, OfferOverridden, ProposalAmended
from engine.negotiation.offers.volunteers import MOST_VOLUNTEERS
from engine.negotiation.plan.told_needs import lacking
from engine.negotiation.policy import Policy
from engine.negotiation.state import Status, Wait
from engine.negotiation.terms import MissingChoice, Source
from engine.negotiation.voting.kinds import FeedbackType
from tests.negotiation.scenario import REQUESTER, Scenario

DAN, DAN_ID = "U_DAN", "help_dan"
WORDS = "I can help with the photos"
PHOTOS = Need(need_id="need_1", what="photos", tags=("photos",))
SLOW = Policy(first_window=0, human_window=600, override_window=600, max_depth=0)
PLACE = Place(channel="C_LOBBY", thread="1.1")


def collecting(*needs: Need) -> Scenario:
    scenario = Scenario(policy=SLOW, linked={"aya": "U_AYA"}, place=PLACE).demand().understood(needs=needs)
    return scenario.shortlisted("aya", "bo")


def helping(
    at: Scenario, by: str = DAN, agent_id: str = DAN_ID, *, covers: tuple[str, ...] = (), has_twin: bool = False
) -> Scenario:
    fields = {"display_name": "Dan", "text": WORDS, "covers": covers, "has_twin": has_twin}
    return at.does(OfferHelp, by=by, agent_id=agent_id, **fields)


def answers(at: Scenario, *, ask: bool = True, by: str = REQUESTER, agent_id: str = DAN_ID) -> Scenario:
    return at.does(AnswerHelp, by=by, agent_id=agent_id, ask=ask)


def agreed_without_photos() -> Scenario:
    """A plan of two people, which lacks the photos."""
    at = collecting(PHOTOS).offers("aya").offers("bo").does(DecideMissing, by=REQUESTER, choice=MissingChoice.GO_ON)
    at = at.drafted("aya", "bo").twins({"aya": "accept", "bo": "accept"})
    at = at.clicks("U_AYA", "aya", "accept").clicks(REQUESTER, "bo", "accept")
    assert at.state.final is not None
    assert [each.need_id for each in lacking(at.state)] == ["need_1"]
    return at


def test_help_is_noted_and_changes_nothing_before_somebody_decides() -> None:
    at = helping(collecting(), covers=("need_9",)).then(HelpOffered)
    assert at.event(HelpOffered).covers == (), "there is no such need"
    assert DAN_ID not in at.state.invited
    assert at.state.volunteers[DAN_ID].answered is None


def test_a_namesake_of_somebody_here_is_told_apart() -> None:
    at, names = collecting(), []
    for by, agent_id, name in (
        (DAN, DAN_ID, "aya"),
        ("U_AYA_2", "user_agent_aya_2", "Aya"),
        ("U_EVE", "help_eve", "Eve"),
    ):
        at = at.does(OfferHelp, by=by, agent_id=agent_id, display_name=name, text=WORDS)
        names.append(at.event(HelpOffered).display_name)

    assert names == ["aya (2)", "Aya (aya_2)", "Eve"]


def test_whoever_is_asked_while_offers_are_open_has_offered_in_person() -> None:
    at = answers(helping(collecting(PHOTOS), covers=("need_1",))).then(HelpAnswered, OfferOverridden)
    offer = at.state.offers[DAN_ID]
    assert (offer.source, offer.contribution, at.state.invited[DAN_ID].user_id) == (Source.HUMAN, WORDS, DAN)
    assert [each.need_id for each in offer.claims] == ["need_1"]
    at.does(CorrectOffer, by=DAN, agent_id=DAN_ID, decision=OfferDecision.DECLINE).then(OfferOverridden)


def test_a_plan_under_way_is_made_again_with_them() -> None:
    at = helping(collecting()).offers("aya").offers("bo")
    assert at.state.status is Status.AGGREGATING
    answers(at).owing("aggregate")


def test_nothing_is_missing_any_more_and_it_goes_on() -> None:
    at = collecting(PHOTOS).offers("aya").offers("bo")
    assert at.state.wait is Wait.REQUESTER
    answers(helping(at, covers=("need_1",)))
    assert at.state.status is Status.AGGREGATING


@pytest.mark.parametrize("has_twin", [True, False])
def test_nobody_votes_for_whoever_has_offered_help_but_themselves(has_twin: bool) -> None:
    at = answers(helping(collecting(), has_twin=has_twin)).offers("aya").offers("bo")
    at = at.drafted("aya", "bo", DAN_ID)
    seat = at.state.rounds[-1].seats[DAN_ID]
    assert (seat.twin_asked, seat.has_twin, seat.is_awaited) == (False, False, True)
    at.clicks(DAN, DAN_ID, "accept")
    vote = at.state.rounds[-1].seats[DAN_ID].vote
    assert vote is not None
    assert vote.feedback_type is FeedbackType.ACCEPT
    at.does(HandBack, by=DAN, agent_id=DAN_ID).is_refused(IllegalStep, "no twin")


def test_whoever_has_a_twin_steps_in_where_a_plan_is_voted_on_already() -> None:
    at = collecting().offers("aya").offers("bo")
    at = helping(at.drafted("aya", "bo"), has_twin=True)
    answers(at).then(HelpAnswered)
    assert at.event(HelpAnswered).way == "reserve"
    assert [each.agent_id for each in at.state.reserve] == [DAN_ID]


def test_whoever_has_none_cannot_join_a_vote() -> None:
    at = collecting().offers("aya").offers("bo")
    answers(helping(at.drafted("aya", "bo"))).is_refused(IllegalStep, "voted on")
    assert at.state.volunteers[DAN_ID].answered is None


@pytest.mark.parametrize("covers", [("need_1",), ()], ids=["their words name it", "it is all that is missing"])
def test_they_do_what_an_agreed_plan_lacks(covers: tuple[str, ...]) -> None:
    at = answers(helping(agreed_without_photos(), covers=covers)).then(HelpAnswered, ProposalAmended)
    assert at.event(HelpAnswered).way == "plan"
    final = at.state.final
    assert final is not None
    seat = final.final_proposal.assignments[-1]
    assert (seat.agent_id, seat.role, seat.responsibility, seat.covers) == (DAN_ID, "photos", WORDS, ("need_1",))
    assert DAN_ID in final.confirmed_participants
    assert final.uncovered_needs == ()
    assert lacking(at.state) == ()
    person = at.state.known_person(DAN_ID)
    assert person is not None
    assert person.user_id == DAN
    at.does(GiveUpSeat, by=DAN, agent_id=DAN_ID)
    assert at.refused is None
    assert [each.need_id for each in lacking(at.state)] == ["need_1"]


def test_help_that_is_declined_stays_declined() -> None:
    at = answers(helping(collecting()), ask=False).then(HelpAnswered)
    assert DAN_ID not in at.state.invited
    answers(at).is_refused(Duplicate)
    helping(at).is_refused(Duplicate)


def test_a_demand_that_is_said_otherwise_is_decided_anew() -> None:
    at = answers(helping(collecting())).does(EditDemand, by=REQUESTER, raw_input="Something else")
    assert at.state.volunteers[DAN_ID].answered is None
    answers(at).is_refused(IllegalStep, "wait a moment")
    at = at.understood().shortlisted("aya")
    answers(at)
    assert at.state.offers[DAN_ID].contribution == WORDS


def test_who_asked_who_was_asked_and_strangers_offer_nothing() -> None:
    for by, agent_id in ((REQUESTER, DAN_ID), ("U_AYA", DAN_ID), (DAN, "aya"), ("U_X@T_OTHER", DAN_ID), ("", DAN_ID)):
        helping(collecting(), by, agent_id).is_refused(NotAllowed)


def test_the_same_person_offers_once_under_any_name() -> None:
    helping(helping(collecting()), DAN, "help_other").is_refused(Duplicate)


def test_only_so_many_are_considered() -> None:
    at = collecting()
    for number in range(MOST_VOLUNTEERS):
        helping(at, f"U_{number}", f"help_{number}")
    helping(at).is_refused(IllegalStep, "So many")


def test_once_all_is_covered_or_over_nobody_is_needed() -> None:
    at = agreed_without_photos()
    answers(helping(at))
    helping(at, "U_EVE", "help_eve").is_refused(IllegalStep, "any more")
    helping(collecting().stopped()).is_refused(IllegalStep, "any more")


def test_nobody_answers_for_somebody_who_has_not_offered() -> None:
    answers(collecting()).is_refused(IllegalStep)
    answers(helping(collecting()), by=DAN).is_refused(NotAllowed)
