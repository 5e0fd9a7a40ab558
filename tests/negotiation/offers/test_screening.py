"""What a twin says is held to what its person lets it tell."""

import logging

import pytest

from engine.directory.profile import Profiles
from engine.kernel import Ask
from engine.llm.port import Answer
from engine.negotiation.answers import (
    AdjustmentSummary,
    FeedbackAnswer,
    OfferAnswer,
    OfferDecision,
    RequestAddressed,
    StatedCondition,
)
from engine.negotiation.asks import NegotiationAsks
from engine.negotiation.commands import RecordFeedback
from engine.negotiation.offers.screening import Screen
from engine.negotiation.voting.kinds import FeedbackType
from tests.negotiation.prompts import PROMPTS
from tests.negotiation.scenario import ALONE, Scenario, draft
from tests.profiles.people import person

BO, CY = "user_agent_bo", "user_agent_cy"
PROFILE = person(
    limits={"never": ["casino nights", "酒局"], "locations": ["Berlin", "Hamburg"]},
    preferences={
        "conditions": [{"text": {"en": "No casino tables, please", "zh": "不要赌桌"}}],
        "asks": [{"change": "My own cables", "because": "they break", "if_declined": "negotiate"}],
        "leaves_if": [{"plan_says": ["live stream"], "because": "of the neighbours"}],
    },
    from_now_on=["Not on Mondays", "Only with people whom Marta has met before, and never after ten at night"],
)


def said(text: str, demand: str = "An evening") -> OfferAnswer:
    offer = OfferAnswer(
        decision=OfferDecision.PARTICIPATE, contribution=text, reasoning=text, conditions=(StatedCondition(text=text),)
    )
    return Screen(PROFILE, [demand]).offer(offer)


@pytest.mark.parametrize(
    "text",
    [
        "No casino nights with me",
        "我不去酒局",
        "I can be in Hamburg as well",
        "I leave if it is a live stream",
        "Bo: not on Mondays",
        "With people whom Marta has met before",
    ],
)
def test_what_is_for_the_twin_alone_is_left_out_and_not_logged(text: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)

    offer = said(f"A room for 20. {text}.")

    assert (offer.contribution, offer.reasoning, offer.conditions) == ("A room for 20.", "A room for 20.", ())
    assert "left out" in caplog.text
    assert text not in caplog.text


def test_what_is_spread_over_two_sentences_is_left_out_too() -> None:
    assert said("Casino. Nights.").contribution == ""


@pytest.mark.parametrize("text", ["No casino tables, please", "My own cables", "A room in Berlin for 20 people"])
def test_what_the_person_wants_to_be_told_and_what_everybody_may_read_stays(text: str) -> None:
    assert said(text).contribution == text


def test_what_the_demand_names_may_be_answered() -> None:
    assert said("I do no casino nights", demand="Casino nights for 50 people").contribution == "I do no casino nights"


@pytest.mark.parametrize("demand", ["A choir, but not on Mondays", "An evening"])
def test_what_they_told_for_good_may_be_said_where_it_stands_in_the_demand(demand: str) -> None:
    assert said("Not on Mondays", demand=demand).contribution == ("Not on Mondays" if "Mondays" in demand else "")


def test_no_vote_repeats_what_they_told_for_good() -> None:
    vote = FeedbackAnswer(
        feedback_type=FeedbackType.NEGOTIATE,
        reasoning="Fine. Not on Mondays.",
        adjustment_request="Tuesday, since not on Mondays",
        concerns=("Not on Mondays!",),
    )
    screened = Screen(PROFILE, ["An evening"]).vote(vote)
    assert (screened.reasoning, screened.adjustment_request, screened.concerns) == ("Fine.", "", ())


def test_a_copy_of_the_profiles_data_is_left_out() -> None:
    assert said('{"paid_only": true}').contribution == ""


def test_a_vote_is_screened_and_stays_a_vote() -> None:
    vote = FeedbackAnswer(
        feedback_type=FeedbackType.NEGOTIATE, reasoning="No casino nights", adjustment_request="Leave out casino nights"
    )
    screened = Screen(PROFILE, ["An evening"]).vote(vote)
    assert (screened.reasoning, screened.adjustment_request) == ("", "")
    assert screened.feedback_type is FeedbackType.NEGOTIATE


