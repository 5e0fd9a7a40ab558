"""What has a high risk is discussed first: the plan says so, or the role, or a person; no word of a text does."""

import pytest

from engine.delivery import commands as asked
from engine.delivery.answers import PlanAnswer, PlannedTask
from engine.delivery.state import TicketStatus
from engine.delivery.terms import Role, Task, WorkerKind
from engine.errors import IllegalStep, NotAllowed
from engine.kernel import HandedTask

from .scenario import ANN, BRIEF, FOR_AGENT, REQUESTER, Scenario, opened, task

SAID = [
    "High risk: the room has no exit.",
    "This is irreversible.",
    "高风险：数据会丢失",
    "No es reversible; riesgo alto",
]
CAREFUL = Role(role_id="worker_agent", name="Agent", kind=WorkerKind.ACP, is_high_risk=True)


@pytest.mark.parametrize("text", SAID)
def test_no_word_of_a_text_says_so(text: str) -> None:
    opened(task(owner=FOR_AGENT, title=text, risks=(text,))).ticket_is(TicketStatus.PENDING).owing("instruct-T-1-1")


def test_nor_does_one_that_people_agreed_on() -> None:
    handed = HandedTask(task_id="a", title="A", owner="ann", expected_output="An irreversible move of the data")
    brief = type(BRIEF)(title="x", goal="Meet.", people=BRIEF.people, tasks=(handed,))
    Scenario(brief=brief).opens().ticket_is(TicketStatus.PENDING)


def test_the_managers_plan_says_so_with_its_reason() -> None:
    planned = PlannedTask(task_id="a", title="A", owner="ann", risk="high", risk_reason="It is public.")
    scenario = Scenario().opens().clarifies().plans(planned).ticket_is(TicketStatus.DISCUSSING)
    assert (scenario.ticket().task.risk, scenario.ticket().task.risk_reason) == ("high", "It is public.")


@pytest.mark.parametrize(
    ("said", "risk"),
    [
        ({"risk": "HIGH "}, "high"),
        ({"risk": None}, "low"),
        ({"risk": "perhaps"}, "low"),
        ({}, "low"),
        ({"high_risk": True}, "high"),
        ({"high_risk": True, "risk": "low"}, "low"),
        ({"high_risk": False}, "low"),
    ],
)
def test_what_a_model_says_of_it_is_read_leniently(said: dict[str, object], risk: str) -> None:
    [planned] = PlanAnswer.checked({"tasks": [{"task_id": "a", "title": "A", **said}]}).tasks
    assert planned.risk == risk


def test_what_was_said_to_need_a_proposal_still_does() -> None:
    opened(Task(task_id="a", title="A", owner=FOR_AGENT, needs_proposal=True)).ticket_is(TicketStatus.DISCUSSING)


def test_whatever_a_risky_role_does_is_discussed_first() -> None:
    risky = opened(task(owner=FOR_AGENT), roles=(CAREFUL,)).ticket_is(TicketStatus.DISCUSSING)
    assert risky.ticket().task.risk == "low"
    opened(task()).ticket_is(TicketStatus.PENDING)


def test_a_leader_ticks_it_for_a_ticket_that_is_there() -> None:
    said = {"ticket_id": "T-1", "is_high_risk": True, "risk_reason": "It cannot be undone."}
    scenario = opened(task(owner=FOR_AGENT)).does(asked.ChangeChecking, by=REQUESTER, **said)
    scenario.ticket_is(TicketStatus.DISCUSSING).owing("propose-T-1-1")
    assert scenario.ticket().task.risk_reason == "It cannot be undone."
    scenario.does(asked.ChangeChecking, by=REQUESTER, **said).is_refused(IllegalStep)
    scenario.does(asked.ChangeChecking, by=ANN, **{**said, "is_high_risk": False}).is_refused(NotAllowed)


def test_a_leader_ticks_it_for_a_ticket_that_is_added() -> None:
    added = opened(task()).does(
        asked.AddTicket, by=REQUESTER, title="Migrate it", owner=FOR_AGENT, is_high_risk=True, risk_reason="Data."
    )
    assert added.ticket("T-2").status is TicketStatus.DISCUSSING
    assert added.ticket("T-2").task.risk_reason == "Data."
