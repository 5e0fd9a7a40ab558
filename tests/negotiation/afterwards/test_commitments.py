"""After agreement: who has promised what, and what becomes of the plan when somebody cannot keep it."""

from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from engine.errors import Duplicate, IllegalStep, NotAllowed, UnknownAgent
from engine.facts.circumstances import When
from engine.negotiation.afterwards.commitments import commitments
from engine.negotiation.answers import Assignment, Need
from engine.negotiation.commands import GiveUpSeat, RecordDelivery, RecordSubnet
from engine.negotiation.events import ProposalAmended, SeatGivenUp, SubnetTriggered
from engine.negotiation.forgetting import FORGETTER
from engine.negotiation.outstanding import outstanding
from engine.negotiation.plan.told_needs import lacking
from engine.negotiation.search.subnets import SUBNETS
from engine.negotiation.state import Status
from engine.negotiation.terms import Outcome
from engine.negotiation.voting.votes import account_closed
from tests.negotiation.scenario import ALONE, REQUESTER, Scenario, voting
from tests.negotiation.searches import PHOTOS, agreed, begun, fails, fills, found, searching, sub_of

WEDNESDAY = When(first="2027-03-14", start="18:00", end="21:00")
VENUE, FOOD = Need(need_id="need_1", what="a venue"), Need(need_id="need_2", what="catering")


def covered() -> Scenario:
    """Ann alone has the room; bo cooks."""
    scenario = Scenario(policy=ALONE, linked={"ann": "U_ANN"}).demand().understood(needs=(VENUE, FOOD))
    scenario.shortlisted("ann", "bo").offers("ann", covers=("need_1",)).offers("bo", covers=("need_2",))
    seats = (
        Assignment(agent_id="ann", role="Host", responsibility="opens the room", covers=("need_1",)),
        Assignment(agent_id="bo", role="Cook", responsibility="cooks", covers=("need_2",), when=WEDNESDAY),
    )
    scenario.drafted(assignments=seats, when=When(first="2027-03-15"))
    return scenario.twins({"ann": "accept", "bo": "accept"}).stands(Status.FINALIZED)


def seated(scenario: Scenario) -> list[str]:
    assert scenario.state.final is not None
    return [each.agent_id for each in scenario.state.final.final_proposal.assignments]


def test_whoever_agreed_has_promised_their_seat_and_when() -> None:
    ann, bo = commitments(covered().state)
    assert (ann.agent_id, ann.user_id, ann.seat.role, ann.when.first) == ("ann", "U_ANN", "Host", "2027-03-15")
    assert (bo.agent_id, bo.user_id, bo.when) == ("bo", "", WEDNESDAY)


def test_a_plan_is_needed_until_the_last_day_that_somebody_has_promised_is_over_everywhere() -> None:
    after = datetime(2027, 3, 17, tzinfo=UTC)
    assert FORGETTER.needed_until(covered().state) == after.timestamp() * 1000
    assert FORGETTER.needed_until(voting("ann").state) == 0


def test_nobody_has_promised_anything_before_a_plan_is_agreed_or_who_did_not_agree() -> None:
    assert commitments(voting("ann").state) == ()
    scenario = voting("a", "b", policy=ALONE.model_copy(update={"max_rounds": 1}))
    scenario.twins({"a": "accept", "b": "negotiate"}).stands(Status.FORCE_FINALIZED)
    assert [each.agent_id for each in commitments(scenario.state)] == ["a"]


