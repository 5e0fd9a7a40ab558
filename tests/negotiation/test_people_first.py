"""Once a person has voted, their twin is silent, and they are asked again only where their part has changed."""

import pytest
from msgspec.structs import replace

from engine.errors import IllegalStep, NotAllowed, UnknownAgent
from engine.facts.circumstances import When
from engine.kernel import Ask
from engine.negotiation.answers import (
    AdjustmentSummary,
    Assignment,
    Change,
    ConditionAnswer,
    ProposalDraft,
    RequestAddressed,
    RequestDeclined,
    Timeline,
)
from engine.negotiation.commands import HandBack
from engine.negotiation.errors import InvalidVote, StaleVote
from engine.negotiation.events import (
    FeedbackDue,
    FeedbackEvaluated,
    NegotiationFailed,
    ProposalFeedback,
    ProposalFinalized,
    SeatHandedBack,
)
from engine.negotiation.policy import PRESETS, Policy
from engine.negotiation.state import Seat, Status
from engine.negotiation.terms import Source
from engine.negotiation.voting.kinds import FeedbackType
from tests.negotiation.scenario import REQUESTER, Scenario, draft, voting

HOUR = PRESETS["balanced"].model_copy(update={"human_window": 3600, "override_window": 30})
LINKED = {"ann": "U_ANN", "bo": "U_BO"}
REFUSED = RequestDeclined(agent_id="bo", request="an hour later", reason="the room closes early")


def asked_twins(scenario: Scenario) -> set[str]:
    return {each.about for each in scenario.last.effects if isinstance(each, Ask) and each.prompt == "feedback"}


def seat(scenario: Scenario, agent: str) -> Seat:
    return scenario.state.rounds[-1].seats[agent]


def closes(scenario: Scenario) -> Scenario:
    """The time of the requester, who may vote for a seat of nobody, is over."""
    return scenario.later(30).rings(f"close/{scenario.state.round}")


def with_seat(agent: str, *others: str, **changes: object) -> ProposalDraft:
    """The draft of `voting`, with one seat changed."""
    made = draft(agent, *others)
    mine = Assignment(**{**Assignment.fields_of(made.assignments[0]), **changes})
    return draft(agent, *others, assignments=(mine, *made.assignments[1:]))


def ann_accepts_and_bo_asks(policy: Policy = HOUR) -> Scenario:
    """By hand, and the next version is being made; cy is linked to nobody."""
    scenario = voting("ann", "bo", "cy", policy=policy, linked=LINKED).twin("cy", "accept")
    scenario.twins({"ann": "negotiate", "bo": "accept"}).clicks("U_ANN", "ann", "accept")
    scenario.clicks("U_BO", "bo", "negotiate", "an hour later").later(30).rings("close/1")
    return scenario.stands(Status.PROPOSAL_SENT, number=2)


def refused(*agents: str, request: RequestDeclined = REFUSED, **fields: object) -> ProposalDraft:
    return draft(*agents, adjustment_summary=AdjustmentSummary(requests_declined=(request,)), **fields)


def test_a_vote_given_in_person_stands_while_nothing_of_their_part_changes() -> None:
    scenario = ann_accepts_and_bo_asks().proposed(refused("ann", "bo", "cy"))

    vote = seat(scenario, "ann").human
    assert vote is not None
    assert (vote.feedback_type, vote.source, vote.by, vote.carried) == ("accept", Source.HUMAN, "U_ANN", True)
    assert (vote.round, vote.version) == (2, 2)
    assert asked_twins(scenario) == {"cy"}


def test_whoever_has_asked_for_a_change_is_asked_about_the_answer_and_not_their_twin() -> None:
    scenario = ann_accepts_and_bo_asks().proposed(refused("ann", "bo", "cy"))

    assert seat(scenario, "bo").vote is None
    assert seat(scenario, "bo").spoken
    scenario.twin("bo", "accept")
    assert scenario.last.events == []
    closes(scenario.twin("cy", "accept").clicks("U_BO", "bo", "accept")).stands(Status.FINALIZED)


