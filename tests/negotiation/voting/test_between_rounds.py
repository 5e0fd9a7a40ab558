"""Where needs decide (`balanced`): what follows a round in which somebody left, or in which nobody spoke."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.errors import IllegalStep, NotAllowed
from engine.kernel import Recover
from engine.negotiation.answers import Assignment, Need, OfferDecision, ProposalDraft
from engine.negotiation.commands import ChooseCore, CloseRound, DecideMissing, RecordDelivery, RecordSubnet
from engine.negotiation.events import (
    ForceFinalized,
    NegotiationFailed,
    OfferSubmitted,
    ProposalDistributed,
    ProposalFinalized,
    RequesterAsked,
    RequesterDecided,
    RoundStarted,
    SubnetTriggered,
    SubstituteInvited,
)
from engine.negotiation.given import substitutes
from engine.negotiation.plan.proposals import are_alike
from engine.negotiation.policy import PRESETS, Policy
from engine.negotiation.state import Status
from engine.negotiation.terms import Found, MissingChoice, Outcome, Person, Verdict
from engine.negotiation.voting.tally import is_silent
from tests.negotiation.scenario import REQUESTER, Scenario

BALANCED = PRESETS["balanced"].model_copy(update={"second_opinion": False})
PATIENT = BALANCED.model_copy(update={"human_window": 60, "override_window": 0})
ALONE = BALANCED.model_copy(update={"human_window": 0, "override_window": 0})
NEEDS = tuple(Need(need_id=f"need_{number}", what=what) for number, what in enumerate(("room", "design", "talk"), 1))
MINOR = Need(need_id="need_4", what="cake", essential=False)


def plan(**covers: str) -> ProposalDraft:
    """``covers``: agent id -> the numbers of the needs that its seat covers."""
    return ProposalDraft(
        summary="An evening",
        assignments=tuple(
            Assignment(agent_id=each, role=each, responsibility=f"{each} does it", covers=_ids(numbers))
            for each, numbers in covers.items()
        ),
    )


def _ids(numbers: str) -> tuple[str, ...]:
    return tuple(f"need_{each}" for each in numbers)


def voted_on(
    policy: Policy = ALONE, reserve: dict[str, str] | None = None, claims: dict[str, str] | None = None, **covers: str
) -> Scenario:
    """Round 1 is open.

    Args:
        reserve: whom nobody has asked yet -> the needs that they may cover.
        claims: what somebody has offered to cover, where that is more than their seat does, or they have none.
    """
    reserve, claims = reserve or {}, claims or {}
    asked = (*covers, *(each for each in claims if each not in covers))
    everybody = (*asked, *reserve)
    scenario = Scenario(policy=policy, linked={each: f"U_{each.upper()}" for each in everybody})
    scenario.demand().understood(needs=(*NEEDS, MINOR))
    thought = {each: _ids(numbers) for each, numbers in {**covers, **claims, **reserve}.items()}
    scenario.shortlisted(*asked, possibly=tuple(reserve), covers=thought)
    for each, numbers in {**covers, **claims}.items():
        scenario.offers(each, covers=_ids(numbers))
    return scenario.proposed(plan(**covers))


def says(scenario: Scenario, agent: str, vote: str) -> Scenario:
    return scenario.clicks(f"U_{agent.upper()}", agent, vote)


def rings(scenario: Scenario, name: str) -> Scenario:
    state = scenario.state
    scenario.now = max(scenario.now, state.current.window.deadline if state.current else state.offers_due)
    return scenario.rings(name)


# ── rates ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_optional_seat_that_is_left_fails_nothing() -> None:
    scenario = voted_on(ann="123", cake="4").twins({"ann": "accept", "cake": "withdraw"})
    assert scenario.event(ProposalFinalized).confirmed_participants == ("ann",)
    assert scenario.tally().accept_rate == 1.0


def test_half_may_leave_where_those_who_stay_cover_everything() -> None:
    scenario = voted_on(ann="1", bo="2", cy="3", dee="1", eve="2", fay="3")
    stays, leaves = dict.fromkeys(("ann", "bo", "cy"), "accept"), dict.fromkeys(("dee", "eve", "fay"), "withdraw")
    scenario.twins({**stays, **leaves})
    assert scenario.event(ProposalFinalized).uncovered_needs == ()


def test_a_wish_and_silence_are_no_consensus() -> None:
    scenario = voted_on(PATIENT, ann="1", bo="2", cy="3", dee="1", eve="2")
    for each in ("ann", "bo", "cy", "dee", "eve"):
        scenario.twin_fails(each)
        scenario.reached(each)
    says(scenario, "ann", "negotiate")
    scenario.later(60)
    rings(scenario, "close/1")
    assert scenario.state.outcome is None
    assert scenario.tally().decision is Verdict.NEXT_ROUND


# ── what was lost ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_who_sits_in_the_plan_and_has_offered_it_takes_it_over() -> None:
    scenario = voted_on(ann="1", bo="2", cy="3", claims={"cy": "23"})
    scenario.twins({"ann": "accept", "cy": "accept", "bo": "withdraw"})

    assert scenario.tally().decision is Verdict.SUBSTITUTE
    scenario.stands(Status.PROPOSAL_SENT, number=2).owing("adjust")
    assert [(each.agent_id, each.covers) for each in substitutes(scenario.state)] == [("cy", ("need_3", "need_2"))]
    scenario.proposed(plan(ann="1", cy="3"))
    seats = {each.agent_id: each.covers for each in scenario.event(ProposalDistributed).proposal.assignments}
    assert seats == {"ann": ("need_1",), "cy": ("need_3", "need_2")}
    scenario.twins({"ann": "accept", "cy": "accept"})
    assert scenario.event(ProposalFinalized).uncovered_needs == ()


def test_whom_the_plan_went_without_comes_before_the_reserve_and_who_offered_most_of_what_was_lost_first() -> None:
    scenario = voted_on(ann="1", bo="2", cy="3", reserve={"gus": "23"}, claims={"dee": "2", "eve": "1", "fay": "23"})
    scenario.twins({"ann": "accept", "bo": "withdraw", "cy": "withdraw"})

    scenario.stands(Status.PROPOSAL_SENT, number=2).owing("adjust")
    [told] = substitutes(scenario.state)
    assert (told.agent_id, told.replaces, told.role) == ("fay", "Bo", "design, talk")
    assert told.covers == ("need_2", "need_3")
    scenario.proposed(plan(ann="1", fay="23"))
    proposal = scenario.event(ProposalDistributed).proposal
    seats = {each.agent_id: each.covers for each in proposal.assignments}
    assert seats == {"ann": ("need_1",), "fay": ("need_2", "need_3")}
    assert proposal.gaps == ("cake",)
    scenario.twins({"ann": "accept", "fay": "accept"})
    assert scenario.event(ProposalFinalized).uncovered_needs == ()


def test_whom_the_plan_went_without_joins_also_where_no_model_writes_the_next_version() -> None:
    scenario = voted_on(ann="1", bo="2", cy="3", claims={"dee": "2"})
    scenario.twins({"ann": "accept", "cy": "accept", "bo": "withdraw"}).proposed(None)

    *others, joining = scenario.event(ProposalDistributed).proposal.assignments
    assert [each.agent_id for each in others] == ["ann", "cy"]
    offered = scenario.state.offers["dee"].contribution
    assert (joining.agent_id, joining.covers, joining.responsibility) == ("dee", ("need_2",), offered)


def test_who_has_left_takes_nothing_over() -> None:
    scenario = voted_on(ann="1", bo="2", cy="3", dee="2", reserve={"eve": "2"})
    scenario.twins({"ann": "accept", "bo": "accept", "cy": "negotiate", "dee": "withdraw"})
    scenario.proposed(plan(ann="1", bo="2", cy="3")).twins({"ann": "accept", "cy": "accept", "bo": "withdraw"})

    assert scenario.event(SubstituteInvited).agent_id == "eve"


def test_one_of_the_reserve_may_take_two_seats() -> None:
    scenario = voted_on(ann="1", bo="2", cy="3", reserve={"dee": "23"})
    scenario.twins({"ann": "accept", "bo": "withdraw", "cy": "withdraw"})

    invited = [each for each in scenario.last.events if isinstance(each, SubstituteInvited)]
    assert [(each.agent_id, each.replaces) for each in invited] == [("dee", "bo"), ("dee", "cy")]
    scenario.owing("respond").offers("dee", covers=("need_2", "need_3")).stands(Status.PROPOSAL_SENT, number=2)
    scenario.proposed(plan(ann="1", dee="23")).twins({"ann": "accept", "dee": "accept"})
    assert scenario.event(ProposalFinalized).confirmed_participants == ("ann", "dee")


def test_the_last_round_has_one_more_where_something_was_lost() -> None:
    scenario = voted_on(ALONE.model_copy(update={"max_rounds": 1}), ann="1", bo="2", cy="3", reserve={"dee": "2"})
    scenario.twins({"ann": "accept", "cy": "accept", "bo": "withdraw"}).offers("dee", covers=("need_2",))
    assert scenario.event(RoundStarted).max_rounds == 2
    scenario.proposed(plan(ann="1", dee="2", cy="3")).twins({"ann": "accept", "dee": "accept", "cy": "accept"})
    assert scenario.event(ProposalFinalized).rounds_taken == 2


def test_where_a_substitutes_twin_cannot_answer_its_person_is_asked() -> None:
    scenario = voted_on(PATIENT, ann="1", bo="2", cy="3", reserve={"dee": "2"})
    for each, vote in (("ann", "accept"), ("cy", "accept"), ("bo", "withdraw")):
        says(scenario, each, vote)
    scenario.does_not_answer("dee")
    scenario.stands(Status.NEGOTIATING, number=1)
    assert scenario.event(SubstituteInvited).in_person

    scenario.corrects("U_DEE", "dee", covers=("need_2",))
    scenario.stands(Status.PROPOSAL_SENT, number=2)


def test_whoever_is_asked_themselves_and_cannot_be_told_is_not_waited_for() -> None:
    scenario = voted_on(PATIENT, ann="1", bo="2", cy="3", reserve={"dee": "2", "eve": "2"})
    for each, vote in (("ann", "accept"), ("cy", "accept"), ("bo", "withdraw")):
        says(scenario, each, vote)
    scenario.does_not_answer("dee").does(RecordDelivery, agent_id="dee", round=0, reached=False)
    assert scenario.event(SubstituteInvited).agent_id == "eve"


def lost(policy: Policy = PATIENT) -> Scenario:
    """What Bo covered is lost, and nobody is left to ask for it."""
    scenario = voted_on(policy, ann="1", bo="2", cy="3")
    says(says(scenario, "ann", "accept"), "cy", "accept")
    return says(scenario, "bo", "withdraw")


def test_whoever_asked_decides_about_what_nobody_is_left_to_ask_for() -> None:
    scenario = lost().stands(Status.NEGOTIATING, number=1)
    asked = scenario.event(RequesterAsked)
    assert (asked.about, asked.need_ids) == ("lost", ("need_2",))
    assert scenario.state.awaits_decision

    scenario.does(DecideMissing, by="U_ANN", choice=MissingChoice.GO_ON).is_refused(NotAllowed)
    scenario.does(DecideMissing, by=REQUESTER, choice=MissingChoice.SEND_AGAIN).is_refused(IllegalStep)
    scenario.does(DecideMissing, by=REQUESTER, choice=MissingChoice.GO_ON).stands(Status.PROPOSAL_SENT, number=2)
    scenario.proposed(plan(ann="1", cy="3"))
    says(says(scenario, "ann", "accept"), "cy", "accept")
    assert scenario.event(ForceFinalized).uncovered_needs == ("need_2",)


def test_what_nobody_decides_about_is_lost_for_good() -> None:
    scenario = rings(lost(), "decide")
    assert scenario.event(NegotiationFailed).reason is Outcome.CORE_WITHDRAWN
    assert scenario.event(RequesterDecided).by == ""


def test_where_whoever_asked_cannot_be_waited_for_it_is_lost_at_once() -> None:
    scenario = voted_on(ann="1", bo="2", cy="3").twins({"ann": "accept", "cy": "accept", "bo": "withdraw"})
    assert scenario.event(NegotiationFailed).reason is Outcome.CORE_WITHDRAWN


def looking() -> Scenario:
    scenario = lost().does(DecideMissing, by=REQUESTER, choice=MissingChoice.LOOK_WIDER)
    assert scenario.event(SubnetTriggered).gap_type == "design"
    return scenario.stands(Status.NEGOTIATING, number=1)


def ends(scenario: Scenario, *found: Assignment) -> Scenario:
    sub = scenario.event(SubnetTriggered).sub_channel_id
    people = tuple(Person(agent_id=each.agent_id, display_name="Zed", user_id="U_ZED") for each in found)
    outcome = Outcome.CONSENSUS if found else Outcome.NO_CANDIDATES
    return scenario.does(
        RecordSubnet,
        channel_id=sub,
        outcome=outcome,
        found=Found(assignments=found, people=people) if found else None,
    )


def test_whoever_is_found_takes_the_part_that_was_lost() -> None:
    zed = Assignment(agent_id="zed", responsibility="designs it", covers=("need_2",))
    scenario = ends(looking(), zed).stands(Status.PROPOSAL_SENT, number=2)
    scenario.proposed(plan(ann="1", cy="3", zed="2"))
    seats = {each.agent_id: each.covers for each in scenario.event(ProposalDistributed).proposal.assignments}
    assert seats["zed"] == ("need_2",)
    scenario.twin_fails("zed")
    for each in ("ann", "cy", "zed"):
        if scenario.state.rounds[-1].seats[each].human is None:
            says(scenario, each, "accept")
    assert scenario.event(ProposalFinalized).uncovered_needs == ()


def test_where_nobody_is_found_whoever_asked_decides_once_more_and_others_are_not_looked_for_again() -> None:
    scenario = ends(looking())
    assert scenario.event(RequesterAsked).need_ids == ("need_2",)
    scenario.does(DecideMissing, by=REQUESTER, choice=MissingChoice.LOOK_WIDER).is_refused(IllegalStep)
    assert rings(scenario, "decide").event(NegotiationFailed).reason is Outcome.CORE_WITHDRAWN


def test_what_a_substitute_does_not_cover_of_what_was_lost_is_decided_about() -> None:
    scenario = voted_on(PATIENT, ann="1", bo="23", cy="1", reserve={"dee": "2"})
    says(says(says(scenario, "ann", "accept"), "cy", "accept"), "bo", "withdraw").offers("dee", covers=("need_2",))
    assert scenario.event(RequesterAsked).need_ids == ("need_3",)


def test_a_seat_that_whoever_asked_called_core_is_asked_about_by_its_name() -> None:
    scenario = voted_on(PATIENT, ann="123", bo="4", cy="4")
    scenario.does(ChooseCore, by=REQUESTER, agent_ids=("bo",))
    says(says(says(scenario, "ann", "accept"), "cy", "accept"), "bo", "withdraw")
    assert [each.what for each in scenario.state.decisions[-1].needs] == ["cake"]


def test_whoever_takes_two_seats_is_given_up_for_both_at_once() -> None:
    scenario = voted_on(ann="1", bo="2", cy="3", reserve={"dee": "23"})
    scenario.twins({"ann": "accept", "bo": "withdraw", "cy": "withdraw"})
    scenario.later(600).does(Recover, running=())
    declined = [each for each in scenario.history if isinstance(each, OfferSubmitted) and each.agent_id == "dee"]
    assert [each.decision for each in declined] == [OfferDecision.DECLINE]
    assert scenario.event(NegotiationFailed).reason is Outcome.CORE_WITHDRAWN


def test_the_time_that_a_substitute_is_given_in_person_comes_on_top() -> None:
    scenario = voted_on(PATIENT, ann="1", bo="2", cy="3", reserve={"dee": "2"})
    for each, vote in (("ann", "accept"), ("cy", "accept"), ("bo", "withdraw")):
        says(scenario, each, vote)
    before = scenario.state.until
    assert scenario.does_not_answer("dee").state.until == before + 60_000


# ── silence ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def silent(scenario: Scenario) -> Scenario:
    number = scenario.state.round
    for agent in ("ann", "bo", "cy"):
        scenario.twin_fails(agent)
    scenario.later(60)
    return rings(scenario, f"close/{number}")


def test_the_same_version_is_sent_twice_and_then_whoever_asked_decides() -> None:
    scenario = silent(silent(voted_on(PATIENT, ann="1", bo="2", cy="3")))
    assert scenario.event(RequesterAsked).about == "repeated"
    scenario.stands(Status.NEGOTIATING, number=2)

    scenario.does(DecideMissing, by=REQUESTER, choice=MissingChoice.SEND_AGAIN).stands(Status.NEGOTIATING, number=3)
    silent(scenario).stands(Status.NEGOTIATING, number=3)
    scenario.does(DecideMissing, by=REQUESTER, choice=MissingChoice.GO_ON)
    ended = scenario.event(ForceFinalized)
    assert (ended.confirmed_participants, ended.core_without_accept) == ((), ("ann", "bo", "cy"))


def test_silence_about_it_keeps_it_as_partial() -> None:
    scenario = rings(silent(silent(voted_on(PATIENT, ann="1", bo="2", cy="3"))), "decide")
    assert scenario.state.outcome is Outcome.PARTIAL_CONSENSUS
    assert scenario.event(ForceFinalized).confirmed_participants == ()


WITH_CAKE = plan(ann="1", bo="2", cy="3", dee="4")
"""Dee's cake is not essential; without her accept, too few are in favour."""