def test_whoever_cannot_keep_it_leaves_the_plan_and_others_are_looked_for() -> None:
    scenario = covered().does(GiveUpSeat, by="U_ANN", agent_id="ann", reason="I am ill")
    scenario.then(SeatGivenUp, ProposalAmended, SubnetTriggered).stands(Status.FINALIZED)
    assert seated(scenario) == ["bo"]
    assert [each.agent_id for each in commitments(scenario.state)] == ["bo"]
    assert [each.what for each in lacking(scenario.state)] == ["a venue"]
    assert scenario.state.final is not None
    assert scenario.state.final.uncovered_needs == ("need_1",)
    assert "a venue" in scenario.state.final.final_proposal.gaps
    assert scenario.event(SubnetTriggered).gap_type == "a venue"
    assert scenario.state.is_searching
    sub = begun(scenario)
    assert [each.what for each in sub.state.understanding.needs] == ["a venue"] if sub.state.understanding else False
    assert sub.state.parent is not None
    assert sub.state.parent.answered == ("bo", "ann"), "whoever gave it up is not asked again"


def test_somebody_who_is_found_takes_the_place() -> None:
    scenario = covered().does(GiveUpSeat, by="U_ANN", agent_id="ann")
    seat = Assignment(agent_id="pia", role="Host", responsibility="has a room", covers=("need_1",))
    answer = found("pia")
    answer = replace(answer, assignments=(seat,))
    scenario.does(RecordSubnet, channel_id=sub_of(scenario, "a venue"), outcome=Outcome.CONSENSUS, found=answer)
    assert seated(scenario) == ["bo", "pia"]
    assert lacking(scenario.state) == ()
    assert scenario.state.final is not None
    assert "a venue" not in scenario.state.final.final_proposal.gaps


def test_where_nobody_is_found_the_plan_goes_on_without() -> None:
    scenario = covered().does(GiveUpSeat, by="U_ANN", agent_id="ann")
    fails(scenario, "a venue").stands(Status.FINALIZED)
    assert seated(scenario) == ["bo"]


def test_what_was_found_and_given_up_is_looked_for_anew() -> None:
    scenario = searching(PHOTOS)
    fills(scenario, PHOTOS, "pia")
    first = sub_of(scenario, PHOTOS)
    scenario.does(GiveUpSeat, by=REQUESTER, agent_id="pia")
    assert seated(scenario) == ["ann", "bo"]
    assert len(scenario.state.subnets) == 2
    second = next(key for key in scenario.state.subnets if key != first)
    assert scenario.state.subnets[second].triggered.gap_type == PHOTOS
    assert scenario.state.final is not None
    assert PHOTOS in scenario.state.final.final_proposal.gaps


def test_two_may_give_up_and_each_version_is_another() -> None:
    scenario = covered()
    scenario.does(GiveUpSeat, by="U_ANN", agent_id="ann").does(GiveUpSeat, by=REQUESTER, agent_id="bo")
    assert seated(scenario) == []
    versions = [each.proposal.version for each in scenario.history if isinstance(each, ProposalAmended)]
    assert versions == [2, 3]


def test_where_no_depth_is_allowed_nobody_is_looked_for() -> None:
    scenario = agreed(policy=ALONE.model_copy(update={"max_depth": 0}))
    scenario.does(GiveUpSeat, by=REQUESTER, agent_id="ann").then(SeatGivenUp, ProposalAmended)


def test_it_is_said_once() -> None:
    scenario = covered().does(GiveUpSeat, by="U_ANN", agent_id="ann")
    scenario.does(GiveUpSeat, by="U_ANN", agent_id="ann").is_refused(Duplicate)


@pytest.mark.parametrize("by", ["U_EVE", REQUESTER, "", "U_ANN@T_PARTNER"])
def test_nobody_else_gives_it_up_for_a_linked_person(by: str) -> None:
    covered().does(GiveUpSeat, by=by, agent_id="ann").is_refused(NotAllowed)


def test_without_a_plan_or_a_part_there_is_nothing_to_give_up() -> None:
    voting("ann").does(GiveUpSeat, by=REQUESTER, agent_id="ann").is_refused(IllegalStep, "No plan")
    covered().does(GiveUpSeat, by=REQUESTER, agent_id="zoe").is_refused(UnknownAgent)


