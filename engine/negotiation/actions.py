"""What people can do to a negotiation, a row each.

From a row follow its handler, the button's value, the listener, the form, the HTTP route with its schema, the act of a
scenario, and the audit record.
"""

from typing import Final

from engine.kernel import Action, Command, Field, FieldKind, Who
from engine.negotiation import commands as asked
from engine.negotiation.afterwards import (
    check_ins,
    commitments,
    conflicts,
    proceeding,
    reopening,
    rescheduling,
    stopping,
    undoing,
)
from engine.negotiation.demand import gathering
from engine.negotiation.offers import collecting, volunteers
from engine.negotiation.plan import core
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import (
    AGREED,
    ALWAYS,
    EDITABLE,
    LONGEST_DEMAND,
    LONGEST_REASON,
    TERMINAL,
    VOTING,
    MissingChoice,
    Status,
)
from engine.negotiation.voting import chosen_times, requests, votes, wishes_read
from engine.negotiation.voting.kinds import FeedbackType

DECIDED_IN: Final = frozenset({Status.COLLECTING, Status.NEGOTIATING})
"""Where whoever asked may be asked what becomes of it."""
OPEN: Final = ALWAYS - TERMINAL

VERSION: Final = ("round", "digest")
"""The version of the plan that a button was shown with."""


def _vote(vote: FeedbackType) -> Action[Negotiation]:
    """Make the row of one kind of vote: what it takes is in the kind's own row."""
    words = Field("text", longest=8_000, optional=not vote.kind.needs_words)
    why = Field("reason", longest=8_000, optional=True)
    change = Field("change", FieldKind.DATUM, optional=True)
    return Action(
        f"vote.{vote}", asked.CastVote, votes.cast_vote, "Vote, as the person whose part it is", Who.PART, VOTING,
        lambda state, it: votes.check_vote(state, it.by, it.agent_id, it.round, it.digest, it.at, as_admin=it.as_admin),
        (*VERSION, "agent_id"), (words, why, change) if vote.kind.asks else (words,),
        {"feedback_type": vote}, "vote",
    )  # fmt: skip


