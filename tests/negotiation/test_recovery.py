"""What waits for something that never comes is moved; what cannot be moved, or takes too long, ends."""

from collections.abc import Callable

import pytest

from engine.kernel import Ask, Recover
from engine.negotiation.answers import Need
from engine.negotiation.commands import Cancel, EditDemand
from engine.negotiation.events import (
    AgentWithdrawn,
    AggregationStarted,
    FeedbackDue,
    FeedbackEvaluated,
    ForceFinalized,
    NegotiationFailed,
    OfferOverridden,
    OffersHeld,
    ProposalDistributed,
    ProposalFinalized,
    RecoveryAttempted,
    RoundStarted,
    StepDegraded,
    SubstituteInvited,
)
from engine.negotiation.policy import PRESETS, Policy
from engine.negotiation.recovery import ATTEMPTS, stalled_at
from engine.negotiation.state import Status
from engine.negotiation.terms import Outcome, RecoveryAction
from tests.negotiation.plan.test_core_seats import venue_leaves, with_reserve
from tests.negotiation.scenario import ALONE, NOON, REQUESTER, Scenario, voting

LONGEST = 600


def understanding() -> Scenario:
    return Scenario().demand()


PATIENT = ALONE.model_copy(update={"max_duration": 3600.0})
"""Machines may be waited for longer than any of them takes."""


def collecting(*agents: str, policy: Policy = ALONE) -> Scenario:
    return Scenario(policy=policy).demand().understood().shortlisted(*agents)


def aggregating() -> Scenario:
    return collecting("a", "b").offers("a").offers("b")


def adjusting() -> Scenario:
    return voting("a", "b").twins({"a": "accept", "b": "negotiate"}).stands(Status.PROPOSAL_SENT, number=2)


WAITING = {
    "understand": understanding,
    "filter": lambda: Scenario().demand().understood(),
    "aggregate": aggregating,
    "adjust": adjusting,
}
"""By the prompt whose answer is waited for, and nothing else."""

for_an_answer = pytest.mark.parametrize(
    ("prompt", "begin"), [pytest.param(*each, id=each[0]) for each in WAITING.items()]
)


def found_stalled(scenario: Scenario, *running: str, grace: float = 30) -> Scenario:
    return scenario.later(grace).does(Recover, running=running)


def why(scenario: Scenario) -> Outcome:
    return scenario.stands(Status.FAILED).event(NegotiationFailed).reason


# ── an answer that nobody works on any more ───────────────────────────────────────────────────────────────────────


@for_an_answer
def test_a_lost_question_is_asked_again(prompt: str, begin: Callable[[], Scenario]) -> None:
    scenario = begin()
    status = scenario.state.status
    found_stalled(scenario).then(RecoveryAttempted).owing(prompt).stands(status)

    attempted = scenario.event(RecoveryAttempted)
    assert (attempted.attempt, attempted.action, attempted.status) == (1, RecoveryAction.ASK_AGAIN, status)
    [asked] = scenario.last.effects
    assert asked.name in scenario.last.drop


@for_an_answer
def test_a_question_that_somebody_works_on_is_left_alone(prompt: str, begin: Callable[[], Scenario]) -> None:
    scenario = begin()
    name = {"adjust": "adjust/2"}.get(prompt, prompt)
    for _ in range(5):
        found_stalled(scenario, name).then()
    assert scenario.state.attempts == 0


@for_an_answer
def test_after_three_attempts_without_progress_it_has_failed(prompt: str, begin: Callable[[], Scenario]) -> None:
    scenario = begin()
    for number in (1, 2, 3):
        assert found_stalled(scenario).event(RecoveryAttempted).attempt == number
    found_stalled(scenario).then(NegotiationFailed)

    assert why(scenario) is Outcome.RECOVERY_EXHAUSTED
    assert scenario.event(NegotiationFailed).last_proposal == scenario.state.proposal
    found_stalled(scenario).then()


