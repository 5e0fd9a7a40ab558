"""Whoever leads says how risky a ticket is and who approves it; whom it names approves it, and the cards say so."""

from __future__ import annotations

import pytest

from bot.views.delivery.button_values import ADD, APPROVE, CHANGES, CHECKING, TICKETS
from bot.views.delivery.checking import CHECKER, REASON, RISK
from bot.views.delivery.forms_leading import TEXT, TITLE
from bot.views.delivery.forms_owning import ACTION, WHICH
from engine.delivery.commands import AnswerBlock, BlockTicket, FinishTicket, HandTicketOver, StartTicket, TakeTicket
from engine.delivery.state import TicketStatus
from engine.delivery.terms import Evidence

from .conftest import Begin
from .driver import ADMIN, AYA, BO, YOU, shows, text_of
from .leading import AGENT, Led, led
from .ticketing import persons, task

SHOWN = (Evidence(label="Result", text="It is booked."),)


async def asked_of(it: Led, ticket: str = "T-1", **said: str) -> None:
    """Fill in the form about the risk of a ticket, and who approves it."""
    form = (await it.fills(YOU, await it.opens(YOU, TICKETS), **{WHICH: ticket})).modal
    assert form is not None
    form = (await it.fills(YOU, form, **{ACTION: CHECKING})).modal
    assert form is not None
    await it.fills(YOU, form, **said)


async def test_it_is_said_in_the_form_and_stands_on_the_board(driver: Begin) -> None:
    it = await led(driver, task("room", persons(AYA)), task("code", AGENT, depends_on=("room",)))

    await asked_of(it, "T-2", **{RISK: "high", REASON: "It cannot be undone", CHECKER: BO})

    found = (await it.ticket("T-2")).task
    assert (found.risk, found.risk_reason, found.checked_by) == ("high", "It cannot be undone", BO)
    board = text_of((await it.posts())["board"])
    assert "high risk: It cannot be undone" in board
    assert BO in board.partition("approves it")[0]


async def test_whom_it_names_may_approve_and_want_changes_and_nobody_else(driver: Begin) -> None:
    it = await led(driver, task(owner=AGENT, checked_by=BO))
    card = (await it.posts())["decision-T-1-1"]
    assert f"<@{BO}>" in text_of(card)
    assert shows(card, APPROVE)

    await it.acts(AYA, APPROVE)
    assert (await it.ticket()).status is TicketStatus.AWAITING_REVIEW
    await it.fills(BO, await it.opens(BO, CHANGES), **{TEXT: "Larger"})
    assert [len((await it.ticket()).reports), (await it.ticket()).status] == [2, TicketStatus.AWAITING_REVIEW]
    await it.acts(BO, APPROVE)

    assert (await it.ticket()).status is TicketStatus.DONE


async def test_who_was_to_check_it_and_takes_it_over_is_not_asked_to(driver: Begin) -> None:
    it = await led(driver, task("room", persons(AYA), checked_by=BO))
    await it.does(HandTicketOver, by=AYA, ticket_id="T-1", to=BO)
    await it.does(TakeTicket, by=BO, ticket_id="T-1")
    await it.does(FinishTicket, by=BO, ticket_id="T-1", evidence=SHOWN)

    card = text_of((await it.posts())["decision-T-1-1"])
    assert f"<@{YOU}> approves it instead of <@{BO}>, who did it or showed it" in card
    await it.acts(BO, APPROVE)
    assert (await it.ticket()).status is TicketStatus.AWAITING_REVIEW
    await it.acts(YOU, APPROVE)
    assert (await it.ticket()).status is TicketStatus.DONE


async def test_who_shows_it_for_its_owner_chooses_who_checks_it(driver: Begin) -> None:
    it = await led(driver, task("room", persons(AYA), checked_by=YOU))
    await it.does(FinishTicket, by=YOU, ticket_id="T-1", evidence=SHOWN)

    card = (await it.posts())["decision-T-1-1"]
    assert not shows(card, APPROVE)
    assert f"<@{YOU}> was to approve it, but did it or showed it: choose somebody else" in text_of(card)
    await it.fills(YOU, await it.opens(YOU, CHECKING), **{CHECKER: BO})
    assert shows((await it.posts())["decision-T-1-1"], APPROVE)
    await it.acts(YOU, APPROVE)
    assert (await it.ticket()).status is TicketStatus.AWAITING_REVIEW
    await it.acts(BO, APPROVE)
    assert (await it.ticket()).status is TicketStatus.DONE


