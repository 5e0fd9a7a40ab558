"""Force-finalizing takes the best version, not the last; and what a plan carries at its end."""

from msgspec.structs import replace

from engine.negotiation.answers import AdjustmentSummary, RequestAddressed, RequestDeclined
from engine.negotiation.events import ForceFinalized, ProposalFinalized
from engine.negotiation.policy import PRESETS
from engine.negotiation.terms import Outcome
from tests.negotiation.scenario import ALONE, Scenario, draft, voting

PATIENT = PRESETS["tech-v3"].model_copy(update={"human_window": 0, "override_window": 0})
"""Three rounds, and whatever is left at the limit is forced."""


def rounds(*votes: dict[str, str]) -> Scenario:
    """One round for each set of votes; whoever withdrew is not asked again."""
    scenario = voting(*votes[0], policy=PATIENT)
    for number, each in enumerate(votes):
        if number:
            scenario.drafted(*each, summary=f"version {number + 1}")
        scenario.twins(each)
    return scenario


def test_a_better_version_than_the_last_one_is_taken() -> None:
    ended = rounds(
        {"a": "accept", "b": "negotiate", "c": "negotiate"},
        {"a": "accept", "b": "accept", "c": "negotiate"},
        {"a": "negotiate", "b": "negotiate", "c": "accept"},
    ).event(ForceFinalized)

    assert ended.final_proposal.version == 2
    assert (ended.confirmed_participants, ended.optional_participants) == (("a", "b"), ("c",))


def test_of_equals_the_newest_is_taken() -> None:
    ended = rounds(
        {"a": "accept", "b": "negotiate"}, {"a": "negotiate", "b": "accept"}, {"a": "accept", "b": "negotiate"}
    ).event(ForceFinalized)

    assert ended.final_proposal.version == 3


def test_a_version_whose_accepter_has_left_since_is_not_taken() -> None:
    ended = rounds(
        {"a": "accept", "b": "accept", "c": "accept", "d": "negotiate"},
        {"a": "withdraw", "b": "negotiate", "c": "negotiate", "d": "negotiate"},
        {"b": "accept", "c": "negotiate", "d": "negotiate"},
    ).event(ForceFinalized)

    assert ended.final_proposal.version == 3
    assert ended.confirmed_participants == ("b",)


def test_accepted_core_seats_weigh_more_than_the_rate() -> None:
    scenario = Scenario(policy=PATIENT).demand().understood().shortlisted("venue", "b", "c")
    for each in ("venue", "b", "c"):
        scenario.offers(each)
    marked = tuple(replace(each, core=each.agent_id == "venue") for each in draft("venue", "b", "c").assignments)
    scenario.drafted("venue", "b", "c", assignments=marked)
    scenario.twins({"venue": "accept", "b": "negotiate", "c": "negotiate"}).drafted("venue", "b", "c")
    scenario.twins({"venue": "negotiate", "b": "accept", "c": "accept"}).drafted("venue", "b", "c")
    scenario.twins({"venue": "negotiate", "b": "accept", "c": "negotiate"})

    assert scenario.event(ForceFinalized).final_proposal.version == 1


def test_who_withdraws_in_the_last_round_is_in_neither_list_and_not_in_the_plan() -> None:
    ended = rounds(
        {"a": "accept", "b": "negotiate", "c": "negotiate"},
        {"a": "accept", "b": "negotiate", "c": "negotiate"},
        {"a": "accept", "b": "negotiate", "c": "withdraw"},
    ).event(ForceFinalized)

    assert "c" not in (*ended.confirmed_participants, *ended.optional_participants)
    assert [each.agent_id for each in ended.final_proposal.assignments] == ["a", "b"]
    assert "c's role" in ended.final_proposal.gaps


def test_partial_consensus_is_the_label_of_a_forced_end() -> None:
    scenario = rounds(*[{"a": "accept", "b": "negotiate"}] * 3)

    assert scenario.state.outcome is Outcome.PARTIAL_CONSENSUS


