"""Claims without proof never become done: a test for each kind of lie; and what happens when attempts fail."""

from typing import Any

import pytest

from engine.delivery import commands as asked
from engine.delivery import events as happened
from engine.delivery.answers import WorkAnswer
from engine.delivery.errors import InvalidEvidence, InvalidText
from engine.delivery.policy import Policy
from engine.delivery.state import TicketStatus
from engine.delivery.terms import CheckRun, Cost, Evidence, ExpectedOutput, PersonNeed
from engine.errors import IllegalStep, NotAllowed

from .scenario import (
    ANN,
    BO,
    FOR_AGENT,
    FOR_SCRIPT,
    FOR_WRITER,
    REQUESTER,
    artifact,
    evidence,
    instructed,
    task,
)

LIES: dict[str, dict[str, Any]] = {
    "nothing is shown": {"artifacts": ()},
    "something else is shown": {"artifacts": (artifact("Another thing"),)},
    "it has no digest": {"artifacts": (artifact(digest=""),)},
    "its digest is none": {"artifacts": (artifact(digest="sha256:abc"),)},
    "it is empty": {"artifacts": (artifact(size_bytes=0),)},
    "it lies nowhere": {"artifacts": (artifact(uri=""),)},
    "the check failed": {"artifacts": (artifact(),), "checks": (CheckRun(name="lint", has_passed=False),)},
    "the check did not run": {"artifacts": (artifact(),)},
    "another check ran": {"artifacts": (artifact(),), "checks": (CheckRun(name="other", has_passed=True),)},
}


@pytest.mark.parametrize("lie", LIES)
@pytest.mark.parametrize("owner", [FOR_AGENT, FOR_SCRIPT], ids=["an agent", "a command"])
def test_a_claim_without_proof_is_a_failed_attempt(owner: Any, lie: str) -> None:
    scenario = instructed(task(owner=owner, check="lint")).worked(**LIES[lie]).then(happened.AttemptFailed)
    scenario.ticket_is(TicketStatus.IN_PROGRESS)
    assert scenario.event(happened.AttemptFailed).code in ("evidence_missing", "check_failed")


def test_one_of_two_outputs_is_not_enough() -> None:
    outputs = (ExpectedOutput(label="A"), ExpectedOutput(label="B"))
    scenario = instructed(task(owner=FOR_AGENT, outputs=outputs)).worked(artifacts=(artifact("A"),))
    assert scenario.event(happened.AttemptFailed).code == "evidence_missing"


def test_what_passes_is_reported() -> None:
    scenario = instructed(task(owner=FOR_AGENT, check="lint"))
    scenario.worked(artifacts=(artifact(),), checks=(CheckRun(name="lint", has_passed=True),))
    scenario.then(happened.WorkReported)


def test_the_outcome_of_an_earlier_attempt_changes_nothing() -> None:
    scenario = instructed(task(owner=FOR_AGENT)).worked(failure="exit").later(60).rings("retry-T-1")
    scenario.worked(attempt=1, artifacts=(artifact(),)).then()
    scenario.worked(attempt=9, artifacts=(artifact(),)).then()
    scenario.worked().worked(attempt=2, artifacts=(artifact(),)).then()


# ── people ────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "shown",
    [
        (),
        (evidence("Something else"),),
        (evidence(text="  "),),
        (Evidence(label="Result"),),
        (evidence(link="javascript:alert(1)"),),
        (evidence(link="https://user:pass@example.org"),),
        (evidence(link="https://"),),
        (evidence(text="a", link="https://example.org"),),
        (evidence(), evidence()),
        tuple(evidence(str(number)) for number in range(20)),
    ],
)
def test_a_person_shows_one_thing_for_each_expected_output(shown: tuple[Evidence, ...]) -> None:
    instructed().finishes(evidence=shown).is_refused(InvalidEvidence)


def test_what_a_person_shows_counts_once_it_is_registered() -> None:
    scenario = instructed().finishes().then(happened.WorkStarted, happened.WorkClaimed).owing("register-T-1-1")
    scenario.finishes().is_refused(IllegalStep, "being checked")
    scenario.worked(failure="artifact_refused", detail="The file is gone.").ticket_is(TicketStatus.IN_PROGRESS)
    scenario.finishes().owing("register-T-1-2").worked().ticket_is(TicketStatus.AWAITING_REVIEW)


def test_nobody_else_works_on_it() -> None:
    scenario = instructed()
    scenario.finishes(by=BO).is_refused(NotAllowed)
    scenario.does(asked.StartTicket, by=BO, ticket_id="T-1").is_refused(NotAllowed)
    scenario.does(asked.StartTicket, by=REQUESTER, ticket_id="T-1").then(happened.WorkStarted)
    instructed(task(owner=FOR_AGENT)).finishes(by=REQUESTER).is_refused(NotAllowed)


# ── models ────────────────────────────────────────────────────────────────────────────────────────────────────────


def words(*outputs: str, **fields: Any) -> dict[str, Any]:
    return {"ticket_id": "T-1", "number": 1, "answer": WorkAnswer(outputs=outputs, **fields)}


def test_what_a_model_writes_is_registered_like_anybodys() -> None:
    scenario = instructed(task(owner=FOR_WRITER)).does(asked.RecordWords, **words("A text."))
    scenario.then(happened.WorkClaimed).owing("register-T-1-1").worked().owing("review-T-1-1")


