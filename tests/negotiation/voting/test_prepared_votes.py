"""A twin that only prepares drafts the vote; its person gives it, and without them the seat is silent."""

from typing import Any

import pytest

from engine.directory.profile import Profiles
from engine.errors import IllegalStep, NotAllowed
from engine.kernel import Ask, Handled, payload
from engine.llm.port import Answer
from engine.negotiation.answers import (
    AdjustmentSummary,
    Candidate,
    FeedbackAnswer,
    LimitAnswer,
    LimitVerdict,
    RequestDeclined,
    Shortlist,
)
from engine.negotiation.asks import NegotiationAsks
from engine.negotiation.commands import EditDemand, HandBack, OfferHelp, RecordFeedback, RecordOpinion, RecordShortlist
from engine.negotiation.events import (
    DemandSubmitted,
    FeedbackDue,
    FilterCompleted,
    LimitDoubt,
    PreparedVote,
    ProposalFeedback,
    VotePrepared,
    Weighed,
)
from engine.negotiation.inbox import TWIN_VOTE, agenda
from engine.negotiation.policy import PRESETS, Policy
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Seat, Status
from engine.negotiation.terms import Source, Verdict
from engine.negotiation.voting.kinds import FeedbackType
from tests.negotiation.prompts import PROMPTS
from tests.negotiation.scenario import NOON, REQUESTER, Scenario
from tests.profiles.people import person

HOUR = 3600
PATIENT = Policy(human_window=HOUR, override_window=30)
LINKED = {"aya": "U_AYA", "bo": "U_BO"}
A, B = "user_agent_a", "user_agent_b"


def voting(*preparing: str, policy: Policy = PATIENT, own_votes: bool = False, **linked: str) -> Scenario:
    scenario = Scenario(policy=policy, linked=linked or LINKED, preparing=preparing, own_votes=own_votes)
    scenario.demand().understood().shortlisted("aya", "bo")
    return scenario.offers("aya").offers("bo").drafted("aya", "bo").stands(Status.NEGOTIATING, number=1)


def seat(scenario: Scenario, agent: str = "aya", number: int = 0) -> Seat:
    return scenario.state.rounds[number - 1].seats[agent]


def at_the_end_of_time(scenario: Scenario) -> Scenario:
    scenario.now = scenario.state.rounds[-1].window.deadline
    return scenario.rings(f"close/{scenario.state.round}")


# ── it counts nowhere until somebody gives it ─────────────────────────────────────────────────────────────────────────


def test_a_twin_that_votes_unless_its_person_does_votes_as_before() -> None:
    scenario = voting().twin("aya", "accept", "it suits me")
    assert seat(scenario).prepared is None
    assert scenario.event(ProposalFeedback).source is Source.AGENT


def test_what_a_twin_only_prepares_is_no_vote() -> None:
    scenario = voting("aya").twin("aya", "negotiate", "too early", wish="at ten").then(VotePrepared)
    said = seat(scenario)
    assert said.prepared == PreparedVote(
        feedback_type=FeedbackType.NEGOTIATE, reasoning="too early", adjustment_request="at ten"
    )
    assert (said.vote, said.twin, said.waits, said.is_awaited) == (None, None, True, True)
    assert scenario.state.rounds[-1].counted.silent == 2
    scenario.twin("bo", "accept").stands(Status.NEGOTIATING, number=1)  # the round waits for her


def test_one_press_makes_it_the_persons_own_vote() -> None:
    scenario = voting("aya").twin("aya", "accept", "it suits me").twin("bo", "accept").presses("U_AYA", "aya")
    vote = seat(scenario).human
    assert vote is not None
    assert (vote.source, vote.by, vote.feedback_type, vote.reasoning) == (
        Source.HUMAN,
        "U_AYA",
        FeedbackType.ACCEPT,
        "it suits me",
    )
    at_the_end_of_time(scenario).stands(Status.FINALIZED)
    assert scenario.state.agreed is not None
    assert scenario.state.agreed.confirmed_participants == ("aya", "bo")


def test_a_second_press_changes_nothing() -> None:
    voting("aya").twin("aya", "accept").presses("U_AYA", "aya").presses("U_AYA", "aya").then()


