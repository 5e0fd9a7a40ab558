"""What a plan lacks, whether it is looked for, and what comes of it. The plan is there all the time."""

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import IllegalStep, NotAllowed
from engine.kernel import Ask, CommandDelivered, EffectFailed, Handled, plain
from engine.negotiation.answers import (
    Assignment,
    Circumstances,
    Gap,
    GapAnalysis,
    OfferDecision,
    RecursionAnswer,
    SubDemand,
    Understanding,
)
from engine.negotiation.audit import trail
from engine.negotiation.commands import (
    Cancel,
    EditDemand,
    Recall,
    RecordGaps,
    RecordRecursion,
    RecordSubnet,
    RecordUnderstanding,
    SubmitDemand,
)
from engine.negotiation.events import (
    DemandSubmitted,
    DemandUnderstood,
    GapsIdentified,
    NegotiationCancelled,
    ProposalAmended,
    RecursionDecided,
    StepDegraded,
    SubnetCompleted,
    SubnetFailed,
    SubnetReleased,
    SubnetTriggered,
)
from engine.negotiation.inbox import agenda
from engine.negotiation.policy import Policy
from engine.negotiation.state import Negotiation, Status
from engine.negotiation.terms import Found, Outcome, Person
from engine.negotiation.voting.kinds import FeedbackType
from tests.examples import examples
from tests.negotiation.scenario import ALONE, NOON, REQUESTER, Scenario, voting
from tests.negotiation.searches import (
    ENDS,
    HANDS,
    MUSIC,
    PHOTOS,
    agreed,
    begun,
    fails,
    fills,
    found,
    lacking,
    letters,
    searching,
    sub_of,
    tells,
    weighed,
)


def test_the_plan_is_there_before_anybody_looks_for_gaps() -> None:
    scenario = agreed()
    assert [each.prompt for each in scenario.last.effects if isinstance(each, Ask)] == ["gaps"]
    assert scenario.state.final is not None
    assert not scenario.state.is_open


def test_a_plan_that_was_forced_is_looked_through_as_well() -> None:
    scenario = voting("a", "b", policy=ALONE.model_copy(update={"max_rounds": 1}))
    scenario.twins({"a": "accept", "b": "negotiate"}).stands(Status.FORCE_FINALIZED).owing("gaps")


def test_a_negotiation_without_a_plan_has_no_gaps() -> None:
    voting("a").twins({"a": "withdraw"}).stands(Status.FAILED).owing("compromise")


def test_where_no_depth_is_allowed_nobody_looks() -> None:
    agreed(policy=ALONE.model_copy(update={"max_depth": 0})).owing()


@pytest.mark.parametrize(("importance", "asked"), [(59, ()), (60, ("recurse",))])
def test_only_what_is_sixty_matters(importance: int, asked: tuple[str, ...]) -> None:
    lacking(agreed(), photographer=importance).then(GapsIdentified).owing(*asked)


def test_all_gaps_are_told_the_most_important_first_and_each_once() -> None:
    scenario = agreed().does(
        RecordGaps,
        analysis=GapAnalysis(
            gaps=(
                Gap(gap_type="music", importance=20),
                Gap(gap_type="Photographer", importance=61),
                Gap(gap_type=" photographer ", importance=70),
                Gap(gap_type="", importance=100),
            )
        ),
    )
    assert [(each.gap_type, each.importance) for each in scenario.event(GapsIdentified).gaps] == [
        (" photographer ", 70),
        ("music", 20),
    ]


def test_without_a_model_none_are_found_and_that_is_said() -> None:
    scenario = agreed().does(RecordGaps, analysis=GapAnalysis(gaps=()), degraded="E004")
    scenario.then(StepDegraded, GapsIdentified).owing()
    assert [(each.prompt, each.why) for each in scenario.state.degraded] == [("gaps", "E004")]


def test_a_second_answer_changes_nothing() -> None:
    scenario = lacking(lacking(agreed(), photographer=70), music=90).then().owing()
    weighed(weighed(scenario, PHOTOS), PHOTOS).then()


