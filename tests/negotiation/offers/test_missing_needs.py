"""What nobody covers is looked for before round 1: the reserve is asked for it, then whoever asked decides."""

from typing import Any

import pytest

from engine.errors import IllegalStep, NotAllowed
from engine.kernel import Place, Recover, SendCommand
from engine.negotiation.answers import Assignment, Candidate, Need, OfferAnswer, OfferDecision, Shortlist
from engine.negotiation.commands import (
    Cancel,
    CorrectOffer,
    DecideMissing,
    EditDemand,
    RecordOffer,
    RecordShortlist,
    RecordSubnet,
    SubmitDemand,
)
from engine.negotiation.events import (
    AggregationStarted,
    DemandEdited,
    NeedSought,
    NegotiationCancelled,
    NegotiationFailed,
    OfferOverridden,
    OfferSubmitted,
    RequesterAsked,
    RequesterDecided,
    StepDegraded,
    SubnetCompleted,
    SubnetFailed,
    SubnetTriggered,
)
from engine.negotiation.offers.missing_needs import missing_needs
from engine.negotiation.policy import Policy
from engine.negotiation.recovery import stalled_at
from engine.negotiation.state import Status
from engine.negotiation.terms import Asked, Claim, Found, MissingChoice, Outcome, Person
from tests.negotiation.scenario import ALONE, REQUESTER, Scenario

HOUR = Policy(human_window=3_600, override_window=0)
CHANNEL = Place(channel="C_LOBBY")
VENUE = Need(need_id="need_1", what="a venue", tags=("venue",))
SPEAKER = Need(need_id="need_2", what="two speakers", tags=("talks",))
PHOTOS = Need(need_id="need_3", what="photos", essential=False)
NEEDS = (VENUE, SPEAKER, PHOTOS)


def collecting(*agents: str, policy: Policy = HOUR, **reserve: tuple[str, ...]) -> Scenario:
    """``reserve``: whom else there is, and which needs their profiles carry."""
    scenario = Scenario(policy=policy, place=CHANNEL).demand().understood(needs=NEEDS)
    people = {each: Person(agent_id=each, display_name=each.title()) for each in (*agents, *reserve)}
    listed = Shortlist(
        definitely_related=tuple(Candidate(agent_id=each) for each in agents),
        possibly_related=tuple(Candidate(agent_id=each) for each in reserve),
    )
    return scenario.does(RecordShortlist, shortlist=listed, people=people, covers=reserve)


def claims(scenario: Scenario, agent: str, *needs: Need, decision: str = "participate", **fields: Any) -> Scenario:
    answer = OfferAnswer(decision=OfferDecision(decision), contribution=f"{agent} helps")
    claimed = tuple(Claim(need_id=each.need_id) for each in needs)
    return scenario.does(RecordOffer, agent_id=agent, answer=answer, claims=claimed, **fields)


def decides(scenario: Scenario, choice: MissingChoice, by: str = REQUESTER, *, as_admin: bool = False) -> Scenario:
    return scenario.does(DecideMissing, by=by, choice=choice, as_admin=as_admin)


def to_decide(policy: Policy = HOUR) -> Scenario:
    """Nobody has a venue, and whoever asked is asked what becomes of it."""
    return claims(collecting("ann", policy=policy), "ann", SPEAKER)


def looking(policy: Policy = HOUR) -> Scenario:
    return decides(to_decide(policy), MissingChoice.LOOK_WIDER)


def sub_of(scenario: Scenario) -> str:
    [sub] = scenario.state.subnets
    return sub


def finds(scenario: Scenario, agent: str = "vera", *covers: Need) -> Scenario:
    seat = Assignment(agent_id=agent, display_name=agent.title(), responsibility="a hall", covers=tuple(
        each.need_id for each in covers
    ))  # fmt: skip
    found = Found(assignments=(seat,), people=(Person(agent_id=agent, display_name=agent.title(), user_id="U_V"),))
    return scenario.does(RecordSubnet, channel_id=sub_of(scenario), outcome=Outcome.CONSENSUS, found=found)


