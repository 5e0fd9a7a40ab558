"""A linked person lets a colleague decide for their seat: vote, correct the offer. Both may, and the latest counts."""

import json

import pytest

from engine.errors import IllegalStep, NotAllowed, UnknownAgent
from engine.kernel import Command, Handled, encode
from engine.negotiation.commands import CastVote, EditDemand
from engine.negotiation.errors import InvalidDelegate, StaleVote
from engine.negotiation.events import (
    AgentWithdrawn,
    DemandEdited,
    FeedbackDue,
    FeedbackEvaluated,
    FeedbackReminded,
    OfferOverridden,
    PersonUnreachable,
    ProposalDistributed,
    ProposalFeedback,
    ProposalFinalized,
    RoundStarted,
    SeatDelegated,
)
from engine.negotiation.inbox import OPEN_VOTE, agenda
from engine.negotiation.policy import Policy
from engine.negotiation.state import Negotiation, Status
from engine.negotiation.terms import Source
from engine.negotiation.voting.votes import account_closed
from tests.negotiation.scenario import REQUESTER, Scenario, voting

HOUR = Policy(human_window=3600, override_window=30, fail_below=None)
LINKED = {"ann": "U_ANN", "bo": "U_BO"}
DEL = "U_DEL"


def collecting() -> Scenario:
    return Scenario(policy=HOUR, linked=LINKED).demand().understood().shortlisted("ann", "bo", "cy")


def opened() -> Scenario:
    """A round with two linked seats and one that belongs to nobody; every twin has voted."""
    scenario = voting("ann", "bo", "cy", policy=HOUR, linked=LINKED)
    return scenario.twins({"ann": "accept", "bo": "accept", "cy": "accept"})


def votes_on_record(state: Negotiation, before: Negotiation) -> dict[str, bool]:
    """The keys of open votes that are written, and whether each is there from now on."""
    command = Command(command_id="", at=0)
    rows = agenda(Handled("", 0, command, before, state, [object()]))  # type: ignore[list-item]
    return {each.key: each.value is not None for each in rows if each.kind == OPEN_VOTE}


# ── what a delegate may do ────────────────────────────────────────────────────────────────────────────────────────────


def test_the_delegate_votes_and_it_is_on_record_whose_hand_it_was() -> None:
    scenario = opened().delegates("U_ANN", "ann", DEL).then(SeatDelegated)

    scenario.clicks(DEL, "ann", "negotiate", "later")

    vote = scenario.event(ProposalFeedback)
    assert (vote.agent_id, vote.by, vote.source) == ("ann", DEL, Source.HUMAN)


def test_both_may_vote_and_the_latest_counts() -> None:
    scenario = opened().delegates("U_ANN", "ann", DEL)

    for by, vote in ((DEL, "negotiate"), ("U_ANN", "accept"), (DEL, "withdraw")):
        scenario.clicks(by, "ann", vote)
        cast = scenario.state.rounds[-1].seats["ann"].vote
        assert cast is not None
        assert (cast.by, cast.feedback_type) == (by, vote)


def test_the_delegate_corrects_the_offer_as_may_the_person() -> None:
    scenario = collecting().delegates("U_ANN", "ann", DEL)

    scenario.corrects(DEL, "ann").then(OfferOverridden)
    assert scenario.event(OfferOverridden).by == DEL
    scenario.corrects("U_ANN", "ann", "decline").then(OfferOverridden)


def test_it_holds_in_every_later_round() -> None:
    scenario = collecting().delegates("U_ANN", "ann", DEL)
    for each in ("ann", "bo", "cy"):
        scenario.offers(each)
    scenario.drafted("ann", "bo", "cy").stands(Status.NEGOTIATING, number=1)

    scenario.clicks(DEL, "ann", "negotiate").then(ProposalFeedback)
    scenario.clicks("U_BO", "bo", "negotiate").twin("cy", "accept").later(40).rings("close/1")
    scenario.drafted("ann", "bo", "cy").stands(Status.NEGOTIATING, number=2)

    scenario.clicks(DEL, "ann", "accept").then(ProposalFeedback)


