"""What says that its risk is high is discussed first, whoever has planned it."""

import pytest

from engine.delivery.answers import PlannedTask
from engine.delivery.state import TicketStatus
from engine.delivery.terms import ExpectedOutput, Task
from engine.kernel import HandedTask

from .scenario import BRIEF, FOR_AGENT, Scenario, opened, task

SAID = [
    "High risk: the room has no exit.",
    "This is irreversible.",
    "It cannot be undone",
    "高风险：数据会丢失",
    "此操作不可逆",
]
NOT_SAID = ["It may rain.", "Not high-risk.", "There is no high risk here", "并非高风险", "low risk", "highrisking"]


def outputs(label: str) -> dict[str, tuple[ExpectedOutput, ...]]:
    return {"outputs": (ExpectedOutput(label=label),)}


@pytest.mark.parametrize("text", SAID)
@pytest.mark.parametrize("where", ["risks", "outputs"])
def test_a_task_whose_risks_or_outputs_say_so_is_discussed_first(text: str, where: str) -> None:
    fields = {"risks": (text,)} if where == "risks" else outputs(text)
    opened(task(owner=FOR_AGENT, **fields)).ticket_is(TicketStatus.DISCUSSING).owing("propose-T-1-1")


@pytest.mark.parametrize("text", NOT_SAID)
def test_any_other_one_is_not(text: str) -> None:
    opened(task(owner=FOR_AGENT, risks=(text,))).ticket_is(TicketStatus.PENDING).owing("instruct-T-1-1")


def test_so_is_one_that_people_agreed_on() -> None:
    handed = HandedTask(task_id="a", title="A", owner="ann", expected_output="An irreversible move of the data")
    brief = type(BRIEF)(title="x", goal="Meet.", people=BRIEF.people, tasks=(handed,))
    Scenario(brief=brief).opens().ticket_is(TicketStatus.DISCUSSING)


def test_and_one_of_the_manager_that_did_not_say_so_itself() -> None:
    planned = PlannedTask(task_id="a", title="A", owner="ann", risks=("High risk of losing the data",))
    Scenario().opens().clarifies().plans(planned).ticket_is(TicketStatus.DISCUSSING)


def test_what_was_said_to_need_a_proposal_still_does() -> None:
    opened(Task(task_id="a", title="A", owner=FOR_AGENT, needs_proposal=True)).ticket_is(TicketStatus.DISCUSSING)
