"""One delivery from its beginning to its end."""

from engine.delivery.events import DeliveryEnded, ReviewGiven
from engine.delivery.state import Status, TicketStatus

from .scenario import FOR_AGENT, Scenario, instructed, reported, task


def test_a_ticket_of_a_person_and_one_of_an_agent_that_waits_for_it() -> None:
    scenario = instructed(task("room"), task("page", FOR_AGENT, depends_on=("room",)))
    scenario.finishes().owing("register-T-1-1").worked().ticket_is(TicketStatus.AWAITING_REVIEW).owing("review-T-1-1")
    scenario.reviews().ticket_is(TicketStatus.DONE).owing("instruct-T-2-1")
    scenario.instructs("T-2").owing("work-T-2-1").worked("T-2").reviews(ticket_id="T-2")
    scenario.stands(Status.REPORTING).owing("report-1").reports().stands(Status.COMPLETED)
    assert scenario.event(DeliveryEnded).is_complete


def test_a_goal_is_clarified_and_planned() -> None:
    scenario = Scenario().opens().stands(Status.CLARIFYING).owing("clarify-1")
    scenario.clarifies().stands(Status.PLANNING).owing("plan-1")


def test_the_requester_overrules_the_manager() -> None:
    scenario = reported().reviews("changes_requested", requested_changes=("more",))
    scenario.ticket_is(TicketStatus.IN_PROGRESS).decides().ticket_is(TicketStatus.DONE)
    assert scenario.event(ReviewGiven).by == "U_ASKS"
