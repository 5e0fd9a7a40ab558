"""How a delivery is told in the log, in metrics and on the demo's page: in words, and with nobody's words."""

from typing import Any, Final

from bot.texts import texts_in
from bot.views.delivery.descriptions import DESCRIPTIONS
from engine.delivery import commands as asked
from engine.delivery import events as said
from engine.delivery.terms import Brief, Cost, ExpectedOutput, TicketEvent
from engine.kernel import Event
from tests.delivery.scenario import ANN, BO, FOR_AGENT, REQUESTER, Scenario, task

SECRET: Final = "Xenon-77"
PLAIN: Final = (said.BudgetRaised, said.ReportBegun, said.TicketReset, said.Unblocked)
"""Told by their type alone."""


def history() -> list[Event]:
    """Everything is said in the same secret word."""
    told: dict[str, Any] = {"title": SECRET, "outputs": (ExpectedOutput(label=SECRET),), "deadline": "2027-01-20"}
    scenario = Scenario(brief=Brief(title=SECRET, goal=SECRET)).opens(
        task("room", **told), task("site", FOR_AGENT, **told)
    )
    scenario.instructs("T-1", summary=SECRET).instructs("T-2", summary=SECRET)
    scenario.does(asked.BlockTicket, by=ANN, ticket_id="T-1", why=SECRET)
    scenario.does(asked.AnswerBlock, by=REQUESTER, ticket_id="T-1", text=SECRET)
    scenario.does(asked.HandTicketOver, by=ANN, ticket_id="T-1", to=BO)
    scenario.does(asked.TakeTicket, by=BO, ticket_id="T-1")
    scenario.asks_leave("T-2").permits(ticket_id="T-2")
    scenario.worked("T-2", failure="exit", detail=SECRET, cost=Cost(usd=1.0))
    scenario.now = scenario.ticket("T-2").retry_at
    scenario.rings("retry-T-2").worked("T-2", summary=SECRET).reviews("changes_requested", "T-2", notes=SECRET)
    scenario.does(asked.RejectEnvelope, message=SECRET, source="worker_agent")
    scenario.does(asked.AddTicket, by=REQUESTER, title=SECRET)
    scenario.does(asked.DropTicket, by=REQUESTER, ticket_id="T-3", why=SECRET)
    scenario.does(asked.RaiseBudget, by=REQUESTER, usd=1.0)
    return scenario.does(asked.StopDelivery, by=REQUESTER).reports(SECRET).history


def test_whatever_happens_is_told_without_anybody_s_words() -> None:
    happened = history()
    assert {*map(type, happened)} >= {said.AttemptFailed, said.PermissionAsked, said.EnvelopeRejected, said.ReviewGiven}
    for event in happened:
        if line := DESCRIPTIONS.log_line(event):
            assert SECRET not in f"{line.text} {dict(line.fields)}"
        assert SECRET not in DESCRIPTIONS.summary(event, 0, {})


def test_what_is_worth_a_line_has_words_of_its_own() -> None:
    for event in history():
        if (line := DESCRIPTIONS.log_line(event)) and not isinstance(event, PLAIN):
            assert line.text != "an event was recorded", event.event_type
        if isinstance(event, TicketEvent):
            assert event.ticket_id in DESCRIPTIONS.summary(event, 0, {})


def test_an_end_is_a_success_where_everything_was_done_and_neither_where_it_was_stopped() -> None:
    ending = DESCRIPTIONS.endings[said.DeliveryEnded.event_type]
    assert ending({"reason": "all_done", "is_complete": True}).is_success is True
    assert ending({"reason": "time_is_up", "is_complete": False}).is_success is False
    assert ending({"reason": "stopped", "is_complete": False}).is_success is None


def test_every_alarm_is_told_in_words() -> None:
    for name in ("clarify", "end", "retry-T-1", "discuss-T-1", "late-T-1", "remind-T-1", "due-T-1"):
        assert DESCRIPTIONS.deadline(name, {}, texts_in("en")) != name