def test_the_delegate_of_one_seat_has_no_hand_in_another() -> None:
    scenario = opened().delegates("U_ANN", "ann", DEL)

    scenario.clicks(DEL, "bo", "accept").is_refused(NotAllowed)
    scenario.clicks(DEL, "cy", "accept").is_refused(NotAllowed)


def test_a_delegate_delegates_nothing() -> None:
    scenario = opened().delegates("U_ANN", "ann", DEL)

    scenario.delegates(DEL, "ann", "U_EVE").is_refused(NotAllowed)
    scenario.delegates(DEL, "ann", "").is_refused(NotAllowed)


def test_their_own_seat_comes_first_then_those_they_were_named_for_then_those_of_nobody() -> None:
    scenario = voting("cy", "bo", "ann", policy=HOUR, linked=LINKED | {"dee": REQUESTER})
    assert [each.agent_id for each in scenario.state.seats_of(REQUESTER)] == ["cy"]

    scenario = voting("cy", "bo", "ann", "dee", policy=HOUR, linked=LINKED | {"dee": REQUESTER})
    scenario.delegates("U_BO", "bo", REQUESTER)

    assert [each.agent_id for each in scenario.state.seats_of(REQUESTER)] == ["dee", "bo", "cy"]
    assert [each.agent_id for each in scenario.state.answerable_offers(REQUESTER)] == ["dee", "bo", "cy"]


# ── taken back, and given to somebody else ────────────────────────────────────────────────────────────────────────────


def test_what_was_taken_back_cannot_be_used_any_more_and_what_was_decided_stands() -> None:
    scenario = opened().delegates("U_ANN", "ann", DEL).clicks(DEL, "ann", "negotiate", "later")

    scenario.delegates("U_ANN", "ann").then(SeatDelegated)

    scenario.clicks(DEL, "ann", "accept").is_refused(NotAllowed)
    seat = scenario.state.rounds[-1].seats["ann"]
    assert seat.vote is not None
    assert (seat.vote.by, seat.delegate, seat.former_delegates) == (DEL, "", (DEL,))


def test_there_is_one_delegate_at_a_time() -> None:
    scenario = opened().delegates("U_ANN", "ann", DEL).delegates("U_ANN", "ann", "U_EVE")

    scenario.clicks(DEL, "ann", "accept").is_refused(NotAllowed)
    scenario.clicks("U_EVE", "ann", "accept").then(ProposalFeedback)
    scenario.delegates("U_ANN", "ann", DEL)
    seat = scenario.state.rounds[-1].seats["ann"]
    assert (seat.delegate, seat.former_delegates) == (DEL, ("U_EVE",))


@pytest.mark.parametrize("to", [DEL, ""])
def test_the_same_again_changes_nothing(to: str) -> None:
    scenario = opened().delegates("U_ANN", "ann", to)
    before = scenario.state

    scenario.delegates("U_ANN", "ann", to).then()

    assert scenario.state is before


def test_another_wording_of_the_demand_discards_it_with_the_offers() -> None:
    scenario = collecting().delegates("U_ANN", "ann", DEL).does(EditDemand, by=REQUESTER, raw_input="A party")
    assert scenario.event(DemandEdited)

    scenario.understood().shortlisted("ann", "bo", "cy").stands(Status.COLLECTING)

    scenario.corrects(DEL, "ann").is_refused(NotAllowed)
    scenario.delegates("U_ANN", "ann", DEL).then(SeatDelegated)


# ── who may name whom, and when ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("by", [REQUESTER, "U_BO", "U_EVE", "", "U_ANN@T_PARTNER"])
def test_only_the_linked_person_names_a_delegate(by: str) -> None:
    opened().delegates(by, "ann", DEL).is_refused(NotAllowed)


def test_for_a_twin_that_is_linked_to_nobody_nobody_can_be_named() -> None:
    opened().delegates(REQUESTER, "cy", DEL).is_refused(NotAllowed)
    opened().delegates("U_ANN", "zoe", DEL).is_refused(UnknownAgent)