def test_the_plan_can_still_be_carried_out() -> None:
    covered().does(GiveUpSeat, by="U_ANN", agent_id="ann").goes_ahead().stands(Status.FINALIZED)
    covered().goes_ahead().does(GiveUpSeat, by="U_ANN", agent_id="ann").stands(Status.FINALIZED)


def test_each_search_ends_at_its_own_time() -> None:
    scenario = covered().does(GiveUpSeat, by="U_ANN", agent_id="ann")
    due = scenario.state.subnets[sub_of(scenario, "a venue")].triggered.deadline
    scenario.later(60)
    scenario.does(GiveUpSeat, by=REQUESTER, agent_id="bo")

    assert len([each for each in scenario.state.subnets.values() if each.is_running]) == 2
    assert outstanding(scenario.state).alarms[SUBNETS] == due
    scenario.now = due
    scenario.rings(SUBNETS)
    [left] = [each for each in scenario.state.subnets.values() if each.is_running]
    assert outstanding(scenario.state).alarms[SUBNETS] == left.triggered.deadline > due


def test_each_need_of_a_seat_is_looked_for_in_its_own_words() -> None:
    scenario = Scenario(policy=ALONE).demand().understood(needs=(VENUE, FOOD)).shortlisted("ann", "bo")
    scenario.offers("ann", covers=("need_1", "need_2")).offers("bo")
    ann = Assignment(agent_id="ann", role="Host", responsibility="opens and cooks", covers=("need_1", "need_2"))
    bo = Assignment(agent_id="bo", role="Guest", responsibility="comes")
    scenario.drafted(assignments=(ann, bo)).twins({"ann": "accept", "bo": "accept"})
    scenario.does(GiveUpSeat, by=REQUESTER, agent_id="ann")
    assert [each.description for each in scenario.last.events if isinstance(each, SubnetTriggered)] == [
        "a venue",
        "catering",
    ]


# ── whose account is closed ───────────────────────────────────────────────────────────────────────────────────────


def closed(scenario: Scenario, user: str, at: datetime | None = None) -> Scenario:
    moment = round(at.timestamp() * 1000) if at else scenario.now
    for each in account_closed(scenario.state, user, "closed:1", moment):
        scenario.obeys(each)
    return scenario


def test_what_somebody_promised_whose_account_is_closed_is_looked_for_as_nobodys_act() -> None:
    scenario = closed(covered(), "U_ANN")
    left = scenario.event(SeatGivenUp)
    assert (left.agent_id, left.by, left.closed) == ("ann", "", True)
    assert seated(scenario) == ["bo"]
    assert scenario.event(SubnetTriggered).gap_type == "a venue"
    assert account_closed(scenario.state, "U_ANN", "closed:2", scenario.now) == []


@pytest.mark.parametrize(("day", "leaves"), [(16, True), (17, False)])
def test_what_is_over_everywhere_is_no_loss(day: int, leaves: bool) -> None:
    scenario = closed(covered(), "U_ANN", datetime(2027, 3, day, tzinfo=UTC))
    assert ("ann" not in seated(scenario)) is leaves


def test_nobody_leaves_a_plan_though_their_delegate_does() -> None:
    assert account_closed(covered().state, "U_DEL", "closed:1", 0) == []


@pytest.mark.parametrize(("agent", "reached"), [("bo", False), ("ann", True)])
def test_nobody_leaves_a_plan_who_has_no_account_or_was_reached(agent: str, reached: bool) -> None:
    scenario = covered().does(RecordDelivery, agent_id=agent, round=1, reached=reached, gone=True)
    assert seated(scenario) == ["ann", "bo"]


@pytest.mark.parametrize("number", [0, 1])
def test_an_account_is_closed_whatever_round_the_receipt_is_about(number: int) -> None:
    scenario = covered().does(RecordDelivery, agent_id="ann", round=number, reached=False, gone=True)
    assert seated(scenario) == ["bo"]