def test_nobody_is_asked_about_gaps_before_there_is_a_plan() -> None:
    lacking(voting("a"), photographer=90).then()
    weighed(agreed(), PHOTOS).then()


# ── whether it is looked for ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("missing", ["one", "two", "three"])
def test_all_three_conditions_have_to_hold(missing: str) -> None:
    scenario = weighed(lacking(agreed(), photographer=90), PHOTOS, **{missing: False}).then(RecursionDecided)
    assert not scenario.event(RecursionDecided).should_recurse
    assert tells(scenario) == []


def test_what_a_model_concludes_from_them_is_advice() -> None:
    scenario = lacking(agreed(), photographer=90)
    answer = RecursionAnswer(
        should_recurse=True, condition_1_met=True, condition_2_met=False, condition_3_met=True,
        sub_demands=(SubDemand(gap_type=PHOTOS, description="a photographer"),),
    )  # fmt: skip
    scenario.does(RecordRecursion, answer=answer).then(RecursionDecided)
    assert not scenario.state.is_searching


def test_without_a_model_nobody_is_looked_for_and_that_is_said() -> None:
    no = RecursionAnswer(condition_1_met=False, condition_2_met=False, condition_3_met=False)
    scenario = lacking(agreed(), photographer=90).does(RecordRecursion, answer=no, degraded="E003")
    scenario.then(StepDegraded, RecursionDecided)
    assert tells(scenario) == []


def test_each_gap_is_looked_for_once_and_nothing_else_is() -> None:
    scenario = lacking(agreed(), photographer=60, more_hands=90, music=30)
    weighed(scenario, "Photographer", "photographer", "MORE HANDS", "music", "a sauna")
    scenario.then(RecursionDecided, SubnetTriggered, SubnetTriggered)
    assert [each.triggered.gap_type for each in scenario.state.subnets.values()] == [HANDS, PHOTOS]
    assert tells(scenario) == ["begin", "begin"]
    assert len({each.triggered.sub_demand_id for each in scenario.state.subnets.values()}) == 2


def test_no_more_than_so_many_are_looked_for_the_most_important_first() -> None:
    scenario = searching("a", "b", "c", policy=ALONE.model_copy(update={"max_subnets": 2}))
    assert [each.triggered.gap_type for each in scenario.state.subnets.values()] == ["a", "b"]


def test_the_time_for_it_has_an_end_and_leaves_people_theirs() -> None:
    scenario = searching(PHOTOS)
    assert [(each.name, each.due) for each in scenario.last.alarms] == [("subnets", NOON + 300_000)]
    patient = Policy(human_window=60, override_window=0, max_rounds=2)
    assert patient.subnet_window == 300 + 3 * 60, "for their offer, and in each of two rounds"


# ── a subnet begins ───────────────────────────────────────────────────────────────────────────────────────────────


def test_a_subnet_has_the_place_the_policy_and_the_requester_of_its_parent() -> None:
    parent = searching(PHOTOS)
    state = begun(parent).then(DemandSubmitted, DemandUnderstood).owing("filter").state
    assert state.channel_id == sub_of(parent, PHOTOS)
    assert (state.place, state.policy, state.requester_id) == (parent.state.place, ALONE, REQUESTER)
    assert state.raw_input == "We need: photographer"
    assert state.parent is not None
    assert (state.parent.channel_id, state.parent.demand, state.parent.gap_type) == (
        parent.state.channel_id, "An AI meetup for 50 people", PHOTOS
    )  # fmt: skip


def test_what_the_demand_said_of_place_and_size_holds_for_its_gap_too() -> None:
    said = Understanding(
        surface_demand="A meetup", context=Circumstances(location="Beijing", expected_attendees=20), confidence="high"
    )
    scenario = Scenario(policy=ALONE).demand().does(RecordUnderstanding, understanding=said)
    scenario.shortlisted("ann").offers("ann").drafted("ann").twins({"ann": "accept"})
    [submit] = letters(searching(PHOTOS, scenario=scenario))
    assert isinstance(submit, SubmitDemand)
    assert submit.understanding == Understanding(
        surface_demand="We need: photographer", capability_tags=(PHOTOS,), context=said.context, confidence="medium"
    )