def test_a_request_that_no_version_has_answered_still_stands() -> None:
    scenario = ann_accepts_and_bo_asks().proposed(draft("ann", "bo", "cy"))

    vote = seat(scenario, "bo").human
    assert vote is not None
    assert (vote.feedback_type, vote.adjustment_request, vote.carried) == ("negotiate", "an hour later", True)


@pytest.mark.parametrize(
    "version",
    [
        pytest.param(with_seat("ann", "bo", "cy", role="host"), id="role"),
        pytest.param(with_seat("ann", "bo", "cy", responsibility="cooks, too"), id="responsibility"),
        pytest.param(with_seat("ann", "bo", "cy", dependencies=("a kitchen",)), id="dependencies"),
        pytest.param(with_seat("ann", "bo", "cy", notes="bring a knife"), id="notes"),
        pytest.param(with_seat("ann", "bo", "cy", when=When(first="2027-03-14", exact="day")), id="their time"),
        pytest.param(draft("ann", "bo", "cy", when=When(first="2027-03-14", exact="day")), id="the plan's time"),
        pytest.param(draft("ann", "bo", "cy", timeline=Timeline(start_date="Friday")), id="the plan's start"),
    ],
)
def test_whose_part_has_changed_is_asked_again_in_person(version: ProposalDraft) -> None:
    voted = voting("ann", "bo", "cy", policy=HOUR, linked=LINKED).clicks("U_ANN", "ann", "reject", "not like this")
    voted.twins({"bo": "negotiate", "cy": "accept"}).clicks("U_BO", "bo", "negotiate").later(30).rings("close/1")
    scenario = voted.proposed(version)

    assert seat(scenario, "ann").vote is None
    assert "ann" not in asked_twins(scenario)
    assert scenario.event(FeedbackDue).people_until == scenario.now + 3_600_000


def at(start: str, day: str = "2027-03-13", *, needed: bool) -> ProposalDraft:
    """Of a plan that says that bo is needed then, and whether ann is."""
    made = draft("ann", "bo", "cy", when=When(first=day, last=day, start=start, exact="day"))
    ann, bo, cy = made.assignments
    return replace(made, assignments=(replace(ann, attends=needed), replace(bo, attends=True), cy))


@pytest.mark.parametrize(
    ("needed", "start", "day", "stands"),
    [
        (False, "19:30", "2027-03-13", True),
        (True, "19:30", "2027-03-13", False),
        (False, "19:00", "2027-03-14", False),
    ],
    ids=["other hours, not needed then", "other hours, needed then", "another day"],
)
def test_hours_are_part_of_what_those_agree_to_who_are_needed_then(
    needed: bool, start: str, day: str, stands: bool
) -> None:
    scenario = Scenario(policy=HOUR, linked=LINKED).demand().understood().shortlisted("ann", "bo", "cy")
    scenario.offers("ann").offers("bo").offers("cy").proposed(at("19:00", needed=needed))
    scenario.twins({"ann": "accept", "cy": "accept"}).clicks("U_ANN", "ann", "accept")
    scenario.clicks("U_BO", "bo", "negotiate", "half an hour later").later(30).rings("close/1")
    scenario.proposed(at(start, day, needed=needed))

    assert (seat(scenario, "ann").vote is not None) is stands


def test_where_a_plan_does_not_say_who_is_needed_its_hours_are_everybodys() -> None:
    def plan(start: str) -> ProposalDraft:
        return draft("ann", "bo", when=When(first="2027-03-13", last="2027-03-13", start=start, exact="day"))

    scenario = Scenario(policy=HOUR, linked=LINKED).demand().understood().shortlisted("ann", "bo")
    scenario.offers("ann").offers("bo").proposed(plan("19:00")).clicks("U_ANN", "ann", "accept")
    scenario.clicks("U_BO", "bo", "negotiate", "later").proposed(plan("19:30"))

    assert seat(scenario, "ann").vote is None


