"""Whoever asked for a delivery, or an admin, approves what was reported or requests changes, also over the Manager."""

import logging
from collections import deque
from functools import partial
from typing import Final

from slack_bolt.async_app import AsyncApp

from bot.listeners.delivery.deciding import decide, read_delivery, read_reviewed, send, ticket_of
from bot.listeners.exports import upload
from bot.listeners.interaction import Click, Form, beside, on_click, on_form
from bot.listeners.services import Services
from bot.posts.failures import CALL_ERRORS, CallFailed
from bot.views.delivery import notices
from bot.views.delivery.button_values import APPROVE, CHANGES, OPEN, EvidenceButton, TicketButton
from bot.views.delivery.forms_leading import TEXT, changes_form
from bot.views.delivery.owners_words import not_sent, sent_above
from bot.views.delivery.proof import opened_view
from bot.views.kit.export.file import File
from bot.views.kit.fields import entered_text
from bot.views.kit.modals import read_metadata
from bot.views.kit.mrkdwn import plain_line
from engine.delivery.commands import OpenEvidence, ReviewTicket
from engine.delivery.state import Ticket
from engine.delivery.terms import Artifact
from engine.delivery.tickets.owners import may_review
from engine.errors import EngineError, NotAllowed, Outdated
from engine.workers.outputs import OutputRefused

log = logging.getLogger(__name__)

LONGEST_TITLE: Final = 100
REMEMBERED: Final = 1_000
"""Clicks."""


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, OPEN, partial(_opens, deque(maxlen=REMEMBERED)), notices.refused)
    on_click(app, services, APPROVE, _approves, notices.refused)
    on_click(app, services, CHANGES, _clicked, notices.refused)
    on_form(app, services, CHANGES, _requested, notices.refused, beside(TEXT))


async def _opens(taken: deque[str], click: Click) -> None:
    """Remember that somebody has opened a link, which their own Slack opens, or show them alone what was made first.

    Args:
        taken: the clicks that files were sent for: one that is delivered twice sends them once.
    """
    button = EvidenceButton.read(click.value)
    state = await read_delivery(click, button.stream)
    ticket, as_admin = ticket_of(state, button.ticket), await click.is_admin()
    if not may_review(state, ticket, click.actor, as_admin=as_admin):
        raise NotAllowed("Only who may approve this ticket looks at what was shown for it.")
    report = ticket.reports[button.report - 1] if 0 < button.report <= len(ticket.reports) else None
    if report is None or not 0 < button.output <= len(report.artifacts):
        raise Outdated("That was not shown here.")
    made = report.artifacts[button.output - 1]
    command = OpenEvidence(
        command_id=click.cause,
        at=click.now(),
        by=click.actor,
        as_admin=as_admin,
        ticket_id=button.ticket,
        report=button.report,
        output=button.output,
    )
    if made.is_link:
        await send(click, button.stream, command)
        return
    texts = await click.texts()
    try:
        content = await click.services.workers.artifact(state.session_id, made.uri, made.digest)
    except OutputRefused as error:
        log.warning("%s of %s could not be shown: %r", made.uri, state.session_id, error)
        click.tell(not_sent([made], texts))
        return
    if (view := opened_view(made, content, texts)) is not None:
        await click.open_above(view)
        await send(click, button.stream, command)
    elif click.cause not in taken:
        taken.append(click.cause)
        click.services.background.spawn(_sends(click, ticket, made, content, button.stream, command))


async def _sends(
    click: Click, ticket: Ticket, made: Artifact, content: bytes, stream: str, command: OpenEvidence
) -> None:
    """Send what cannot be read at once into their direct messages; it is opened once it is there."""
    texts = await click.texts()
    try:
        opened = await click.client.conversations_open(users=click.user)
        title = plain_line(made.label, LONGEST_TITLE) or "…"
        file = File(made.uri.rpartition("/")[2], title, content, (sent_above(ticket, made, texts),))
        await upload(click.client, [file], file.message, str(opened["channel"]["id"]), "")
        await send(click, stream, command)
        click.tell(notices.file_sent(texts))
    except (EngineError, CallFailed, *CALL_ERRORS) as error:
        log.warning("%s of %s could not be sent: %r", made.uri, stream, error)
        click.tell(not_sent([made], texts))


async def _approves(click: Click) -> None:
    button = TicketButton.read(click.value)
    await read_delivery(click, button.stream)
    await decide(click, button, ReviewTicket, approves=True, report=button.report)


async def _clicked(click: Click) -> None:
    button = TicketButton.read(click.value)
    state, ticket = await read_reviewed(click, button)
    await click.open(changes_form(state, ticket, button, await click.texts()))


async def _requested(form: Form) -> None:
    button = read_metadata(form.view, TicketButton)
    await read_delivery(form, button.stream)
    changes = entered_text(form.values, TEXT)
    await decide(form, button, ReviewTicket, approves=False, changes=changes, report=button.report)