def test_a_wish_that_was_prepared_is_asked_for_like_any_of_theirs() -> None:
    scenario = voting("aya").twin("aya", "negotiate", wish="at ten").presses("U_AYA", "aya")
    assert scenario.state.unread["aya"].text == "at ten"
    at_the_end_of_time(scenario.twin("bo", "accept")).stands(Status.PROPOSAL_SENT, number=2)
    assert [each.request for each in scenario.state.open_requests()] == ["at ten"]


def test_another_version_is_prepared_as_well_though_they_have_voted_before() -> None:
    scenario = voting("aya").twin("aya", "negotiate", wish="at ten").presses("U_AYA", "aya").twin("bo", "accept")
    at_the_end_of_time(scenario).stands(Status.PROPOSAL_SENT, number=2)
    declined = RequestDeclined(agent_id="aya", request="at ten", reason="The room is taken at ten")
    scenario.drafted("aya", "bo", adjustment_summary=AdjustmentSummary(requests_declined=(declined,)))
    scenario.twin("aya", "accept", "then it suits me as it is").then(VotePrepared)
    assert (seat(scenario).spoken, seat(scenario).vote) == (False, None)


def test_they_may_vote_otherwise() -> None:
    scenario = voting("aya").twin("aya", "accept").clicks("U_AYA", "aya", "negotiate", "Later")
    assert seat(scenario).vote is seat(scenario).human
    assert scenario.event(ProposalFeedback).feedback_type is FeedbackType.NEGOTIATE


def test_who_has_voted_can_still_take_back_to_what_the_twin_has_prepared() -> None:
    scenario = voting("aya").twin("aya", "accept").clicks("U_AYA", "aya", "negotiate", "Later")
    scenario.does(HandBack, by="U_AYA", agent_id="aya")
    assert seat(scenario).vote is None
    assert not seat(scenario).twin_asked
    scenario.presses("U_AYA", "aya")
    assert scenario.event(ProposalFeedback).feedback_type is FeedbackType.ACCEPT


def test_nothing_is_given_where_nothing_is_prepared() -> None:
    voting("aya").presses("U_AYA", "aya").is_refused(IllegalStep, "has prepared no vote")
    voting().twin("aya", "accept").presses("U_AYA", "aya").is_refused(IllegalStep, "has prepared no vote")
    voting("aya").twin("aya", "accept").presses("U_BO", "aya").is_refused(NotAllowed)


# ── silence ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("preset", PRESETS)
def test_without_its_person_the_seat_is_silent_under_every_preset(preset: str) -> None:
    """They were reached and let the time pass, which is an assumed accept for everybody else."""
    policy = PRESETS[preset].model_copy(update={"human_window": HOUR, "silence": "accept"})
    scenario = voting("aya", policy=policy).reached("aya").reached("bo")
    scenario.twin("aya", "accept").twin_fails("bo")
    at_the_end_of_time(scenario)
    assert (seat(scenario, number=1).vote, seat(scenario, number=1).assumed) == (None, None)
    assumed = seat(scenario, "bo", number=1).vote
    assert assumed is not None
    assert assumed.source is Source.ASSUMED
    assert (scenario.tally().silent, scenario.tally().accepts) == (1, 1)


def test_no_withdrawal_that_was_only_prepared_frees_a_seat() -> None:
    scenario = voting("aya", "bo").twin("aya", "withdraw").twin("bo", "withdraw")
    at_the_end_of_time(scenario)
    assert not scenario.state.withdrawn
    assert scenario.tally().decision is Verdict.NEXT_ROUND


def test_where_the_twin_cannot_answer_its_person_still_has_to() -> None:
    scenario = voting("aya").reached("aya").twin_fails("aya").twin("bo", "accept")
    at_the_end_of_time(scenario)
    assert seat(scenario, number=1).vote is None


# ── whose seat it is ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_whoever_asked_gives_what_an_unlinked_twin_has_prepared_and_has_peoples_time() -> None:
    scenario = voting("aya", aya="", bo="U_BO").twin("bo", "accept").twin("aya", "accept")
    assert scenario.state.rounds[-1].window.until(seat(scenario)) == NOON + HOUR * 1000
    scenario.presses(REQUESTER, "aya").stands(Status.NEGOTIATING)
    vote = seat(scenario).human
    assert vote is not None
    assert vote.by == REQUESTER