def test_whose_condition_is_not_met_any_more_is_asked_again() -> None:
    scenario = Scenario(policy=HOUR, linked=LINKED).demand().understood().shortlisted("ann", "bo")
    scenario.offers("ann", "conditional", conditions=("a key",)).offers("bo")
    met = ConditionAnswer(agent_id="ann", condition="a key", met=True)
    scenario.drafted("ann", "bo", conditions=(met,)).twins({"ann": "accept", "bo": "negotiate"})
    scenario.clicks("U_ANN", "ann", "accept").clicks("U_BO", "bo", "negotiate")
    broken = ConditionAnswer(agent_id="ann", condition="a key", met=False, reason="there is one key")
    scenario.drafted("ann", "bo", conditions=(broken,))

    assert seat(scenario, "ann").vote is None


def test_where_every_vote_stands_the_round_closes_at_once() -> None:
    scenario = voting("ann", "bo", policy=HOUR, linked=LINKED).requests_change("vegetarian food")
    scenario.clicks("U_ANN", "ann", "accept").clicks("U_BO", "bo", "accept").stands(Status.PROPOSAL_SENT)
    scenario.proposed(draft("ann", "bo")).stands(Status.FINALIZED)

    assert [type(each) for each in scenario.last.events].count(FeedbackEvaluated) == 1
    assert scenario.event(ProposalFinalized).confirmed_participants == ("ann", "bo")


def test_where_nobody_at_all_would_be_asked_whoever_did_not_accept_is() -> None:
    scenario = voting("ann", "bo", policy=HOUR, linked=LINKED).clicks("U_ANN", "ann", "accept")
    scenario.clicks("U_BO", "bo", "negotiate", "an hour later").proposed(None)

    scenario.stands(Status.NEGOTIATING, number=2)
    assert seat(scenario, "ann").human is not None
    assert seat(scenario, "bo").vote is None
    assert asked_twins(scenario) == set()


def test_who_is_waited_for_in_the_next_round_is_only_who_is_asked() -> None:
    scenario = voting("ann", "cy", policy=HOUR, linked=LINKED).clicks("U_ANN", "ann", "accept").twin("cy", "negotiate")
    scenario.later(30).rings("close/1").proposed(draft("ann", "cy"))

    assert asked_twins(scenario) == {"cy"}
    assert scenario.event(FeedbackDue).deadline == scenario.now + 150_000  # the twin's time, and the requester's


def test_what_the_requester_said_for_a_seat_of_nobody_stands_too_and_a_changed_part_is_the_twins() -> None:
    scenario = voting("ann", "cy", policy=HOUR, linked=LINKED).twins({"ann": "negotiate", "cy": "reject"})
    scenario.clicks(REQUESTER, "cy", "accept").clicks("U_ANN", "ann", "negotiate", "an hour later")
    assert asked_twins(scenario.proposed(draft("ann", "cy"))) == set()

    scenario = voting("ann", "cy", policy=HOUR, linked=LINKED).twins({"ann": "negotiate", "cy": "reject"})
    scenario.clicks(REQUESTER, "cy", "accept").clicks("U_ANN", "ann", "negotiate", "an hour later")
    why = Change(agent_id="cy", aspect="role", reason="nobody else hosts")
    changed = replace(with_seat("cy", "ann", role="host"), adjustment_summary=AdjustmentSummary(changes_made=(why,)))
    assert asked_twins(scenario.proposed(changed)) == {"cy"}


def test_a_twin_that_is_still_thinking_is_not_heard_once_the_person_has_voted() -> None:
    scenario = voting("ann", "cy", policy=HOUR, linked=LINKED).clicks("U_ANN", "ann", "accept").twin("ann", "negotiate")

    assert scenario.last.events == []
    assert seat(scenario, "ann").twin is None


def test_a_vote_for_somebody_by_their_delegate_stands_as_the_delegates() -> None:
    scenario = voting("ann", "bo", policy=HOUR, linked=LINKED).delegates("U_ANN", "ann", "U_DEL")
    scenario.clicks("U_DEL", "ann", "accept").clicks("U_BO", "bo", "negotiate").proposed(refused("ann", "bo"))

    assert seat(scenario, "ann").stand_in == "U_DEL"