# ── the reserve ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_what_is_covered_is_not_looked_for() -> None:
    scenario = claims(collecting("ann", rob=("need_1",)), "ann", VENUE, SPEAKER)
    scenario.then(OfferSubmitted, AggregationStarted).owing("aggregate")


def test_a_demand_whose_needs_nobody_knows_goes_on_as_ever() -> None:
    scenario = Scenario(policy=HOUR).demand().understood().shortlisted("ann", possibly=("rob",)).offers("ann")
    scenario.then(OfferSubmitted, AggregationStarted)


def test_those_of_the_reserve_are_asked_whose_profile_carries_what_is_missing() -> None:
    scenario = claims(collecting("ann", rob=("need_2",), ros=("need_1",), roy=()), "ann", SPEAKER)

    scenario.then(OfferSubmitted, NeedSought).owing("respond").stands(Status.COLLECTING)
    sought = scenario.event(NeedSought)
    assert (sought.need_ids, sought.recipients) == (("need_1",), ("ros",))
    assert [each.agent_id for each in scenario.state.reserve] == ["rob", "roy"]
    claims(scenario, "ros", VENUE).then(OfferSubmitted, AggregationStarted)


def test_where_no_profile_is_known_to_carry_it_the_best_three_are_asked() -> None:
    scenario = claims(collecting("ann", rob=(), ros=(), roy=(), ruth=()), "ann", SPEAKER)
    assert scenario.event(NeedSought).recipients == ("rob", "ros", "roy")


def test_the_reserve_is_asked_once_and_not_waited_for_longer_than_for_others() -> None:
    scenario = claims(collecting("ann", ros=("need_1",)), "ann", SPEAKER).later(300).rings("offers")
    scenario.then(RequesterAsked)

    declined = claims(collecting("ann", ros=("need_1",)), "ann", SPEAKER)
    claims(declined, "ros", decision="decline").then(OfferSubmitted, RequesterAsked)


def test_where_everybody_declines_the_reserve_is_asked_for_all_that_is_essential() -> None:
    scenario = claims(collecting("ann", ros=("need_1",)), "ann", decision="decline")
    assert scenario.event(NeedSought).need_ids == ("need_1", "need_2")


# ── whoever asked ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_whoever_asked_is_to_decide_within_their_time() -> None:
    scenario = to_decide().then(OfferSubmitted, RequesterAsked).owing().stands(Status.COLLECTING)

    asked = scenario.event(RequesterAsked)
    assert asked.need_ids == ("need_1",)
    assert asked.deadline == scenario.now + 3_600_000
    assert {each.name: each.due for each in scenario.last.alarms} == {
        "offers": asked.deadline,
        "duration": scenario.state.until,
    }
    assert scenario.state.until == scenario.now + 600_000 + 3_600_000
    assert [each.what for each in scenario.state.decisions[0].needs] == ["a venue"]


def test_it_goes_on_without_if_they_say_so() -> None:
    scenario = decides(to_decide(), MissingChoice.GO_ON).then(RequesterDecided, AggregationStarted).owing("aggregate")
    assert scenario.event(RequesterDecided).by == REQUESTER


def test_silence_goes_on() -> None:
    scenario = to_decide().later(3_599).rings("offers").then()
    scenario.later(1).rings("offers").then(RequesterDecided, AggregationStarted)
    assert (scenario.event(RequesterDecided).choice, scenario.event(RequesterDecided).by) == (MissingChoice.GO_ON, "")


def test_where_nobody_is_waited_for_it_says_what_is_missing_and_goes_on() -> None:
    to_decide(ALONE).then(OfferSubmitted, RequesterAsked, RequesterDecided, AggregationStarted).owing("aggregate")