def test_whoever_asked_does_not_give_it_where_a_limit_is_in_doubt() -> None:
    scenario = voting("aya", aya="", bo="U_BO")
    answer = FeedbackAnswer(feedback_type=FeedbackType.ACCEPT)
    limited = Weighed(is_limited=True)
    scenario.does(RecordFeedback, agent_id="aya", round=1, answer=answer, limits=limited)
    assert seat(scenario).is_unread
    scenario.presses(REQUESTER, "aya").is_refused(NotAllowed, "may break a limit")
    doubt = LimitDoubt(words="karaoke", verdict=LimitVerdict.BROKEN, by="reader")
    scenario.does(RecordOpinion, about="limits", round=1, version=1, limits={"aya": (doubt,)})
    scenario.presses(REQUESTER, "aya").is_refused(NotAllowed, "may break a limit")
    scenario.presses("U_ADMIN", "aya", as_admin=True)
    vote = seat(scenario).human
    assert vote is not None
    assert vote.by == "U_ADMIN"


def test_where_the_limits_are_kept_whoever_asked_may_give_it() -> None:
    scenario = voting("aya", aya="", bo="U_BO")
    answer = FeedbackAnswer(feedback_type=FeedbackType.ACCEPT)
    scenario.does(RecordFeedback, agent_id="aya", round=1, answer=answer, limits=Weighed(is_limited=True))
    scenario.does(RecordOpinion, about="limits", round=1, version=1, limits={"aya": ()})
    assert not seat(scenario).is_guarded
    scenario.presses(REQUESTER, "aya")
    assert seat(scenario).human is not None


def test_with_no_time_for_people_there_is_still_the_time_of_whoever_asked() -> None:
    scenario = voting("aya", policy=Policy(human_window=0, override_window=30)).twin("bo", "accept")
    scenario.later(60).twin("aya", "accept").stands(Status.NEGOTIATING, number=1)
    assert scenario.event(FeedbackDue).deadline == scenario.now + 30_000
    scenario.presses("U_AYA", "aya").stands(Status.FINALIZED)


def test_where_nobody_is_given_time_nothing_is_waited_for() -> None:
    scenario = voting("aya", policy=Policy(human_window=0, override_window=0)).twin("bo", "accept")
    scenario.twin("aya", "accept")
    assert seat(scenario, number=1).vote is None
    assert scenario.tally().silent == 1


# ── who says how far a twin goes ──────────────────────────────────────────────────────────────────────────────────────


def test_whoever_asked_may_want_peoples_own_votes_only() -> None:
    scenario = voting(own_votes=True)
    assert all(each.prepares for each in scenario.state.rounds[-1].seats.values())
    assert payload(scenario.event(DemandSubmitted))["own_votes"] is True


def test_an_admin_may_have_every_twin_only_prepare() -> None:
    scenario = voting(policy=PATIENT.model_copy(update={"prepares": True}))
    assert all(each.prepares for each in scenario.state.rounds[-1].seats.values())


def test_what_is_not_said_stands_in_no_event() -> None:
    """Histories of before say nothing of it, and their twins vote."""
    scenario = voting().twin("aya", "accept")
    assert "own_votes" not in payload(scenario.event(DemandSubmitted))
    assert "preparing" not in payload(scenario.event(FilterCompleted))
    assert not any(each.prepares for each in RULEBOOK.fold(scenario.history).rounds[-1].seats.values())


def test_whoever_asked_may_say_so_with_another_wording() -> None:
    scenario = Scenario(policy=PATIENT, linked=LINKED).demand().understood().shortlisted("aya")
    text = scenario.state.raw_input
    scenario.does(EditDemand, by=REQUESTER, raw_input=text).then()
    scenario.does(EditDemand, by=REQUESTER, raw_input=text, own_votes=True)
    assert scenario.state.own_votes
    assert scenario.state.status is Status.CREATED
    scenario.does(EditDemand, by=REQUESTER, raw_input=f"{text}, please")
    assert scenario.state.own_votes
    scenario.does(EditDemand, by=REQUESTER, raw_input=text, own_votes=False)
    assert not scenario.state.own_votes


