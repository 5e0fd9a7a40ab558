"""What people cover is held against their profiles; and what the prompts are given of needs, seats and refusals."""

from typing import Any

import pytest

from engine.kernel import Ask
from engine.lexicon.carrying import how_carried, names_ability
from engine.llm.port import Answer
from engine.negotiation.answers import Covering, Need, OfferAnswer, OfferDecision, Shortlist
from engine.negotiation.commands import RecordOffer, RecordShortlist
from engine.negotiation.state import Negotiation
from tests.llm.prompt_cases import ASKS, CHEN, EMMA, LIN, ZHOU
from tests.negotiation.prompts import PROMPTS
from tests.profiles.people import shipped

from .scenario import ALONE, Scenario
from .test_true_plans import plan

PEOPLE = shipped()
PHOTOGRAPHER, MARKETER, OTHER_HOST = (f"user_agent_{name}" for name in ("xu_fan", "grace_liu", "liu_yang"))
ROOM = Need(need_id="need_1", what="a room for 50", tags=("场地",))
TALK = Need(need_id="need_2", what="speakers", tags=("AI speaker", "演讲嘉宾"))
ODD = Need(need_id="need_3", what="somebody who repairs pianos")


def opened(*agents: str, possibly: tuple[str, ...] = ()) -> Scenario:
    covers = dict.fromkeys((LIN, OTHER_HOST), ("need_1",))
    scenario = Scenario(policy=ALONE).demand().understood(needs=(ROOM, TALK, ODD))
    return scenario.shortlisted(*agents, possibly=possibly, covers=covers)


def claimed(state: Negotiation, agent_id: str, *covers: str, contribution: str = "I help") -> dict[str, str]:
    """What is left of a twin's claims: need id -> how the profile carries it."""
    coverings = tuple(Covering(need_id=each) for each in covers)
    said = OfferAnswer(decision=OfferDecision.PARTICIPATE, contribution=contribution, covers=coverings)
    ask = Ask(name=f"offer/{agent_id}", scope="offers", prompt="respond", about=agent_id)
    prompt = PROMPTS["negotiation/respond"]
    command = ASKS.read(state, ask, prompt, Answer(said, "m"), command_id="c", at=1)
    assert isinstance(command, RecordOffer)
    return {each.need_id: each.basis for each in command.claims}


def test_a_claim_that_the_profile_does_not_carry_is_dropped() -> None:
    """The photographer takes photos of venues, and has none."""
    state = opened(LIN, PHOTOGRAPHER, MARKETER).state

    assert claimed(state, LIN, "need_1", "need_2") == {"need_1": "explicit"}
    assert claimed(state, PHOTOGRAPHER, "need_1", "need_3") == {}
    assert claimed(state, MARKETER, "need_1", contribution="I can be the venue host: 场地") == {}


def test_a_need_may_be_named_by_its_words_and_by_its_id_in_any_case() -> None:
    state = opened(LIN).state

    assert claimed(state, LIN, "NEED_1") == claimed(state, LIN, " A room for 50 ") == {"need_1": "explicit"}


def test_a_twin_that_names_no_need_covers_what_its_offer_and_its_profile_both_say() -> None:
    state = opened(LIN, CHEN).state

    assert claimed(state, LIN, contribution="场地：可坐60人") == {"need_1": "explicit"}
    assert claimed(state, LIN, contribution="I bring cookies") == {}


def test_who_declines_claims_nothing() -> None:
    ask = Ask(name=f"offer/{LIN}", scope="offers", prompt="respond", about=LIN)
    said = OfferAnswer(decision=OfferDecision.DECLINE, covers=(Covering(need_id="need_1"),))
    command = ASKS.read(opened(LIN).state, ask, PROMPTS["negotiation/respond"], Answer(said, "m"), command_id="c", at=1)

    assert isinstance(command, RecordOffer)
    assert command.claims == ()


def test_the_shortlist_says_which_needs_whose_profile_carries() -> None:
    state = Scenario(policy=ALONE).demand().understood(needs=(ROOM, TALK, ODD)).state
    ask = Ask(name="filter", scope="filter", prompt="filter")
    said = Shortlist(definitely_related=())
    command = ASKS.read(state, ask, PROMPTS["negotiation/filter"], Answer(said, "m"), command_id="c", at=1)

    assert isinstance(command, RecordShortlist)
    assert (command.covers[LIN], command.covers[CHEN]) == (("need_1",), ("need_2",))
    assert command.covers[PHOTOGRAPHER] == ()


@pytest.mark.parametrize(
    ("agent_id", "tags", "how"),
    [
        (LIN, ("venue",), "explicit"),
        (LIN, ("catering", "场地"), "inferred"),
        (PHOTOGRAPHER, ("venue",), None),
        (PHOTOGRAPHER, ("摄影",), "explicit"),
        (MARKETER, ("小红书",), "explicit"),
        (CHEN, ("piano repair",), None),
    ],
)
def test_a_profile_carries_an_ability_by_its_tags(agent_id: str, tags: tuple[str, ...], how: str | None) -> None:
    assert how_carried(PEOPLE[agent_id], tags) == how


def test_a_text_names_an_ability_in_both_languages() -> None:
    assert names_ability("场地：可坐60人", ("venue",))
    assert names_ability("I repair old pianos: piano repair at home", ("piano repair",))
    assert not names_ability("a talk of 30 minutes", ("venue",))


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
