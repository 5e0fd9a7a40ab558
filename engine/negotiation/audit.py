"""Which audit records the commands of people in a negotiation leave."""

from typing import Any

from engine.kernel import Command, Handled, Record
from engine.negotiation.actions import action_of
from engine.negotiation.commands import CastPrepared, CastVote, CorrectOffer, OfferHelp, SubmitDemand, TakeTime
from engine.negotiation.state import Negotiation
from engine.projections.audit_records import Replaced, did


def trail(handled: Handled[Negotiation]) -> tuple[Record, ...]:
    """Return the records of what a person did; a model's answer, an alarm or another stream leaves none."""
    match command := handled.command:
        case SubmitDemand():
            # Nobody asked for a subnet, and who took something up again is on record there.
            is_asked = not (command.parent or command.reopened_from)
            return _rows(handled, "demand", by=command.requester_id) if is_asked else ()
        case OfferHelp():
            return _rows(handled, "offer_help")
        case CorrectOffer():
            return _rows(handled, "correct_offer", command.decision)
        case CastPrepared():
            return _rows(handled, "vote_as_prepared", _prepared(handled.before, command))
    row = action_of(command)
    return () if row is None else _rows(handled, row.audited_as, row.chosen(command))


def _rows(handled: Handled[Negotiation], act: str, choice: str = "", **more: Any) -> tuple[Record, ...]:
    command = handled.command
    replaced = _replaced(handled.before, command) if handled.events else None
    about: dict[str, Any] = {"demand_id": handled.after.demand_id, "round": getattr(command, "round", 0)}
    return did(handled, act, choice, replaced=replaced, **about | more)


def _replaced(state: Negotiation, command: Command) -> Replaced | None:
    match command:
        case CastVote() | CastPrepared() | TakeTime() if command.agent_id:
            return _vote(state, command.agent_id)
        case CorrectOffer():
            return _offer(state, command.agent_id)
        case _:
            return None


def _prepared(state: Negotiation, command: CastPrepared) -> str:
    """Return how they voted; empty where nothing is prepared."""
    seat = state.rounds[-1].seats.get(command.agent_id) if state.rounds else None
    return seat.prepared.feedback_type if seat is not None and seat.prepared is not None else ""


def _vote(state: Negotiation, agent_id: str) -> Replaced | None:
    vote = state.rounds[-1].seats[agent_id].vote
    return None if vote is None else Replaced(choice=vote.feedback_type, source=vote.source, by=vote.by or "")


def _offer(state: Negotiation, agent_id: str) -> Replaced | None:
    offer = state.offers.get(agent_id)
    return None if offer is None else Replaced(choice=offer.decision, source=offer.source)
