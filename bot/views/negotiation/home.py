"""A person's negotiations in their App Home, and in the digest of what waits for them."""

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import Any, Final

from bot.texts import Texts
from bot.views.directory.buttons import ASK, Twin
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.button_values import StreamButton
from bot.views.kit.digest import DigestItem, Row, Waiting
from bot.views.kit.home_part import MOST, Agenda, HomePart, HomeSections, older_line
from bot.views.kit.mrkdwn import Fit
from bot.views.kit.story.buttons import with_page
from bot.views.negotiation.afterwards import promised_sections
from bot.views.negotiation.agenda import asked_line, demand_line, open_seats, vote_line, whose_seat
from bot.views.negotiation.button_values import CORRECT
from bot.views.negotiation.demand import question
from bot.views.negotiation.names import bold_name, start_text, when_text
from bot.views.negotiation.offers import offers
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
from engine.negotiation.afterwards.commitments import PROMISE
from engine.negotiation.inbox import DEMAND, ENDED_DEMAND, OPEN_OFFER, OPEN_VOTE, TWIN_VOTE
from engine.negotiation.offers.collecting import is_awaited
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


def sections(agenda: Agenda[Negotiation], user: str, texts: Texts) -> HomeSections:
    return HomeSections(
        asked=[*_asked(agenda, user, texts)],
        undecided=[*_votes(agenda, user, texts)],
        promised=[*promised_sections(agenda.promised, user, texts, agenda.threads)],
        own=[*_demands(agenda, texts)],
    )


def _asked(agenda: Agenda[Negotiation], user: str, texts: Texts) -> Iterator[Block]:
    for state in agenda.asked[:MOST]:
        yield blocks.section(asked_line(state, user, texts, agenda.thread(state.channel_id)))
        handle = StreamButton(stream=state.channel_id).value()
        is_first = any(is_awaited(state, each.agent_id) for each in state.answerable_offers(user))
        yield blocks.actions(
            blocks.button(texts.say("Answer…") if is_first else texts.say("Correct my offer…"), CORRECT, handle)
        )


def _votes(agenda: Agenda[Negotiation], user: str, texts: Texts) -> Iterator[Block]:
    seats = [(state, seat) for state in agenda.undecided for seat in open_seats(state, user)]
    said: Negotiation | None = None
    if together := accept_all_button(
        [vote_button(*each) for each in seats[:MOST] if twin_accepts(each[1], user)], texts
    ):
        yield blocks.actions(*together)
    for state, seat in seats[:MOST]:
        button = vote_button(state, seat)
        tell = whose_seat if state is said else partial(vote_line, state, thread=agenda.thread(state.channel_id))
        who = "" if seat.user_id == user else bold_name(seat.display_name, seat.agent_id, Fit())
        prepared = prepared_line(seat.prepared, texts, Fit(), who) if seat.prepared is not None else ""
        yield blocks.section("\n".join(each for each in (tell(seat, user, texts), prepared) if each) or "…")
        said = state
        yield blocks.actions(*buttons_of(state, seat, button, texts))
    if len(seats) > MOST:
        yield blocks.context(texts.count("…and {n} more", "…and {n} more", len(seats) - MOST))


def _demands(agenda: Agenda[Negotiation], texts: Texts) -> Iterator[Block]:
    yield blocks.header(texts.say("Your demands"))
    for each in agenda.own:
        told = demand_line(each, texts, agenda.thread(each.channel_id))
        yield with_page(blocks.section(told), each.channel_id, texts)
        if each.awaits_answer:
            yield question.buttons(each, texts)
        elif each.awaits_decision:
            yield offers.buttons(each, texts)
    if not agenda.own:
        yield blocks.section(texts.say("None so far. Tell me what you need."))
    if agenda.older:
        yield blocks.context(older_line(agenda.older, texts))
    yield blocks.actions(blocks.button(texts.say("New demand…"), ASK, Twin().value(), style="primary"))


HOME_PART: Final = HomePart(
    asked=OPEN_OFFER,
    undecided=OPEN_VOTE,
    promised=PROMISE,
    own=DEMAND,
    ended=ENDED_DEMAND,
    draw=sections,
    twin_votes=TWIN_VOTE,
    digest=NegotiationDigest(),
)
