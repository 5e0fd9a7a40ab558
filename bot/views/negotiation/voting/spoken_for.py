"""The message for whoever asked with what twins that are linked to nobody have prepared, which they may give."""

from collections.abc import Iterator
from functools import partial

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.fit import Fit
from bot.views.kit.mrkdwn import local_time
from bot.views.kit.post import Post
from bot.views.kit.readers import Readers
from bot.views.negotiation.button_values import VoteButton
from bot.views.negotiation.direct_messages import demand_line, direct_message, thread_link
from bot.views.negotiation.names import bold_name
from bot.views.negotiation.voting.kinds import LOOKS
from bot.views.negotiation.voting.prepared import buttons_of, prepared_line
from engine.negotiation.state import Negotiation, Round, Seat


def for_requester(state: Negotiation, number: int, readers: Readers) -> Iterator[Post]:
    """One for each round in which there is any. ``number`` counts rounds from 0."""
    shown = state.rounds[number]
    seats = [each for each in shown.seats.values() if each.prepared is not None and not each.user_id]
    if not seats:
        return
    key = f"prepared-{shown.number}"
    texts = readers.texts(state.requester_id, key)
    title = texts.say("“{demand}”: votes are prepared for you to give", demand=demand_line(state, Fit()))
    awaited = [each for each in seats if state.current is shown and each.human is None]
    card = partial(_card, state, shown, seats, title, texts, readers.address(""))
    until = max(map(shown.open_until, awaited), default=0)
    yield direct_message(state, key, state.requester_id, title, texts, card, is_late=not awaited, until=until)


def _card(
    state: Negotiation, shown: Round, seats: list[Seat], title: str, texts: Texts, thread: str, fit: Fit
) -> list[Block]:
    card = [blocks.section(f"*{title.replace('*', '')}*")]
    for seat in seats:
        card += _seat(state, shown, seat, texts, fit)
    if state.current is shown:
        until = max(map(shown.open_until, seats))
        said = texts.say(
            "Open until {moment}. If you say nothing, nobody takes it for a yes.", moment=local_time(until, texts)
        )
        card.append(blocks.context(said))
    return [*card, *thread_link(state, texts, thread)]


def _seat(state: Negotiation, shown: Round, seat: Seat, texts: Texts, fit: Fit) -> list[Block]:
    who = bold_name(seat.display_name, seat.agent_id, fit)
    if seat.human is not None:
        return [blocks.section(LOOKS[seat.human.feedback_type].theirs(texts, who))]
    if state.current is not shown:
        return [blocks.section(texts.say("▫️ {who} gave no answer", who=who))]
    if seat.prepared is None or state.requester_id not in state.voters_for(seat.agent_id):
        return [blocks.section(texts.say("⏳ {who}: waits for an admin, or whoever loaded the profile", who=who))]
    button = VoteButton(stream=state.channel_id, round=shown.number, digest=shown.digest, agent_id=seat.agent_id)
    return [
        blocks.section(prepared_line(seat.prepared, texts, fit, who)),
        blocks.actions(*buttons_of(state, seat, button, texts)),
    ]
