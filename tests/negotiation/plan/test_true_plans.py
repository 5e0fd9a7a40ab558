"""A plan that is true: what the demand needs is held against every version, whatever a model says."""

from collections.abc import Mapping, Sequence
from typing import Final

import pytest
from msgspec.structs import replace

from engine.negotiation.answers import Assignment, Gap, GapAnalysis, Need, ProposalDraft
from engine.negotiation.commands import ChooseCore, RecordGaps, RecordSubnet
from engine.negotiation.events import (
    FeedbackEvaluated,
    ForceFinalized,
    GapsIdentified,
    NegotiationFailed,
    OfferSubmitted,
    ProposalDistributed,
    ProposalFeedback,
    ProposalFinalized,
    RoundStarted,
    SubstituteInvited,
)
from engine.negotiation.plan.coverage import coverage, uncovered, uncovered_essential
from engine.negotiation.plan.proposals import unfilled
from engine.negotiation.plan.told_needs import NeedStatus, needs_now
from engine.negotiation.policy import PRESETS, Policy
from engine.negotiation.state import Status
from engine.negotiation.terms import Found, Outcome, Person, Verdict
from engine.negotiation.voting.kinds import FeedbackType
from tests.negotiation.scenario import ALONE, REQUESTER, Scenario
from tests.negotiation.searches import weighed

ROOM, TALK, PHOTOS = (
    Need(need_id="need_1", what="a room", tags=("venue",)),
    Need(need_id="need_2", what="a talk", tags=("speaker",)),
    Need(need_id="need_3", what="photos", essential=False, tags=("photography",)),
)
DOES: Final[Mapping[str, tuple[str, ...]]] = {
    "host": ("need_1",),
    "loft": ("need_1",),
    "ann": ("need_2",),
    "bo": ("need_2",),
    "pia": ("need_3",),
    "cy": (),
}
"""What each person's profile carries. Cy helps, with nothing that is needed."""


def quick(name: str, **fields: object) -> Policy:
    return PRESETS[name].model_copy(update={"human_window": 0, "override_window": 0, **fields})


def plan(*agents: str, covers: Mapping[str, tuple[str, ...]] = DOES, core: Sequence[str] = ()) -> ProposalDraft:
    return ProposalDraft(
        summary="An evening",
        assignments=tuple(
            Assignment(
                agent_id=each,
                role=f"{each} role",
                responsibility=f"{each} does it",
                covers=covers.get(each, ()),
                core=each in core,
            )
            for each in agents
        ),
    )


def needing(*needs: Need, policy: Policy = ALONE, linked: Mapping[str, str] | None = None) -> Scenario:
    return Scenario(policy=policy, linked=linked or {}).demand().understood(needs=needs or (ROOM, TALK, PHOTOS))


def voting(
    *agents: str,
    reserve: Sequence[str] = (),
    policy: Policy = ALONE,
    made: ProposalDraft | None = None,
    needs: Sequence[Need] = (),
) -> Scenario:
    """Round 1 is open. Everybody offers what they do."""
    scenario = needing(*needs, policy=policy).shortlisted(*agents, possibly=reserve, covers=DOES)
    for each in agents:
        scenario.offers(each, covers=DOES[each])
    return scenario.proposed(made or plan(*agents)).stands(Status.NEGOTIATING, number=1)


def seats(scenario: Scenario) -> dict[str, tuple[str, ...]]:
    return {each.agent_id: each.covers for each in scenario.state.proposals[-1].assignments}


def core(scenario: Scenario) -> list[str]:
    return [each.agent_id for each in scenario.state.proposals[-1].assignments if each.core]


# ── who covers what ───────────────────────────────────────────────────────────────────────────────────────────────


def test_a_seat_covers_what_the_draft_says_and_its_person_claims() -> None:
    scenario = voting("host", "ann", "cy", made=plan("host", "ann", "cy", covers={**DOES, "cy": ("need_1",)}))

    assert seats(scenario) == {"host": ("need_1",), "ann": ("need_2",), "cy": ()}


def test_where_the_draft_names_no_need_each_seat_covers_what_its_person_claims() -> None:
    scenario = voting("host", "ann", "cy", made=plan("host", "ann", "cy", covers={}))

    assert seats(scenario) == {"host": ("need_1",), "ann": ("need_2",), "cy": ()}


def test_without_a_draft_each_seat_covers_what_its_person_claims() -> None:
    scenario = needing().shortlisted("host", "cy").offers("host", covers=DOES["host"]).offers("cy").proposed(None)

    assert seats(scenario) == {"host": ("need_1",), "cy": ()}


