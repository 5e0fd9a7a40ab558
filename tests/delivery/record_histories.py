"""Records histories of deliveries once: ``python -m tests.delivery.record_histories``.

What is recorded is never written again: a history must stay readable, whatever the code becomes.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.delivery.answers import PlannedTask
from engine.delivery.commands import StopDelivery
from engine.delivery.state import Delivery
from tests.recorded import HISTORIES, record

from .scenario import FOR_WRITER, REQUESTER, Scenario, instructed, reported, task

FOLDER: Final = HISTORIES / "delivery"


def _done() -> Scenario:
    """Two tasks of a plan, one after the other; the first is sent back once."""
    scenario = Scenario().opens().clarifies()
    scenario.plans(
        PlannedTask(task_id="a", title="Book the room", owner="ann"),
        PlannedTask(task_id="b", title="Write the invitation", owner="bo", depends_on=("a",)),
    )
    scenario.instructs().finishes().worked().reviews("changes_requested", notes="Which day?").finishes().worked()
    scenario.reviews().instructs("T-2").finishes("T-2", by="U_BO").worked("T-2").reviews(ticket_id="T-2")
    return scenario.reports()


def _stopped() -> Scenario:
    return instructed(task(), task("text", FOR_WRITER)).does(StopDelivery, by=REQUESTER).reports()


def _reviewing() -> Scenario:
    """The first ticket waits for its review, and the second for the first."""
    return reported(task(), task("text", FOR_WRITER, depends_on=("room",)))


RECORDED: Final[Mapping[str, Callable[[], Scenario]]] = {
    "done": _done,
    "stopped": _stopped,
    "reviewing": _reviewing,
}


def ending(state: Delivery) -> dict[str, Any]:
    return {
        "status": state.status.value,
        "reason": state.reason.value if state.reason else None,
        "tickets": {name: each.status.value for name, each in state.tickets.items()},
        "owners": {name: each.owner.person_id or each.owner.role_id for name, each in state.tickets.items()},
        "attempts": {name: len(each.attempts) for name, each in state.tickets.items()},
        "reports": {name: len(each.reports) for name, each in state.tickets.items()},
        "report": state.report.summary if state.report else None,
    }


if __name__ == "__main__":
    record(FOLDER, RECORDED, ending)