def test_whoever_is_asked_again_and_lets_the_time_pass_is_assumed_to_accept_but_never_confirmed() -> None:
    scenario = ann_accepts_and_bo_asks().proposed(refused("ann", "bo", "cy")).twin("cy", "accept").reached("bo")
    ended = scenario.later(3600).rings("close/2").event(ProposalFinalized)

    assert (ended.confirmed_participants, ended.optional_participants) == (("ann", "cy"), ("bo",))
    assert ended.open_requests == (REFUSED,)


# ── hand back ─────────────────────────────────────────────────────────────────────────────────────────────────────


def hands_back(scenario: Scenario, user: str, agent: str) -> Scenario:
    return scenario.does(HandBack, by=user, agent_id=agent)


def test_handed_back_in_an_open_round_the_twins_vote_counts_again() -> None:
    scenario = voting("ann", "bo", policy=HOUR, linked=LINKED).twins({"ann": "negotiate", "bo": "accept"})
    hands_back(scenario.clicks("U_ANN", "ann", "accept"), "U_ANN", "ann").then(SeatHandedBack)

    vote = seat(scenario, "ann").vote
    assert vote is not None
    assert (vote.source, vote.feedback_type) == (Source.AGENT, "negotiate")
    scenario.clicks("U_BO", "bo", "accept").stands(Status.PROPOSAL_SENT)  # and nobody waits for Ann any more


def test_handed_back_while_only_the_person_is_asked_the_twin_is_asked_at_once() -> None:
    scenario = ann_accepts_and_bo_asks().proposed(refused("ann", "bo", "cy")).twin("cy", "accept")
    hands_back(scenario.later(100), "U_BO", "bo").then(SeatHandedBack, FeedbackDue).owing("feedback")

    assert asked_twins(scenario) == {"bo"}
    closes(scenario.twin("bo", "accept")).stands(Status.FINALIZED)


def test_a_twin_that_fails_after_it_was_handed_back_leaves_it_to_the_person() -> None:
    scenario = ann_accepts_and_bo_asks().proposed(refused("ann", "bo", "cy")).twin("cy", "accept")
    hands_back(scenario, "U_BO", "bo").twin_fails("bo").stands(Status.NEGOTIATING, number=2)

    closes(scenario.clicks("U_BO", "bo", "accept")).stands(Status.FINALIZED)


def test_a_vote_that_stands_can_be_handed_back_as_well() -> None:
    scenario = ann_accepts_and_bo_asks().proposed(refused("ann", "bo", "cy"))
    hands_back(scenario, "U_ANN", "ann")

    assert asked_twins(scenario) == {"ann"}
    assert seat(scenario, "ann").vote is None


def test_handed_back_between_two_rounds_the_twin_is_asked_in_the_next_one() -> None:
    scenario = hands_back(ann_accepts_and_bo_asks(), "U_ANN", "ann").then(SeatHandedBack)

    assert asked_twins(scenario.proposed(refused("ann", "bo", "cy"))) == {"ann", "cy"}


def test_whoever_votes_after_handing_back_has_spoken_again() -> None:
    scenario = hands_back(ann_accepts_and_bo_asks().proposed(refused("ann", "bo", "cy")), "U_ANN", "ann")
    scenario.clicks("U_ANN", "ann", "accept").twin("ann", "negotiate")

    assert scenario.last.events == []


def test_handing_back_what_nobody_has_decided_changes_nothing() -> None:
    hands_back(voting("ann", "bo", policy=HOUR, linked=LINKED), "U_ANN", "ann").then()


def test_only_who_may_vote_for_a_seat_hands_it_back() -> None:
    voted = voting("ann", "bo", "cy", policy=HOUR, linked=LINKED).clicks("U_ANN", "ann", "accept")

    hands_back(voted, "U_BO", "ann").is_refused(NotAllowed)
    hands_back(voted, REQUESTER, "ann").is_refused(NotAllowed)
    hands_back(voted, "U_ANN", "zed").is_refused(UnknownAgent)
    hands_back(voted.stopped(), "U_ANN", "ann").is_refused(IllegalStep)


