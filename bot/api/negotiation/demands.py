"""Demands over HTTP: submit one, and look one up."""

import asyncio
import contextlib
import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Annotated, Final, Literal, NamedTuple

from msgspec.structs import replace
from pydantic import Field, StringConstraints

from bot.api.context import Call
from bot.api.part import Reader
from bot.api.problems import RequestRefused
from bot.api.schemas import ApiModel, UserId
from bot.api.streams import key_of, public_state
from bot.config import USER
from bot.listeners.intake import place_of
from bot.listeners.negotiation.intake import begin
from engine.errors import (
    BudgetSpent,
    IllegalStep,
    InvalidAnswer,
    ModelError,
    ModelTimeout,
    ModelUnavailable,
    NotAllowed,
    Refusal,
    UnknownStream,
)
from engine.kernel import Event, Place, StreamKey
from engine.negotiation.errors import UnknownDemand
from engine.negotiation.events import EVENTS, ConflictFound, DemandSubmitted, VotePrepared
from engine.negotiation.ids import CHANNEL, channel_id
from engine.negotiation.public.build import Knows, decision_record, public, standing, submitted, times_of
from engine.negotiation.public.models import DecisionRecord, PublicNegotiation, Standing, Submitted
from engine.negotiation.public.seed import SeedNegotiation, as_seed
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.secrecy import is_of_others, without_what_is_theirs
from engine.negotiation.state import Negotiation
from engine.runtime.streams import opened, without_private

SlackChannel = Annotated[str, StringConstraints(pattern=r"^[CG][A-Z0-9_]{1,63}$")]


class NewDemand(ApiModel):
    """Seed 000, section 3.1.1, and where in Slack the thread shall stand."""

    raw_input: Annotated[str, Field(min_length=1, max_length=5_000)]
    """In somebody's own words: up to 4,000 characters, not counting spaces around them."""
    user_id: UserId | None = None
    """Who asks. Left out: the token's own user; another than that user is refused."""
    slack_channel: SlackChannel | None = None
    """Where the thread shall stand. Left out: there is none, and linked people are written to directly."""
    locale: Annotated[str, Field(max_length=35, pattern=r"^[A-Za-z0-9_-]*$")] = ""
    """In which they read, `de-DE`: what is told before the demand was understood is told in it, where Slack has not
    said which it is."""
    own_votes: bool = False
    """Whether people's own votes only are wanted: twins prepare theirs for people to give."""


class DemandAsked(ApiModel):
    shape: Literal["public", "seed"] = "public"
    """`seed`: what seed 000 has, in its words and in no others."""


ID: Final = re.compile(r"(d|collab)-([a-z0-9]{8})")


async def negotiation(call: Call, name: str) -> Negotiation:
    """Return the negotiation with this id, its demand's or its channel's, as they may know it."""
    state = await any_negotiation(call, name)
    check_readable(call, state, name)
    return await as_known(call, state)


def check_readable(call: Call, state: Negotiation, name: str) -> None:
    """Check that the caller's token may read the negotiation."""
    if not call.may_read(RULEBOOK.protocol, state):
        raise _unknown(name)


async def as_known(call: Call, state: Negotiation) -> Negotiation:
    """Return the negotiation; where the token is nobody's, made of what is public in its events."""
    if call.is_somebody:
        return state
    return await public_state(call, RULEBOOK, state.channel_id)


async def any_negotiation(call: Call, name: str) -> Negotiation:
    """Return the negotiation whether or not they may read it: the rules say who may send commands."""
    found = ID.fullmatch(name)
    if found is None:
        raise _unknown(name)
    try:
        return await read(call, key_of(call, channel_id(found[2])))
    except UnknownStream:
        raise _unknown(name) from None


async def read(call: Call, key: StreamKey) -> Negotiation:
    return await call.context.gateway.read(key, RULEBOOK)


def takes_part(state: Negotiation, user: str) -> bool:
    """Whether a user asked for it, was found to fit, or decides for a seat."""
    if user == state.requester_id:
        return True
    was_found = any(user == each.user_id for each in state.joined.values())
    return was_found or any(user in state.actors_for(agent_id) for agent_id in state.invited)


def reader(state: Negotiation, user: str) -> Reader:
    """What a user who takes part may know: as whoever asked, everything, and else their own words."""
    mine = (agent_id for agent_id in state.invited if user in state.actors_for(agent_id))
    return Reader(is_told_all=user == state.requester_id, user=user, agent_ids=frozenset(mine))


