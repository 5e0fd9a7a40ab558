"""Until a proposal is out, people answer for themselves where they like, instead of their twin or before it."""

from collections.abc import Callable

import pytest

from engine.errors import IllegalStep, NotAllowed, UnknownAgent
from engine.kernel import Ask
from engine.llm.port import Answer
from engine.negotiation.answers import OfferAnswer, OfferDecision, ProposalDraft
from engine.negotiation.commands import Cancel, RecordOffer, RecordProposal
from engine.negotiation.errors import InvalidOffer
from engine.negotiation.events import (
    AggregationStarted,
    FeedbackDue,
    NegotiationFailed,
    OfferOverridden,
    OfferSubmitted,
    ProposalDistributed,
    RoundStarted,
)
from engine.negotiation.state import Status
from engine.negotiation.terms import Outcome, Source
from tests.llm.prompt_cases import ASKS, CHEN, LIN
from tests.negotiation.plan.test_core_seats import venue_leaves, with_reserve
from tests.negotiation.prompts import PROMPTS
from tests.negotiation.scenario import ALONE, REQUESTER, Scenario, draft

LINKED = {"ann": "U_ANN", "bo": "U_BO"}


def collecting(*agents: str) -> Scenario:
    """Ann and Bo are people, everybody else is a twin of nobody."""
    return Scenario(policy=ALONE, linked=LINKED).demand().understood().shortlisted(*(agents or ("ann", "bo", "cy")))


def aggregating() -> Scenario:
    """All three twins take part, and a model weaves the first proposal."""
    return collecting().offers("ann").offers("bo").offers("cy").stands(Status.AGGREGATING)


# ── what becomes of it ────────────────────────────────────────────────────────────────────────────────────────────


def test_what_a_person_says_stands_in_place_of_what_their_twin_said() -> None:
    scenario = collecting().offers("ann", reasoning="ann would love to", confidence=90)
    scenario.corrects("U_ANN", "ann", "conditional", contribution=" A talk ", conditions=("after six", "  "))

    scenario.then(OfferOverridden).owing().stands(Status.COLLECTING)
    offer = scenario.state.offers["ann"]
    assert (offer.offer_id, offer.source, offer.decision) == ("offer_001", Source.HUMAN, OfferDecision.CONDITIONAL)
    assert (offer.contribution, offer.conditions, offer.reasoning) == ("A talk", ("after six",), "")
    assert scenario.event(OfferOverridden).by == "U_ANN"


def test_nothing_is_degraded_about_what_a_person_says() -> None:
    nobody = OfferAnswer(decision=OfferDecision.DECLINE)
    scenario = collecting().does(RecordOffer, agent_id="ann", answer=nobody, degraded="E004").corrects("U_ANN", "ann")

    assert not scenario.state.offers["ann"].degraded
    assert [each.agent_id for each in scenario.state.participants] == ["ann"]


def test_who_answers_before_their_twin_is_not_corrected_by_it() -> None:
    scenario = collecting().offers("bo").corrects("U_ANN", "ann", "decline", reason="away").then(OfferOverridden)
    assert scenario.state.offers["ann"].offer_id == "offer_002"
    scenario.offers("ann").then()

    assert scenario.state.offers["ann"].decline_reason == "away"


def test_the_last_answer_closes_the_collecting_whoever_gives_it() -> None:
    scenario = collecting().offers("ann").offers("cy").corrects("U_BO", "bo")

    scenario.then(OfferOverridden, AggregationStarted).owing("aggregate").stands(Status.AGGREGATING)
    assert "offers" in scenario.last.clear


def test_a_person_can_change_their_mind_and_the_latest_answer_counts() -> None:
    scenario = collecting().corrects("U_ANN", "ann").corrects("U_ANN", "ann", "decline").then(OfferOverridden)

    assert scenario.state.participants == ()
    assert len(scenario.state.offers) == 1


def test_the_very_same_correction_once_more_changes_nothing() -> None:
    collecting().corrects("U_ANN", "ann").corrects("U_ANN", "ann", contribution="in my own words ").then().owing()
    aggregating().corrects("U_ANN", "ann").corrects("U_ANN", "ann").then().owing()


def test_to_say_oneself_what_the_twin_said_makes_it_ones_own() -> None:
    scenario = collecting().offers("ann").corrects("U_ANN", "ann", contribution="ann helps").then(OfferOverridden)

    assert scenario.state.offers["ann"].source is Source.HUMAN


