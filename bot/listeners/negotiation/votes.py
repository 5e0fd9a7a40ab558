"""Somebody votes with a button, or with the form behind it. The vote is checked at the click and again at the form."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

from slack_bolt.async_app import AsyncApp

from bot.listeners.clicks import Click, on_click
from bot.listeners.directory.telling import check_room, own_twin, tell_own_twin
from bot.listeners.forms import Form, on_form
from bot.listeners.interaction import Interaction
from bot.listeners.negotiation.reading import read_negotiation
from bot.listeners.negotiation.speaking import speaks_for
from bot.listeners.private_messages import tell
from bot.listeners.services import Services
from bot.texts import Texts
from bot.views.negotiation import notices
from bot.views.negotiation.button_values import ACCEPT, NEGOTIATE, WITHDRAW, VoteButton, read_vote_button
from bot.views.negotiation.offers.limit_doubts import limits_block
from bot.views.negotiation.voting import vote_forms
from bot.views.negotiation.voting.vote_forms import OpenedVoteForm, read_vote
from engine.errors import Duplicate, Refusal
from engine.negotiation.commands import CastVote
from engine.negotiation.errors import InvalidVote
from engine.negotiation.events import FeedbackEvaluated
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation, Seat
from engine.negotiation.voting.kinds import FeedbackType
from engine.negotiation.voting.votes import check_vote
from engine.runtime.mailbox import Receipt


class DrawForm(Protocol):
    def __call__(
        self, opened: OpenedVoteForm, seats: Sequence[Seat], texts: Texts, *, may_tell: bool
    ) -> dict[str, Any]: ...


FORMS: Final[Mapping[str, tuple[FeedbackType, DrawForm]]] = {
    ACCEPT: (FeedbackType.ACCEPT, vote_forms.accept_form),
    NEGOTIATE: (FeedbackType.NEGOTIATE, vote_forms.negotiate_form),
    WITHDRAW: (FeedbackType.WITHDRAW, vote_forms.withdraw_form),
}


def register(app: AsyncApp, services: Services) -> None:
    for name in FORMS:
        on_click(app, services, name, _clicked, notices.refused)
        on_form(app, services, name, _sent, notices.refused, _field)


async def _clicked(click: Click) -> None:
    button = read_vote_button(click.value)
    state = await read_negotiation(click, button.stream)
    seats = [each for each in state.seats_of(click.actor) if button.agent_id in ("", each.agent_id)]
    vote, _ = FORMS[click.name]
    try:
        if spoken_for := await _spoken_for(click, state, button):
            await _open_form(click, state, button, [*seats, *spoken_for], spoken_for)
        elif seats and (len(seats) > 1 or vote is not FeedbackType.ACCEPT):
            await _open_form(click, state, button, seats)
        else:
            # Somebody without a seat is refused by the rules, and the refusal is on record.
            await _accept(click, state, button, seats[0].agent_id if seats else button.agent_id)
    except Refusal:
        if seats:
            raise
        click.tell(notices.no_seat(await click.texts()))


async def _spoken_for(click: Click, state: Negotiation, button: VoteButton) -> list[Seat]:
    """The seats of people linked to nobody that wait, and that somebody speaks for: not for their own demand."""
    if click.actor == state.requester_id or not state.rounds:
        return []
    waiting = [each for each in state.rounds[-1].seats.values() if each.waits and not each.user_id]
    asked = [each for each in waiting if button.agent_id in ("", each.agent_id)]
    return [each for each in asked if await speaks_for(click, each.agent_id)]


async def _open_form(
    click: Click, state: Negotiation, button: VoteButton, seats: Sequence[Seat], spoken_for: Sequence[Seat] = ()
) -> None:
    """
    Args:
        spoken_for: those of the seats whose people are linked to nobody, and whose limits are shown.

    Raises:
        Refusal: this vote could not be cast now, so there is no use in filling in a form.
    """
    texts = await click.texts()
    vote, form = FORMS[click.name]
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
        vote=vote,
        agent_id=seats[0].agent_id if len(seats) == 1 else None,
    )
    is_own = any(each.user_id == click.actor for each in seats)
    may_tell = is_own and await own_twin(click) is not None
    limits = limits_block(state, spoken_for, texts)
    view = form(opened, seats, texts, may_tell=may_tell)
    await click.open({**view, "blocks": [*limits, *view["blocks"]]})


async def _accept(click: Click, state: Negotiation, button: VoteButton, agent_id: str) -> None:
    """
    Raises:
        Refusal, StoreError, TimeoutError
    """
    vote, _ = FORMS[click.name]
    cast = _cast(click, click.cause, button, vote, agent_id)
    receipt = await click.services.gateway.send(click.key(button.stream), RULEBOOK, cast)
    if not receipt.events:
        # The thread shows a new vote. One that was there already changes nothing.
        raise Duplicate("That vote stands already.")
    if click.spot.get("thread_ts") and _is_unseen(state, receipt):
        click.tell(_recorded(cast, state, click.known_texts()))


async def _sent(form: Form) -> None:
    sent = read_vote(form.view)
    state = await read_negotiation(form, sent.vote_button.stream)
    await check_room(form)
    agent_id = sent.agent_id or ""
    may_speak = await speaks_for(form, agent_id)
    cast = _cast(form, form.cause, sent.vote_button, sent.vote, agent_id, sent.text, as_admin=may_speak)
    receipt = await form.services.gateway.send(form.key(sent.vote_button.stream), RULEBOOK, cast)
    if sent.thread and _is_unseen(state, receipt):
        where = {"channel": sent.channel, "thread_ts": sent.thread, "user": form.user}
        tell(form.services.background, form.client, where, _recorded(cast, state, form.known_texts()))
    await tell_own_twin(form)


def _cast(
    voter: Interaction,
    cause: str,
    button: VoteButton,
    vote: FeedbackType,
    agent_id: str,
    text: str = "",
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
    preferred = vote_forms.WHY if read_vote(form.view).vote is FeedbackType.WITHDRAW else vote_forms.CHANGE
    order = (preferred, vote_forms.SEAT) if isinstance(error, InvalidVote) else (vote_forms.SEAT, preferred)
    return next((name for name in order if name in form.values), next(iter(form.values), vote_forms.WHY))
