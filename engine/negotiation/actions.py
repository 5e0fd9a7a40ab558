"""What people can do to a negotiation, a row each.

From a row follow the button's value, the listener, the form, the HTTP route with its schema, and the audit record.
"""

from typing import Final

from engine.kernel import Action, Command, Field, FieldKind, Who
from engine.negotiation.afterwards.check_ins import check_answering
from engine.negotiation.afterwards.commitments import check_giving_up
from engine.negotiation.afterwards.proceeding import check_proceeding
from engine.negotiation.afterwards.reopening import check_reopening
from engine.negotiation.commands import (
    AnswerCheckIn,
    AnswerHelp,
    Cancel,
    CastPrepared,
    CastVote,
    ChooseCore,
    CloseRound,
    CorrectRequest,
    DecideMissing,
    Delegate,
    EditDemand,
    GiveUpSeat,
    HandBack,
    Proceed,
    Reopen,
    RequestChange,
    TakeBack,
)
from engine.negotiation.demand.gathering import check_edit
from engine.negotiation.plan.core import check_core
from engine.negotiation.state import EDITABLE, Negotiation, Status
from engine.negotiation.terms import LONGEST_DEMAND, LONGEST_REASON, MissingChoice
from engine.negotiation.voting.kinds import FeedbackType
from engine.negotiation.voting.requests import check_request
from engine.negotiation.voting.votes import check_delegation, check_prepared, check_vote
from engine.negotiation.voting.wishes_read import check_correction

AGREED: Final = frozenset({Status.FINALIZED, Status.FORCE_FINALIZED})
VOTING: Final = frozenset({Status.PROPOSAL_SENT, Status.NEGOTIATING})
ALWAYS: Final = frozenset(Status)
DECIDED_IN: Final = frozenset({Status.COLLECTING, Status.NEGOTIATING})
"""Where whoever asked may be asked what becomes of it."""
OPEN: Final = ALWAYS - AGREED - {Status.FAILED, Status.CANCELLED}

VERSION: Final = ("round", "digest")
"""The version of the plan that a button was shown with."""


def _vote(vote: FeedbackType) -> Action[Negotiation]:
    """Make the row of one kind of vote: what it takes is in the kind's own row."""
    return Action(
        f"vote.{vote}", CastVote, "Vote, as the person whose part it is", Who.PART, VOTING,
        lambda state, it: check_vote(state, it.by, it.agent_id, it.round, it.digest, it.at, as_admin=it.as_admin),
        (*VERSION, "agent_id"), (Field("text", longest=8_000, optional=not vote.kind.needs_words),),
        {"feedback_type": vote}, "vote",
    )  # fmt: skip


