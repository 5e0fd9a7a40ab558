"""Somebody votes: with a button, or with the form behind it. Checked at the click and again at the form."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.actor import actor_of_click
from bot.listeners.gateway import CommandGateway, cause_of_click, cause_of_form, spot_of_click, tenant_of
from bot.texts import Texts
from bot.views.negotiation import notices, vote_forms
from bot.views.negotiation.button_values import ACCEPT, NEGOTIATE, WITHDRAW, VoteButton, read_vote_button
from bot.views.negotiation.vote_forms import Opened, VoteForm, read_vote
from engine.errors import Duplicate, InvalidVote, Refusal, StoreError
from engine.kernel import StreamKey
from engine.negotiation.answers import FeedbackType
from engine.negotiation.commands import CastVote
from engine.negotiation.events import FeedbackEvaluated
from engine.negotiation.state import Negotiation, Seat
from engine.negotiation.votes import check_vote
from engine.runtime.runtime import Receipt

Form = Callable[[Opened, Sequence[Seat], Texts], dict[str, Any]]

FORMS: Final[Mapping[str, tuple[FeedbackType, Form]]] = {
    ACCEPT: (FeedbackType.ACCEPT, vote_forms.accept_form),
    NEGOTIATE: (FeedbackType.NEGOTIATE, vote_forms.negotiate_form),
    WITHDRAW: (FeedbackType.WITHDRAW, vote_forms.withdraw_form),
}


def register(app: AsyncApp, gateway: CommandGateway) -> None:
    async def clicked(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        action = body["actions"][0]
        vote, form = FORMS[action["action_id"]]
        ballot = read_vote_button(action["value"])
        key = StreamKey(tenant_of(context), ballot.stream)
        user = actor_of_click(body, key.tenant)
        state = await gateway.look_up(key)
        seats = [each for each in state.seats_of(user) if ballot.agent_id in ("", each.agent_id)]
        try:
            if seats and (len(seats) > 1 or vote is not FeedbackType.ACCEPT):
                texts = await gateway.texts(client, key.tenant, body["user"]["id"], state.raw_input)
                await _open(client, body, user, state, ballot, form, vote, seats, gateway, texts)
            else:
                # Somebody without a seat is refused by the rules, and the refusal is on record.
                seat = seats[0].agent_id if seats else ballot.agent_id
                cast = _cast(gateway, cause_of_click(body), user, ballot, vote, seat)
                receipt = await gateway.send(key, cast)
                if not receipt.events:
                    # The thread shows a new vote. One that was there already changes nothing.
                    raise Duplicate("That vote stands already.")
                spot = spot_of_click(body)
                if spot.get("thread_ts") and _is_unseen(state, receipt):
                    texts = gateway.known_texts(key.tenant, body["user"]["id"], state.raw_input)
                    gateway.tell(client, spot, _recorded(cast, state, texts))
        except Refusal as refusal:
            texts = await gateway.texts(client, key.tenant, body["user"]["id"], state.raw_input)
            gateway.tell(client, spot_of_click(body), _no(refusal, seats, texts))
        await ack()

    async def filled_in(
        ack: AsyncAck, body: dict[str, Any], view: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient
    ) -> None:
        form = read_vote(view)
        key = StreamKey(tenant_of(context), form.ballot.stream)
        user, demand = body["user"]["id"], ""
        try:
            state = await gateway.look_up(key)
            demand = state.raw_input
            cast = _cast(
                gateway,
                cause_of_form(view),
                actor_of_click(body, key.tenant),
                form.ballot,
                form.vote,
                form.agent_id or "",
                form.text,
            )
            receipt = await gateway.send(key, cast)
        except Refusal as refusal:
            texts = await gateway.texts(client, key.tenant, user, demand)
            await ack(response_action="errors", errors={_field(form, view, refusal): notices.refused(refusal, texts)})
        except (StoreError, TimeoutError):
            # Not recorded, as far as we know: the form stays open, with what was written in it.
            texts = gateway.known_texts(key.tenant, user, demand)
            await ack(response_action="errors", errors={_field(form, view): notices.went_wrong(texts)})
        else:
            await ack()
            if form.thread and _is_unseen(state, receipt):
                spot = {"channel": form.channel, "thread_ts": form.thread, "user": user}
                gateway.tell(client, spot, _recorded(cast, state, gateway.known_texts(key.tenant, user, demand)))

    for name in FORMS:
        app.action(name)(clicked)
        app.view(name)(filled_in)


async def _open(
    client: AsyncWebClient,
    body: Mapping[str, Any],
    user: str,
    state: Negotiation,
    ballot: VoteButton,
    form: Form,
    vote: FeedbackType,
    seats: Sequence[Seat],
    gateway: CommandGateway,
    texts: Texts,
) -> None:
    """
    Raises:
        Refusal: this vote could not be cast now, so there is no use in filling in a form.
    """
    check_vote(state, user, seats[0].agent_id, ballot.round, ballot.digest, gateway.now())
    spot = spot_of_click(body)
    opened = Opened(
        stream=ballot.stream,
        round=ballot.round,
        digest=ballot.digest,
        channel=spot.get("channel", ""),
        thread=spot.get("thread_ts", ""),
        ts=body["container"].get("message_ts", ""),
        vote=vote,
        agent_id=seats[0].agent_id if len(seats) == 1 else None,
    )
    await client.views_open(trigger_id=body["trigger_id"], view=form(opened, seats, texts))


def _cast(
    gateway: CommandGateway,
    cause: str,
    user: str,
    ballot: VoteButton,
    vote: FeedbackType,
    agent_id: str,
    text: str = "",
) -> CastVote:
    return CastVote(
        command_id=cause,
        at=gateway.now(),
        by=user,
        agent_id=agent_id,
        round=ballot.round,
        digest=ballot.digest,
        feedback_type=vote,
        text=text,
    )


def _is_unseen(state: Negotiation, receipt: Receipt) -> bool:
    """Whether the thread does not show what was voted just now, so that whoever did is told that it is recorded."""
    closed = any(isinstance(each, FeedbackEvaluated) for each in receipt.events)
    return state.policy.blind_votes and bool(receipt.events) and not closed


def _recorded(cast: CastVote, state: Negotiation, texts: Texts) -> str:
    seat = state.rounds[-1].seats[cast.agent_id]
    return notices.recorded(cast.feedback_type, texts, None if seat.user_id == cast.by else seat)


def _no(refusal: Refusal, seats: Sequence[Seat], texts: Texts) -> str:
    return notices.refused(refusal, texts) if seats else notices.no_seat(texts)


def _field(form: VoteForm, view: Mapping[str, Any], refusal: Refusal | None = None) -> str:
    """The field beside which an error is shown; it has to be in the form."""
    fields: Mapping[str, Any] = view["state"]["values"]
    preferred = vote_forms.WHY if form.vote is FeedbackType.WITHDRAW else vote_forms.CHANGE
    order = (preferred, vote_forms.SEAT) if isinstance(refusal, InvalidVote) else (vote_forms.SEAT, preferred)
    return next((name for name in order if name in fields), next(iter(fields), vote_forms.WHY))