@pytest.mark.parametrize("to", ["U_ANN", "U_EVE@T_PARTNER"])
def test_neither_oneself_nor_somebody_from_outside_can_be_named(to: str) -> None:
    opened().delegates("U_ANN", "ann", to).is_refused(InvalidDelegate)


def test_before_anybody_was_asked_there_is_nothing_to_delegate() -> None:
    Scenario(linked=LINKED).demand().understood().delegates("U_ANN", "ann", DEL).is_refused(IllegalStep)


def test_while_a_proposal_is_in_the_making_it_can_be_named_too() -> None:
    scenario = collecting()
    for each in ("ann", "bo", "cy"):
        scenario.offers(each)
    scenario.stands(Status.AGGREGATING).delegates("U_ANN", "ann", DEL).then(SeatDelegated)
    scenario.drafted("ann", "bo", "cy").clicks("U_ANN", "ann", "negotiate")
    scenario.twins({"bo": "accept", "cy": "accept"}).clicks("U_BO", "bo", "negotiate").later(40).rings("close/1")
    scenario.stands(Status.PROPOSAL_SENT).delegates("U_ANN", "ann").then(SeatDelegated)
    assert scenario.state.rounds[0].seats["ann"].delegate == DEL, "what is over stays as it was"


def test_who_has_left_has_nothing_to_delegate() -> None:
    scenario = opened().clicks("U_ANN", "ann", "withdraw").clicks("U_BO", "bo", "negotiate").later(40).rings("close/1")

    scenario.delegates("U_ANN", "ann", DEL).is_refused(IllegalStep, "has left")


def test_what_is_over_is_over() -> None:
    scenario = opened().delegates("U_BO", "bo", DEL).clicks("U_ANN", "ann", "accept").clicks(DEL, "bo", "accept")
    scenario.later(40).rings("close/1").stands(Status.FINALIZED)

    scenario.delegates("U_ANN", "ann", DEL).is_refused(IllegalStep, "is over")
    button = {"round": 1, "digest": scenario.state.rounds[0].digest}
    scenario.does(CastVote, by=DEL, agent_id="bo", feedback_type="accept", **button).is_refused(StaleVote)


# ── who is waited for ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_nobody_decides_for_somebody_whose_account_was_closed() -> None:
    scenario = voting("ann", "bo", policy=HOUR, linked=LINKED).twins({"ann": "accept", "bo": "negotiate"})
    scenario.delegates("U_ANN", "ann", DEL).clicks(DEL, "ann", "accept").unreachable("ann", gone=True)
    assert scenario.state.rounds[0].seats["ann"].vote is None

    scenario.clicks(DEL, "ann", "accept").is_refused(NotAllowed)
    scenario.clicks("U_BO", "bo", "accept").then(
        ProposalFeedback, FeedbackEvaluated, AgentWithdrawn, RoundStarted, ProposalDistributed, ProposalFeedback,
        FeedbackDue, FeedbackEvaluated, ProposalFinalized,
    )  # fmt: skip
    assert scenario.event(ProposalFinalized).confirmed_participants == ("bo",)


def test_whoever_names_a_delegate_is_there_whatever_was_heard_of_the_account() -> None:
    scenario = voting("ann", "cy", policy=HOUR, linked=LINKED).twins({"ann": "negotiate", "cy": "accept"})
    scenario.unreachable("ann", gone=True).then(PersonUnreachable, FeedbackDue)
    assert scenario.state.rounds[-1].window.deadline < scenario.state.rounds[-1].window.people_until

    scenario.delegates("U_ANN", "ann", DEL).then(SeatDelegated, FeedbackDue)

    assert scenario.state.rounds[-1].window.deadline == scenario.state.rounds[-1].window.people_until


