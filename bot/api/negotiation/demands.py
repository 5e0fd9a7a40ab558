"""Demands over HTTP: submit one, and look one up."""

import asyncio
import contextlib
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final, NamedTuple

from bot.api.context import Call
from bot.api.negotiation import afterwards
from bot.api.negotiation.lookup import negotiation, read
from bot.api.negotiation.schemas import (
    Awaits,
    DemandStanding,
    DemandStatus,
    DemandTold,
    FailedFor,
    NewDemand,
    Round,
    Seat,
    Submitted,
)
from bot.api.problems import RequestRefused
from bot.api.tokens import Scope
from bot.config import USER
from bot.listeners.intake import place_of
from bot.listeners.negotiation.intake import begin
from bot.views.negotiation.demand.question import plain_question
from engine.errors import (
    BudgetSpent,
    IllegalStep,
    InvalidAnswer,
    ModelError,
    ModelTimeout,
    ModelUnavailable,
    NotAllowed,
)
from engine.kernel import Place, StreamKey, iso, plain
from engine.negotiation.agreement.decision_parts import DecisionRecord
from engine.negotiation.agreement.decision_record import decision_record
from engine.negotiation.answers import Compromise
from engine.negotiation.events import EVENTS, DemandSubmitted
from engine.negotiation.plan.marks import Mark, marks_of
from engine.negotiation.plan.told_clashes import clashes_now
from engine.negotiation.plan.told_needs import lacking, needs_in_round, needs_now
from engine.negotiation.state import Negotiation, Status
from engine.negotiation.terms import Outcome
from engine.runtime.envelope import opened

COMPLETED: Final = frozenset({Status.FINALIZED, Status.FORCE_FINALIZED})


async def submit(call: Call) -> Submitted:
    """Begin a demand; answer once it is understood, or after a while without that.

    Raises:
        Refusal, CallFailed, StoreError, TimeoutError
        RequestRefused
    """
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
    return Submitted(
        demand_id=state.demand_id,
        channel_id=state.channel_id,
        status=status_of(state),
        understanding=state.understanding,
    )


async def _place(call: Call, asked: NewDemand, by: str) -> Place:
    """
    Raises:
        Refusal, CallFailed
    """
    if asked.slack_channel is None:
        return Place()
    if not USER.fullmatch(by):
        raise NotAllowed(f"{by} is nobody in Slack, and cannot ask in a channel there; leave slack_channel out.")
    return await place_of(await call.slack(), asked.slack_channel, chosen_by=by)


async def _check_same(call: Call, key: StreamKey, asked: NewDemand, by: str) -> None:
    """
    Raises:
        IllegalStep: the Idempotency-Key has named another demand before.
    """
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
    code: FailedFor
    what: str


_UNREACHED: Final = _Lacked(ModelUnavailable, "E003", "No model could be reached")
_LACKED: Final[Mapping[str, _Lacked]] = {
    "E004": _Lacked(ModelTimeout, "E004", "The model took too long"),
    "E013": _Lacked(InvalidAnswer, "E013", "No answer of the model could be read"),
    "E014": _Lacked(BudgetSpent, "E014", "The budget for models was spent before one was asked"),
}
"""By the code of what happened; otherwise, no model could be reached."""


def _check_model(state: Negotiation) -> None:
    """
    Raises:
        RequestRefused: no model could understand it, and nothing may stand in for one: it has ended.
    """
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