def test_two_seats_of_one_person_are_one_with_both_parts_in_it() -> None:
    scenario = needing().shortlisted("host").offers("host", covers=("need_1", "need_2"))
    scenario.proposed(
        ProposalDraft(
            summary="An evening",
            assignments=(
                Assignment(agent_id="host", role="Venue", responsibility="the room", covers=("need_1",)),
                Assignment(agent_id="host", role="Speaker", responsibility="a talk", covers=("need_2",)),
            ),
        )
    )

    [seat] = scenario.state.proposals[-1].assignments
    assert (seat.role, seat.responsibility) == ("Venue / Speaker", "the room\na talk")
    assert seat.covers == ("need_1", "need_2")


def test_the_gaps_are_at_least_what_nobody_covers_whatever_the_draft_says() -> None:
    scenario = voting("ann", "cy", made=plan("ann", "cy"))

    assert scenario.state.proposals[-1].gaps == ("a room", "photos")
    assert uncovered(scenario.state, scenario.state.proposals[-1]) == (ROOM, PHOTOS)
    assert uncovered_essential(scenario.state, scenario.state.proposals[-1]) == (ROOM,)


def test_a_gap_that_somebody_covers_is_none() -> None:
    scenario = voting("host", "ann", made=replace(plan("host", "ann"), gaps=("A room", "music")))

    assert scenario.state.proposals[-1].gaps == ("photos", "music")


def test_of_each_need_it_is_known_who_covers_it_and_whether_they_accept() -> None:
    scenario = voting("host", "ann", "bo").twin("ann", "accept").twin("host", "negotiate")
    state = scenario.state

    told = coverage(state, state.proposals[-1], state.rounds[-1])
    assert [(each.need.need_id, each.covered_by, each.accepted) for each in told] == [
        ("need_1", ("host",), ()),
        ("need_2", ("ann", "bo"), ("ann",)),
        ("need_3", (), ()),
    ]


def test_a_later_draft_gives_nobody_a_need_that_they_do_not_claim_and_forgets_none() -> None:
    scenario = voting("host", "ann").twins({"host": "accept", "ann": "negotiate"})
    scenario.proposed(plan("host", "ann", covers={"ann": ("need_1",)}))

    assert seats(scenario) == {"host": ("need_1",), "ann": ()}
    assert "a talk" in scenario.state.proposals[-1].gaps


def test_a_persons_own_word_about_what_they_cover_counts() -> None:
    scenario = needing(ROOM, TALK, linked={"cy": "U_CY"}).shortlisted("ann", "cy", covers=DOES)
    scenario.corrects("U_CY", "cy", contribution="My flat", covers=("need_1",))
    scenario.offers("ann", covers=DOES["ann"]).proposed(plan("ann", "cy", covers={**DOES, "cy": ("need_1",)}))

    assert seats(scenario) == {"ann": ("need_2",), "cy": ("need_1",)}


def test_a_person_who_was_not_asked_what_they_cover_covers_what_their_twin_has_claimed() -> None:
    scenario = needing(ROOM, linked={"host": "U_HOST"}).shortlisted("host", "cy").offers("host", covers=("need_1",))
    scenario.corrects("U_HOST", "host").offers("cy").proposed(plan("host", "cy"))

    assert seats(scenario) == {"host": ("need_1",), "cy": ()}


# ── core ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_whoever_alone_covers_an_essential_need_is_core() -> None:
    assert core(voting("host", "ann", "bo", "pia")) == ["host"]


def test_what_the_model_adds_is_core_as_well() -> None:
    assert core(voting("host", "ann", "bo", made=plan("host", "ann", "bo", core=("bo",)))) == ["host", "bo"]


def test_who_is_left_alone_with_a_need_becomes_core() -> None:
    scenario = voting("host", "ann", "bo", "cy").twins(
        {"host": "accept", "ann": "withdraw", "bo": "negotiate", "cy": "accept"}
    )
    scenario.proposed(plan("host", "bo", "cy"))

    assert core(scenario) == ["host", "bo"]


def test_the_requester_has_the_word_over_both_in_every_later_version() -> None:
    scenario = voting("host", "ann", "bo").does(ChooseCore, by=REQUESTER, agent_ids=("cy",))
    assert scenario.refused is not None
    scenario.does(ChooseCore, by=REQUESTER, agent_ids=("ann",))
    scenario.twins({"host": "accept", "ann": "accept", "bo": "negotiate"}).proposed(plan("host", "ann", "bo"))

    assert core(scenario) == ["ann"]