def test_a_delegates_silence_is_no_yes_where_the_person_was_not_reached() -> None:
    scenario = voting("ann", "bo", policy=HOUR, linked=LINKED).twin_fails("ann").twin("bo", "accept")
    scenario.delegates("U_ANN", "ann", DEL).later(3600).rings("close/1")
    assert scenario.state.rounds[0].seats["ann"].vote is None

    reached = voting("ann", "bo", policy=HOUR, linked=LINKED).twin_fails("ann").twin("bo", "accept")
    reached.reached("ann").delegates("U_ANN", "ann", DEL).later(3600).rings("close/1")
    assumed = reached.state.rounds[0].seats["ann"].vote
    assert assumed is not None
    assert assumed.source is Source.ASSUMED


def test_the_delegate_is_reminded_instead() -> None:
    scenario = opened().delegates("U_ANN", "ann", DEL)

    scenario.later(1800).rings("remind/1").then(FeedbackReminded)

    assert scenario.event(FeedbackReminded).agent_ids == ("ann", "bo")
    assert scenario.state.rounds[0].reminded == {"ann": DEL, "bo": "U_BO"}
    scenario.delegates("U_ANN", "ann")
    assert scenario.state.rounds[0].reminded == {"ann": DEL, "bo": "U_BO"}, "who was reminded was"


def test_nobody_is_reminded_for_somebody_whose_account_was_closed() -> None:
    scenario = opened().delegates("U_ANN", "ann", DEL).unreachable("ann", gone=True)

    scenario.later(1800).rings("remind/1").then(FeedbackReminded)

    assert scenario.event(FeedbackReminded).agent_ids == ("bo",)


# ── what is on record ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_open_vote_is_on_the_agenda_of_both_until_anybody_voted() -> None:
    scenario = opened()
    before = scenario.state
    scenario.delegates("U_ANN", "ann", DEL)
    key = f"{DEL}/collab-00000001"
    assert votes_on_record(scenario.state, before) == {key: True}

    named = scenario.state
    scenario.delegates("U_ANN", "ann")
    assert votes_on_record(scenario.state, named) == {key: False}

    voted = scenario.delegates("U_ANN", "ann", DEL).clicks("U_ANN", "ann", "accept").state
    assert votes_on_record(voted, named) == {key: False, "U_ANN/collab-00000001": False}


def test_the_event_says_who_for_whom_and_to_whom() -> None:
    event = opened().delegates("U_ANN", "ann", DEL).event(SeatDelegated)

    ids = {"demand_id": event.demand_id, "channel_id": event.channel_id}
    assert json.loads(encode(event)) == {**ids, "agent_id": "ann", "by": "U_ANN", "to": DEL}
    assert event.event_type == "towow.seat.delegated"


# ── a delegate whose account is closed ────────────────────────────────────────────────────────────────────────────────


def closed(scenario: Scenario, user: str = DEL) -> Scenario:
    for each in account_closed(scenario.state, user, "closed:1", scenario.now):
        scenario.does(type(each), **{name: getattr(each, name) for name in each.__struct_fields__[2:]})
    return scenario


def test_before_there_is_a_plan_a_delegate_without_an_account_is_none_any_more() -> None:
    scenario = closed(collecting().delegates("U_ANN", "ann", DEL))

    scenario.then(PersonUnreachable)
    assert scenario.state.delegates == {}
    assert scenario.state.wait is not None


def test_whoever_is_one_for_several_is_one_for_none_of_them_any_more() -> None:
    scenario = closed(opened().delegates("U_ANN", "ann", DEL).delegates("U_BO", "bo", DEL))

    opened_round = scenario.state.rounds[-1]
    assert {each: seat.lost_delegate for each, seat in opened_round.seats.items()} == {"ann": DEL, "bo": DEL, "cy": ""}
    assert account_closed(scenario.state, DEL, "closed:2", scenario.now) == []


def test_nobody_waits_for_two_accounts_that_are_both_closed() -> None:
    scenario = voting("ann", "bo", policy=HOUR, linked=LINKED).twin_fails("ann").twin("bo", "accept")
    scenario.delegates("U_ANN", "ann", DEL).clicks("U_BO", "bo", "accept")

    closed(closed(scenario), "U_ANN")

    assert scenario.state.rounds[0].tally is not None
    assert list(scenario.state.withdrawn) == ["ann"]
