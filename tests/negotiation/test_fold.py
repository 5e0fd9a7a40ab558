"""What happened is kept as it was said where a field of the state, or of its open round, has it for its type."""

from engine.negotiation.events import ChangeRequested, ClashesFound, FeedbackEvaluated, ProposalDrafted
from engine.negotiation.fold import apply
from tests.negotiation.scenario import REQUESTER, voting


def test_an_event_is_kept_in_the_field_of_its_type() -> None:
    state = voting("ann", "bo").state
    clashes = ClashesFound(demand_id=state.demand_id, channel_id=state.channel_id, clashes=())
    draft = ProposalDrafted(demand_id=state.demand_id, channel_id=state.channel_id)

    after = apply(apply(state, clashes), draft)

    assert after.clashes is clashes
    assert after.first_draft is draft


def test_an_event_of_the_open_round_is_kept_in_it() -> None:
    scenario = voting("ann", "bo")
    scenario.twins({"ann": "accept", "bo": "accept"})
    [tally] = (each for each in scenario.last.events if isinstance(each, FeedbackEvaluated))

    assert scenario.state.rounds[-1].tally is tally


def test_what_changes_more_than_its_field_has_a_change_of_its_own() -> None:
    state = voting("ann", "bo").state
    ids = {"demand_id": state.demand_id, "channel_id": state.channel_id}

    after = apply(state, ChangeRequested(**ids, by=REQUESTER, text="Sooner", round=1, version=1))

    assert after.requested is not None
    assert after.unread[REQUESTER].text == "Sooner"