async def demand(call: Call) -> DemandTold:
    state = await negotiation(call, call.path["demand_id"])
    stored = await call.context.store.load(StreamKey(call.workspace.tenant, state.channel_id))
    understood, final = state.understanding, state.final
    knows = Scope.ADMIN in call.token.scopes or call.token.user == state.requester_id
    return DemandTold(
        **standing_of(state).model_dump(),
        requester_id=state.requester_id,
        raw_input=state.raw_input if knows else None,
        own_votes=state.own_votes,
        surface_demand=understood.surface_demand if understood else "",
        deep_understanding=understood.deep_understanding if understood else None,
        capability_tags=understood.capability_tags if understood else (),
        context=_known(plain(understood.context)) if understood else {},
        created_at=iso(stored.events[0].at) if stored else "",
        proposal=final.final_proposal if final else state.proposal,
        needs=needs_now(state),
        marks=_marks(state),
        clashes=clashes_now(state),
        lacks=tuple(each.what for each in lacking(state)),
        latest_round=_latest_round(state),
        confirmed_participants=final.confirmed_participants if final else (),
        optional_participants=final.optional_participants if final else (),
        gaps=afterwards.gaps(state),
        compromise=_compromise(state),
        degraded=afterwards.degraded(state),
        recoveries=len(state.recoveries),
        proceeded=afterwards.going_ahead(state),
        given_up=afterwards.given_up(state),
        check_ins=afterwards.check_ins(state),
        can_be_taken_back_until=afterwards.can_be_taken_back_until(state),
        gap_of=state.parent.demand_id if state.parent else None,
        reopened_from=afterwards.reopened_from(state),
    )


def _marks(state: Negotiation) -> tuple[Mark, ...]:
    plan = state.final.final_proposal if state.final else state.proposal
    return marks_of(state, plan) if plan else ()


def _compromise(state: Negotiation) -> Compromise | None:
    """Return what would still be possible; None where there is nothing, it was erased, or it is not theirs to read."""
    said = state.compromise.compromise if state.compromise else None
    return said if said and said.summary else None


def _known(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


async def why(call: Call) -> DecisionRecord:
    return decision_record(await negotiation(call, call.path["demand_id"]))


async def standing(call: Call) -> DemandStanding:
    return standing_of(await negotiation(call, call.path["demand_id"]))


def standing_of(state: Negotiation) -> DemandStanding:
    return DemandStanding(
        demand_id=state.demand_id,
        channel_id=state.channel_id,
        status=status_of(state),
        channel_status=state.status,
        round=state.round,
        max_rounds=state.most_rounds,
        outcome=state.outcome,
        error_code=_code_of(state),
        is_searching=state.is_searching,
        awaits=_awaits(state),
        awaits_until=_awaits_until(state),
        question=plain_question(state),
        missing=tuple(each.what for each in state.decisions[-1].needs) if state.awaits_decision else (),
        reopened_as=state.reopened.next_demand_id if state.reopened else None,
    )


def _awaits(state: Negotiation) -> Awaits | None:
    if state.awaits_answer:
        return "answer"
    return "decision" if state.awaits_decision else None


def _awaits_until(state: Negotiation) -> str | None:
    if state.awaits_answer and state.unclear:
        return iso(state.unclear.deadline)
    return iso(state.decisions[-1].asked.deadline) if state.awaits_decision else None


def _code_of(state: Negotiation) -> FailedFor | None:
    match state.outcome:
        case Outcome.MODEL_UNAVAILABLE:
            return _LACKED.get(state.lacked.why if state.lacked else "", _UNREACHED).code
        case Outcome.NO_CANDIDATES:
            return "E005"
        case Outcome.NEGOTIATION_TIMEOUT:
            return "E006"
    return None


def status_of(state: Negotiation) -> DemandStatus:
    if state.is_open:
        return "processing"
    return "completed" if state.status in COMPLETED else "failed"


def _latest_round(state: Negotiation) -> Round | None:
    if not state.rounds:
        return None
    latest, is_open = state.rounds[-1], state.current is not None
    is_secret = state.is_secret(latest)
    return Round(
        number=latest.number,
        max_rounds=state.most_rounds,
        is_open=is_open,
        is_secret=is_secret,
        deadline=iso(latest.deadline) if is_open else None,
        seats=tuple(
            Seat(
                agent_id=each.agent_id,
                display_name=each.display_name,
                feedback_type=each.vote.feedback_type if each.vote and not is_secret else None,
                source=each.vote.source if each.vote else None,
                is_carried=each.human.carried if each.human else False,
            )
            for each in latest.seats.values()
        ),
        request=latest.request.text if latest.request else None,
        needs=needs_in_round(state, latest),
        marks=marks_of(state, state.proposals[latest.version - 1]),
    )
