"""What a negotiation lists in a person's digest: their open votes."""

from collections.abc import Collection, Sequence
from typing import Any

from bot.texts import Texts
from bot.views.kit.blocks import Block
from bot.views.kit.digest import DigestItem, Row, Waiting
from bot.views.kit.mrkdwn import Fit
from bot.views.negotiation.agenda import demand_line, open_seats, vote_line
from bot.views.negotiation.names import start_text, when_text
from bot.views.negotiation.voting.accept_all import accept_all_button, twin_accepts
from bot.views.negotiation.voting.delegates import delegates_of
from bot.views.negotiation.voting.participant_card import (
    card_round,
    decidable_seats,
    own_part,
    participant_card_key,
    place_text,
)
from bot.views.negotiation.voting.votes import LOOKS, buttons_of, prepared_line, vote_button
from engine.negotiation.state import Negotiation, Round, Seat


class NegotiationDigest:
    """A `DigestPart` (bot/views/kit/digest.py). An item is the number of a round and the agent id of a seat of it."""

    def readers(self, state: Negotiation) -> Collection[str]:
        return {*(each.user_id for each in state.invited.values() if each.user_id), *delegates_of(state)}

    def waiting(self, state: Negotiation, user: str) -> Sequence[Waiting]:
        opened = state.current
        if opened is None:
            return ()
        decidable = {each.agent_id for each in decidable_seats(state, len(state.rounds) - 1)}
        asked = opened.window.people_since(state.policy)
        return [
            Waiting(
                DigestItem(
                    stream=state.channel_id,
                    item=f"{opened.number}/{seat.agent_id}",
                    post=participant_card_key(_message(state, seat), seat.agent_id)
                    + ("" if seat.user_id == user else f"/{user}"),
                ),
                asked=asked,
                until=opened.window.people_until,
            )
            for seat in open_seats(state, user)
            if seat.user_id and seat.agent_id in decidable
        ]

    def language(self, state: Negotiation) -> str:
        return state.language

    def row(self, state: Negotiation, item: str, user: str, texts: Texts) -> Row:
        opened, seat = _seat(state, item)
        is_open = opened is not None and opened is state.current and seat in open_seats(state, user)
        if opened is None or seat is None or not is_open:
            voted = seat is not None and seat.human is not None and seat.human.by == user
            said = texts.say("✓ You have voted.") if voted else texts.say("✓ Nothing to decide here any more.")
            return Row(f"{demand_line(state, texts)}\n{said}")
        lines = [vote_line(state, seat, user, texts), *_part(state, opened, seat, texts), _twin_line(seat, texts)]
        return Row(
            "\n".join(each for each in lines if each),
            buttons_of(state, seat, vote_button(state, seat), texts),
            opened.window.people_until,
        )

    def together(self, items: Sequence[tuple[Any, str]], user: str, texts: Texts) -> list[Block]:
        found = [(state, *_seat(state, item)) for state, item in items]
        votes = [
            vote_button(state, seat)
            for state, opened, seat in found
            if opened and seat and opened is state.current and twin_accepts(seat, user)
        ]
        return accept_all_button(votes, texts)


def _message(state: Negotiation, seat: Seat) -> int:
    """Return the number of the round whose message shows somebody's part in the open one."""
    return card_round(state, len(state.rounds) - 1, seat.agent_id).number


def _seat(state: Negotiation, item: str) -> tuple[Round | None, Seat | None]:
    number, _, agent_id = item.partition("/")
    opened = next((each for each in state.rounds if str(each.number) == number), None)
    return opened, opened.seats.get(agent_id) if opened else None


def _part(state: Negotiation, opened: Round, seat: Seat, texts: Texts) -> tuple[str, str]:
    """What the person would do; and when and where."""
    part = own_part(state, state.proposals[opened.version - 1], seat.agent_id)
    if part is None:
        return "", ""
    fit = Fit()
    what = (fit.line(part.assignment.role, 60), fit.line(part.assignment.responsibility, 200))
    when = when_text(part.when, texts, part.today) or start_text(part.start_date, texts, fit, part.today)
    where = place_text(part, texts, fit)
    return (
        " – ".join(each for each in what if each),
        " · ".join(each for each in (f"📅 {when}" if when else "", f"📍 {where}" if where else "") if each),
    )


def _twin_line(seat: Seat, texts: Texts) -> str:
    if seat.prepared is not None:
        return prepared_line(seat.prepared, texts, Fit())
    if seat.twin is None:
        return texts.say("The twin has not voted, so it is yours to decide.")
    return LOOKS[seat.twin.feedback_type].a_twins(texts)