def test_everybody_declining_ends_it_only_when_the_collecting_closes() -> None:
    scenario = collecting("ann", "bo").offers("ann").corrects("U_ANN", "ann", "decline").then(OfferOverridden)
    scenario.corrects("U_BO", "bo", "decline").then(OfferOverridden, NegotiationFailed)

    assert scenario.event(NegotiationFailed).reason is Outcome.NO_PARTICIPANTS


def test_only_the_words_that_belong_to_the_decision_are_kept() -> None:
    everything = {"contribution": "A talk", "conditions": ("after six",), "reason": "away"}

    def kept(decision: str) -> tuple[str, tuple[str, ...], str]:
        event = collecting().corrects("U_ANN", "ann", decision, **everything).event(OfferOverridden)
        return event.contribution, event.conditions, event.decline_reason

    assert kept("participate") == ("A talk", (), "")
    assert kept("conditional") == ("A talk", ("after six",), "")
    assert kept("decline") == ("", (), "away")


# ── while the first proposal is made ──────────────────────────────────────────────────────────────────────────────


def test_a_plan_under_way_is_made_again_of_what_people_say_now() -> None:
    scenario = aggregating().corrects("U_ANN", "ann", contribution="Only the room")

    scenario.then(OfferOverridden).owing("aggregate").stands(Status.AGGREGATING)
    assert "aggregate" in scenario.last.drop


def test_a_plan_made_of_the_old_offers_comes_too_late() -> None:
    scenario = aggregating().corrects("U_ANN", "ann", "decline")
    scenario.drafted("ann", "bo", "cy", knowing=0).then().stands(Status.AGGREGATING)
    scenario.drafted("bo", "cy").then(RoundStarted, ProposalDistributed, FeedbackDue)


def test_who_came_too_late_for_the_collecting_is_still_heard() -> None:
    scenario = collecting().offers("ann").later(300).rings("offers").then(AggregationStarted)
    scenario.corrects("U_BO", "bo").then(OfferOverridden).owing("aggregate")
    scenario.drafted("ann", "bo")

    assert set(scenario.state.rounds[0].seats) == {"ann", "bo"}


def test_who_steps_back_has_no_seat_even_if_no_model_can_make_a_plan() -> None:
    scenario = aggregating().corrects("U_ANN", "ann", "decline").corrects("U_BO", "bo", contribution="Only the room")
    scenario.does(RecordProposal, version=1, draft=None, corrections=2, degraded="E003")

    seats = scenario.event(ProposalDistributed).proposal.assignments
    assert [(each.agent_id, each.responsibility) for each in seats] == [("bo", "Only the room"), ("cy", "cy helps")]


def test_when_nobody_takes_part_any_more_it_ends_there() -> None:
    scenario = collecting("ann").offers("ann").corrects("U_ANN", "ann", "decline")

    scenario.then(OfferOverridden, NegotiationFailed).owing("compromise").stands(Status.FAILED)
    assert scenario.event(NegotiationFailed).reason is Outcome.NO_PARTICIPANTS
    assert "aggregate" in scenario.last.drop


def test_the_model_is_told_what_the_person_said_and_its_plan_says_so() -> None:
    scenario = Scenario(linked={CHEN: "U_CHEN"}).demand().understood().shortlisted(CHEN, LIN).offers(CHEN).offers(LIN)
    ask = Ask(name="aggregate", scope="aggregate", prompt="aggregate")
    old = ASKS.compose(scenario.state, ask)
    scenario.corrects("U_CHEN", CHEN, "conditional", contribution="A room", conditions=("quiet",))
    new = ASKS.compose(scenario.state, ask)

    assert [each.contribution for each in old.given["offers"]] == [f"{CHEN} helps", f"{LIN} helps"]
    assert [(each.contribution, each.conditions) for each in new.given["offers"]] == [
        ("A room", ("quiet",)),
        (f"{LIN} helps", ()),
    ]
    made: Answer[ProposalDraft] = Answer(draft(CHEN, LIN), model="m")
    command = ASKS.read(scenario.state, ask, PROMPTS["negotiation/aggregate"], made, command_id="c", at=0)
    assert isinstance(command, RecordProposal)
    assert command.corrections == 1


# ── who may, and until when ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("user", "agent"),
    [
        pytest.param("U_EVE", "ann", id="a stranger"),
        pytest.param("U_BO", "ann", id="another participant"),
        pytest.param(REQUESTER, "ann", id="the requester, for a linked person"),
        pytest.param("U_ANN", "cy", id="a participant, for an unlinked twin"),
        pytest.param("", "cy", id="nobody"),
    ],
)
def test_the_wrong_hand_is_refused(user: str, agent: str) -> None:
    collecting().corrects(user, agent, "decline").is_refused(NotAllowed)