def test_a_core_seat_that_does_not_accept_holds_the_plan_back() -> None:
    """Four of five accept, and the only one who has a room says no."""
    scenario = voting("host", "ann", "bo", "pia", "cy")
    scenario.twins({"host": "reject", "ann": "accept", "bo": "accept", "pia": "accept", "cy": "accept"})

    scenario.then(ProposalFeedback, FeedbackEvaluated, RoundStarted).stands(Status.PROPOSAL_SENT, number=2)
    assert scenario.tally().decision is Verdict.NEXT_ROUND


def test_a_need_that_two_cover_and_neither_accepts_to_holds_the_plan_back_too() -> None:
    people = ("host", "loft", *(f"h{number}" for number in range(8)))
    scenario = needing(ROOM).shortlisted(*people, covers=DOES)
    for each in people:
        scenario.offers(each, covers=DOES.get(each, ()))
    votes = dict.fromkeys(people, "accept") | {"host": "negotiate", "loft": "reject"}
    scenario.proposed(plan(*people)).twins(votes)

    assert scenario.tally().accepts == 8
    scenario.stands(Status.PROPOSAL_SENT, number=2)


@pytest.mark.parametrize(
    ("name", "ending"),
    [
        ("t05-v4", Outcome.PARTIAL_CONSENSUS),
        ("story05", Outcome.PARTIAL_CONSENSUS),
        ("tech-v3", Outcome.PARTIAL_CONSENSUS),
        ("balanced", Outcome.CORE_NOT_AGREED),
    ],
)
def test_at_the_limit_the_preset_says_what_a_core_seat_that_never_accepts_means(name: str, ending: Outcome) -> None:
    policy = quick(name)
    scenario = voting("host", "ann", "bo", policy=policy)
    for number in range(policy.max_rounds):
        if number:
            scenario.proposed(plan("host", "ann", "bo"))
        scenario.twins({"host": "negotiate", "ann": "accept", "bo": "accept"})

    assert scenario.state.outcome is ending
    if ending is Outcome.PARTIAL_CONSENSUS:
        forced = scenario.event(ForceFinalized)
        assert forced.core_without_accept == ("host",)
        assert forced.uncovered_needs == ("need_1",)


def test_at_the_limit_a_version_that_the_core_accepted_stands() -> None:
    policy = quick("balanced", max_rounds=2)
    scenario = voting("host", "ann", "bo", "cy", "pia", policy=policy)
    scenario.twins({"host": "accept", "ann": "accept", "bo": "accept", "cy": "negotiate", "pia": "negotiate"})
    scenario.proposed(plan("host", "ann", "bo", "cy", "pia"))
    scenario.twins({"host": "negotiate", "ann": "accept", "bo": "accept", "cy": "accept", "pia": "accept"})

    assert scenario.event(ForceFinalized).final_proposal.version == 1
    assert scenario.event(ForceFinalized).core_without_accept == ()


def test_at_the_limit_the_best_versions_rate_decides_and_not_the_last_ones() -> None:
    rounds = (
        {"ann": "accept", "bo": "accept", "cy": "negotiate"},
        {"ann": "accept", "bo": "negotiate", "cy": "negotiate"},
    )
    for name, ending in (("balanced", Status.FORCE_FINALIZED), ("story05", Status.FAILED)):
        scenario = voting("ann", "bo", "cy", needs=(TALK,), policy=quick(name, max_rounds=2)).twins(rounds[0])
        scenario.proposed(plan("ann", "bo", "cy")).twins(rounds[1]).stands(ending)
    assert scenario.event(NegotiationFailed).reason is Outcome.NEGOTIATION_TIMEOUT


# ── what nobody covers ────────────────────────────────────────────────────────────────────────────────────────────


def test_what_everybody_agrees_on_is_partial_where_something_essential_is_missing() -> None:
    scenario = voting("ann", "cy").twins({"ann": "accept", "cy": "accept"})

    scenario.then(ProposalFeedback, FeedbackEvaluated, ForceFinalized).stands(Status.FORCE_FINALIZED, number=1)
    assert scenario.state.outcome is Outcome.PARTIAL_CONSENSUS
    assert scenario.tally().decision is Verdict.FORCE_FINALIZE
    assert scenario.event(ForceFinalized).uncovered_needs == ("need_1",)
    assert scenario.event(ForceFinalized).confirmed_participants == ("ann", "cy")


def test_what_is_only_wished_for_may_be_missing() -> None:
    scenario = voting("host", "ann").twins({"host": "accept", "ann": "accept"})

    scenario.then(ProposalFeedback, FeedbackEvaluated, ProposalFinalized)
    assert scenario.event(ProposalFinalized).final_proposal.gaps == ("photos",)
    assert scenario.event(ProposalFinalized).uncovered_needs == ()