def test_progress_is_a_new_event_and_begins_the_count_anew() -> None:
    scenario = understanding()
    found_stalled(found_stalled(found_stalled(scenario))).understood().stands(Status.CREATED)
    assert scenario.state.attempts == 0
    for _ in range(3):
        found_stalled(scenario).then(RecoveryAttempted).owing("filter")

    assert [each.attempt for each in scenario.state.recoveries] == [1, 2, 3, 1, 2, 3]
    found_stalled(scenario)
    assert why(scenario) is Outcome.RECOVERY_EXHAUSTED


def test_a_grace_has_to_pass_after_the_last_event() -> None:
    scenario = understanding()
    assert stalled_at(scenario.state, scenario.now) == NOON + 30_000


# ── offers ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_collecting_that_is_stuck_goes_on_with_what_came() -> None:
    scenario = collecting("a", "b").offers("a").later(300)
    found_stalled(scenario).then(RecoveryAttempted, AggregationStarted).owing("aggregate")

    assert scenario.event(RecoveryAttempted).action is RecoveryAction.AGGREGATE
    assert scenario.last.drop == ["offer/b"]


def test_collecting_that_is_stuck_with_nothing_but_declines_has_failed() -> None:
    scenario = collecting("a", "b").offers("a", "decline").later(300)
    found_stalled(scenario).then(RecoveryAttempted, NegotiationFailed)

    assert why(scenario) is Outcome.MODEL_UNAVAILABLE, "the other twin has not refused"


@pytest.mark.parametrize("found", ["by alarm", "by the query"])
def test_where_no_answer_came_at_all_everybody_is_asked_again(found: str) -> None:
    scenario = collecting("a", "b").later(300)
    if found == "by alarm":
        scenario.rings("offers")
    else:
        found_stalled(scenario)
    scenario.then(RecoveryAttempted).owing("respond", "respond").stands(Status.COLLECTING)

    assert [each.about for each in scenario.last.effects if isinstance(each, Ask)] == ["a", "b"]
    assert scenario.state.offers_due == scenario.now + 300_000
    assert [(each.name, each.due) for each in scenario.last.alarms] == [("offers", scenario.now + 300_000)]
    found_stalled(scenario).then()  # the new time is not over
    scenario.offers("a").offers("b").stands(Status.AGGREGATING)


def test_nobody_is_asked_for_an_offer_for_ever() -> None:
    scenario = collecting("a", "b", policy=PATIENT)
    for _ in range(3):
        scenario.later(300).rings("offers").then(RecoveryAttempted)
    scenario.later(300).rings("offers").then(NegotiationFailed)

    assert why(scenario) is Outcome.RECOVERY_EXHAUSTED


def test_before_its_deadline_and_the_grace_nothing_is_stuck() -> None:
    scenario = collecting("a", "b").offers("a").later(300)
    assert stalled_at(scenario.state, NOON) == NOON + 330_000
    found_stalled(scenario, grace=29.999).then()
    found_stalled(scenario, grace=0.001).then(RecoveryAttempted, AggregationStarted)


# ── votes ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_round_that_is_stuck_is_evaluated_with_what_there_is() -> None:
    scenario = voting("a", "b", "c").twin("a", "accept").twin("b", "accept")
    scenario.now = scenario.state.rounds[-1].window.deadline
    found_stalled(scenario).then(RecoveryAttempted, FeedbackEvaluated, RoundStarted, ProposalDistributed, FeedbackDue)

    assert scenario.event(RecoveryAttempted).action is RecoveryAction.EVALUATE
    assert (scenario.tally().accepts, scenario.tally().silent) == (2, 1)
    found_stalled(scenario).then()  # round 2 has only begun


def test_people_who_have_time_are_not_hurried() -> None:
    scenario = voting("a", "b", policy=Policy(), linked={"a": "U_A"}).twins({"a": "accept", "b": "accept"})
    found_stalled(scenario, grace=3_600).then()
    found_stalled(scenario, grace=30).then(RecoveryAttempted, FeedbackEvaluated, ProposalFinalized)