def test_every_open_request_is_in_the_plan_with_the_reason_it_was_declined() -> None:
    scenario = voting("a", "b", policy=PATIENT).twin("a", "accept").twin("b", "negotiate", wish="pay my taxi")
    summary = AdjustmentSummary(requests_declined=(RequestDeclined(agent_id="b", request="pay", reason="no budget"),))
    scenario.drafted("a", "b", adjustment_summary=summary)
    scenario.twin("a", "accept").twin("b", "negotiate", wish="pay my taxi")
    scenario.drafted("a", "b", adjustment_summary=summary).twin("a", "negotiate", wish="a later start").twin(
        "b", "negotiate"
    )

    requests = {each.agent_id: each.request for each in scenario.event(ForceFinalized).open_requests}
    assert requests == {"a": "a later start", "b": "later, please"}


def test_an_open_request_keeps_the_reason_it_was_declined_for() -> None:
    scenario = voting("a", "b", policy=PATIENT).twin("a", "accept").twin("b", "negotiate", wish="pay my taxi")
    summary = AdjustmentSummary(requests_declined=(RequestDeclined(agent_id="b", request="pay", reason="no budget"),))
    scenario.drafted("a", "b", adjustment_summary=summary)

    assert [each.reason for each in scenario.state.open_requests()] == ["no budget"]


def test_what_a_twin_accepts_without_is_told_with_its_reason() -> None:
    scenario = voting("a", "b", policy=ALONE).twins({"a": "accept", "b": "negotiate"})
    refused = RequestDeclined(agent_id="b", request="later, please", reason="for the requester to decide")
    scenario.drafted("a", "b", adjustment_summary=AdjustmentSummary(requests_declined=(refused,)))
    scenario.twins({"a": "accept", "b": "accept"})

    assert scenario.event(ProposalFinalized).open_requests == (refused,)


def test_a_request_that_the_draft_forgets_is_kept_as_declined() -> None:
    scenario = voting("a", "b", "c", policy=ALONE).twins({"a": "accept", "b": "accept", "c": "negotiate"})
    scenario.drafted("a", "b", "c")

    summary = scenario.state.proposals[-1].adjustment_summary
    assert summary is not None
    assert [(each.agent_id, each.request) for each in summary.requests_declined] == [("c", "later, please")]


def test_a_request_that_was_addressed_is_not_open_any_more() -> None:
    scenario = voting("a", "b", "c", policy=ALONE).twins({"a": "accept", "b": "accept", "c": "negotiate"})
    summary = AdjustmentSummary(requests_addressed=(RequestAddressed(agent_id="c", request="later"),))
    scenario.drafted("a", "b", "c", adjustment_summary=summary)
    scenario.twins({"a": "accept", "b": "accept", "c": "accept"})

    assert scenario.event(ProposalFinalized).open_requests == ()


def test_a_persons_request_is_not_settled_by_their_silence() -> None:
    policy = PATIENT.model_copy(update={"human_window": 60})
    scenario = voting("ann", "bo", policy=policy, linked={"ann": "U_ANN"})
    scenario.twins({"ann": "accept", "bo": "accept"}).clicks("U_ANN", "ann", "negotiate", "a later start")
    refused = RequestDeclined(agent_id="ann", request="a later start", reason="the room closes early")
    scenario.drafted("ann", "bo", adjustment_summary=AdjustmentSummary(requests_declined=(refused,)))
    scenario.reached("ann").twin("bo", "accept").later(60).rings("close/2")

    ended = scenario.event(ProposalFinalized)
    assert ended.open_requests == (refused,)
    assert ended.confirmed_participants == ("bo",)


def test_a_persons_request_is_settled_by_the_person() -> None:
    policy = PATIENT.model_copy(update={"human_window": 60})
    scenario = voting("ann", policy=policy, linked={"ann": "U_ANN"}).twin("ann", "accept")
    scenario.clicks("U_ANN", "ann", "negotiate", "a later start")
    refused = RequestDeclined(agent_id="ann", request="a later start", reason="the room closes early")
    scenario.drafted("ann", adjustment_summary=AdjustmentSummary(requests_declined=(refused,)))
    scenario.clicks("U_ANN", "ann", "accept")

    assert scenario.event(ProposalFinalized).open_requests == ()
