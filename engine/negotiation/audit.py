"""Which audit records the commands of people in a negotiation leave."""

from functools import partial
from typing import assert_never

from engine.kernel import Handled, Record
from engine.negotiation.commands import (
    AnswerCheckIn,
    AnswerHelp,
    Cancel,
    CastVote,
    ChooseCore,
    CloseRound,
    CorrectOffer,
    CorrectRequest,
    DecideMissing,
    Delegate,
    EditDemand,
    GiveUpSeat,
    HandBack,
    OfferHelp,
    Proceed,
    Reopen,
    RequestChange,
    SubmitDemand,
    TakeBack,
)
from engine.negotiation.state import Negotiation
from engine.projections.audit_records import AuditRecord, Replaced, audit_rows

PersonsCommand = (
    SubmitDemand
    | EditDemand
    | DecideMissing
    | ChooseCore
    | CastVote
    | HandBack
    | RequestChange
    | CorrectRequest
    | CorrectOffer
    | Delegate
    | CloseRound
    | Cancel
    | Proceed
    | GiveUpSeat
    | TakeBack
    | AnswerCheckIn
    | OfferHelp
    | AnswerHelp
    | Reopen
)
"""What a person does, in contrast to a model's answer or an alarm."""


def trail(handled: Handled[Negotiation]) -> tuple[Record, ...]:
    """Return the records of what a person did; any other command leaves none."""
    if not isinstance(handled.command, PersonsCommand):
        return ()
    if isinstance(handled.command, SubmitDemand) and (handled.command.parent or handled.command.reopened_from):
        return ()  # nobody asked for a subnet, and who took something up again is on record there
    return audit_rows(_audit_record(handled.command, handled), handled.turn)


def _audit_record(command: PersonsCommand, handled: Handled[Negotiation]) -> AuditRecord:
    changed = bool(handled.events)
    did = partial(
        AuditRecord,
        at=command.at,
        stream=handled.stream,
        demand_id=handled.after.demand_id,
        refused=type(handled.refusal).__name__ if handled.refusal else "",
        changed=changed,
    )
    match command:
        case SubmitDemand():
            return did(act="demand", by=command.requester_id)
        case EditDemand():
            return did(act="edit_demand", by=command.by, as_admin=command.as_admin)
        case DecideMissing():
            return did(act="decide_missing", by=command.by, as_admin=command.as_admin, choice=command.choice)
        case ChooseCore():
            return did(act="choose_core", by=command.by, as_admin=command.as_admin)
        case CastVote():
            return did(
                act="vote",
                by=command.by,
                as_admin=command.as_admin,
                agent_id=command.agent_id,
                round=command.round,
                choice=command.feedback_type,
                replaced=_vote(handled.before, command.agent_id) if changed else None,
            )
        case HandBack():
            return did(act="hand_back", by=command.by, agent_id=command.agent_id)
        case RequestChange():
            return did(act="request_change", by=command.by, round=command.round)
        case CorrectRequest():
            return did(act="correct_request", by=command.by, agent_id=command.agent_id, round=command.round)
        case CorrectOffer():
            return did(
                act="correct_offer",
                by=command.by,
                as_admin=command.as_admin,
                agent_id=command.agent_id,
                choice=command.decision,
                replaced=_offer(handled.before, command.agent_id) if changed else None,
            )
        case Delegate():
            return did(act="delegate", by=command.by, agent_id=command.agent_id, choice=command.to)
        case CloseRound():
            return did(act="close_round", by=command.by, as_admin=command.as_admin, round=command.round)
        case Cancel():
            return did(act="stop", by=command.by, as_admin=command.as_admin)
        case Proceed():
            return did(act="proceed", by=command.by, as_admin=command.as_admin)
        case GiveUpSeat():
            return did(act="give_up", by=command.by, agent_id=command.agent_id)
        case AnswerCheckIn():
            return did(act="check_in", by=command.by, choice="late" if command.is_late else "done")
        case TakeBack():
            return did(act="take_back", by=command.by, as_admin=command.as_admin)
        case OfferHelp():
            return did(act="offer_help", by=command.by, agent_id=command.agent_id)
        case AnswerHelp():
            return did(
                act="answer_help",
                by=command.by,
                as_admin=command.as_admin,
                agent_id=command.agent_id,
                choice="ask" if command.ask else "decline",
            )
        case Reopen():
            return did(act="reopen", by=command.by, as_admin=command.as_admin)
        case _:
            assert_never(command)


def _vote(state: Negotiation, agent_id: str) -> Replaced | None:
    vote = state.rounds[-1].seats[agent_id].vote
    return None if vote is None else Replaced(choice=vote.feedback_type, source=vote.source, by=vote.by or "")


def _offer(state: Negotiation, agent_id: str) -> Replaced | None:
    offer = state.offers.get(agent_id)
    return None if offer is None else Replaced(choice=offer.decision, source=offer.source)