def test_without_anybody_at_all_going_on_is_its_end() -> None:
    scenario = claims(collecting("ann"), "ann", decision="decline").then(OfferSubmitted, RequesterAsked)
    decides(scenario, MissingChoice.GO_ON).then(RequesterDecided, NegotiationFailed)
    assert scenario.state.outcome is Outcome.NO_PARTICIPANTS


def test_whoever_covers_it_after_all_is_enough() -> None:
    scenario = to_decide()
    said = {"decision": OfferDecision.PARTICIPATE, "contribution": "a talk, and our hall"}
    scenario.does(CorrectOffer, by=REQUESTER, agent_id="ann", covers=("need_1", "need_2"), **said)
    if not missing_needs(scenario.state):
        scenario.then(OfferOverridden, AggregationStarted)


def test_they_may_say_it_otherwise_or_stop_it() -> None:
    said = to_decide().does(EditDemand, by=REQUESTER, raw_input="An online talk").then(DemandEdited)
    assert not said.state.awaits_decision
    to_decide().does(Cancel, by=REQUESTER).then(NegotiationCancelled)


def test_only_whoever_asked_or_an_admin_decides_and_only_then() -> None:
    decides(to_decide(), MissingChoice.GO_ON, by="U_EVE").is_refused(NotAllowed)
    decides(to_decide(), MissingChoice.GO_ON, by="U_ADMIN", as_admin=True).then(RequesterDecided, AggregationStarted)
    decides(collecting("ann"), MissingChoice.GO_ON).is_refused(IllegalStep)
    decided = decides(to_decide(), MissingChoice.GO_ON)
    decides(decided, MissingChoice.LOOK_WIDER).is_refused(IllegalStep)


def test_it_is_not_stuck_meanwhile_and_goes_on_if_the_alarm_is_lost() -> None:
    scenario = to_decide().later(3_600)
    assert stalled_at(scenario.state, 0) == scenario.now + 30_000
    scenario.does(Recover).then()
    scenario.later(30).does(Recover).stands(Status.AGGREGATING)


# ── looking wider ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_others_are_looked_for_before_there_is_a_plan() -> None:
    scenario = looking().then(RequesterDecided, SubnetTriggered).stands(Status.COLLECTING)

    [begin] = [each for each in scenario.last.effects if isinstance(each, SendCommand)]
    assert begin.to == sub_of(scenario)
    asked = scenario.event(SubnetTriggered)
    assert (asked.gap_type, asked.description, asked.capability_tags) == ("a venue", "a venue", ("venue",))
    assert {each.name for each in scenario.last.alarms} == {"subnets", "duration"}
    assert asked.deadline <= scenario.state.until


def test_whoever_is_found_takes_part_in_the_first_proposal() -> None:
    scenario = finds(looking(), "vera", VENUE).then(SubnetCompleted, OfferSubmitted, AggregationStarted)

    assert [each.agent_id for each in scenario.state.participants] == ["ann", "vera"]
    assert scenario.state.invited["vera"].user_id == "U_V"
    assert missing_needs(scenario.state) == ()
    assert scenario.state.joined == {}
    scenario.drafted("ann", "vera").stands(Status.NEGOTIATING)
    scenario.twins({"ann": "accept", "vera": "accept"}).clicks("U_V", "vera", "accept")
    assert not scenario.state.is_open


def test_where_nobody_is_found_it_goes_on_without() -> None:
    scenario = looking()
    scenario.does(RecordSubnet, channel_id=sub_of(scenario), outcome=Outcome.NO_CANDIDATES)
    scenario.then(SubnetFailed, AggregationStarted)


def test_whoever_looks_too_long_is_taken_back() -> None:
    scenario = looking()
    scenario.later(scenario.state.policy.subnet_window).rings("subnets").then(SubnetFailed, AggregationStarted)
    finds(scenario, "vera", VENUE).then()