ACTIONS: Final = (
    # demand
    Action[Negotiation](
        "demand.edit", EditDemand, "Say the demand otherwise; everybody is asked anew", Who.OWNER, EDITABLE,
        lambda state, it: check_edit(state, it.by, as_admin=it.as_admin),
        fields=(
            Field("raw_input", longest=LONGEST_DEMAND),
            Field("own_votes", FieldKind.FLAG, optional=True, is_kept=True),
        ),
        audited_as="edit_demand",
    ),
    Action[Negotiation](
        "negotiation.stop", Cancel, "Stop it", Who.OWNER, ALWAYS, audited_as="stop",
    ),
    # offers
    *(
        Action[Negotiation](
            f"missing.{choice}", DecideMissing, summary, Who.OWNER, statuses,
            fixed={"choice": choice}, audited_as="decide_missing",
        )
        for choice, summary, statuses in (
            (MissingChoice.LOOK_WIDER, "Look for others who cover what is missing, or was lost", DECIDED_IN),
            (MissingChoice.GO_ON, "Go on without it, or keep a version that was sent twice", DECIDED_IN),
            (MissingChoice.SEND_AGAIN, "Send a version once more that was sent twice", frozenset({Status.NEGOTIATING})),
        )
    ),
    *(
        Action[Negotiation](
            f"help.{name}", AnswerHelp, summary, Who.OWNER, ALWAYS, about=("agent_id",), fixed={"ask": ask},
            audited_as="answer_help",
        )
        for name, ask, summary in (
            ("ask", True, "Take the help that somebody offered who was not asked"),
            ("decline", False, "Decline the help that somebody offered who was not asked"),
        )
    ),
    Action[Negotiation](
        "seat.delegate", Delegate, "Name a colleague who may decide for one's own part as well, or take that back",
        Who.PERSON, OPEN, lambda state, it: check_delegation(state, it.by, it.agent_id),
        about=("agent_id",), fields=(Field("to", FieldKind.PERSON, optional=True),), audited_as="delegate", choice="to",
    ),
    # voting
    *(_vote(each) for each in FeedbackType),
    Action[Negotiation](
        "vote.prepared", CastPrepared, "Make the vote that a twin has prepared one's own", Who.PART, VOTING,
        check_prepared, (*VERSION, "agent_id"), audited_as="vote_as_prepared",
    ),
    Action[Negotiation](
        "seat.hand_back", HandBack, "Let the twin vote again", Who.PERSON, OPEN,
        about=("agent_id",), audited_as="hand_back",
    ),
    Action[Negotiation](
        "plan.change", RequestChange, "Ask for a change of the open proposal, as the person who asked", Who.PERSON,
        VOTING,
        lambda state, it: check_request(state, it.by, it.round, it.digest, it.at),
        VERSION, (Field("text"),), audited_as="request_change",
    ),
    Action[Negotiation](
        "wish.not_meant", CorrectRequest, "Say that a wish of one's own was understood otherwise than it was meant",
        Who.PERSON, VOTING, lambda state, it: check_correction(state, it.by, it.agent_id),
        ("agent_id",), (Field("text", optional=True),), audited_as="correct_request",
    ),
    Action[Negotiation](
        "round.close", CloseRound, "Close the open round before its time", Who.OWNER, VOTING,
        about=("round",), audited_as="close_round",
    ),
    # plan
    Action[Negotiation](
        "core.choose", ChooseCore, "Choose which parts the plan cannot do without", Who.OWNER, VOTING,
        lambda state, it: check_core(state, it.by, as_admin=it.as_admin),
        fields=(Field("agent_ids", FieldKind.PICKS, optional=True),), audited_as="choose_core",
    ),
    # afterwards
    Action[Negotiation](
        "plan.proceed", Proceed, "Decide that the plan is carried out", Who.OWNER, AGREED,
        lambda state, it: check_proceeding(state, it.by, as_admin=it.as_admin),
        fields=(Field("announce", FieldKind.FLAG, optional=True),), audited_as="proceed",
    ),
    Action[Negotiation](
        "decision.undo", TakeBack, "Take back, for ten minutes, that it was stopped or is carried out", Who.OWNER,
        AGREED | {Status.CANCELLED}, audited_as="take_back",
    ),
    Action[Negotiation](
        "demand.reopen", Reopen, "Take up again what has failed, as a negotiation of its own", Who.OWNER,
        frozenset({Status.FAILED}), lambda state, it: check_reopening(state, it.by, as_admin=it.as_admin),
        fields=(
            Field("raw_input", longest=LONGEST_DEMAND),
            Field("balanced", FieldKind.FLAG, optional=True),
            Field("asks_possible", FieldKind.FLAG, optional=True),
        ),
        audited_as="reopen",
    ),
    Action[Negotiation](
        "seat.give_up", GiveUpSeat, "Say that one cannot keep what one agreed to; others are looked for", Who.PERSON,
        AGREED, lambda state, it: check_giving_up(state, it.by, it.agent_id),
        ("agent_id",), (Field("reason", longest=LONGEST_REASON, optional=True),), audited_as="give_up",
    ),
    Action[Negotiation](
        "check_in.done", AnswerCheckIn, "Say that something which is due is done", Who.PERSON, AGREED,
        about=("key",), fixed={"is_late": False}, audited_as="check_in",
    ),
    Action[Negotiation](
        "check_in.late", AnswerCheckIn, "Say that something which is due will be late", Who.PERSON, AGREED,
        lambda state, it: check_answering(state, it.by, it.key),
        ("key",), (Field("text", longest=LONGEST_REASON),), {"is_late": True}, "check_in",
    ),
)  # fmt: skip
"""In the order of the phases."""

BY_NAME: Final = {each.name: each for each in ACTIONS}
_BY_COMMAND: Final = {
    command: tuple(each for each in ACTIONS if each.command is command)
    for command in dict.fromkeys(each.command for each in ACTIONS)
}


def action_of(command: Command) -> Action[Negotiation] | None:
    """Return the row that a person's command comes from; None where it comes from elsewhere."""
    return next((each for each in _BY_COMMAND.get(type(command), ()) if each.is_done_by(command)), None)
