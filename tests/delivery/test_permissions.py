"""Agents ask leave: nobody waits with a process, and only the same question has its answer."""

import pytest

from engine.delivery import commands as asked
from engine.delivery import events as happened
from engine.delivery.state import TicketStatus
from engine.delivery.terms import PermissionChoice, PersonNeed
from engine.delivery.work.work_orders import WORK
from engine.errors import IllegalStep, NotAllowed, Outdated
from engine.kernel import RunWorker

from .scenario import ANN, DIGEST, FOR_AGENT, Scenario, instructed, task

OTHER = "sha256:" + "1" * 64
ONCE, TICKET, REFUSE = PermissionChoice.ONCE, PermissionChoice.TICKET, PermissionChoice.REFUSE


def asking() -> Scenario:
    return instructed(task(owner=FOR_AGENT)).asks_leave()


def told(scenario: Scenario) -> list[tuple[str, bool]]:
    """What the attempt that runs is told of earlier answers."""
    name = f"work-T-1-{len(scenario.ticket().attempts)}"
    order = WORK.order(scenario.state, RunWorker(name=name, scope=name, about="T-1"), at=scenario.now)
    return [(each.digest, each.is_allowed) for each in order.permissions]


def test_its_process_is_gone_and_the_question_stays() -> None:
    scenario = asking().ticket_is(TicketStatus.IN_PROGRESS, need=PersonNeed.PERMISSION).owing()
    assert scenario.ticket().running is None
    assert scenario.ticket().agent_session == "s-1"
    assert scenario.state.is_open


@pytest.mark.parametrize("choice", PermissionChoice)
def test_once_answered_it_goes_on_in_its_session_and_is_told(choice: PermissionChoice) -> None:
    scenario = asking().later(7 * 3600).permits(choice).then(happened.PermissionAnswered, happened.WorkStarted)
    scenario.owing("work-T-1-2")
    assert told(scenario) == [(DIGEST, choice is not REFUSE)]
    assert WORK.order(
        scenario.state, RunWorker(name="work-T-1-2", scope="s", about="T-1"), at=scenario.now
    ).agent_session == "s-1"  # fmt: skip


def test_only_the_requester_and_admins_give_leave() -> None:
    asking().permits(by=ANN).is_refused(NotAllowed)
    asking().permits(by=ANN, as_admin=True).then(happened.PermissionAnswered, happened.WorkStarted)


def test_an_answer_counts_once_and_for_what_was_asked() -> None:
    asking().permits(digest=OTHER).is_refused(Outdated)
    asking().permits().permits(REFUSE).is_refused(IllegalStep, "answered already")


def test_a_different_question_is_asked_anew() -> None:
    scenario = asking().permits().asks_leave(digest=OTHER)
    scenario.ticket_is(TicketStatus.IN_PROGRESS, need=PersonNeed.PERMISSION)
    waiting = scenario.ticket().waiting_permission
    assert waiting is not None
    assert waiting.permission.digest == OTHER


def test_once_is_for_one_attempt() -> None:
    scenario = asking().permits(ONCE).later(60).worked(failure="exit").later(60).rings("retry-T-1")
    assert told(scenario) == []
    scenario.asks_leave().ticket_is(TicketStatus.IN_PROGRESS, need=PersonNeed.PERMISSION)


def test_for_the_ticket_it_holds_until_it_expires() -> None:
    scenario = asking().permits(TICKET).worked(failure="exit").later(60).rings("retry-T-1")
    assert told(scenario) == [(DIGEST, True)]
    scenario.later(25 * 3600)
    assert told(scenario) == []


def test_ten_questions_are_ten_answers() -> None:
    scenario = instructed(task(owner=FOR_AGENT))
    for number in range(10):
        digest = f"sha256:{number:064}"
        scenario.asks_leave(digest=digest).later(60).permits(digest=digest).later(60)
    scenario.worked().ticket_is(TicketStatus.AWAITING_REVIEW)
    assert len([each for each in scenario.history if isinstance(each, happened.PermissionAnswered)]) == 10


def test_another_owner_has_no_leave() -> None:
    scenario = asking().permits(TICKET)
    owner = type(FOR_AGENT)(kind=FOR_AGENT.kind, role_id="worker_script")
    scenario.does(asked.ChangeOwner, by="U_ASKS", ticket_id="T-1", owner=owner)
    assert told(scenario) == []
    assert scenario.ticket().agent_session == ""
