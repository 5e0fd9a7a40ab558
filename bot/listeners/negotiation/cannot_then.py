"""Somebody says on their card that they cannot then. It asks for nothing but the days, which are kept with their
profile; where their part is on one of these, it is their vote for another time as well.
"""

from contextlib import suppress

from slack_bolt.async_app import AsyncApp

from bot.listeners.directory.away import be_away
from bot.listeners.interaction import Click, Form, beside, on_click, on_form
from bot.listeners.negotiation.reading import read_negotiation
from bot.listeners.services import Services
from bot.views.directory import notices
from bot.views.directory.away_form import FIRST, away_form, read_days
from bot.views.kit.data_words import wanted_words
from bot.views.kit.modals import read_metadata
from bot.views.negotiation.button_values import CANNOT, CannotButton
from bot.views.negotiation.names import asked_on
from bot.views.negotiation.voting.participant_card import own_part
from engine.directory.rules import check_profile
from engine.errors import Refusal
from engine.facts.data import Days
from engine.facts.holding import Part, holds
from engine.negotiation.commands import CastVote
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation
from engine.negotiation.voting.kinds import FeedbackType


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, CANNOT, _open, notices.refused)
    on_form(app, services, CANNOT, _say, notices.refused, beside(FIRST))


async def _open(click: Click) -> None:
    button, texts = CannotButton.read(click.value), await click.texts()
    check_profile(await click.directory(), click.actor, button.agent_id, as_admin=False)
    await click.open_above(away_form(CANNOT, button.value(), texts, (button.first, button.last)))


async def _say(form: Form) -> None:
    button, texts = read_metadata(form.view, CannotButton), form.known_texts()
    first, last = read_days(form.view, texts)
    await be_away(form, button.agent_id, (first, last))
    state, away = await read_negotiation(form, button.stream), Days(first=first, last=last, allowed=False)
    if not _is_then(state, button, away):
        return
    vote = CastVote(
        command_id=form.cause,
        at=form.now(),
        by=form.actor,
        agent_id=button.agent_id,
        round=button.round,
        digest=button.digest,
        feedback_type=FeedbackType.NEGOTIATE,
        text=wanted_words(away, texts, asked_on(state)),
        change=away,
    )
    with suppress(Refusal):  # that they are away is kept, though it comes too late for this version
        await form.services.gateway.send(form.key(button.stream), RULEBOOK, vote)


def _is_then(state: Negotiation, button: CannotButton, away: Days) -> bool:
    opened = state.current
    if opened is None or (opened.number, opened.digest) != (button.round, button.digest):
        return False
    part = own_part(state, state.proposals[opened.version - 1], button.agent_id)
    return part is not None and holds(away, Part(when=part.when)).status == "broken"