def test_where_a_substitute_was_waited_for_the_next_one_is_asked() -> None:
    scenario = venue_leaves(with_reserve(("loft", 0.9), ("hall", 0.4), policy=PATIENT)).later(300)
    found_stalled(scenario).then(RecoveryAttempted, StepDegraded, SubstituteInvited).owing("respond")
    assert scenario.event(SubstituteInvited).agent_id == "hall"
    found_stalled(scenario.later(300)).then(RecoveryAttempted, StepDegraded, NegotiationFailed)

    assert why(scenario) is Outcome.CORE_WITHDRAWN


# ── how long it may take ──────────────────────────────────────────────────────────────────────────────────────────


def too_long(scenario: Scenario) -> Scenario:
    scenario.now = scenario.state.until - 1
    scenario.rings("duration").then()
    return scenario.later(0.001).rings("duration")


def due(scenario: Scenario) -> int:
    """When the last command has made it end at the latest."""
    [alarm] = [each for each in scenario.last.alarms if each.name == "duration"]
    assert alarm.due == scenario.state.until
    return alarm.due


def test_an_alarm_is_set_for_when_it_must_be_over_and_cleared_at_every_end() -> None:
    scenario = understanding()
    assert due(scenario) == NOON + LONGEST * 1000
    assert "duration" in scenario.does(Cancel, by=REQUESTER).last.clear
    assert "duration" in voting("a").twin("a", "accept").last.clear


def test_over_its_time_the_open_round_is_evaluated_as_the_last() -> None:
    scenario = voting("a", "b", policy=Policy()).twins({"a": "accept"})
    too_long(scenario).then(FeedbackEvaluated, ForceFinalized).stands(Status.FORCE_FINALIZED, number=1)


@pytest.mark.parametrize(
    ("policy", "votes", "reason"),
    [
        pytest.param("t05-v4", {"a": "negotiate", "b": "negotiate"}, Outcome.LOW_ACCEPTANCE, id="few accept"),
        pytest.param("story05", {"a": "accept", "b": "negotiate"}, Outcome.NEGOTIATION_TIMEOUT, id="no majority"),
        pytest.param("t05-v4", {}, Outcome.NO_FEEDBACK, id="nobody voted"),
    ],
)
def test_over_its_time_it_fails_where_the_last_round_would(policy: str, votes: dict[str, str], reason: Outcome) -> None:
    scenario = voting("a", "b", "c", policy=PRESETS[policy]).twins(votes)

    assert why(too_long(scenario)) is reason


@for_an_answer
def test_over_its_time_without_a_round_to_evaluate_it_ends_honestly(prompt: str, begin: Callable[[], Scenario]) -> None:
    """Between two rounds there is one: what was agreed to in it is not lost."""
    scenario = too_long(begin())
    if prompt == "adjust":
        scenario.then(ForceFinalized)
        assert scenario.event(ForceFinalized).confirmed_participants == ("a",)
    else:
        assert why(scenario.then(NegotiationFailed)) is Outcome.NEGOTIATION_TIMEOUT


def test_over_its_time_nobody_is_looked_for_any_more() -> None:
    scenario = venue_leaves(with_reserve(("loft", 0.9)))
    assert scenario.event(AgentWithdrawn).agent_id == "venue"

    assert why(too_long(scenario)) is Outcome.CORE_WITHDRAWN
    assert "substitute/loft" in scenario.last.clear


@pytest.mark.parametrize(
    ("linked", "window"),
    [({}, 30), ({"a": "U_A"}, 3600), ({"a": "U_A", "b": "U_B"}, 3600)],
    ids=["nobody", "somebody", "everybody"],
)
def test_the_time_that_people_are_given_is_not_counted(linked: dict[str, str], window: int) -> None:
    scenario = Scenario(policy=Policy(), linked=linked).demand().understood().shortlisted("a", "b")
    scenario.offers("a").offers("b").drafted("a", "b")
    assert due(scenario) == NOON + (LONGEST + window) * 1000

    scenario.twins({"a": "negotiate", "b": "accept"}).later(window).rings("close/1").drafted("a", "b")
    assert due(scenario.stands(Status.NEGOTIATING, number=2)) == NOON + (LONGEST + 2 * window) * 1000


