"""The App Home as a whole: a pure function of what is known about somebody."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from bot.texts import Texts
from bot.views.directory.admins import Overview, for_admins
from bot.views.directory.buttons import ASK, Twin
from bot.views.directory.twin import own_twin
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.button_values import StreamButton
from bot.views.negotiation.agenda import MOST, asked_line, demand_line, open_seats, vote_line, whose_seat
from bot.views.negotiation.button_values import CORRECT, VoteButton
from bot.views.negotiation.vote_buttons import vote_buttons
from engine.directory.state import Entry
from engine.negotiation.state import Negotiation


@dataclass(frozen=True, slots=True)
class Home:
    """All that the page is made of."""

    user_id: str
    twin: tuple[str, Entry] | None
    """Agent id and entry; None for whoever has none."""
    offers: Sequence[Negotiation]
    """Where they were asked, and can still answer in place of their twin."""
    votes: Sequence[Negotiation]
    """Where they can still vote."""
    demands: Sequence[Negotiation]
    """Theirs, what moved last first."""
    older: int = 0
    """How many demands more there are."""
    overview: Overview | None = None
    """For admins."""


def home(page: Home, texts: Texts) -> dict[str, Any]:
    """A view for ``views.publish``: what waits for them, what they wait for, and then who they are here."""
    agent_id, entry = page.twin or ("", None)
    return {
        "type": "home",
        "blocks": [
            *_asked(page, texts),
            blocks.header(texts.say("Your open votes")),
            *_votes(page, texts),
            blocks.divider(),
            blocks.header(texts.say("Your demands")),
            *_demands(page, texts),
            blocks.divider(),
            blocks.header(texts.say("Your digital twin")),
            *own_twin(agent_id, entry, texts),
            *([blocks.divider(), *for_admins(page.overview, texts)] if page.overview else []),
        ],
    }


def _asked(page: Home, texts: Texts) -> Iterator[Block]:
    """Where there is nothing, nothing is said: it is seldom, and over soon."""
    if not page.offers:
        return
    yield blocks.header(texts.say("You are asked"))
    for state in page.offers[:MOST]:
        yield blocks.section(asked_line(state, page.user_id, texts))
        handle = StreamButton(stream=state.channel_id).value()
        yield blocks.actions(blocks.button(texts.say("Correct my offer…"), CORRECT, handle))
    yield blocks.divider()


def _votes(page: Home, texts: Texts) -> Iterator[Block]:
    seats = [(state, seat) for state in page.votes for seat in open_seats(state, page.user_id)]
    said: Negotiation | None = None
    for state, seat in seats[:MOST]:
        latest = state.rounds[-1]
        ballot = VoteButton(stream=state.channel_id, round=latest.number, digest=latest.digest, agent_id=seat.agent_id)
        tell = whose_seat if state is said else partial(vote_line, state)
        yield blocks.section(tell(seat, page.user_id, texts) or "…")
        said = state
        yield blocks.actions(*vote_buttons(ballot, texts))
    if not seats:
        yield blocks.section(texts.say("None: nobody is waiting for you."))
    if len(seats) > MOST:
        yield blocks.context(texts.count("…and {n} more", "…and {n} more", len(seats) - MOST))


def _demands(page: Home, texts: Texts) -> Iterator[Block]:
    shown = [demand_line(each, texts) for each in page.demands]
    yield from blocks.sections(shown or [texts.say("None so far. Tell me what you need.")])
    if page.older:
        yield blocks.context(texts.count("…and {n} older one", "…and {n} older ones", page.older))
    yield blocks.actions(blocks.button(texts.say("New demand…"), ASK, Twin().value(), style="primary"))