async def test_who_asked_is_told_that_whoever_was_to_check_it_is_gone(driver: Begin) -> None:
    it = await led(driver, task("room", persons(AYA), checked_by=BO))
    await it.it.demo.workspace.admin.deactivate(BO)
    await it.does(FinishTicket, by=AYA, ticket_id="T-1", evidence=SHOWN)

    asked_anew = (await it.posts())["decision-T-1-2"]
    assert f"<@{YOU}> approves it instead of <@{BO}>, who has no account any more" in text_of(asked_anew)
    assert shows(asked_anew, CHECKING)
    await it.fills(YOU, await it.opens(YOU, CHECKING), **{CHECKER: ADMIN})
    assert await it.direct(ADMIN)
    await it.acts(ADMIN, APPROVE)
    assert (await it.ticket()).status is TicketStatus.DONE


async def test_whom_it_names_is_told_by_a_message_of_their_own(driver: Begin) -> None:
    it = await led(driver, task("room", persons(AYA), checked_by=BO))
    await it.does(FinishTicket, by=AYA, ticket_id="T-1", evidence=SHOWN)
    [told] = (await it.direct(BO)).values()
    assert "T-1 “Do room” waits for your approval" in text_of(told)


async def test_who_does_something_for_its_owner_is_named(driver: Begin) -> None:
    it = await led(driver, task("room", persons(AYA)))
    await it.does(StartTicket, by=YOU, ticket_id="T-1")
    assert f"for you by <@{YOU}>" in text_of((await it.direct(AYA))["ticket-T-1-1"])
    await it.does(BlockTicket, by=YOU, ticket_id="T-1", why="The key is missing")
    assert f"<@{YOU}> says for *Aya* that they cannot go on" in text_of((await it.posts())["decision-T-1-1"])
    assert f"<@{YOU}> has said so for you" in text_of((await it.direct(AYA))["ticket-T-1-1"])
    await it.does(AnswerBlock, by=YOU, ticket_id="T-1", text="It hangs at the door")
    await it.does(FinishTicket, by=YOU, ticket_id="T-1", evidence=SHOWN)
    assert f"<@{YOU}> says for *Aya* that it is done" in text_of((await it.posts())["decision-T-1-2"])
    assert f"<@{YOU}> has shown it for you" in text_of((await it.direct(AYA))["ticket-T-1-1"])
    await it.acts(YOU, APPROVE)
    assert f"*Aya* · Result · shown by <@{YOU}> · approved by <@{YOU}>" in text_of((await it.posts())["report"])


async def test_who_does_their_own_is_named_alone(driver: Begin) -> None:
    it = await led(driver, task("room", persons(AYA), checked_by=BO))
    await it.does(FinishTicket, by=AYA, ticket_id="T-1", evidence=SHOWN)
    assert "*Aya* says that it is done" in text_of((await it.posts())["decision-T-1-1"])
    assert "for you" not in text_of((await it.direct(AYA))["ticket-T-1-1"])


@pytest.mark.parametrize(("risk", "status"), [("high", TicketStatus.DISCUSSING), ("low", TicketStatus.PENDING)])
async def test_a_ticket_is_added_with_its_risk(driver: Begin, risk: str, status: TicketStatus) -> None:
    it = await led(driver, task(), task("wait", persons(BO), depends_on=("room",)))

    await it.fills(YOU, await it.opens(YOU, ADD), **{TITLE: "Delete it", RISK: risk, REASON: "Public", "person": AYA})

    added = await it.ticket("T-3")
    assert added.task.risk == risk
    assert added.task.risk_reason == ("Public" if risk == "high" else "")
    assert (added.status is status) or (risk == "low" and added.status is TicketStatus.IN_PROGRESS)
