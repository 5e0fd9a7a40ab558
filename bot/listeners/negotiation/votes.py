"""Somebody votes with a button, or with the form behind it. The vote is checked at the click and again at the form."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Final

from slack_bolt.async_app import AsyncApp

from bot.listeners.directory.telling import check_room, own_twin, tell_own_twin
from bot.listeners.interaction import Answer, Click, Form, Interaction, on_click, on_form, shows
from bot.listeners.negotiation.intake import read_negotiation, speaks_for
from bot.listeners.private_messages import tell
from bot.listeners.services import Services
from bot.texts import Texts
from bot.views.negotiation import notices
from bot.views.negotiation.button_values import VoteButton, vote_action
from bot.views.negotiation.names import asked_on
from bot.views.negotiation.offers.offers import limits_block
from bot.views.negotiation.voting import accept_all
from bot.views.negotiation.voting.accept_all import ACCEPT_ALL, Accepted, read_accept_all, twin_accepts
from bot.views.negotiation.voting.vote_forms import SEAT, WHY, OpenedVoteForm, read_vote, vote_form
from bot.views.negotiation.voting.votes import BUTTONS
from bot.views.negotiation.voting.wish_fields import ABOUT, CHANGE, asks_for_data, day_of, read_wish, with_data
from engine.errors import Duplicate, Refusal
from engine.facts.data import Datum
from engine.negotiation.commands import CastVote
from engine.negotiation.errors import InvalidVote
from engine.negotiation.events import FeedbackEvaluated
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation, Seat
from engine.negotiation.voting.kinds import FeedbackType
from engine.negotiation.voting.votes import check_vote
from engine.runtime.runtime import Receipt

KINDS: Final[Mapping[str, FeedbackType]] = {vote_action(kind): kind for kind in BUTTONS}
"""By the name of the button, and of the form behind it."""
AT_ONCE: Final = 30
"""Votes of one click; a button of ours names fewer."""


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, ACCEPT_ALL, _accept_all, notices.refused)
    for name in KINDS:
        on_click(app, services, name, _clicked, notices.refused)
        on_form(app, services, name, _sent, notices.refused, _field)
    on_click(app, services, ABOUT, _chosen)


async def _chosen(click: Click) -> None:
    """Show the fields of what somebody says that should change."""
    await click.redraw(with_data(click.body["view"], await click.texts()))


async def _clicked(click: Click) -> None:
    button = VoteButton.read(click.value)
    state = await read_negotiation(click, button.stream)
    seats = [each for each in state.seats_of(click.actor) if button.agent_id in ("", each.agent_id)]
    vote = KINDS[click.name]
    try:
        if spoken_for := await _spoken_for(click, state, button):
            await _open_form(click, state, button, [*seats, *spoken_for], spoken_for)
        elif seats and (len(seats) > 1 or BUTTONS[vote].form):
            await _open_form(click, state, button, seats)
        else:
            # Somebody without a seat is refused by the rules, and the refusal is on record.
            await _vote(click, state, button, seats[0].agent_id if seats else button.agent_id)
    except Refusal:
        if seats:
            raise
        say = notices.no_own_seat if click.actor == state.requester_id else notices.no_seat
        click.tell(say(await click.texts()))


async def _spoken_for(click: Click, state: Negotiation, button: VoteButton) -> list[Seat]:
    """The seats of people linked to nobody that wait, and that somebody speaks for: not for their own demand."""
    if click.actor == state.requester_id or not state.rounds:
        return []
    waiting = [each for each in state.rounds[-1].seats.values() if each.is_in_doubt and not each.user_id]
    asked = [each for each in waiting if button.agent_id in ("", each.agent_id)]
    return [each for each in asked if await speaks_for(click, each.agent_id)]


async def _open_form(
    click: Click, state: Negotiation, button: VoteButton, seats: Sequence[Seat], spoken_for: Sequence[Seat] = ()
) -> None:
    """Args: spoken_for: those of the seats whose people are linked to nobody, and whose limits are shown."""
    texts = await click.texts()
    first, is_spoken_for = seats[0].agent_id, seats[0] in spoken_for
    check_vote(state, click.actor, first, button.round, button.digest, click.now(), as_admin=is_spoken_for)
    spot = click.spot
    opened = OpenedVoteForm(
        stream=button.stream,
        round=button.round,
        digest=button.digest,
        channel=spot.get("channel", ""),
        thread=spot.get("thread_ts", ""),
        ts=click.body["container"].get("message_ts", ""),
        vote=KINDS[click.name],
        agent_id=seats[0].agent_id if len(seats) == 1 else None,
    )
    is_own = any(each.user_id == click.actor for each in seats)
    may_tell = is_own and await own_twin(click) is not None
    limits = limits_block(state, spoken_for, texts)
    prepared = seats[0].prepared if opened.agent_id and not is_spoken_for else None
    view = vote_form(opened, seats, texts, may_tell=may_tell, prepared=prepared)
    await click.open({**view, "blocks": [*limits, *view["blocks"]]})


async def _vote(click: Click, state: Negotiation, button: VoteButton, agent_id: str) -> None:
    cast = _cast(click, click.cause, button, KINDS[click.name], agent_id)
    receipt = await click.services.gateway.send(click.key(button.stream), RULEBOOK, cast)
    if not receipt.events:
        # The thread shows a new vote. One that was there already changes nothing.
        raise Duplicate("That vote stands already.")
    if click.spot.get("thread_ts") and _is_unseen(state, receipt):
        click.tell(_recorded(cast, state, click.known_texts()))


async def _sent(form: Form) -> Answer | None:
    sent = read_vote(form.view)
    if asks_for_data(form.view):
        return shows(with_data(form.view, form.known_texts()))
    state = await read_negotiation(form, sent.vote_button.stream)
    await check_room(form)
    agent_id = sent.agent_id or ""
    text, reason, change = sent.why, "", None
    if sent.vote.kind.asks:
        text, change = read_wish(form.values, form.known_texts(), asked_on(state), day_of(state))
        reason = sent.why
    may_speak = await speaks_for(form, agent_id)
    cast = _cast(form, form.cause, sent.vote_button, sent.vote, agent_id, text, reason, change, as_admin=may_speak)
    receipt = await form.services.gateway.send(form.key(sent.vote_button.stream), RULEBOOK, cast)
    if sent.thread and _is_unseen(state, receipt):
        where = {"channel": sent.channel, "thread_ts": sent.thread, "user": form.user}
        tell(form.services, form.client, where, _recorded(cast, state, form.known_texts()))
    await tell_own_twin(form)
    return None


async def _accept_all(click: Click) -> None:
    """Accept several parts at once. Each vote is a command of its own, checked and recorded by itself.

    Raises:
        StoreError, TimeoutError: some may be recorded and others not; the same click again does no harm.
    """
    votes = read_accept_all(click.value)[:AT_ONCE]
    done = await asyncio.gather(*(_accept(click, each) for each in votes))
    click.tell(accept_all.told(done, await click.texts()))


async def _accept(click: Click, vote: VoteButton) -> Accepted:
    """Accept one of several open votes, unless something has changed since."""
    title = ""
    try:
        state = await read_negotiation(click, vote.stream)
        own = state.seats_of(click.actor)
        title = state.demand_text if any(each.agent_id == vote.agent_id for each in own) else ""
        if (seat := _open_seat(state, vote, own)) and not twin_accepts(seat, click.actor):
            return Accepted(title, left=seat)
        # Whoever may not vote here is refused by the rules, and the refusal is on record.
        cause = f"{click.cause}:{vote.stream}:{vote.round}:{vote.agent_id}"
        cast = _cast(click, cause, vote, FeedbackType.ACCEPT, vote.agent_id)
        receipt = await click.services.gateway.send(click.key(vote.stream), RULEBOOK, cast)
    except Refusal as refusal:
        return Accepted(title, refusal=refusal)
    return Accepted(title, is_new=bool(receipt.events))


def _open_seat(state: Negotiation, vote: VoteButton, own: Sequence[Seat]) -> Seat | None:
    """Return the seat, if it is theirs and the vote is about the plan as it stands."""
    opened = state.current
    if opened is None or (opened.number, opened.digest) != (vote.round, vote.digest):
        return None
    return next((each for each in own if each.agent_id == vote.agent_id), None)


def _cast(
    voter: Interaction,
    cause: str,
    button: VoteButton,
    vote: FeedbackType,
    agent_id: str,
    text: str = "",
    reason: str = "",
    change: Datum | None = None,
    *,
    as_admin: bool = False,
) -> CastVote:
    return CastVote(
        command_id=cause,
        at=voter.now(),
        by=voter.actor,
        agent_id=agent_id,
        round=button.round,
        digest=button.digest,
        feedback_type=vote,
        text=text,
        reason=reason,
        change=change,
        as_admin=as_admin,
    )


def _is_unseen(state: Negotiation, receipt: Receipt) -> bool:
    """Whether the thread does not show the new vote, so that whoever voted must be told that it is recorded."""
    closed = any(isinstance(each, FeedbackEvaluated) for each in receipt.events)
    return state.policy.blind_votes and bool(receipt.events) and not closed


def _recorded(cast: CastVote, state: Negotiation, texts: Texts) -> str:
    seat = state.rounds[-1].seats[cast.agent_id]
    return notices.recorded(cast.feedback_type, texts, None if seat.user_id == cast.by else seat)


def _field(form: Form, error: Exception) -> str:
    """Return the field beside which an error is shown; it has to be in the form."""
    said = (CHANGE, WHY)
    order = (*said, SEAT) if isinstance(error, InvalidVote) else (SEAT, *said)
    return next((name for name in order if name in form.values), next(iter(form.values), WHY))
