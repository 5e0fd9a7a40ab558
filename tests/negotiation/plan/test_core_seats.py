"""A core participant withdraws: the best of the reserve is asked, and takes the seat, or the plan falls."""

from collections.abc import Sequence

from engine.negotiation.answers import Assignment, Candidate, Need, ProposalDraft, Shortlist
from engine.negotiation.commands import Cancel, RecordProposal, RecordShortlist
from engine.negotiation.errors import StaleVote
from engine.negotiation.events import (
    AgentWithdrawn,
    FeedbackEvaluated,
    NegotiationFailed,
    OfferSubmitted,
    ProposalDistributed,
    ProposalFeedback,
    RoundStarted,
    StepDegraded,
    SubstituteInvited,
)
from engine.negotiation.policy import Policy
from engine.negotiation.state import Status
from engine.negotiation.terms import Outcome, Person, Verdict
from tests.negotiation.scenario import ALONE, REQUESTER, Scenario, draft

AGENTS = ("venue", "talk", "host")


def plan(*agents: str, core: Sequence[str] = ("venue",)) -> ProposalDraft:
    return ProposalDraft(
        summary="An evening",
        assignments=tuple(
            Assignment(agent_id=each, role=f"{each} role", responsibility=f"{each} does it", core=each in core)
            for each in agents
        ),
    )


def with_reserve(*reserve: tuple[str, float], core: Sequence[str] = ("venue",), policy: Policy = ALONE) -> Scenario:
    """Round 1 of three seats is open; the reserve is people with how well they fit."""
    scenario = Scenario(policy=policy, linked={"talk": "U_TALK"}).demand().understood()
    everybody = (*AGENTS, *(name for name, _ in reserve))
    scenario.does(
        RecordShortlist,
        shortlist=Shortlist(
            definitely_related=tuple(Candidate(agent_id=each) for each in AGENTS),
            possibly_related=tuple(Candidate(agent_id=name, confidence=fit) for name, fit in reserve),
        ),
        people={each: Person(agent_id=each, display_name=each.title()) for each in everybody},
    )
    for each in AGENTS:
        scenario.offers(each)
    return scenario.does(RecordProposal, version=1, draft=plan(*AGENTS, core=core))


def venue_leaves(scenario: Scenario) -> Scenario:
    return scenario.twins({"talk": "accept", "host": "accept", "venue": "withdraw"})


def test_the_best_of_the_reserve_is_invited_and_the_status_stays() -> None:
    scenario = venue_leaves(with_reserve(("hall", 0.4), ("loft", 0.9), ("barn", 0.9)))

    scenario.then(ProposalFeedback, FeedbackEvaluated, AgentWithdrawn, SubstituteInvited).owing("respond")
    scenario.stands(Status.NEGOTIATING, number=1)
    invited = scenario.event(SubstituteInvited)
    assert (invited.agent_id, invited.replaces, invited.role) == ("loft", "venue", "venue role")
    assert scenario.tally().decision is Verdict.SUBSTITUTE
    assert [each.name for each in scenario.last.alarms] == ["substitute/loft"]


def test_one_who_participates_takes_the_seat_in_the_next_round() -> None:
    scenario = venue_leaves(with_reserve(("loft", 0.9))).offers("loft")
    scenario.then(OfferSubmitted, RoundStarted).owing("adjust").stands(Status.PROPOSAL_SENT, number=2)
    scenario.does(RecordProposal, version=2, draft=plan("loft", "talk", "host"))

    seats = scenario.event(ProposalDistributed).proposal.assignments
    assert [(each.agent_id, each.core) for each in seats] == [("loft", True), ("talk", False), ("host", False)]
    assert "venue role" not in scenario.event(ProposalDistributed).proposal.gaps


def test_the_substitute_sits_there_even_if_no_model_could_adjust_the_plan() -> None:
    scenario = venue_leaves(with_reserve(("loft", 0.9))).offers("loft")
    scenario.does(RecordProposal, version=2, draft=None, degraded="E003")

    seat = scenario.event(ProposalDistributed).proposal.assignments[0]
    assert (seat.agent_id, seat.role, seat.responsibility, seat.core) == ("loft", "venue role", "loft helps", True)


def test_one_who_declines_makes_room_for_the_next() -> None:
    scenario = venue_leaves(with_reserve(("loft", 0.9), ("hall", 0.4))).offers("loft", "decline")

    scenario.then(OfferSubmitted, SubstituteInvited).owing("respond")
    assert scenario.event(SubstituteInvited).agent_id == "hall"