def with_cake(policy: Policy) -> Scenario:
    return voted_on(policy, ann="1", bo="2", cy="3", dee="4")


def closed_with(scenario: Scenario, **wishes: str) -> Scenario:
    """Those with a wish ask for a change, and all others accept."""
    opened = scenario.state.current
    assert opened is not None
    for agent, seat in opened.seats.items():
        if seat.vote is None:
            scenario.twin(agent, "negotiate" if agent in wishes else "accept", wish=wishes.get(agent, ""))
    is_open = scenario.state.current is not None and scenario.state.current.number == opened.number
    return rings(scenario, f"close/{opened.number}") if is_open else scenario


@pytest.mark.parametrize("made", [None, WITH_CAKE], ids=["no model answers", "the same in a new version"])
def test_where_no_other_plan_comes_of_a_wish_whoever_asked_decides(made: ProposalDraft | None) -> None:
    scenario = closed_with(with_cake(PATIENT), dee="later").stands(Status.PROPOSAL_SENT).proposed(made)
    closed_with(scenario, dee="rather an hour later, please")
    assert scenario.event(RequesterAsked).about == "repeated"
    scenario.stands(Status.NEGOTIATING, number=2)

    ended = rings(scenario, "decide").event(ForceFinalized)
    assert [each.request for each in ended.open_requests] == ["rather an hour later, please"]