def test_said_otherwise_it_has_its_whole_time_again() -> None:
    scenario = understanding().later(500).does(EditDemand, by=REQUESTER, raw_input="A smaller meetup")

    assert due(scenario) == scenario.now + LONGEST * 1000


def test_while_nobody_was_there_to_work_on_it_no_time_is_counted_but_not_for_ever() -> None:
    scenario = understanding()
    for attempt in range(ATTEMPTS):
        scenario.later(24 * 3600).rings("duration").then(RecoveryAttempted)
        assert scenario.state.attempts == attempt + 1
        assert due(scenario) == scenario.now + LONGEST * 1000
        assert why_open(scenario)
        assert not scenario.state.recoveries  # it had not stalled

    scenario.later(24 * 3600).rings("duration").then(NegotiationFailed)
    assert why(scenario) is Outcome.RECOVERY_EXHAUSTED


def asked(**policy: float) -> Scenario:
    scenario = Scenario(policy=Policy(**policy), linked={"a": "U_A"}).demand().understood().shortlisted("a", "b")
    return scenario.offers("a").offers("b").drafted("a", "b").twins({"a": "accept", "b": "accept"})


MINUTE, GIVEN = 60, 3_600


@pytest.mark.parametrize(
    ("late", "more"),
    [
        pytest.param(MINUTE, 10 * MINUTE, id="a minute"),
        pytest.param(20 * MINUTE, 20 * MINUTE, id="as long as it was away"),
        pytest.param(48 * GIVEN, GIVEN, id="a weekend"),
    ],
)
def test_people_have_time_again_that_ended_while_nobody_was_there(late: int, more: int) -> None:
    scenario = asked()
    scenario.later(GIVEN + late).rings("close/1")
    opened = scenario.state.current
    assert opened is not None
    assert (opened.window.deadline, opened.window.is_again) == (scenario.now + more * 1000, True)
    scenario.clicks("U_A", "a", "negotiate")
    assert scenario.state.rounds[0].seats["a"].human is not None


def test_they_have_it_again_once_a_round() -> None:
    scenario = asked().later(3 * GIVEN).rings("close/1").later(3 * GIVEN).rings("close/1")
    assert scenario.state.rounds[0].tally is not None


@pytest.mark.parametrize(
    ("policy", "late"),
    [
        pytest.param({}, 0, id="in time"),
        pytest.param({}, 30, id="within the grace"),
        pytest.param({"human_window": 0, "override_window": 0}, 0, id="where nobody is waited for"),
    ],
)
def test_nobody_has_time_again_otherwise(policy: dict[str, float], late: int) -> None:
    scenario = asked(**policy)
    if scenario.state.is_open:
        scenario.later(GIVEN + late).rings("close/1")
    assert scenario.state.current is None


@pytest.mark.parametrize("away", [2, 24])
def test_the_time_that_people_are_given_is_theirs_however_late_a_round_begins(away: int) -> None:
    scenario = Scenario(policy=Policy(), linked={"a": "U_A"}).demand().understood().shortlisted("a", "b")
    scenario.offers("a").offers("b").drafted("a", "b").twins({"a": "negotiate", "b": "accept"})
    scenario.later(away * 3600).rings("close/1").stands(Status.NEGOTIATING, number=1)
    scenario.later(3600).rings("close/1").drafted("a", "b").stands(Status.NEGOTIATING, number=2)

    opened = scenario.state.current
    assert opened is not None
    assert due(scenario) >= opened.window.deadline == scenario.now + 3_600_000
    scenario.twins({"a": "accept", "b": "accept"}).later(3600 - 1).rings("duration").then()
    scenario.stands(Status.NEGOTIATING, number=2)


# ── what is asked of people after it should have ended ────────────────────────────────────────────────────────────


