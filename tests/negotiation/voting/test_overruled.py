"""What a twin has asked for stays asked for where another hand than its person's votes over it: it reaches the next
version's author, is answered like any request, and is settled by its person, or by the twin itself."""

from typing import Final

from engine.negotiation.answers import AdjustmentSummary, RequestAddressed, RequestDeclined
from engine.negotiation.given import votes_made
from engine.negotiation.policy import PRESETS
from engine.negotiation.state import Status
from engine.negotiation.voting.requests import asked_in, every_request
from tests.negotiation.scenario import REQUESTER, Scenario, draft, voting

WISH: Final = "no meetings before 13:00"
POLICY: Final = PRESETS["t05-v4"].model_copy(
    update={"human_window": 60, "override_window": 60, "second_opinion": False}
)


def overruled(vote: str = "accept", text: str = "") -> Scenario:
    """Whoever asked votes over the wish of Carlos's twin, who belongs to nobody here; Bo wants a change as well."""
    scenario = voting("carlos", "bo", "ann", policy=POLICY).twin("carlos", "negotiate", wish=WISH)
    scenario.twin("bo", "negotiate", wish="shorter").twin("ann", "accept")
    scenario.clicks(REQUESTER, "carlos", vote, text or "because")
    scenario.now = scenario.state.rounds[-1].window.deadline
    scenario.rings("close/1")
    return scenario


def wishes(scenario: Scenario) -> dict[str, str]:
    return {each.agent_id: each.request for each in scenario.state.open_requests()}


def test_the_wish_reaches_whoever_drafts_the_next_version() -> None:
    scenario = overruled().owing("adjust")

    told = {each.agent_id: each for each in votes_made(scenario.state)}
    assert (told["carlos"].feedback_type, told["carlos"].adjustment_request) == ("accept", WISH)
    assert asked_in(scenario.state) == {"carlos": WISH, "bo": "shorter"}


def test_the_wish_is_answered_like_any_request() -> None:
    scenario = overruled()

    answered = every_request(scenario.state, draft("carlos", "bo", "ann"), scenario.state.proposals[-1].assignments)
    assert {each.agent_id for each in answered.requests_declined} == {"carlos", "bo"}

    said = AdjustmentSummary(
        requests_addressed=(RequestAddressed(agent_id="bo", request="shorter"),),
        requests_declined=(RequestDeclined(agent_id="carlos", request=WISH, reason="the hall is free at 9"),),
    )
    scenario.drafted("carlos", "bo", "ann", summary="shorter", adjustment_summary=said)
    [left] = scenario.state.open_requests()
    assert (left.agent_id, left.request, left.reason) == ("carlos", WISH, "the hall is free at 9")


def test_a_wish_that_is_taken_up_is_open_no_more() -> None:
    met = AdjustmentSummary(requests_addressed=(RequestAddressed(agent_id="carlos", request=WISH),))
    scenario = overruled().drafted("carlos", "bo", "ann", summary="after 13:00", adjustment_summary=met)

    assert wishes(scenario) == {"bo": "shorter"}


def test_what_the_other_hand_asks_for_is_asked_for_as_well() -> None:
    scenario = overruled("negotiate", "a larger room")

    assert wishes(scenario)["carlos"] == f"a larger room\n{WISH}"


def test_a_vote_of_the_other_hand_that_stands_does_not_settle_it_later() -> None:
    scenario = overruled().drafted("carlos", "bo", "ann", summary="the same")
    assert scenario.state.status is Status.NEGOTIATING
    seat = scenario.state.rounds[-1].seats["carlos"]
    assert seat.vote is not None
    assert seat.vote.carried

    assert wishes(scenario)["carlos"] == WISH
    scenario.twin("bo", "accept").twin("ann", "accept")
    scenario.now = scenario.state.rounds[-1].window.deadline
    scenario.rings("close/2")
    assert scenario.state.final is not None
    assert [each.request for each in scenario.state.final.open_requests if each.agent_id == "carlos"] == [WISH]


def test_whom_the_other_hand_takes_out_asks_for_nothing() -> None:
    assert asked_in(overruled("withdraw").state) == {"bo": "shorter"}


def test_the_person_themselves_settles_what_their_twin_asked_for() -> None:
    scenario = voting("carlos", "bo", "ann", policy=POLICY, linked={"carlos": "U_CARLOS"})
    scenario.delegates("U_CARLOS", "carlos", "U_DEL").twin("carlos", "negotiate", wish=WISH)
    scenario.twin("bo", "negotiate", wish="shorter").twin("ann", "accept").clicks("U_DEL", "carlos", "accept")
    assert wishes(scenario)["carlos"] == WISH

    scenario.clicks("U_CARLOS", "carlos", "accept")

    assert "carlos" not in wishes(scenario)