def test_whoever_has_answered_for_the_plan_is_not_asked_again() -> None:
    scenario = Scenario(policy=ALONE).demand().understood().shortlisted("ann", "bo", "cy", "dee", "eve", "flo")
    for each in ("ann", "bo", "cy", "flo"):
        scenario.offers(each)
    scenario.offers("dee", "decline").does_not_answer("eve").drafted("ann", "bo", "cy")
    scenario.twins({"ann": "accept", "bo": "withdraw", "cy": "accept"}).drafted("ann", "cy")
    scenario.twins({"ann": "accept", "cy": "accept"}).stands(Status.FINALIZED)
    [submit] = letters(searching(PHOTOS, scenario=scenario))
    assert isinstance(submit, SubmitDemand)
    assert submit.parent is not None
    assert set(submit.parent.answered) == {"ann", "bo", "cy", "dee"}  # eve's twin was out of reach; flo was not needed


def test_for_a_gap_only_those_are_asked_who_clearly_fit() -> None:
    sub = begun(searching(PHOTOS)).shortlisted(possibly=("designer",)).stands(Status.FAILED)
    assert sub.state.outcome is Outcome.NO_CANDIDATES
    assert tells(sub) == ["result"]
    assert list(begun(searching(PHOTOS)).shortlisted("pia", possibly=("designer",)).state.invited) == ["pia"]


def test_a_subnet_never_looks_for_gaps_of_its_own() -> None:
    sub = begun(searching(PHOTOS)).shortlisted("pia").offers("pia").drafted("pia").twins({"pia": "accept"})
    sub.stands(Status.FINALIZED).owing()
    assert tells(sub) == ["result"]
    lacking(sub, music=100).then().owing()
    weighed(sub, "music").then()


def test_nobody_is_said_to_have_asked_for_a_subnet_themselves() -> None:
    [submit] = letters(searching(PHOTOS))
    sub = begun(searching(PHOTOS))
    handled = Handled("s", 1, submit, Negotiation(), sub.state, sub.history)
    assert trail(handled) == ()
    assert list(agenda(handled)) == []


def test_its_demand_is_not_for_anybody_to_edit() -> None:
    sub = begun(searching(PHOTOS))
    assert not sub.state.takes_edits
    sub.does(EditDemand, by=REQUESTER, raw_input="two photographers").is_refused(IllegalStep, "another plan")


@pytest.mark.parametrize("why", ["IllegalStep", "InvalidDemand"])
def test_a_subnet_that_cannot_begin_has_failed(why: str) -> None:
    scenario = searching(PHOTOS)
    scenario.does(CommandDelivered, name=f"begin/{sub_of(scenario, PHOTOS)}", refused=why).then(SubnetFailed)
    assert list(scenario.last.clear) == ["subnets"]
    assert scenario.event(SubnetFailed).reason is Outcome.RECOVERY_EXHAUSTED


def test_a_subnet_that_could_not_be_told_of_has_failed() -> None:
    scenario = searching(PHOTOS)
    scenario.does(EffectFailed, name=f"begin/{sub_of(scenario, PHOTOS)}", why="OSError").then(SubnetFailed)


def test_a_subnet_that_has_begun_is_waited_for() -> None:
    scenario = searching(PHOTOS)
    scenario.does(CommandDelivered, name=f"begin/{sub_of(scenario, PHOTOS)}").then()
    assert scenario.state.is_searching


# ── a subnet ends ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_what_is_found_is_an_amendment_of_the_plan() -> None:
    scenario = searching(PHOTOS, scenario=agreed(gaps=("Photographer: nobody yet", "music")))
    before = scenario.state.proposals[-1]
    fills(scenario, PHOTOS, "pia").then(SubnetCompleted, ProposalAmended).stands(Status.FINALIZED)
    final = scenario.state.final
    assert final is not None
    plan = final.final_proposal
    assert [(each.agent_id, each.source) for each in plan.assignments] == [
        ("ann", "offer"), ("bo", "offer"), ("pia", "subnet")
    ]  # fmt: skip
    assert (plan.version, plan.proposal_id) == (2, "prop_002")
    assert plan.digest != before.digest
    assert plan.gaps == ("music",)
    assert final.confirmed_participants == ("ann", "bo", "pia")
    assert final.participants_count == 3
    assert plan.adjustment_summary is not None
    assert [(each.aspect, each.after) for each in plan.adjustment_summary.changes_made] == [
        (PHOTOS, "Pia (photographer)")
    ]
    assert scenario.state.proposals == (before,)
    assert scenario.state.joined["pia"].display_name == "Pia"