def test_one_who_does_not_answer_in_time_has_declined() -> None:
    scenario = venue_leaves(with_reserve(("loft", 0.9), ("hall", 0.4))).later(300).rings("substitute/loft")

    scenario.then(StepDegraded, SubstituteInvited)
    scenario.offers("loft").then()  # too late


def test_when_nobody_is_left_the_plan_falls() -> None:
    scenario = venue_leaves(with_reserve(("loft", 0.9))).offers("loft", "decline")

    scenario.then(OfferSubmitted, NegotiationFailed).stands(Status.FAILED)
    assert scenario.event(NegotiationFailed).reason is Outcome.CORE_WITHDRAWN


def test_without_a_reserve_the_plan_falls_at_once() -> None:
    assert venue_leaves(with_reserve()).event(NegotiationFailed).reason is Outcome.CORE_WITHDRAWN


def test_in_the_last_round_it_falls_with_its_core() -> None:
    policy = ALONE.model_copy(update={"max_rounds": 1})
    scenario = venue_leaves(with_reserve(("loft", 0.9), policy=policy))

    assert scenario.event(NegotiationFailed).reason is Outcome.CORE_WITHDRAWN


def test_a_seat_that_is_not_core_goes_without_a_substitute() -> None:
    scenario = with_reserve(("loft", 0.9)).twins({"venue": "accept", "talk": "accept", "host": "withdraw"})

    scenario.then(ProposalFeedback, FeedbackEvaluated, AgentWithdrawn, RoundStarted).owing("adjust")


def test_two_empty_core_seats_are_two_invitations_and_both_must_be_taken() -> None:
    scenario = with_reserve(("loft", 0.9), ("mc", 0.8), core=("venue", "host"))
    scenario.twins({"talk": "accept", "host": "withdraw", "venue": "withdraw"})
    scenario.then(
        ProposalFeedback, FeedbackEvaluated, AgentWithdrawn, AgentWithdrawn, SubstituteInvited, SubstituteInvited
    )
    scenario.offers("mc").then(OfferSubmitted).offers("loft").then(OfferSubmitted, RoundStarted)


def test_while_a_substitute_is_asked_nobody_can_vote() -> None:
    scenario = venue_leaves(with_reserve(("loft", 0.9)))

    scenario.clicks(REQUESTER, "host", "withdraw").is_refused(StaleVote)
    scenario.twin("host", "withdraw").then()


def test_a_substitute_who_withdraws_is_replaced_in_turn() -> None:
    scenario = venue_leaves(with_reserve(("loft", 0.9), ("hall", 0.4))).offers("loft")
    scenario.does(RecordProposal, version=2, draft=plan("loft", "talk", "host"))
    scenario.twins({"talk": "accept", "host": "accept", "loft": "withdraw"})

    assert scenario.event(SubstituteInvited).replaces == "loft"
    scenario.offers("hall").does(RecordProposal, version=3, draft=draft("talk"))
    assert [each.agent_id for each in scenario.state.proposals[-1].assignments] == ["hall", "talk", "host"]


def test_stopping_ends_the_wait_for_a_substitute() -> None:
    scenario = venue_leaves(with_reserve(("loft", 0.9))).does(Cancel, by=REQUESTER)

    assert "substitute/loft" in scenario.last.clear
    assert "offer/loft" in scenario.last.drop
    scenario.offers("loft").then().stands(Status.CANCELLED)


def test_the_one_who_left_is_never_asked_again() -> None:
    scenario = venue_leaves(with_reserve(("loft", 0.9))).offers("loft")
    scenario.does(RecordProposal, version=2, draft=plan("venue", "loft", "talk", "host"))

    assert "venue" not in {each.about for each in scenario.last.effects if hasattr(each, "about")}


def test_what_a_substitute_does_not_cover_of_what_was_lost_is_a_gap() -> None:
    needs = (Need(need_id="need_1", what="a room"), Need(need_id="need_2", what="catering", essential=False))
    scenario = Scenario(policy=ALONE).demand().understood(needs=needs)
    both = ("need_1", "need_2")
    scenario.shortlisted("venue", "talk", possibly=("loft",), covers={"venue": both, "loft": ("need_1",)})
    scenario.offers("venue", covers=both).offers("talk")
    seats = (
        Assignment(agent_id="venue", role="Host", covers=both, core=True),
        Assignment(agent_id="talk", role="Speaker"),
    )
    scenario.drafted(assignments=seats).twins({"venue": "withdraw", "talk": "accept"})
    scenario.offers("loft", covers=("need_1",)).proposed(None)

    version = scenario.event(ProposalDistributed).proposal
    assert [each.agent_id for each in version.assignments] == ["loft", "talk"]
    assert version.gaps == ("catering",)
