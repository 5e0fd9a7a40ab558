"""Demands over HTTP: submit one, and look one up."""

import asyncio
import contextlib
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final, NamedTuple

from bot.api.context import Call
from bot.api.negotiation.lookup import NewDemand, negotiation, read
from bot.api.problems import RequestRefused
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
)
from engine.kernel import Place, StreamKey
from engine.negotiation.events import EVENTS, DemandSubmitted
from engine.negotiation.public.build import Knows, decision_record, public, standing, submitted, times_of
from engine.negotiation.public.models import DecisionRecord, PublicNegotiation, Standing, Submitted
from engine.negotiation.public.seed import SeedNegotiation, as_seed
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation
from engine.runtime.streams import opened


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