def test_who_was_found_and_has_not_agreed_is_not_confirmed() -> None:
    scenario = fills(searching(PHOTOS), PHOTOS, "pia", "quin", confirmed=("pia",))
    assert scenario.state.final is not None
    assert scenario.state.final.confirmed_participants == ("ann", "bo", "pia")
    assert scenario.state.final.optional_participants == ("quin",)


def test_a_seat_that_was_found_is_never_core() -> None:
    scenario = searching(PHOTOS)
    answer = Found(
        assignments=(Assignment(agent_id="pia", core=True),), people=(Person(agent_id="pia", display_name="Pia"),)
    )
    scenario.does(RecordSubnet, channel_id=sub_of(scenario, PHOTOS), outcome=Outcome.CONSENSUS, found=answer)
    assert not any(each.core for each in scenario.event(ProposalAmended).proposal.assignments)


def test_who_is_found_for_two_gaps_has_one_seat_with_both_parts() -> None:
    scenario = fills(fills(searching(PHOTOS, HANDS), PHOTOS, "pia"), HANDS, "pia", confirmed=())
    assert scenario.state.final is not None
    [seat] = [each for each in scenario.state.final.final_proposal.assignments if each.agent_id == "pia"]
    assert seat.role == "photographer / more hands"
    assert seat.responsibility == "pia is the photographer\npia is the more hands"
    assert scenario.state.final.optional_participants == ("pia",)


def test_of_two_gaps_one_subnet_may_fail() -> None:
    scenario = fails(searching(PHOTOS, HANDS), PHOTOS).then(SubnetFailed)
    assert list(scenario.last.clear) == []
    fills(scenario, HANDS, "pia").then(SubnetCompleted, ProposalAmended)
    assert list(scenario.last.clear) == ["subnets"]
    assert scenario.event(SubnetFailed).reason is Outcome.NO_PARTICIPANTS
    assert not scenario.state.is_searching


def test_a_subnet_that_finds_nobody_leaves_the_plan_as_it_was() -> None:
    scenario = searching(PHOTOS)
    before = scenario.state.final
    fails(scenario, PHOTOS)
    assert scenario.state.final is before


@pytest.mark.parametrize("first", ["fills", "fails", "time", "stop"])
@pytest.mark.parametrize("then", ["fills", "fails"])
def test_what_comes_late_or_twice_changes_nothing(first: str, then: str) -> None:
    scenario = searching(PHOTOS)
    match first:
        case "fills":
            fills(scenario, PHOTOS, "pia")
        case "fails":
            fails(scenario, PHOTOS)
        case "time":
            scenario.later(300).rings("subnets")
        case _:
            scenario.does(Cancel, by=REQUESTER)
    before = scenario.state
    (fills(scenario, PHOTOS, "quin") if then == "fills" else fails(scenario, PHOTOS)).then()
    assert scenario.state is before


def test_what_another_stream_says_it_has_found_changes_nothing() -> None:
    scenario = searching(PHOTOS)
    scenario.does(RecordSubnet, channel_id="collab-stranger", outcome=Outcome.CONSENSUS, found=found("eve")).then()


def test_when_the_time_is_over_whoever_is_still_looked_for_is_given_up() -> None:
    scenario = fills(searching(PHOTOS, HANDS), PHOTOS, "pia").later(299).rings("subnets").then()
    scenario.later(1).rings("subnets").then(SubnetFailed)
    assert scenario.event(SubnetFailed).reason is Outcome.NEGOTIATION_TIMEOUT
    assert tells(scenario) == ["recall"]
    assert sub_of(scenario, HANDS) in scenario.last.void  # it may not even have begun
    assert list(scenario.last.clear) == ["subnets"]