def test_another_plan_that_nobody_likes_either_is_followed_by_another() -> None:
    scenario = with_cake(PATIENT)
    for number, summary in enumerate(("at ten", "at eleven", "at noon"), start=2):
        closed_with(scenario, dee="later").stands(Status.PROPOSAL_SENT, number=number)
        scenario.proposed(replace(WITH_CAKE, summary=summary))


def test_somebody_elses_wish_is_tried_though_the_plan_was_sent_twice() -> None:
    scenario = closed_with(with_cake(PATIENT), dee="later").proposed(None)
    closed_with(scenario, dee="later", cy="a larger room").stands(Status.PROPOSAL_SENT, number=3)


def test_another_wish_of_the_same_person_is_tried_as_well() -> None:
    scenario = with_cake(PATIENT)
    for number, wish in enumerate(("later", "a larger room"), start=2):
        scenario.clicks("U_DEE", "dee", "negotiate", wish)
        closed_with(scenario).stands(Status.PROPOSAL_SENT, number=number).proposed(None)


def test_alone_it_ends_with_the_best_there_is() -> None:
    """Nobody can be asked, so the same plan is not sent for the third time."""
    scenario = closed_with(with_cake(ALONE), dee="later").proposed(None)
    closed_with(scenario, dee="later").stands(Status.FORCE_FINALIZED, number=2)