def test_a_model_that_writes_nothing_has_failed_or_lacks_something() -> None:
    scenario = instructed(task(owner=FOR_WRITER)).does(asked.RecordWords, **words())
    assert scenario.event(happened.AttemptFailed).code == "evidence_missing"
    blocked = instructed(task(owner=FOR_WRITER)).does(asked.RecordWords, **words(issues=("the date",)))
    blocked.ticket_is(TicketStatus.BLOCKED).owing("advise-T-1-1")


# ── retries, interruptions, budgets ───────────────────────────────────────────────────────────────────────────────


def test_it_is_tried_twice_more_and_each_pause_is_twice_as_long() -> None:
    scenario = instructed(task(owner=FOR_AGENT), policy=Policy(retry_backoff=10))
    for number, pause in ((1, 10), (2, 20)):
        scenario.worked(failure="exit")
        assert scenario.event(happened.AttemptFailed).retry_at == scenario.now + pause * 1000
        scenario.later(pause).rings("retry-T-1").owing(f"work-T-1-{number + 1}")
    scenario.worked(failure="exit").owing("advise-T-1-1")


@pytest.mark.parametrize("code", ["role_missing", "workers_off", "not_isolated", "misconfigured", "budget"])
def test_what_trying_again_cannot_cure_is_the_managers_at_once(code: str) -> None:
    instructed(task(owner=FOR_AGENT)).worked(failure=code).owing("advise-T-1-1")


def test_the_manager_gives_it_to_another_worker() -> None:
    scenario = instructed(task(owner=FOR_AGENT)).worked(failure="role_missing")
    scenario.advises("reassign", role_id="worker_script", text="A simpler one.")
    assert scenario.ticket().owner.role_id == "worker_script"
    scenario.owing("work-T-1-2")


def test_the_manager_may_not_do_it_itself() -> None:
    scenario = instructed(task(owner=FOR_AGENT)).worked(failure="role_missing")
    scenario.advises("reassign", role_id="manager").ticket_is(TicketStatus.IN_PROGRESS, need=PersonNeed.FAILED)


def test_an_attempt_that_ended_with_our_process_is_counted_said_and_begun_again() -> None:
    scenario = instructed(task(owner=FOR_AGENT), policy=Policy(interruptions=1, retries=0, escalations=0))
    scenario.fails("work-T-1-1", "the process died").then(happened.AttemptFailed, happened.WorkStarted)
    assert scenario.event(happened.AttemptFailed).code == "interrupted"
    scenario.owing("work-T-1-2").fails("work-T-1-2").ticket_is(TicketStatus.ERROR, need=PersonNeed.FAILED)


def test_what_it_costs_is_added_up_and_stops_it() -> None:
    policy = Policy(ticket_tokens=100, retry_backoff=0)
    scenario = instructed(task(owner=FOR_AGENT), policy=policy)
    scenario.worked(failure="exit", cost=Cost(input_tokens=80, output_tokens=30, usd=0.5))
    scenario.ticket_is(TicketStatus.IN_PROGRESS, need=PersonNeed.BUDGET).owing()
    assert (scenario.state.spent.tokens, scenario.state.spent.usd) == (110, 0.5)
    scenario.does(asked.RaiseBudget, by=BO, tokens=50).is_refused(NotAllowed)
    scenario.does(asked.RaiseBudget, by=REQUESTER, tokens=50).owing("work-T-1-2")


@pytest.mark.parametrize("more", [{}, {"usd": -1.0}, {"tokens": -1}, {"usd": float("nan")}, {"usd": float("inf")}])
def test_a_budget_is_raised_by_an_amount(more: dict[str, Any]) -> None:
    instructed().does(asked.RaiseBudget, by=REQUESTER, **more).is_refused(InvalidText)


def test_a_deadline_is_a_date() -> None:
    added = {"by": REQUESTER, "title": "Print badges"}
    instructed().does(asked.AddTicket, deadline="next week", **added).is_refused(InvalidText)
    instructed().does(asked.AddTicket, deadline="2027-03-09", **added).then(happened.TicketAdded, happened.PersonNeeded)


def test_when_the_whole_has_cost_what_it_may_no_machine_begins() -> None:
    policy = Policy(delivery_usd=1.0, workers_at_once=1)
    scenario = instructed(task("a", FOR_AGENT), task("b", FOR_SCRIPT), policy=policy)
    scenario.worked(cost=Cost(usd=1.5))
    scenario.then(happened.WorkReported, happened.BudgetSpent)
    assert not scenario.ticket("T-2").running
    scenario.does(asked.RaiseBudget, by=REQUESTER, usd=5).owing("work-T-2-1")


# ── whose it is ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_colleague_is_asked_before_a_ticket_is_theirs() -> None:
    scenario = instructed().does(asked.HandTicketOver, by=ANN, ticket_id="T-1", to=BO)
    assert scenario.ticket().owner.user_id == ANN
    scenario.does(asked.TakeTicket, by="U_CY", ticket_id="T-1").is_refused(IllegalStep)
    scenario.does(asked.TakeTicket, by=BO, ticket_id="T-1").then(happened.OwnerChanged)
    assert scenario.ticket().owner.user_id == BO
    scenario.finishes(by=ANN).is_refused(NotAllowed)
    scenario.finishes(by=BO).owing("register-T-1-1")


def test_a_colleague_may_decline() -> None:
    scenario = instructed().does(asked.HandTicketOver, by=ANN, ticket_id="T-1", to=BO)
    scenario.does(asked.DeclineTicket, by=BO, ticket_id="T-1").then(happened.HandOverDeclined)
    scenario.does(asked.TakeTicket, by=BO, ticket_id="T-1").is_refused(IllegalStep)
    assert scenario.ticket().owner.user_id == ANN
