"""What people cover is held against their profiles; and what the prompts are given of needs, seats and refusals."""

from typing import Any

import pytest

from engine.kernel import Ask
from engine.llm.port import Answer
from engine.negotiation.answers import Candidate, Covering, Need, OfferAnswer, OfferDecision, Shortlist
from engine.negotiation.commands import RecordOffer, RecordShortlist
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import Claim
from tests.llm.prompt_cases import ASKS, CHEN, EMMA, LIN, ZHOU
from tests.negotiation.plan.test_true_plans import plan
from tests.negotiation.prompts import PROMPTS
from tests.negotiation.scenario import ALONE, Scenario

PHOTOGRAPHER, MARKETER, OTHER_HOST = (f"user_agent_{name}" for name in ("xu_fan", "grace_liu", "liu_yang"))
ROOM = Need(need_id="need_1", what="a room for 50", tags=("场地",))
TALK = Need(need_id="need_2", what="speakers", tags=("AI speaker", "演讲嘉宾"))
ODD = Need(need_id="need_3", what="somebody who repairs pianos")


def opened(*agents: str, possibly: tuple[str, ...] = ()) -> Scenario:
    covers = dict.fromkeys((LIN, OTHER_HOST), ("need_1",))
    scenario = Scenario(policy=ALONE).demand().understood(needs=(ROOM, TALK, ODD))
    return scenario.shortlisted(*agents, possibly=possibly, covers=covers)


def claims(state: Negotiation, agent_id: str, *said: Covering, contribution: str = "I help") -> tuple[Claim, ...]:
    answer = OfferAnswer(decision=OfferDecision.PARTICIPATE, contribution=contribution, covers=said)
    ask = Ask(name=f"offer/{agent_id}", scope="offers", prompt="respond", about=agent_id)
    prompt = PROMPTS["negotiation/respond"]
    command = ASKS.read(state, ask, prompt, Answer(answer, "m"), command_id="c", at=1)
    assert isinstance(command, RecordOffer)
    return command.claims


def claimed(state: Negotiation, agent_id: str, *covers: str) -> list[str]:
    return [each.need_id for each in claims(state, agent_id, *(Covering(need_id=each) for each in covers))]


def test_a_claim_is_believed_whatever_the_profile_says() -> None:
    state = opened(LIN, PHOTOGRAPHER, MARKETER).state

    assert claimed(state, LIN, "need_1", "need_2") == ["need_1", "need_2"]
    assert claimed(state, PHOTOGRAPHER, "need_3") == ["need_3"]
    assert claimed(state, MARKETER) == []


def test_only_what_there_is_to_cover_is_claimed() -> None:
    state = opened(LIN).state

    assert claimed(state, LIN, "need_9", "need_1") == ["need_1"]
    assert claimed(state, LIN, "NEED_1") == claimed(state, LIN, " A room for 50 ") == ["need_1"]


@pytest.mark.parametrize(
    ("quote", "source", "kept"),
    [
        pytest.param("Six ovens, all mine", "offer", "Six ovens, all mine", id="as it stands"),
        pytest.param("six  OVENS,", "offer", "six  OVENS,", id="in any case and spacing"),
        pytest.param("six ovens", "profile", "", id="in another source"),
        pytest.param("six ovens", "somewhere", "six ovens", id="in no certain source"),
        pytest.param("seven ovens", "offer", "", id="nowhere"),
    ],
)
def test_the_words_of_a_claim_are_kept_where_they_stand_in_their_source(quote: str, source: str, kept: str) -> None:
    said = Covering(need_id="need_1", quote=quote, source=source)
    [claim] = claims(opened(LIN).state, LIN, said, contribution="I bring six ovens. Six ovens, all mine")

    assert (claim.quote, claim.basis) == (kept, "explicit" if kept else "inferred")


@pytest.mark.parametrize(("quote", "again"), [("I help", False), ("", False), ("I helped", True)])
async def test_a_quote_that_stands_nowhere_is_asked_for_once_more(quote: str, again: bool) -> None:
    ask = Ask(name=f"offer/{LIN}", scope="offers", prompt="respond", about=LIN)
    covers = (Covering(need_id="need_1", quote=quote, source="offer"),)
    said = OfferAnswer(decision=OfferDecision.PARTICIPATE, contribution="I help", covers=covers)
    question = ASKS.compose(opened(LIN).state, ask)

    assert question.check is not None
    assert bool(question.check(said)) is again