def test_it_is_not_stuck_while_others_are_looked_for() -> None:
    scenario = looking()
    window = round(scenario.state.policy.subnet_window * 1_000)
    assert stalled_at(scenario.state, 0) == scenario.now + window + 30_000
    scenario.later(window / 1_000 + 30).does(Recover).stands(Status.AGGREGATING)


@pytest.mark.parametrize("command", [Cancel, EditDemand])
def test_who_is_looked_for_is_taken_back_when_it_is_stopped_or_said_otherwise(command: type) -> None:
    scenario = looking()
    words = {"raw_input": "An online talk"} if command is EditDemand else {}
    scenario.does(command, by=REQUESTER, **words)

    assert isinstance(scenario.last.events[0], SubnetFailed)
    assert not scenario.state.is_searching
    assert scenario.state.status is (Status.CREATED if words else Status.CANCELLED)


def test_where_the_policy_looks_for_nobody_it_is_refused() -> None:
    decides(to_decide(HOUR.model_copy(update={"max_depth": 0})), MissingChoice.LOOK_WIDER).is_refused(IllegalStep)


def test_a_twin_of_the_reserve_that_could_not_answer_is_told_as_such() -> None:
    scenario = claims(collecting("ann", ros=("need_1",)), "ann", decision="decline")
    scenario.does_not_answer("ros").then(StepDegraded, OfferSubmitted, RequesterAsked)
    decides(scenario, MissingChoice.GO_ON)
    assert scenario.state.outcome is Outcome.MODEL_UNAVAILABLE


# ── whom the demand says to ask first ─────────────────────────────────────────────────────────────────────────────────


def asked_first(*first: str, others: dict[str, tuple[str, ...]], policy: Policy = HOUR) -> Scenario:
    """``others``: who fits besides, and which needs their profiles carry."""
    scenario = Scenario(policy=policy, place=CHANNEL).does(
        SubmitDemand,
        demand_id="d-00000001",
        channel_id=Scenario().stream,
        requester_id=REQUESTER,
        raw_input="Ask @design first",
        policy=policy,
        place=CHANNEL,
        ask_first=tuple(Asked(agent_id=each, display_name=each.title()) for each in first),
    )
    people = {each: Person(agent_id=each, display_name=each.title()) for each in (*first, *others)}
    listed = Shortlist(definitely_related=tuple(Candidate(agent_id=each) for each in people))
    return scenario.understood(needs=NEEDS).does(RecordShortlist, shortlist=listed, people=people, covers=others)


def test_the_others_are_asked_for_what_those_leave_open_who_are_asked_first() -> None:
    scenario = asked_first("ann", "bo", others={"cy": ("need_1",), "dee": ("need_3",)})
    assert [*scenario.state.invited] == ["ann", "bo"]

    claims(claims(scenario, "ann", VENUE), "bo", SPEAKER)

    sought = scenario.event(NeedSought)
    assert (sought.need_ids, sought.recipients) == (("need_3",), ("dee",))
    claims(scenario, "dee", PHOTOS).then(OfferSubmitted, AggregationStarted)


def test_where_nothing_is_left_open_nobody_else_is_asked() -> None:
    scenario = asked_first("ann", others={"cy": ("need_1",)})

    claims(scenario, "ann", *NEEDS).then(OfferSubmitted, AggregationStarted)

    assert [each.agent_id for each in scenario.state.reserve] == ["cy"]


def test_where_none_of_them_takes_part_the_others_are_asked_for_all_of_it() -> None:
    scenario = asked_first("ann", others={"cy": ("need_1",), "dee": ()})

    claims(scenario, "ann", decision="decline")

    sought = scenario.event(NeedSought)
    assert (sought.need_ids, sought.recipients) == ((), ("cy", "dee"))
    claims(scenario, "cy", decision="decline")
    claims(scenario, "dee", decision="decline").then(OfferSubmitted, RequesterAsked)