def test_the_requester_answers_for_an_unlinked_twin() -> None:
    collecting().corrects(REQUESTER, "cy", "decline").then(OfferOverridden)


def test_who_was_not_asked_has_no_offer_to_correct() -> None:
    collecting().corrects("U_ANN", "zed").is_refused(UnknownAgent)


def voted(scenario: Scenario) -> Scenario:
    return scenario.drafted("ann", "bo", "cy").twins({"ann": "accept", "bo": "negotiate", "cy": "accept"})


@pytest.mark.parametrize(
    ("scenario", "why"),
    [
        pytest.param(lambda: Scenario().demand(), "Nobody was asked", id="before anybody is asked"),
        pytest.param(lambda: aggregating().drafted("ann", "bo", "cy"), "Vote on it", id="while people vote"),
        pytest.param(lambda: voted(aggregating()), "Vote on it", id="while the next version is made"),
        pytest.param(lambda: collecting().does(Cancel, by=REQUESTER), "over", id="when it was stopped"),
        pytest.param(lambda: collecting("ann").offers("ann", "decline"), "over", id="when it has failed"),
    ],
)
def test_before_and_after_its_time_a_correction_is_refused_and_told_why(
    scenario: Callable[[], Scenario], why: str
) -> None:
    scenario().corrects("U_ANN", "ann").is_refused(IllegalStep, why)


def test_a_substitute_who_is_asked_answers_through_the_twin() -> None:
    scenario = venue_leaves(with_reserve(("loft", 0.9))).corrects(REQUESTER, "loft").is_refused(IllegalStep)

    scenario.offers("loft").then(OfferSubmitted, RoundStarted)


def test_one_knows_for_whom_one_may_answer_oneself_first() -> None:
    state = Scenario(linked={"ann": REQUESTER, "bo": "U_BO"}).demand().understood().shortlisted("cy", "ann", "bo").state

    assert [each.agent_id for each in state.answerable_offers(REQUESTER)] == ["ann", "cy"]
    assert [each.agent_id for each in state.answerable_offers("U_BO")] == ["bo"]
    assert state.answerable_offers("U_EVE") == state.answerable_offers("") == ()


def test_offers_are_taken_from_when_people_are_asked_until_a_proposal_is_out() -> None:
    assert not Scenario().demand().state.takes_offers
    assert collecting().state.takes_offers
    assert aggregating().state.takes_offers
    assert not aggregating().drafted("ann", "bo", "cy").state.takes_offers


# ── what is said ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("decision", ["participate", "conditional"])
def test_who_takes_part_says_with_what(decision: str) -> None:
    collecting().corrects("U_ANN", "ann", decision, contribution="  ", conditions=("quiet",)).is_refused(InvalidOffer)


def test_a_condition_has_words() -> None:
    collecting().corrects("U_ANN", "ann", "conditional", conditions=(" ", "")).is_refused(InvalidOffer)


def test_a_no_needs_none() -> None:
    collecting().corrects("U_ANN", "ann", "decline").then(OfferOverridden)


def test_halves_of_characters_are_not_kept() -> None:
    scenario = collecting().corrects("U_ANN", "ann", "conditional", contribution="\ud83d", conditions=("\ud83d",))

    assert (scenario.event(OfferOverridden).contribution, scenario.event(OfferOverridden).conditions) == ("?", ("?",))


def test_a_text_of_2000_characters_is_taken_and_of_2001_refused() -> None:
    collecting().corrects("U_ANN", "ann", contribution="x" * 2000).then(OfferOverridden)
    collecting().corrects("U_ANN", "ann", contribution="x" * 2001).is_refused(InvalidOffer, "2,001")
    collecting().corrects("U_ANN", "ann", "decline", reason="x" * 2001).is_refused(InvalidOffer, "2,001")


def test_ten_conditions_of_500_characters_are_taken_and_no_more() -> None:
    def with_conditions(*conditions: str) -> Scenario:
        return collecting().corrects("U_ANN", "ann", "conditional", conditions=conditions)

    with_conditions(*["x" * 500] * 10, " ").then(OfferOverridden)
    with_conditions(*["x"] * 11).is_refused(InvalidOffer)
    with_conditions("x" * 501).is_refused(InvalidOffer)
