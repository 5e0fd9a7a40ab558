"""Somebody accepts several parts at once: each vote is a command of its own, checked and recorded by itself."""

import asyncio
from collections.abc import Sequence
from typing import Final

from slack_bolt.async_app import AsyncApp

from bot.listeners.clicks import Click, on_click
from bot.listeners.negotiation.reading import read_negotiation
from bot.listeners.services import Services
from bot.views.negotiation import notices
from bot.views.negotiation.button_values import VoteButton
from bot.views.negotiation.voting import accept_all
from bot.views.negotiation.voting.accept_all import ACCEPT_ALL, Accepted, read_accept_all, twin_accepts
from engine.errors import Refusal
from engine.negotiation.commands import CastVote
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation, Seat
from engine.negotiation.voting.kinds import FeedbackType

AT_ONCE: Final = 30
"""Votes of one click; a button of ours names fewer."""


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, ACCEPT_ALL, _clicked, notices.refused)


async def _clicked(click: Click) -> None:
    """
    Raises:
        StoreError, TimeoutError: some may be recorded and others not; the same click again does no harm.
    """
    votes = read_accept_all(click.value)[:AT_ONCE]
    done = await asyncio.gather(*(_accept(click, each) for each in votes))
    click.tell(accept_all.told(done, await click.texts()))


async def _accept(click: Click, vote: VoteButton) -> Accepted:
    """
    Raises:
        StoreError, TimeoutError
    """
    title = ""
    try:
        state = await read_negotiation(click, vote.stream)
        own = state.seats_of(click.actor)
        title = state.demand_text if any(each.agent_id == vote.agent_id for each in own) else ""
        if (seat := _open_seat(state, vote, own)) and not twin_accepts(seat, click.actor):
            return Accepted(title, left=seat)
        # Whoever may not vote here is refused by the rules, and the refusal is on record.
        receipt = await click.services.gateway.send(click.key(vote.stream), RULEBOOK, _cast(click, vote))
    except Refusal as refusal:
        return Accepted(title, refusal=refusal)
    return Accepted(title, is_new=bool(receipt.events))


def _open_seat(state: Negotiation, vote: VoteButton, own: Sequence[Seat]) -> Seat | None:
    """Return the seat, if it is theirs and the vote is about the plan as it stands."""
    opened = state.current
    if opened is None or (opened.number, opened.digest) != (vote.round, vote.digest):
        return None
    return next((each for each in own if each.agent_id == vote.agent_id), None)


def _cast(click: Click, vote: VoteButton) -> CastVote:
    return CastVote(
        command_id=f"{click.cause}:{vote.stream}:{vote.round}:{vote.agent_id}",
        at=click.now(),
        by=click.actor,
        agent_id=vote.agent_id,
        round=vote.round,
        digest=vote.digest,
        feedback_type=FeedbackType.ACCEPT,
    )
