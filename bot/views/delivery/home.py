"""A person's deliveries in their App Home: tickets of theirs, what waits for their decision, what they asked for."""

from collections.abc import Iterator
from typing import Final

from bot.texts import Texts
from bot.views.delivery.board import picture, progress, status_line
from bot.views.delivery.button_values import CLARIFY, ClarifyButton
from bot.views.delivery.decisions import buttons
from bot.views.delivery.names import need_text, status_text, ticket_title
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.days import day_text
from bot.views.kit.home_part import Agenda, HomePart, HomeSections, older_line, where_line
from bot.views.kit.mrkdwn import Fit, safe_line
from bot.views.kit.story.buttons import with_pages
from engine.delivery.inbox import DECISION, DELIVERY, ENDED_DELIVERY, TICKET, waits_for_owner
from engine.delivery.state import Delivery, Status, Ticket

MOST_TICKETS: Final = 12
MOST_UNDECIDED: Final = 3
"""Decisions that are shown with their buttons: the page has 100 blocks for everything."""
MOST_OWN: Final = 3
"""Blocks in which a person's deliveries are told."""


def sections(agenda: Agenda[Delivery], user: str, texts: Texts) -> HomeSections:
    return HomeSections(
        asked=[*_tickets(agenda, user, texts)], undecided=[*_undecided(agenda, texts)], own=[*_own(agenda, texts)]
    )


# ── tickets of theirs ─────────────────────────────────────────────────────────────────────────────────────────────


def _tickets(agenda: Agenda[Delivery], user: str, texts: Texts) -> Iterator[Block]:
    lines = [
        _ticket_line(state, each, user, texts)
        for state in agenda.asked
        if state.status is Status.WORKING
        for each in state.tickets.values()
        if _is_theirs(each, user)
    ]
    if not lines:
        return
    hidden = len(lines) - MOST_TICKETS
    more = [texts.count("…and {n} more ticket", "…and {n} more tickets", hidden)] if hidden > 0 else []
    yield from blocks.titled_list(texts.say("*Your tickets*"), [*lines[:MOST_TICKETS], *more])


def _is_theirs(ticket: Ticket, user: str) -> bool:
    is_asked = ticket.hand_over_to == user and ticket.is_open
    return is_asked or (ticket.owner.user_id == user and waits_for_owner(ticket))


def _ticket_line(state: Delivery, ticket: Ticket, user: str, texts: Texts) -> str:
    fit = Fit()
    what = status_text(ticket, texts)
    if ticket.hand_over_to == user:
        what = texts.say("you are asked to take it")
    due = day_text(ticket.task.deadline, state.brief.today, texts, fit)
    when = texts.say("by {day}", day=due) if due else ""
    return " · ".join(
        part for part in (f"• {ticket_title(ticket, fit, 120)}", what, when, f"“{_title(state)}”") if part
    )


# ── what waits for their decision ─────────────────────────────────────────────────────────────────────────────────


def _undecided(agenda: Agenda[Delivery], texts: Texts) -> Iterator[Block]:
    found = [each for state in agenda.undecided for each in _decisions(state, agenda, texts)]
    for said, row in found[:MOST_UNDECIDED]:
        yield blocks.section(said)
        yield blocks.actions(*row)
    if hidden := len(found[MOST_UNDECIDED:]):
        yield blocks.context(texts.count("…and {n} more", "…and {n} more", hidden))


def _decisions(state: Delivery, agenda: Agenda[Delivery], texts: Texts) -> Iterator[tuple[str, list[Block]]]:
    """What is told, and its buttons."""
    if (asked := state.open_clarification) is not None:
        value = ClarifyButton(stream=state.session_id, number=asked.number).value()
        said = texts.say("• “{title}”: the Manager has questions", title=_title(state))
        yield _with_where(said, state, agenda, texts), [blocks.button(texts.say("Answer…"), CLARIFY, value)]
    if state.status is not Status.WORKING:
        return
    for ticket in state.tickets.values():
        waiting = ticket.open_decision
        if waiting is not None:
            said = f"• {ticket_title(ticket, Fit(), 120)}: {need_text(waiting.need, texts)} · “{_title(state)}”"
            yield _with_where(said, state, agenda, texts), buttons(state, ticket, waiting, texts)


# ── what they asked for ───────────────────────────────────────────────────────────────────────────────────────────


def _own(agenda: Agenda[Delivery], texts: Texts) -> Iterator[Block]:
    """Nothing, not even a heading, for whoever has never asked for a delivery."""
    if not agenda.own:
        return
    yield blocks.header(texts.say("Your deliveries"))
    yield from with_pages([(_own_line(each, agenda, texts), each.session_id) for each in agenda.own], texts, MOST_OWN)
    if agenda.older:
        yield blocks.context(older_line(agenda.older, texts))


def _own_line(state: Delivery, agenda: Agenda[Delivery], texts: Texts) -> str:
    bar = f" {picture(*progress(state))}" if state.status is Status.WORKING else ""
    said = texts.say("• “{title}”: {status}", title=_title(state), status=status_line(state, texts))
    return _with_where(said + bar, state, agenda, texts)


def _with_where(said: str, state: Delivery, agenda: Agenda[Delivery], texts: Texts) -> str:
    where = where_line(state.place.channel, agenda.thread(state.session_id), texts)
    return " · ".join(each for each in (said, where) if each)


def _title(state: Delivery) -> str:
    return safe_line(state.brief.title or state.brief.goal, 120) or "…"


HOME_PART: Final = HomePart(own=DELIVERY, undecided=DECISION, ended=ENDED_DELIVERY, draw=sections, asked=TICKET)
