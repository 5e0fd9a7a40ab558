"""Whoever has a ticket is given what earlier tickets have made, as files in their direct messages."""

import logging
from collections import deque
from collections.abc import Sequence
from functools import partial
from typing import Final

from slack_bolt.async_app import AsyncApp

from bot.listeners.delivery.owning import read_own_ticket
from bot.listeners.exports import upload
from bot.listeners.interaction import Click, on_click
from bot.listeners.services import Services
from bot.posts.failures import CallFailed
from bot.texts import Texts
from bot.views.delivery import owners_buttons as buttons
from bot.views.delivery.owners_files import not_sent, sent_above
from bot.views.delivery.owners_refusals import refused
from bot.views.delivery.ticket_status import made_before
from bot.views.kit.export.file import File
from bot.views.kit.mrkdwn import plain_line
from engine.delivery.state import Delivery, Ticket
from engine.delivery.terms import Artifact
from engine.errors import IllegalStep
from engine.workers.outputs import OutputRefused

log = logging.getLogger(__name__)

MOST: Final = 10
"""Files that are sent at once; the thread has all of them."""
LONGEST_TITLE: Final = 100
REMEMBERED: Final = 1_000
"""Clicks."""


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, buttons.RESULTS, partial(_clicked, deque(maxlen=REMEMBERED)), refused)


async def _clicked(taken: deque[str], click: Click) -> None:
    """
    Args:
        taken: the clicks that files were sent for: one that is delivered twice sends them once.
    """
    state, ticket = await read_own_ticket(click)
    found = files_for(state, ticket)
    if not found:
        raise IllegalStep("There is nothing that could be sent.")
    if click.cause in taken:
        return
    taken.append(click.cause)
    click.services.background.spawn(_send(click, state, found, await click.texts()))


def files_for(state: Delivery, ticket: Ticket) -> list[tuple[Ticket, Artifact]]:
    """What the tickets have made that it depends on, and is no link."""
    made = ((before, each) for before, artifacts in made_before(state, ticket) for each in artifacts)
    return [(before, each) for before, each in made if not each.is_link][:MOST]


async def _send(click: Click, state: Delivery, found: Sequence[tuple[Ticket, Artifact]], texts: Texts) -> None:
    missing = []
    for before, each in found:
        try:
            content = await click.services.workers.artifact(state.session_id, each.uri, each.digest)
            title = plain_line(each.label, LONGEST_TITLE) or "…"
            file = File(each.uri.rpartition("/")[2], title, content, (sent_above(before, each, texts),))
            await upload(click.client, [file], file.message, str(click.spot["channel"]), "")
        except (OutputRefused, CallFailed) as error:
            log.warning("%s of %s could not be sent: %r", each.uri, state.session_id, error)
            missing.append(each)
    if missing:
        click.tell(not_sent(missing, texts))