def test_a_volunteers_twin_goes_as_far_as_they_have_chosen() -> None:
    scenario = Scenario(policy=PATIENT, linked=LINKED).demand().understood().shortlisted("aya").offers("aya")
    said: dict[str, Any] = {"agent_id": "cy", "display_name": "Cy", "text": "I can help", "has_twin": True}
    scenario.does(OfferHelp, by="U_CY", prepares=True, **said)
    assert scenario.state.only_prepares("cy")


def test_the_profile_says_it_when_people_are_chosen() -> None:
    scenario = Scenario(policy=PATIENT).demand().understood()
    profiles = Profiles({A: person("a", twin="prepares"), B: person("b")})
    answer = Answer(Shortlist(definitely_related=(Candidate(agent_id=A), Candidate(agent_id=B))), "a-model")
    ask = Ask(name="filter", scope="filter", prompt="filter")
    prompt = PROMPTS["negotiation/filter"]
    command = NegotiationAsks(PROMPTS, profiles).read(scenario.state, ask, prompt, answer, command_id="", at=0)
    assert isinstance(command, RecordShortlist)
    assert command.preparing == (A,)


def test_a_twin_is_asked_the_same_however_far_it_goes() -> None:
    scenario = Scenario(policy=PATIENT).demand().understood().shortlisted(A, B)
    scenario.offers(A).offers(B).drafted(A, B)
    ask = Ask(name=f"feedback/1/{A}", scope="round/1", prompt="feedback", about=A)
    both = (Profiles({A: person("a", twin=each), B: person("b")}) for each in ("votes", "prepares"))
    votes, prepares = (NegotiationAsks(PROMPTS, each).compose(scenario.state, ask) for each in both)
    assert votes.given == prepares.given


# ── how often a twin was overruled ────────────────────────────────────────────────────────────────────────────────────


def overruled(scenario: Scenario, before: Any) -> dict[str, bool]:
    """What the last command has filed, by user."""
    order = scenario.orders[-1]
    handled = Handled(scenario.stream, 1, order, before, scenario.state, scenario.last.events)
    filed = [each for each in agenda(handled) if each.kind == TWIN_VOTE]
    return {each.key.partition("/")[0]: '"was_overruled":true' in (each.value or "") for each in filed}


def closed(scenario: Scenario) -> dict[str, bool]:
    before = scenario.state
    at_the_end_of_time(scenario)
    return overruled(scenario, before)


def test_a_vote_that_replaced_the_twins_with_another_one_is_on_record_once_the_round_is_over() -> None:
    scenario = voting().twin("aya", "accept").twin("bo", "accept").clicks("U_AYA", "aya", "negotiate", "Later")
    assert closed(scenario) == {"U_AYA": True, "U_BO": False}


def test_the_same_vote_as_the_twins_overrules_nothing() -> None:
    scenario = voting().twin("aya", "accept").twin("bo", "accept").clicks("U_AYA", "aya", "accept")
    assert closed(scenario) == {"U_AYA": False, "U_BO": False}


def test_a_delegate_says_nothing_of_the_twin_and_what_was_prepared_overrules_nothing() -> None:
    scenario = voting("bo").delegates("U_AYA", "aya", "U_DEL").twin("aya", "accept").twin("bo", "accept")
    scenario.clicks("U_DEL", "aya", "negotiate", "Later").clicks("U_BO", "bo", "negotiate", "Later")
    assert scenario.tally().round == 1
    assert overruled(scenario, Scenario().state) == {}


def test_limit_answers_are_no_part_of_what_is_prepared() -> None:
    scenario = voting("aya")
    kept = (LimitAnswer(number=1, verdict=LimitVerdict.KEPT, quote="an evening"),)
    answer = FeedbackAnswer(feedback_type=FeedbackType.ACCEPT, limits=kept)
    scenario.does(RecordFeedback, agent_id="aya", round=1, answer=answer)
    assert "limits" not in payload(scenario.event(VotePrepared))["vote"]