def test_who_declines_claims_nothing() -> None:
    ask = Ask(name=f"offer/{LIN}", scope="offers", prompt="respond", about=LIN)
    said = OfferAnswer(decision=OfferDecision.DECLINE, covers=(Covering(need_id="need_1"),))
    command = ASKS.read(opened(LIN).state, ask, PROMPTS["negotiation/respond"], Answer(said, "m"), command_id="c", at=1)

    assert isinstance(command, RecordOffer)
    assert command.claims == ()


def test_the_shortlist_says_who_is_thought_to_cover_what() -> None:
    state = Scenario(policy=ALONE).demand().understood(needs=(ROOM, TALK, ODD)).state
    ask = Ask(name="filter", scope="filter", prompt="filter")
    listed = (Candidate(agent_id=LIN, covers=("need_1", "need_9")), Candidate(agent_id=CHEN))
    said = Shortlist(definitely_related=listed)
    command = ASKS.read(state, ask, PROMPTS["negotiation/filter"], Answer(said, "m"), command_id="c", at=1)

    assert isinstance(command, RecordShortlist)
    assert (command.covers[LIN], command.covers[CHEN]) == (("need_1",), ())


# ── what the prompts are given ────────────────────────────────────────────────────────────────────────────────────


def given(scenario: Scenario, prompt: str, about: str = "") -> dict[str, Any]:
    ask = Ask(name=f"{prompt}/1/{about}", scope="any", prompt=prompt, about=about)
    return dict(ASKS.compose(scenario.state, ask).given)


def host_leaves() -> Scenario:
    scenario = opened(LIN, CHEN, ZHOU, EMMA, possibly=(OTHER_HOST,)).offers(LIN, covers=("need_1",))
    scenario.offers(CHEN, covers=("need_2",)).offers(ZHOU).offers(EMMA, "decline", decline_reason="I am away")
    scenario.offers(OTHER_HOST, covers=())
    return scenario


def test_prompt_4_is_given_who_declined_and_why_and_what_each_offer_covers() -> None:
    told = given(host_leaves(), "aggregate")

    [emma] = told["declined"]
    assert (emma.agent_id, emma.reason) == (EMMA, "I am away")
    assert [(each.agent_id, each.covers) for each in told["offers"]][:2] == [
        (LIN, ("need_1",)),
        (CHEN, ("need_2",)),
    ]


def test_prompt_3_is_given_the_vacant_seat_and_prompt_6_who_takes_it() -> None:
    needs = (ROOM, TALK)
    scenario = (
        Scenario(policy=ALONE)
        .demand()
        .understood(needs=needs)
        .shortlisted(LIN, CHEN, ZHOU, possibly=(OTHER_HOST,), covers={OTHER_HOST: ("need_1",)})
    )
    scenario.offers(LIN, covers=("need_1",)).offers(CHEN, covers=("need_2",)).offers(ZHOU)
    assert given(scenario, "respond", CHEN)["seat"] is None
    scenario.proposed(plan(LIN, CHEN, ZHOU, covers={LIN: ("need_1",), CHEN: ("need_2",)}))
    scenario.twins({CHEN: "accept", ZHOU: "negotiate", LIN: "withdraw"})

    seat = given(scenario, "respond", OTHER_HOST)["seat"]
    assert (seat.role, seat.needs) == (f"{LIN} role", (ROOM,))

    scenario.offers(OTHER_HOST, "conditional", covers=("need_1",), contribution="Our hall", conditions=("No smoke",))
    told = given(scenario, "adjust")
    [taking] = told["substitutes"]
    assert (taking.agent_id, taking.contribution, taking.covers) == (OTHER_HOST, "Our hall", ("need_1",))
    assert (taking.conditions, taking.role) == (("No smoke",), f"{LIN} role")
    counts = told["counts"]
    assert (counts.accepts, counts.negotiates, counts.withdraws) == (1, 1, 1)


def test_prompt_6_demands_a_version_that_is_passable_for_everybody() -> None:
    assert "passable for everybody" in PROMPTS["negotiation/adjust"].body