# ── stop ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_who_asked_may_stop_the_search_and_the_plan_stays() -> None:
    scenario = searching(PHOTOS, HANDS)
    plan = scenario.state.final
    scenario.does(Cancel, by=REQUESTER).then(SubnetFailed, SubnetFailed).stands(Status.FINALIZED)
    assert tells(scenario) == ["recall", "recall"]
    assert {each.failed.by for each in scenario.state.subnets.values() if each.failed} == {REQUESTER}
    assert scenario.state.final is plan
    scenario.does(Cancel, by=REQUESTER).is_refused(IllegalStep, "nothing left to stop")


def test_nobody_else_may_stop_the_search() -> None:
    searching(PHOTOS).does(Cancel, by="U_EVE").is_refused(NotAllowed)
    searching(PHOTOS).does(Cancel, by="U_ADMIN", as_admin=True).then(SubnetFailed)


@pytest.mark.parametrize("by", ["", REQUESTER])
def test_a_subnet_that_is_not_wanted_any_more_ends_and_reports_nothing(by: str) -> None:
    sub = begun(searching(PHOTOS)).shortlisted("pia").offers("pia").drafted("pia")
    sub.does(Recall, stopped_by=by).then(NegotiationCancelled).stands(Status.CANCELLED)
    assert sub.state.cancelled_by == by
    assert tells(sub) == []
    sub.does(Recall).then()


def test_a_subnet_that_agrees_when_its_parent_has_given_up_lets_its_people_know() -> None:
    sub = begun(searching(PHOTOS)).shortlisted("pia").offers("pia").drafted("pia").twins({"pia": "accept"})
    sub.does(Recall).then(SubnetReleased).stands(Status.FINALIZED)
    assert sub.state.released
    sub.does(Recall).then()


def test_only_a_subnet_can_be_taken_back() -> None:
    voting("a").does(Recall).is_refused(IllegalStep, "Nobody else began")


def test_whoever_stops_a_subnet_itself_lets_its_parent_know() -> None:
    sub = begun(searching(PHOTOS)).shortlisted("pia").does(Cancel, by=REQUESTER)
    assert tells(sub) == ["result"]
    [result] = letters(sub)
    assert isinstance(result, RecordSubnet)
    assert (result.outcome, result.found) == (Outcome.CANCELLED, None)


# ── both sides ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_what_a_subnet_agrees_on_is_in_its_parents_plan() -> None:
    parent = searching(PHOTOS)
    sub = begun(parent)
    sub.linked = {"pia": "U_PIA"}
    sub.shortlisted("pia").offers("pia").drafted("pia").twins({"pia": "accept"})
    [result] = letters(sub)
    parent.obeys(result).then(SubnetCompleted, ProposalAmended)
    assert parent.state.joined == {"pia": Person(agent_id="pia", display_name="Pia", user_id="U_PIA")}


@settings(max_examples=examples(13))
@given(ENDS, st.data())
def test_in_any_order_the_results_make_the_same_plan(ends: dict[str, list[str] | None], data: st.DataObject) -> None:
    plans = []
    doubtful = data.draw(st.sets(st.sampled_from(["pia", "quin", "rae"])))
    for order in permutations(ends):
        scenario = searching(PHOTOS, HANDS, MUSIC)
        for gap in (*order, *order):  # each of them is told twice
            agents = ends[gap]
            confirmed = [each for each in agents or () if each not in doubtful]
            fills(scenario, gap, *agents, confirmed=confirmed) if agents else fails(scenario, gap)
        assert not scenario.state.is_searching
        assert scenario.state.final is not None
        plans.append(plain(scenario.state.final))
    assert all(each == plans[0] for each in plans)
    filled = [gap for gap, agents in ends.items() if agents]
    assert plans[0]["final_proposal"]["version"] == 1 + len(filled)


def test_answers_and_votes_are_over_when_the_search_begins() -> None:
    scenario = searching(PHOTOS)
    scenario.clicks(REQUESTER, "ann", FeedbackType.WITHDRAW).is_refused(IllegalStep)
    scenario.corrects(REQUESTER, "ann", OfferDecision.DECLINE).is_refused(IllegalStep)