@pytest.mark.parametrize("made", [None, WITH_CAKE], ids=["no model answers", "a new version"])
def test_the_requesters_own_wish_is_tried_once(made: ProposalDraft | None) -> None:
    scenario = closed_with(with_cake(PATIENT).requests_change("vegetarian food"))
    closed_with(scenario.stands(Status.PROPOSAL_SENT, number=2).proposed(made))
    if made is None:
        assert scenario.event(RequesterAsked).about == "repeated"
        rings(scenario, "decide")
    scenario.stands(Status.FORCE_FINALIZED if made is None else Status.FINALIZED, number=2)
    assert scenario.state.agreed is not None
    assert [each.request for each in scenario.state.agreed.open_requests] == ["vegetarian food"]


OTHER = replace(WITH_CAKE, summary="Another evening")
ROUNDS = st.lists(
    st.tuples(
        st.fixed_dictionaries(
            {each: st.sampled_from(("accept", "negotiate", "")) for each in ("ann", "bo", "cy", "dee")}
        ),
        st.sampled_from((None, WITH_CAKE, OTHER)),
    ),
    min_size=5,
    max_size=5,
)
"""What each twin says, or that it cannot answer; and what a model makes of the wishes."""


@given(ROUNDS)
def test_no_plan_is_sent_more_often_than_there_are_wishes_to_try(
    rounds: list[tuple[dict[str, str], ProposalDraft | None]],
) -> None:
    scenario = with_cake(PATIENT)
    for votes, made in rounds:
        opened = scenario.state.current
        if opened is None:
            break
        for agent, seat in opened.seats.items():
            if seat.vote is None and scenario.state.current is not None:
                scenario.twin(agent, votes[agent]) if votes[agent] else scenario.twin_fails(agent)
        if scenario.state.current is not None and scenario.state.round == opened.number:
            rings(scenario, f"close/{opened.number}")
        if scenario.state.status is Status.PROPOSAL_SENT:
            scenario.proposed(made)

    state = scenario.state
    for each in state.rounds:
        plan = state.proposals[each.version - 1]
        alike = [one for one in state.rounds if are_alike(state.proposals[one.version - 1], plan)]
        wishers = [
            {who for who, seat in one.seats.items() if seat.vote and seat.vote.adjustment_request} for one in alike
        ]
        is_sent_again = any(not each for each in wishers) or any(is_silent(one.counted) for one in alike)
        assert len(alike) <= 1 + max(1, len(set().union(*wishers))) + is_sent_again


