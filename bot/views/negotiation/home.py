"""A person's negotiations in their App Home."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from bot.texts import Texts
from bot.views.directory.buttons import ASK, Twin
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.button_values import StreamButton
from bot.views.kit.home_part import MOST, Agenda, HomePart, HomeSections, older_line
from bot.views.kit.mrkdwn import Fit
from bot.views.kit.story.buttons import with_page
from bot.views.negotiation.afterwards import promised_sections
from bot.views.negotiation.agenda import asked_line, demand_line, open_seats, vote_line, whose_seat
from bot.views.negotiation.button_values import CORRECT
from bot.views.negotiation.demand import question
from bot.views.negotiation.digest import NegotiationDigest
from bot.views.negotiation.names import bold_name
from bot.views.negotiation.offers import offers
from bot.views.negotiation.voting.accept_all import accept_all_button, twin_accepts
from bot.views.negotiation.voting.votes import buttons_of, prepared_line, vote_button
from engine.negotiation.afterwards.commitments import PROMISE
from engine.negotiation.inbox import DEMAND, ENDED_DEMAND, OPEN_OFFER, OPEN_VOTE, TWIN_VOTE
from engine.negotiation.offers.collecting import is_awaited
from engine.negotiation.state import Negotiation


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