# ── the requester asks for a change ───────────────────────────────────────────────────────────────────────────────


def everybody_accepts(scenario: Scenario, *agents: str) -> Scenario:
    return scenario.twins(dict.fromkeys(agents, "accept"))


QUICK = HOUR.model_copy(update={"human_window": 0, "override_window": 0})


def test_the_requesters_request_holds_the_plan_for_one_version() -> None:
    scenario = voting("a", "b", policy=QUICK).requests_change("vegetarian food")
    everybody_accepts(scenario, "a", "b").stands(Status.PROPOSAL_SENT, number=2)
    addressed = RequestAddressed(agent_id=REQUESTER, request="vegetarian food")
    summary = AdjustmentSummary(requests_addressed=(addressed,))
    scenario.drafted("a", "b", adjustment_summary=summary, success_criteria=("The food is vegetarian",))
    everybody_accepts(scenario, "a", "b").stands(Status.FINALIZED)

    assert scenario.event(ProposalFinalized).open_requests == ()


def test_a_request_of_the_requesters_that_a_version_forgets_is_declined_and_disappears_nowhere() -> None:
    scenario = voting("a", "b", policy=QUICK).requests_change("vegetarian food")
    everybody_accepts(scenario, "a", "b").drafted("a", "b")
    everybody_accepts(scenario, "a", "b").stands(Status.FINALIZED)

    summary = scenario.state.proposals[-1].adjustment_summary
    assert summary is not None
    assert [(each.agent_id, each.request) for each in summary.requests_declined] == [(REQUESTER, "vegetarian food")]
    assert [each.request for each in scenario.event(ProposalFinalized).open_requests] == ["vegetarian food"]


def test_a_request_waits_while_too_few_have_answered() -> None:
    scenario = voting("a", "b", policy=QUICK).requests_change("vegetarian food").twin_fails("a").twin_fails("b")
    scenario.stands(Status.NEGOTIATING, number=2)

    everybody_accepts(scenario, "a", "b").stands(Status.PROPOSAL_SENT, number=3)


def test_in_the_last_round_it_is_an_open_request() -> None:
    scenario = voting("a", policy=QUICK.model_copy(update={"max_rounds": 1})).requests_change("vegetarian food")
    ended = scenario.twin("a", "accept").event(ProposalFinalized)

    [left] = ended.open_requests
    assert (left.agent_id, left.request) == (REQUESTER, "vegetarian food")


def test_the_latest_request_of_a_round_counts_and_the_same_one_once() -> None:
    scenario = voting("a", policy=QUICK).requests_change("vegetarian food").requests_change("vegetarian food").then()
    scenario.requests_change("an earlier end")

    requested = scenario.state.requested
    assert requested is not None
    assert requested.text == "an earlier end"


def test_a_request_on_a_version_that_is_over_is_refused() -> None:
    scenario = voting("a", policy=QUICK)
    scenario.requests_change("sooner", digest="000000000000").is_refused(StaleVote)
    scenario.requests_change("sooner", round=7).is_refused(StaleVote)
    scenario.requests_change(" ").is_refused(InvalidVote)
    scenario.twin("a", "accept").requests_change("sooner").is_refused(IllegalStep)


def test_nobody_else_asks_for_a_change_of_the_whole() -> None:
    scenario = voting("a", policy=HOUR)

    for by in ("U_ANN", "", f"{REQUESTER}@T_PARTNER"):
        scenario.requests_change("sooner", by=by).is_refused(NotAllowed)


def test_a_person_who_has_left_is_not_carried() -> None:
    scenario = ann_accepts_and_bo_asks()
    scenario.proposed(refused("ann", "bo", "cy")).clicks("U_BO", "bo", "withdraw").twin("cy", "accept")
    votes = [each for each in scenario.history if isinstance(each, ProposalFeedback)]

    assert not [each for each in votes if each.carried and each.feedback_type is FeedbackType.WITHDRAW]
    assert not [each for each in scenario.history if isinstance(each, NegotiationFailed)]
