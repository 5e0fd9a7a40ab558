"""How many a need takes is counted against the seats that cover it, and against those whom somebody brings."""

from typing import Literal

import pytest

from engine.kernel import Ask
from engine.llm.port import Answer
from engine.negotiation.answers import Covering, Need, OfferAnswer, OfferDecision, Understanding
from engine.negotiation.asks import NegotiationAsks
from engine.negotiation.commands import RecordOffer
from engine.negotiation.events import ForceFinalized, NeedSought, OfferOverridden, ProposalFinalized, RequesterAsked
from engine.negotiation.offers.missing_needs import missing_needs
from engine.negotiation.plan.coverage import coverage, needs_of, uncovered, wanted
from engine.negotiation.plan.told_needs import NeedStatus, lacking, needs_now
from engine.negotiation.policy import PRESETS
from engine.negotiation.state import Status
from engine.negotiation.terms import Claim
from tests.llm.prompt_cases import CHEN, PROFILES
from tests.negotiation.prompts import PROMPTS
from tests.negotiation.scenario import REQUESTER, Scenario, draft

ASKS = NegotiationAsks(PROMPTS, PROFILES)
UNDERSTAND = Ask(name="understand", scope="understand", prompt="understand")
SPEAKERS = Need(need_id="need_1", what="speakers", quantity=3, tags=("speakers",))
POLICY = PRESETS["balanced"].model_copy(update={"human_window": 0, "override_window": 0})
LONG = POLICY.model_copy(update={"human_window": 60, "override_window": 60})


def offered(*agents: str, policy: object = POLICY, need: Need = SPEAKERS, reserve: tuple[str, ...] = ()) -> Scenario:
    covers = dict.fromkeys((*agents, *reserve), ("need_1",))
    scenario = Scenario(policy=policy).demand().understood(counted=(need.need_id,), needs=(need,))  # type: ignore[arg-type]
    scenario.shortlisted(*agents, possibly=reserve, covers=covers)
    for each in agents:
        scenario.offers(each, covers=("need_1",))
    return scenario


@pytest.mark.parametrize(
    ("counts", "quantity", "is_so_many"),
    [("people", 2, 2), ("people", 20, 20), ("things", 3, 1), ("people", 200, 1), ("people", 0, 1)],
)
def test_a_number_of_people_is_counted_and_a_number_of_things_is_not(
    counts: Literal["people", "things"], quantity: int, is_so_many: int
) -> None:
    scenario = Scenario().demand()
    need = Need(need_id="need_1", what="speakers", quantity=quantity, counts=counts)
    answer = Answer(Understanding(surface_demand="a party", needs=(need,)), "any")
    command = ASKS.read(scenario.state, UNDERSTAND, PROMPTS["negotiation/understand"], answer, command_id="c", at=1)
    assert wanted(scenario.obeys(command).state, need) == is_so_many


def test_too_few_is_not_covered_and_is_told_as_data() -> None:
    scenario = offered("a").drafted("a")

    [held] = coverage(scenario.state, scenario.state.proposals[-1])
    assert (held.count, held.is_enough) == (1, False)
    assert uncovered(scenario.state, scenario.state.proposals[-1]) == (SPEAKERS,)
    assert scenario.state.proposals[-1].gaps == ("speakers",)
    [told] = needs_now(scenario.state)
    assert (told.status, told.count, told.wanted) == (NeedStatus.PARTLY, 1, 3)


def test_enough_is_a_whole_plan_and_too_few_who_accept_is_not() -> None:
    scenario = offered("a", "b", "c").drafted("a", "b", "c").twins(dict.fromkeys("abc", "accept"))
    assert scenario.event(ProposalFinalized).uncovered_needs == ()
    [told] = needs_now(scenario.state)
    assert (told.status, told.count) == (NeedStatus.ACCEPTED, 3)

    scenario = offered("a", "b").drafted("a", "b").twins(dict.fromkeys("ab", "accept"))
    assert scenario.event(ForceFinalized).uncovered_needs == ("need_1",)
    assert [each.what for each in lacking(scenario.state)] == ["speakers"]


def test_the_reserve_is_asked_for_those_who_are_missing_and_then_the_requester() -> None:
    scenario = offered("a", policy=LONG, reserve=("x",))
    assert scenario.event(NeedSought).recipients == ("x",)
    assert missing_needs(scenario.state) == (SPEAKERS,)

    scenario.offers("x", covers=("need_1",)).stands(Status.COLLECTING)
    assert scenario.event(RequesterAsked).need_ids == ("need_1",)


def test_whoever_brings_others_counts_for_as_many() -> None:
    scenario = offered("a", policy=LONG).corrects(REQUESTER, "a", covers=("need_1",), brings=3)

    assert scenario.event(OfferOverridden).claims == (Claim(need_id="need_1", basis="explicit", count=3),)
    assert missing_needs(scenario.state) == ()
    scenario.proposed(draft("a")).twin("a", "accept")
    assert [each.count for each in needs_now(scenario.state)] == [3]


def test_a_twin_is_believed_how_many_its_person_brings() -> None:
    state = Scenario().demand().understood(counted=("need_1",), needs=(SPEAKERS,)).shortlisted(CHEN).state
    covers = (Covering(need_id="need_1"),)
    said = OfferAnswer(decision=OfferDecision.PARTICIPATE, contribution="a talk", covers=covers, brings=5)

    assert needs_of(state) == (SPEAKERS,)
    ask = Ask(name=f"respond/{CHEN}", scope="offers", prompt="respond", about=CHEN)
    command = ASKS.read(state, ask, PROMPTS["negotiation/respond"], Answer(said, "any"), command_id="c", at=1)
    assert isinstance(command, RecordOffer)
    assert [each.count for each in command.claims] == [5]
