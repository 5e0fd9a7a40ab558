"""Whatever a model answers for somebody's twin, it keeps the limits of their profile."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.directory.profile import Profiles
from engine.facts.circumstances import Money, When
from engine.kernel import Ask, Tenant
from engine.lexicon.synonyms import saying
from engine.llm.port import Answer
from engine.negotiation.answers import (
    Circumstances,
    Covering,
    FeedbackAnswer,
    FeedbackType,
    OfferAnswer,
    OfferDecision,
    StatedCondition,
    Understanding,
)
from engine.negotiation.asks import NegotiationAsks
from engine.negotiation.commands import RecordFeedback, RecordOffer
from engine.negotiation.state import Negotiation
from tests.profiles.people import person

from .prompts import PROMPTS
from .scenario import ALONE, Scenario

BO, CY = "user_agent_bo", "user_agent_cy"
YES = OfferAnswer(
    decision=OfferDecision.PARTICIPATE,
    contribution="The venue: a room of my own",
    conditions=(StatedCondition(text="a key"),),
)
TENANT = Tenant("T_ONE")


def asked(limits: dict[str, Any], text: str, **context: Any) -> tuple[NegotiationAsks, Scenario]:
    """Bo and Cy are asked; Cy has no limits."""
    asks = NegotiationAsks(PROMPTS, Profiles({BO: person(limits=limits)}))
    said = Understanding(surface_demand=text, context=Circumstances(**context))
    scenario = Scenario(policy=ALONE).demand(text).understood(surface_demand=text, context=said.context)
    return asks, scenario.shortlisted(BO, CY)


def offer(limits: dict[str, Any], text: str, said: OfferAnswer = YES, **context: Any) -> OfferAnswer:
    asks, scenario = asked(limits, text, **context)
    return offered(asks, scenario.state, said)


def offered(asks: NegotiationAsks, state: Negotiation, said: OfferAnswer) -> OfferAnswer:
    ask = Ask(name=f"offer/{BO}", scope="offers", prompt="respond", about=BO)
    command = asks.read(state, ask, PROMPTS["negotiation/respond"], Answer(said, "any"), command_id="c", at=1)
    assert isinstance(command, RecordOffer)
    return command.answer


def vote(limits: dict[str, Any], text: str, said: FeedbackAnswer, *, last: bool = False, **plan: Any) -> FeedbackAnswer:
    policy = ALONE.model_copy(update={"max_rounds": 1}) if last else ALONE
    asks = NegotiationAsks(PROMPTS, Profiles({BO: person(limits=limits)}))
    scenario = Scenario(policy=policy).demand(text).understood(surface_demand=text).shortlisted(BO)
    scenario.offers(BO).drafted(BO, **plan)
    ask = Ask(name=f"feedback/1/{BO}", scope="any", prompt="feedback", about=BO)
    command = asks.read(scenario.state, ask, PROMPTS["negotiation/feedback"], Answer(said, "any"), command_id="c", at=1)
    assert isinstance(command, RecordFeedback)
    assert command.answer is not None
    return command.answer


NIGHT = When(first="2027-03-14", last="2027-03-15", start="20:00", end="06:00")
BROKEN = [
    ({"busy": "写论文"}, "一场聚会", {}, "写论文"),
    ({"max_attendees": 60}, "A party for 200 people", {"expected_attendees": 200}, "60"),
    ({"max_attendees": 60}, "A party for 200 people", {}, "200"),
    ({"min_attendees": 80}, "50人的聚会", {"expected_attendees": 50}, "80"),
    ({"locations": ["北京"]}, "A party in London", {"location": "London"}, "London"),
    ({"paid_only": True}, "一场聚会，没有预算", {"budget": "没有预算"}, "预算"),
    ({"paid_only": True}, "A party", {"money": Money(none=True)}, "budget"),
    ({"never": ["通宵"]}, "A party all night long", {}, "all night"),
    ({"never": ["never through the night"]}, "A party", {"when": NIGHT}, "through the night"),
    ({"never": ["overnight"]}, "通宵狂欢", {}, "通宵"),
    ({"never": ["overnight"]}, "A party", {"when": NIGHT}, "overnight"),
    ({"never": ["gambling"]}, "办一场博彩公司的发布会", {}, "博彩"),
    ({"never": ["气球拱门"]}, "A stage with balloons", {}, "balloons"),
    ({"never": ["weekends"]}, "A party", {"when": When(first="2027-03-14", last="2027-03-14")}, "weekends"),
]  # fmt: skip


@pytest.mark.parametrize(("limits", "text", "context", "why"), BROKEN)
def test_an_offer_that_breaks_a_limit_is_a_friendly_decline(
    limits: dict[str, Any], text: str, context: dict[str, Any], why: str
) -> None:
    said = offer(limits, text, **context)

    assert said.decision is OfferDecision.DECLINE
    assert why in said.decline_reason
    assert (said.contribution, said.conditions, said.covers) == ("", (), ())


@pytest.mark.parametrize(
    ("limits", "text", "context"),
    [
        ({}, "A party all night long for 200 people in London", {"location": "London", "expected_attendees": 200}),
        ({"max_attendees": 60}, "A party for 60 people", {"expected_attendees": 60}),
        ({"max_attendees": 60}, "A party", {}),
        ({"locations": ["北京"]}, "A party", {"location": "Beijing"}),
        ({"locations": ["北京"]}, "A party", {"location": "online"}),
        ({"paid_only": True}, "A party", {"budget": "5000元"}),
        ({"never": ["overnight"]}, "A party, not overnight", {}),
        ({"never": ["通宵"]}, "一场聚会，不通宵", {}),
        ({"never": ["overnight"]}, "A party", {"when": When(start="19:00", end="22:00")}),
        ({"never": ["ai"]}, "Send an email again", {}),
        ({"never": ["政治集会"]}, "一场技术聚会", {}),
    ],
)
def test_an_offer_within_the_limits_stays_as_it_is(limits: dict[str, Any], text: str, context: dict[str, Any]) -> None:
    assert offer(limits, text, **context) == YES


@pytest.mark.parametrize(
    ("contribution", "decision"),
    [
        ("I could help out", OfferDecision.DECLINE),
        ("The venue", OfferDecision.DECLINE),
        ("I help by video", OfferDecision.PARTICIPATE),
    ],
)
def test_whatever_an_offer_calls_it_nobody_is_in_two_cities(contribution: str, decision: OfferDecision) -> None:
    said = OfferAnswer(decision=OfferDecision.PARTICIPATE, contribution=contribution)

    assert offer({"locations": ["北京"]}, "A party in London", said, location="London").decision is decision


def test_a_decline_stays_in_the_persons_own_words() -> None:
    no = OfferAnswer(decision=OfferDecision.DECLINE, decline_reason="Not my thing")

    assert offer({"max_attendees": 60}, "A party for 200 people", no, expected_attendees=200) is no


ACCEPTS = FeedbackAnswer(feedback_type=FeedbackType.ACCEPT, reasoning="Great")


def test_a_plan_that_breaks_a_limit_is_not_accepted_but_may_change() -> None:
    said = vote({"never": ["通宵"]}, "A party", ACCEPTS, summary="A party, all night")

    assert (said.feedback_type, said.adjustment_request) == (
        FeedbackType.NEGOTIATE,
        'Leave "all night" out of the plan',
    )
    assert "all night" in said.reasoning


def test_a_time_breaks_a_limit_as_well_as_a_word() -> None:
    said = vote({"never": ["overnight"]}, "A party", ACCEPTS, when=NIGHT)

    assert said.feedback_type is FeedbackType.NEGOTIATE


def test_in_the_last_round_they_leave() -> None:
    said = vote({"never": ["通宵"]}, "A party", ACCEPTS, last=True, summary="A party, all night")

    assert (said.feedback_type, said.adjustment_request) == (FeedbackType.WITHDRAW, "")
    assert "all night" in said.reasoning


def test_what_the_demand_itself_breaks_they_leave_at_once() -> None:
    said = vote({"max_attendees": 60}, "A party for 200 people", ACCEPTS)

    assert said.feedback_type is FeedbackType.WITHDRAW
    assert "60" in said.reasoning


@pytest.mark.parametrize("kind", [FeedbackType.NEGOTIATE, FeedbackType.REJECT, FeedbackType.WITHDRAW])
def test_a_vote_that_does_not_accept_stays(kind: FeedbackType) -> None:
    said = FeedbackAnswer(feedback_type=kind, adjustment_request="later", reasoning="because")

    assert vote({"never": ["通宵"]}, "A party", said, summary="A party, all night") == said


def test_an_accept_within_the_limits_stays() -> None:
    assert vote({"never": ["通宵"], "max_attendees": 60}, "A party for 50 people", ACCEPTS) == ACCEPTS


@given(
    broken=st.sampled_from(BROKEN),
    decision=st.sampled_from([OfferDecision.PARTICIPATE, OfferDecision.CONDITIONAL]),
    words=st.text(max_size=20),
)
def test_no_offer_of_any_model_breaks_a_limit(broken: Any, decision: OfferDecision, words: str) -> None:
    limits, text, context, _ = broken
    said = OfferAnswer(
        decision=decision,
        contribution=f"The venue {words}",
        conditions=(StatedCondition(text=words),),
        covers=(Covering(need_id=words),),
    )

    assert offer(limits, text, said, **context).decision is OfferDecision.DECLINE


@pytest.mark.parametrize(
    ("text", "word", "said"),
    [
        ("All-night party", "通宵", "all-night"),
        ("we go THROUGH THE NIGHT", "overnight", "through the night"),
        ("no overnight stay", "overnight", None),
        ("an overnight stay is not possible", "wine", None),
        ("禁止通宵", "通宵", None),
        ("Casinos", "赌博", "casinos"),
        ("a podcast", "cast", None),
        ("", "cast", None),
    ],
)
def test_words_are_found_by_what_they_mean(text: str, word: str, said: str | None) -> None:
    assert saying(text, word) == said


@given(st.text(max_size=300), st.text(max_size=40))
def test_any_words_can_be_looked_for(text: str, word: str) -> None:
    saying(text, word)


MONDAY, TUESDAY = (When(first=day, last=day, start="19:00", end="21:00") for day in ("2027-03-15", "2027-03-16"))
TOLD = [
    pytest.param("Not on Mondays", MONDAY, TUESDAY, id="a weekday"),
    pytest.param("From now on: never on Mondays", MONDAY, TUESDAY, id="with a lead"),
    pytest.param("以后，周一不行", MONDAY, TUESDAY, id="in Chinese"),
    pytest.param("Never after 8 pm", MONDAY, When(start="17:00", end="19:00"), id="a time of day"),
]


def told(line: str, when: When) -> tuple[NegotiationAsks, Scenario]:
    asks = NegotiationAsks(PROMPTS, Profiles({BO: person(from_now_on=[line])}))
    context = Circumstances(when=when)
    return asks, Scenario(policy=ALONE).demand("A party").understood(surface_demand="A party", context=context)


@pytest.mark.parametrize(("line", "against", "within"), TOLD)
def test_what_somebody_told_their_twin_for_good_is_kept_whatever_a_model_answers(
    line: str, against: When, within: When
) -> None:
    asks, scenario = told(line, against)
    declined = offered(asks, scenario.shortlisted(BO).state, YES)
    assert declined.decision is OfferDecision.DECLINE
    assert line in declined.decline_reason

    asks, scenario = told(line, within)
    assert offered(asks, scenario.shortlisted(BO).state, YES) == YES


@pytest.mark.parametrize(("last", "expected"), [(False, FeedbackType.NEGOTIATE), (True, FeedbackType.WITHDRAW)])
def test_a_plan_that_is_against_what_they_told_their_twin_is_not_accepted(last: bool, expected: FeedbackType) -> None:
    policy = ALONE.model_copy(update={"max_rounds": 1}) if last else ALONE
    asks = NegotiationAsks(PROMPTS, Profiles({BO: person(from_now_on=["Not on Mondays"])}))
    scenario = Scenario(policy=policy).demand("A party").understood(surface_demand="A party")
    scenario.shortlisted(BO).offers(BO).drafted(BO, when=MONDAY)
    ask = Ask(name=f"feedback/1/{BO}", scope="any", prompt="feedback", about=BO)
    command = asks.read(
        scenario.state, ask, PROMPTS["negotiation/feedback"], Answer(ACCEPTS, "any"), command_id="c", at=1
    )
    assert isinstance(command, RecordFeedback)
    assert command.answer is not None
    assert command.answer.feedback_type is expected
    assert "Not on Mondays" in command.answer.reasoning
    assert bool(command.answer.adjustment_request) is not last


def test_a_line_that_only_a_reader_understands_is_left_to_whoever_answers() -> None:
    asks, scenario = told("Ask me nicely, and never for free", MONDAY)
    assert offered(asks, scenario.shortlisted(BO).state, YES) == YES