ACTIONS: Final = (
    # demand
    Action[Negotiation](
        "demand.edit", asked.EditDemand, gathering.edit,
        "Say the demand otherwise; everybody is asked anew", Who.OWNER, EDITABLE,
        lambda state, _: gathering.check_edit(state),
        fields=(
            Field("raw_input", longest=LONGEST_DEMAND),
            Field("own_votes", FieldKind.FLAG, optional=True, is_kept=True),
        ),
        label="Edit demand…", audited_as="edit_demand",
    ),
    Action[Negotiation](
        "negotiation.stop", asked.Cancel, stopping.cancel, "Stop it", Who.OWNER, ALWAYS, audited_as="stop",
        label="Stop",
    ),
    # offers
    *(
        Action[Negotiation](
            f"missing.{choice}", asked.DecideMissing, collecting.decide_missing, summary, Who.OWNER, statuses,
            fixed={"choice": choice}, label=label, audited_as="decide_missing",
        )
        for choice, label, summary, statuses in (
            (
                MissingChoice.LOOK_WIDER, "Look wider",
                "Look for others who cover what is missing, or was lost", DECIDED_IN,
            ),
            (
                MissingChoice.GO_ON, "Go on without",
                "Go on without it, or keep a version that was sent twice", DECIDED_IN,
            ),
            (
                MissingChoice.SEND_AGAIN, "Send it again",
                "Send a version once more that was sent twice", frozenset({Status.NEGOTIATING}),
            ),
        )
    ),
    *(
        Action[Negotiation](
            f"help.{name}", asked.AnswerHelp, volunteers.answer_help,
            summary, Who.OWNER, ALWAYS, about=("agent_id",), fixed={"ask": ask}, label=label,
            audited_as="answer_help",
        )
        for name, ask, label, summary in (
            ("ask", True, "Ask them", "Take the help that somebody offered who was not asked"),
            ("decline", False, "No, thanks", "Decline the help that somebody offered who was not asked"),
        )
    ),
    Action[Negotiation](
        "seat.delegate", asked.Delegate, votes.delegate,
        "Name a colleague who may decide for one's own part as well, or take that back",
        Who.PERSON, OPEN, lambda state, it: votes.check_delegation(state, it.by, it.agent_id),
        about=("agent_id",), fields=(Field("to", FieldKind.PERSON, optional=True),), audited_as="delegate", choice="to",
        label="Delegate…",
    ),
    # voting
    *(_vote(each) for each in FeedbackType),
    Action[Negotiation](
        "vote.prepared", asked.CastPrepared, votes.cast_prepared,
        "Make the vote that a twin has prepared one's own", Who.PART, VOTING,
        votes.check_prepared, (*VERSION, "agent_id"), label="Make it mine", audited_as="vote_as_prepared",
    ),
    Action[Negotiation](
        "time.take", asked.TakeTime, chosen_times.take_time,
        "Ask for one of the times that were found, for one's own part or as the person who asked", Who.PERSON, VOTING,
        about=(*VERSION, "agent_id", "key"), label="Ask for this time", audited_as="take_time",
    ),
    Action[Negotiation](
        "seat.hand_back", asked.HandBack, votes.hand_back, "Let the twin vote again", Who.PERSON, OPEN,
        about=("agent_id",), label="Hand back to my twin", audited_as="hand_back",
    ),
    Action[Negotiation](
        "wish.not_meant", asked.CorrectRequest, votes.request_corrected,
        "Say that a wish of one's own was understood otherwise than it was meant",
        Who.PERSON, VOTING, lambda state, it: wishes_read.check_correction(state, it.by, it.agent_id),
        ("agent_id",), (Field("text", optional=True),), label="Not what I meant…", audited_as="correct_request",
    ),
    Action[Negotiation](
        "round.close", asked.CloseRound, votes.close_round, "Close the open round before its time", Who.OWNER, VOTING,
        about=("round",), label="Close round", audited_as="close_round",
    ),
    Action[Negotiation](
        "round.extend", asked.ExtendRound, votes.extend_round, "Give people more time in the open round", Who.OWNER,
        VOTING, about=("round",), label="More time", audited_as="extend_round",
    ),
    # plan
    Action[Negotiation](
        "core.choose", asked.ChooseCore, core.choose,
        "Choose which parts the plan cannot do without", Who.OWNER, VOTING,
        lambda state, _: core.check_core(state),
        fields=(Field("agent_ids", FieldKind.PICKS, optional=True),), label="Core parts…",
        is_offered=lambda state: state.current is not None and state.policy.core_gate, audited_as="choose_core",
    ),
    Action[Negotiation](
        "plan.change", asked.RequestChange, requests.request_change,
        "Ask for a change of the open proposal, as the person who asked", Who.PERSON,
        VOTING,
        lambda state, it: requests.check_request(state, it.by, it.round, it.digest, it.at),
        VERSION, (Field("text"), Field("change", FieldKind.DATUM, optional=True)),
        label="Ask for a change…", is_offered=lambda state: state.current is not None,
        audited_as="request_change",
    ),
    # afterwards
    Action[Negotiation](
        "plan.proceed", asked.Proceed, proceeding.proceed, "Decide that the plan is carried out", Who.OWNER, AGREED,
        lambda state, _: proceeding.check_proceeding(state),
        fields=(
            Field("announce", FieldKind.FLAG, optional=True),
            Field("reminds", FieldKind.FLAG, optional=True),
        ),
        label="Go…", audited_as="proceed",
    ),
    Action[Negotiation](
        "decision.undo", asked.TakeBack, undoing.take_back,
        "Take back, for ten minutes, that it was stopped or is carried out", Who.OWNER,
        AGREED | {Status.CANCELLED}, label="Undo", audited_as="take_back",
    ),
    Action[Negotiation](
        "demand.reopen", asked.Reopen, reopening.reopen,
        "Take up again what has failed, as a negotiation of its own", Who.OWNER,
        frozenset({Status.FAILED}), lambda state, _: reopening.check_reopening(state),
        fields=(
            Field("raw_input", longest=LONGEST_DEMAND),
            Field("balanced", FieldKind.FLAG, optional=True),
            Field("asks_possible", FieldKind.FLAG, optional=True),
        ),
        label="Reopen…", audited_as="reopen",
    ),
    Action[Negotiation](
        "seat.give_up", asked.GiveUpSeat, commitments.give_up,
        "Say that one cannot keep what one agreed to; others are looked for", Who.PERSON,
        AGREED, lambda state, it: commitments.check_giving_up(state, it.by, it.agent_id),
        ("agent_id",), (Field("reason", longest=LONGEST_REASON, optional=True),), audited_as="give_up",
        label="I cannot any more…",
    ),
    Action[Negotiation](
        "time.find", asked.FindTime, rescheduling.begin,
        "Have those who are needed asked for another time, since somebody cannot any more", Who.PERSON, AGREED,
        about=("agent_id",), label="Find another time", audited_as="find_time",
    ),
    Action[Negotiation](
        "time.keep", asked.KeepTime, conflicts.keep,
        "Say that one can when one is needed, whatever a calendar says", Who.PERSON, AGREED,
        about=("agent_id",), label="I can all the same", audited_as="keep_time",
    ),
    Action[Negotiation](
        "time.refuse", asked.AnswerTimes, rescheduling.answer,
        "Say that one can at none of the times that are asked about", Who.PERSON, AGREED, about=("round",),
        fixed={"key": ""}, label="None of these", audited_as="answer_times",
    ),
    Action[Negotiation](
        "time.agree", asked.AnswerTimes, rescheduling.answer,
        "Say that one can at one of the times that are asked about", Who.PERSON, AGREED,
        about=("round", "key"), label="I can then", audited_as="answer_times", choice="key",
    ),
    Action[Negotiation](
        "check_in.done", asked.AnswerCheckIn, check_ins.answer,
        "Say that something which is due is done", Who.PERSON, AGREED,
        about=("key",), fixed={"is_late": False}, label="Done", audited_as="check_in",
    ),
    Action[Negotiation](
        "check_in.late", asked.AnswerCheckIn, check_ins.answer,
        "Say that something which is due will be late", Who.PERSON, AGREED,
        lambda state, it: check_ins.check_answering(state, it.by, it.key),
        ("key",), (Field("text", longest=LONGEST_REASON),), {"is_late": True}, "check_in", label="Late…",
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
    for each in _BY_COMMAND.get(type(command), ()):
        if all(getattr(command, name) == value for name, value in each.fixed.items()):
            return each
    return None