def sleeps_before_an_offer(policy: Policy) -> Scenario:
    return Scenario(policy=policy, linked={"a": "U_A"}).demand().understood().shortlisted("a", "b").offers("b")


def sleeps_before_the_decision(policy: Policy) -> Scenario:
    need = Need(need_id="need_1", what="a helicopter")
    scenario = Scenario(policy=policy).demand().understood(needs=(need,)).shortlisted("a", possibly=("b",))
    return scenario.offers("a")


def sleeps_before_a_degraded_twin(policy: Policy) -> Scenario:
    scenario = Scenario(policy=policy, linked={"a": "U_A"}).demand().understood().shortlisted("a", "b", "c")
    return scenario.offers("b").does_not_answer("a")


WINDOWS = [ALONE, Policy(human_window=20, override_window=0, first_window=20)]


@pytest.mark.parametrize("policy", WINDOWS, ids=["nobody is waited for", "people are waited for"])
@pytest.mark.parametrize("last", ["offers", "duration"], ids=["the wait ends first", "the end rings first"])
@pytest.mark.parametrize("begin", [sleeps_before_an_offer, sleeps_before_the_decision, sleeps_before_a_degraded_twin])
def test_who_was_away_past_the_end_finds_it_open_and_with_its_time(
    begin: Callable[[Policy], Scenario], last: str, policy: Policy
) -> None:
    """Both alarms are long due, in either order; after them machines still have the time that they need."""
    scenario = begin(policy).later(24 * 3600)
    for alarm in ("offers", "duration") if last == "offers" else ("duration", "offers"):
        scenario.rings(alarm)
    for _ in range(3):  # what people are given passes, and ends nothing but itself
        scenario.now = max(scenario.now, scenario.state.offers_due)
        scenario.rings("offers").rings("duration")

    assert scenario.stands(Status.AGGREGATING).state.until >= scenario.now + LONGEST * 1000 - 40_000
    scenario.drafted(scenario.state.participants[0].agent_id).stands(Status.NEGOTIATING, number=1)


def test_a_click_that_comes_before_any_alarm_gives_it_time_too() -> None:
    scenario = sleeps_before_an_offer(Policy(human_window=20, first_window=20)).later(24 * 3600)
    scenario.corrects("U_A", "a").then(RecoveryAttempted, OfferOverridden, OffersHeld)
    assert due(scenario) == scenario.now + (LONGEST + 20) * 1000
    scenario.later(20).rings("offers").rings("duration").stands(Status.AGGREGATING)


def why_open(scenario: Scenario) -> bool:
    return scenario.state.is_open and scenario.event(RecoveryAttempted).action is RecoveryAction.GIVE_TIME


def test_over_its_time_while_a_change_is_written_what_all_have_accepted_is_kept_as_the_best_there_is() -> None:
    scenario = voting("a").requests_change("an hour sooner").twin("a", "accept").stands(Status.PROPOSAL_SENT, number=2)
    too_long(scenario).then(ForceFinalized).stands(Status.FORCE_FINALIZED)
    assert scenario.event(ForceFinalized).confirmed_participants == ("a",)


def test_an_alarm_that_is_a_little_late_ends_it_all_the_same() -> None:
    scenario = voting("a", "b", policy=Policy()).twins({"a": "accept"})
    scenario.now = scenario.state.until + 30_000

    scenario.rings("duration").then(FeedbackEvaluated, ForceFinalized)


def test_the_grace_and_the_longest_time_are_the_policy_s() -> None:
    policy = ALONE.model_copy(
        update={"stuck_grace": 5.0, "max_duration": 60.0, "response_timeout": 20.0, "feedback_timeout": 10.0}
    )
    scenario = Scenario(policy=policy).demand()

    assert stalled_at(scenario.state, NOON) == NOON + 5_000
    assert scenario.later(60).rings("duration").stands(Status.FAILED)


def test_machines_have_at_least_the_time_of_one_round() -> None:
    assert ALONE.model_copy(update={"response_timeout": 3600.0}).machine_time == 3600 + 120 + 30
    assert ALONE.machine_time == LONGEST