def test_whoever_leaves_in_the_round_that_ends_it_covers_nothing_any_more() -> None:
    """The requester does not insist on the host; the others agree, without a room."""
    scenario = voting("host", "ann", "bo", "pia", "cy").does(ChooseCore, by=REQUESTER, agent_ids=())
    scenario.twins({"ann": "accept", "bo": "accept", "pia": "accept", "cy": "accept", "host": "withdraw"})

    assert scenario.event(ForceFinalized).uncovered_needs == ("need_1",)
    assert "a room" in scenario.event(ForceFinalized).final_proposal.gaps


def test_the_gaps_of_an_agreed_plan_are_at_least_what_nobody_covers() -> None:
    scenario = voting("ann", "cy").twins({"ann": "accept", "cy": "accept"})
    said = (Gap(gap_type="music", importance=70), Gap(gap_type="a host", suggested_capability_tags=("Venue",)))
    scenario.does(RecordGaps, analysis=GapAnalysis(is_complete=True, gaps=said))

    found = scenario.event(GapsIdentified)
    assert not found.is_complete
    assert [(each.gap_type, each.importance) for each in found.gaps] == [("a room", 100), ("music", 70), ("photos", 59)]


def test_whoever_is_found_for_a_need_covers_it_in_the_amended_plan() -> None:
    scenario = voting("ann", "cy").twins({"ann": "accept", "cy": "accept"})
    scenario.does(RecordGaps, analysis=GapAnalysis(gaps=()))
    weighed(scenario, "a room")
    [sub] = scenario.state.subnets
    for covers in ((), ("need_1",)):
        found = Found(
            assignments=(Assignment(agent_id="host", role="Host", covers=covers),),
            people=(Person(agent_id="host", display_name="Host"),),
            confirmed_participants=("host",),
        )
        amended = Scenario(state=scenario.state).does(
            RecordSubnet, channel_id=sub, outcome=Outcome.CONSENSUS, found=found
        )
        final = amended.state.final
        assert final is not None
        assert final.uncovered_needs == (() if covers else ("need_1",))
        assert ("a room" in final.final_proposal.gaps) is not bool(covers)


# ── substitutes ───────────────────────────────────────────────────────────────────────────────────────────────────


def host_leaves(*reserve: str, policy: Policy = ALONE) -> Scenario:
    scenario = voting("host", "ann", "bo", reserve=reserve, policy=policy)
    return scenario.twins({"ann": "accept", "bo": "accept", "host": "withdraw"})


def test_only_those_of_the_reserve_are_asked_whose_profile_carries_what_was_lost() -> None:
    scenario = host_leaves("pia", "cy", "loft")

    invited = scenario.event(SubstituteInvited)
    assert (invited.agent_id, invited.replaces, invited.needs) == ("loft", "host", ("need_1",))


def test_where_nobody_of_the_reserve_carries_it_nobody_is_asked_and_it_is_said_to_be_missing() -> None:
    scenario = host_leaves("pia", "cy").stands(Status.FAILED)

    assert scenario.event(NegotiationFailed).reason is Outcome.CORE_WITHDRAWN
    assert not [each for each in scenario.history if isinstance(each, SubstituteInvited)]
    assert [each.what for each in needs_now(scenario.state) if each.status is NeedStatus.MISSING] == [
        "a room",
        "photos",
    ]
    assert "a room" in unfilled(scenario.state)


def test_who_does_not_cover_what_was_lost_is_not_seated_however_willing() -> None:
    scenario = host_leaves("pia", "loft").offers("loft").then(OfferSubmitted, NegotiationFailed)

    assert scenario.event(NegotiationFailed).reason is Outcome.CORE_WITHDRAWN


def two_leave(reserve: Mapping[str, tuple[str, ...]], policy: Policy = ALONE) -> Scenario:
    """The host of the room and the only speaker withdraw at once.

    Args:
        reserve: agent id -> what their profile carries.
    """
    does = {**DOES, **reserve}
    scenario = needing(policy=policy).shortlisted("host", "ann", "pia", possibly=[*reserve], covers=does)
    for each in ("host", "ann", "pia"):
        scenario.offers(each, covers=DOES[each])
    return scenario.proposed(plan("host", "ann", "pia")).twins({"host": "withdraw", "ann": "withdraw", "pia": "accept"})