def test_a_core_seat_that_is_only_assumed_holds_it_back_and_is_named_in_the_end() -> None:
    scenario = voted_on(PATIENT, ann="1", bo="2", cy="3")
    for _ in range(2):
        number = scenario.state.round
        for agent in ("ann", "bo", "cy"):
            if scenario.state.rounds[-1].seats[agent].twin_asked:
                scenario.twin_fails(agent)
            scenario.reached(agent)
        for agent in ("ann", "cy"):
            if scenario.state.rounds[-1].seats[agent].human is None:
                says(scenario, agent, "accept")
        scenario.later(60)
        rings(scenario, f"close/{number}")
    assert scenario.event(RequesterAsked).about == "repeated"
    ended = rings(scenario, "decide").event(ForceFinalized)
    assert (ended.confirmed_participants, ended.core_without_accept) == (("ann", "cy"), ("bo",))


# ── closing early ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_closing_a_round_counts_what_is_there() -> None:
    scenario = voted_on(PATIENT, ann="123", bo="4", cy="4")
    for agent in ("ann", "bo", "cy"):
        scenario.twin_fails(agent)
    says(scenario, "ann", "accept").does(CloseRound, by=REQUESTER, round=1)
    tally = scenario.tally()
    assert (tally.total, tally.accepts, tally.silent, tally.not_waited_for) == (1, 1, 0, ("bo", "cy"))
    assert scenario.event(ProposalFinalized).optional_participants == ("bo", "cy")


def test_closing_a_round_does_not_do_without_a_core_seat() -> None:
    scenario = voted_on(PATIENT, ann="1", bo="2", cy="3")
    for agent in ("ann", "bo", "cy"):
        scenario.twin_fails(agent)
    says(scenario, "ann", "accept").does(CloseRound, by=REQUESTER, round=1)
    assert scenario.tally().decision is Verdict.NEXT_ROUND


@pytest.mark.parametrize("preset", ["t05-v4", "story05", "tech-v3"])
def test_the_literal_presets_count_everybody_still(preset: str) -> None:
    policy = PRESETS[preset].model_copy(update={"second_opinion": False, "human_window": 60})
    scenario = voted_on(policy, ann="123", bo="4", cy="4")
    for agent in ("ann", "bo", "cy"):
        scenario.twin_fails(agent)
    says(scenario, "ann", "accept").does(CloseRound, by=REQUESTER, round=1)
    assert (scenario.tally().total, scenario.tally().not_waited_for) == (3, ())