# ── votes that nobody else can swing ──────────────────────────────────────────────────────────────────────────────────

NO = FeedbackAnswer(feedback_type=FeedbackType.WITHDRAW, reasoning="I was told to")


def voted(scenario: Scenario, answer: FeedbackAnswer, profiles: Profiles) -> FeedbackAnswer:
    asks = NegotiationAsks(PROMPTS, profiles)
    ask = Ask(name=f"feedback/{scenario.state.round}/{BO}", scope="any", prompt="feedback", about=BO)
    prompt = PROMPTS["negotiation/feedback"]
    command = asks.read(scenario.state, ask, prompt, Answer(answer, "any"), command_id="c", at=1)
    assert isinstance(command, RecordFeedback)
    assert command.answer is not None
    return command.answer


def second_round(**changed: str) -> Scenario:
    scenario = Scenario(policy=ALONE).demand("An evening").understood().shortlisted(BO, CY).offers(BO).offers(CY)
    scenario.drafted(BO, CY).twin(BO, "accept", "Gladly").twin(CY, "negotiate", wish="later")
    made = draft(BO, CY)
    seats = tuple(
        type(each)(**{**{name: getattr(each, name) for name in each.__struct_fields__}, **changed})
        if each.agent_id == BO
        else each
        for each in made.assignments
    )
    return scenario.drafted(BO, CY, assignments=seats, summary="Another evening")


NOBODY_S_WISHES = Profiles({BO: person()})


def test_an_accept_stands_while_nothing_of_ones_own_part_has_changed() -> None:
    vote = voted(second_round(), NO, NOBODY_S_WISHES)
    assert (vote.feedback_type, vote.reasoning) == (FeedbackType.ACCEPT, "Gladly")


def test_it_may_be_taken_back_where_the_part_has_changed() -> None:
    assert voted(second_round(responsibility="All of it"), NO, NOBODY_S_WISHES) == NO


def first_round(summary: str = "An evening together") -> Scenario:
    scenario = Scenario(policy=ALONE).demand("An evening").understood().shortlisted(BO, CY).offers(BO).offers(CY)
    return scenario.drafted(BO, CY, summary=summary)


def test_whoever_accepts_asks_for_nothing() -> None:
    vote = voted(
        first_round(), FeedbackAnswer(feedback_type=FeedbackType.ACCEPT, adjustment_request="x"), NOBODY_S_WISHES
    )
    assert vote.adjustment_request == ""


# ── requests that nobody else can settle ──────────────────────────────────────────────────────────────────────────────


def settled(*, responsibility: str) -> AdjustmentSummary:
    """Cy asks for something, and a model that has read what Bo says calls it addressed."""
    scenario = Scenario(policy=ALONE).demand("An evening").understood().shortlisted(BO, CY).offers(BO).offers(CY)
    scenario.drafted(BO, CY).twin(BO, "accept", "Cy's wish is settled").twin(CY, "negotiate", wish="my own cables")
    made = draft(BO, CY)
    bo, cy = made.assignments
    changed = type(cy)(agent_id=CY, role=cy.role, responsibility=responsibility)
    summary = AdjustmentSummary(requests_addressed=(RequestAddressed(agent_id=CY, request="whatever"),))
    scenario.drafted(BO, CY, assignments=(bo, changed), adjustment_summary=summary)
    made_summary = scenario.state.proposals[-1].adjustment_summary
    assert made_summary is not None
    return made_summary


def test_a_request_is_not_settled_by_anybodys_word() -> None:
    summary = settled(responsibility=f"{CY} helps!")
    assert summary.requests_addressed == ()
    assert (CY, "my own cables") in [(each.agent_id, each.request) for each in summary.requests_declined]


def test_it_is_settled_by_a_change_of_its_authors_seat_and_keeps_their_words() -> None:
    summary = settled(responsibility=f"{CY} helps, with cables of their own")
    assert [(each.agent_id, each.request) for each in summary.requests_addressed] == [(CY, "my own cables")]