def told(event: Event, reader: Reader) -> Event:
    """Return an event as a reader may know it. What one person has said is told to that person and to whoever asked;
    proposals, and what else the thread shows to everybody, to all who take part.
    """
    if not reader.is_told_all and (not reader.user or is_of_others(event, reader.user, reader.agent_ids)):
        return without_private(event)
    if isinstance(event, ConflictFound) and not reader.is_told_all:
        return replace(event, found=None)  # it names who cannot at other times
    # Whoever asked decides for twins that are linked to nobody, and is told nothing of their limits all the same.
    is_theirs = not reader.is_told_all or isinstance(event, VotePrepared)
    is_owner = is_theirs and getattr(event, "agent_id", "") in reader.agent_ids
    return event if is_owner else without_what_is_theirs(event)


def _unknown(name: str) -> Refusal:
    """Refuse in the same words whether it does not exist or is not theirs to read."""
    if name.startswith(CHANNEL):
        return UnknownStream("There is no such channel here; its id looks like collab-abcd2345.")
    return UnknownDemand("There is no such demand here; its id looks like d-abcd2345.")


async def submit(call: Call) -> Submitted:
    """Begin a demand; answer once it is understood, or after a while without that."""
    asked: NewDemand = call.body
    by = call.acts_for(asked.user_id, "user_id")
    place = await _place(call, asked, by)
    begun = await begin(
        call.context.services,
        call.workspace.tenant,
        cause=call.cause("demand"),
        by=by,
        text=asked.raw_input,
        place=place,
        locale=asked.locale,
        own_votes=asked.own_votes,
    )
    if not begun.is_new:
        await _check_same(call, begun.key, asked, by)
    state = await _understood(call, begun.key)
    _check_model(state)
    return submitted(state)


async def _place(call: Call, asked: NewDemand, by: str) -> Place:
    """Return where the demand has its thread: the named channel, or nowhere."""
    if asked.slack_channel is None:
        return Place()
    if not USER.fullmatch(by):
        raise NotAllowed(f"{by} is nobody in Slack, and cannot ask in a channel there; leave slack_channel out.")
    return await place_of(await call.slack(), asked.slack_channel, chosen_by=by)


async def _check_same(call: Call, key: StreamKey, asked: NewDemand, by: str) -> None:
    """Check that the Idempotency-Key begins what it began before."""
    stored = await call.context.store.load(key)
    first = opened(stored.events[0], EVENTS) if stored else None
    assert isinstance(first, DemandSubmitted)  # noqa: S101 - a negotiation begins with it
    said = (by, asked.slack_channel or "", asked.own_votes)
    same = said == (first.requester_id, first.place.channel, first.own_votes)
    if not same or first.raw_input not in ("", asked.raw_input.strip()):  # empty once it was erased
        raise IllegalStep("This Idempotency-Key was used for another demand; take a new one.")


async def _understood(call: Call, key: StreamKey) -> Negotiation:
    """Wait until it is understood or has ended, at most for the patience of the interface, and return its state."""
    with call.context.changes(key) as moved:
        state = await read(call, key)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(call.context.patience):
                while state.understanding is None and state.is_open:
                    await moved.wait()
                    moved.clear()
                    state = await read(call, key)
    return state


class _Lacked(NamedTuple):
    """What a model could not do, where nothing may stand in for one."""

    error: type[ModelError]
    what: str


_UNREACHED: Final = _Lacked(ModelUnavailable, "No model could be reached")
_LACKED: Final[Mapping[str, _Lacked]] = {
    ModelTimeout.code: _Lacked(ModelTimeout, "The model took too long"),
    InvalidAnswer.code: _Lacked(InvalidAnswer, "No answer of the model could be read"),
    BudgetSpent.code: _Lacked(BudgetSpent, "The budget for models was spent before one was asked"),
}
"""By the code of what happened; otherwise, no model could be reached."""


def _check_model(state: Negotiation) -> None:
    """Check that a model has understood the demand, where one is required."""
    if state.lacked is None or state.understanding is not None:
        return
    said = _LACKED.get(state.lacked.why, _UNREACHED)
    raise RequestRefused(
        HTTPStatus(said.error.http_status),
        f"{said.what} to understand this demand, and nothing may stand in for one here. The demand has ended; ask "
        "again in a while, with another Idempotency-Key.",
        code=said.error.code,
        demand_id=state.demand_id,
    )


async def demand(call: Call) -> PublicNegotiation | SeedNegotiation:
    """Answer with the demand as its reader may see it."""
    state = await negotiation(call, call.path["demand_id"])
    stored = await call.context.store.load(StreamKey(call.workspace.tenant, state.channel_id))
    assert stored is not None  # noqa: S101 - it was found
    reader = call.reader(RULEBOOK.protocol, state)
    times = times_of((each.at, opened(each, EVENTS)) for each in stored.events)
    told = public(state, times, Knows(reader.is_told_all, reader.agent_ids, has_asked=reader.is_told_all))
    return as_seed(told) if call.query.shape == "seed" else told


async def why(call: Call) -> DecisionRecord:
    return decision_record(await negotiation(call, call.path["demand_id"]))


async def status(call: Call) -> Standing:
    return standing(await negotiation(call, call.path["demand_id"]))
