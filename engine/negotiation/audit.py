"""The audit trail: what people did, whether or not it was allowed. Written in the commit of the act itself.

Every act is filed twice, so that both of an admin's questions are one read of neighbouring records:

| question | kind | key |
| --- | --- | --- |
| what happened in this negotiation? | ``act_in`` | stream / the command's number in it |
| what did this person do, ever or in a month? | ``act_by`` | user / time / stream / the command's number in it |

`engine/audit.py` reads both.
"""

from functools import partial
from typing import Final, Literal, assert_never

from engine.kernel import Handled, Message, Millis, Record, iso
from engine.negotiation.messages import (
    Cancel,
    CastVote,
    ChooseCore,
    CloseRound,
    CorrectOffer,
    Delegate,
    EditDemand,
    Proceed,
    Source,
    SubmitDemand,
)
from engine.negotiation.state import Negotiation

IN_STREAM: Final = "act_in"
BY_PERSON: Final = "act_by"

PersonsCommand = (
    SubmitDemand | EditDemand | ChooseCore | CastVote | CorrectOffer | Delegate | CloseRound | Cancel | Proceed
)
"""What a person does, in contrast to a model's answer or an alarm."""


class Replaced(Message):
    """What counted for the seat until this act."""

    choice: str
    source: Source
    by: str = ""
    """The user whose vote it was; empty for a twin's, and for an offer: who corrected it is an act of its own."""


class Act(Message):
    """One act of a person: who did what, for whom, what it replaced, and what became of it.

    It answers who overruled which twin, who was turned away and why, who closed a round or stopped a negotiation, and
    whether they did so as an admin. It does not say in which words: those can be erased, and this stays.
    """

    at: Millis
    by: str
    """Slack user id, from the signed payload."""
    as_admin: bool = False
    """Whether they were an admin of the tenant, where that may matter."""
    act: Literal[
        "demand", "edit_demand", "choose_core", "vote", "correct_offer", "delegate", "close_round", "stop", "proceed"
    ]
    stream: str
    demand_id: str
    """The stream's, also where the command named another."""
    agent_id: str = ""
    """For whom; empty where it is for nobody."""
    round: int = 0
    """The round that the command named; 0 where it is about none."""
    choice: str = ""
    """How they voted, what they offered, or whom they let decide for them."""
    replaced: Replaced | None = None
    """None where nothing was there before, or nothing changed."""
    refused: str = ""
    """The class of the refusal (engine/errors.py); empty where it was allowed."""
    changed: bool
    """Whether anything happened: a refused act and the same vote once more change nothing."""


def trail(handled: Handled[Negotiation]) -> tuple[Record, ...]:
    """The records of what a person did; none for anything else."""
    if not isinstance(handled.command, PersonsCommand):
        return ()
    act = _act(handled.command, handled)
    row = act.model_dump_json(exclude_defaults=True)
    place = f"{act.stream}/{handled.turn:08}"
    return (
        Record(IN_STREAM, place, row),
        Record(BY_PERSON, f"{act.by}/{iso(act.at)}/{place}", row),
    )


def _act(command: PersonsCommand, handled: Handled[Negotiation]) -> Act:
    changed = bool(handled.events)
    did = partial(
        Act,
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
        case ChooseCore():
            return did(act="choose_core", by=command.by, as_admin=command.as_admin)
        case CastVote():
            return did(
                act="vote",
                by=command.by,
                agent_id=command.agent_id,
                round=command.round,
                choice=command.feedback_type,
                replaced=_vote(handled.before, command.agent_id) if changed else None,
            )
        case CorrectOffer():
            return did(
                act="correct_offer",
                by=command.by,
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
        case _:
            assert_never(command)


def _vote(state: Negotiation, agent_id: str) -> Replaced | None:
    vote = state.rounds[-1].seats[agent_id].vote
    return None if vote is None else Replaced(choice=vote.feedback_type, source=vote.source, by=vote.by or "")


def _offer(state: Negotiation, agent_id: str) -> Replaced | None:
    offer = state.offers.get(agent_id)
    return None if offer is None else Replaced(choice=offer.decision, source=offer.source)