@pytest.mark.parametrize(
    ("reserve", "invited"),
    [
        pytest.param(
            {"both": ("need_1", "need_2"), "hall": ("need_1",)},
            {"host": "hall", "ann": "both"},
            id="who can do either takes what nobody else can",
        ),
        pytest.param(
            {"hall": ("need_1",), "both": ("need_2", "need_1")},
            {"host": "hall", "ann": "both"},
            id="in another order",
        ),
        pytest.param(
            {"x": ("need_1", "need_2"), "y": ("need_1", "need_2"), "z": ("need_3",)},
            {"host": "x", "ann": "y"},
            id="two who can do either",
        ),
    ],
)
def test_several_lost_seats_are_offered_to_as_many_people_as_can_fill_them(
    reserve: dict[str, tuple[str, ...]], invited: dict[str, str]
) -> None:
    scenario = two_leave(reserve)

    assert {left: each.agent_id for left, each in scenario.state.vacancies.items()} == invited


def test_one_person_fills_one_seat_so_a_second_one_stays_empty() -> None:
    scenario = two_leave({"both": ("need_1", "need_2"), "cy": ()}).stands(Status.FAILED)

    assert scenario.state.outcome is Outcome.CORE_WITHDRAWN
    assert not scenario.state.vacancies


def test_when_a_substitute_declines_only_who_carries_that_need_is_asked_next() -> None:
    scenario = two_leave({"hall": ("need_1",), "bo": ("need_2",), "loft": ("need_1",), "cy": ()})
    scenario.offers("hall", "decline").then(OfferSubmitted, SubstituteInvited)
    assert scenario.event(SubstituteInvited).agent_id == "loft"

    scenario.offers("bo", "decline").then(OfferSubmitted, NegotiationFailed)


def test_who_covers_it_takes_the_seat_is_core_and_has_to_accept() -> None:
    scenario = host_leaves("loft").offers("loft", covers=("need_1",)).proposed(plan("ann", "bo", "loft"))

    assert seats(scenario) == {"loft": ("need_1",), "ann": ("need_2",), "bo": ("need_2",)}
    assert core(scenario) == ["loft"]
    assert "a room" not in scenario.state.proposals[-1].gaps
    scenario.twins({"ann": "accept", "bo": "accept", "loft": "accept"}).stands(Status.FINALIZED)


def test_a_core_seat_without_any_need_is_asked_for_by_what_it_is_called() -> None:
    made = plan("host", "ann", "cy", core=("cy",))
    scenario = voting("host", "ann", "cy", reserve=("pia", "bo"), made=made)
    scenario.twins({"host": "accept", "ann": "accept", "cy": "withdraw"})
    assert scenario.event(SubstituteInvited).needs == ("seat",)
    scenario.offers("pia").then(OfferSubmitted, SubstituteInvited)

    scenario.offers("bo", covers=("seat",)).proposed(plan("host", "ann", "bo"))
    assert core(scenario) == ["host", "ann", "bo"]
    assert seats(scenario)["bo"] == ()


def test_where_all_who_cover_a_need_leave_at_once_one_of_their_seats_is_offered() -> None:
    scenario = needing().shortlisted(
        "host", "loft", "ann", "bo", possibly=["barn"], covers={**DOES, "barn": ("need_1",)}
    )
    for each in ("host", "loft", "ann", "bo"):
        scenario.offers(each, covers=DOES[each])
    scenario.proposed(plan("host", "loft", "ann", "bo"))
    scenario.twins({"host": "withdraw", "loft": "withdraw", "ann": "accept", "bo": "accept"})

    assert scenario.event(SubstituteInvited).replaces == "host"


def test_everybody_leaves_and_one_speaker_comes_and_that_is_no_plain_plan() -> None:
    scenario = voting("host", "ann", reserve=("bo", "loft"), policy=quick("balanced"))
    scenario.twins({"host": "withdraw", "ann": "withdraw"})
    scenario.offers("loft", "decline").offers("bo", covers=("need_2",))

    scenario.stands(Status.FAILED)
    assert scenario.state.outcome is Outcome.CORE_WITHDRAWN


def test_a_demand_without_needs_is_decided_by_the_rates_alone() -> None:
    scenario = Scenario(policy=ALONE).demand().understood().shortlisted("a", "b", "c", "d", "e")
    for each in "abcde":
        scenario.offers(each)
    votes = {**dict.fromkeys("abcd", FeedbackType.ACCEPT), "e": FeedbackType.REJECT}
    scenario.drafted(*"abcde").twins(votes)

    scenario.then(ProposalFeedback, FeedbackEvaluated, ProposalFinalized)
    assert [each.covers for each in scenario.event(ProposalDistributed).proposal.assignments] == [()] * 5
