"""What people do in a deliberation: they object, ask the Critic, choose between two positions, and stop it."""

from engine.deliberation.closing import closing
from engine.deliberation.commands import AskCritic, ChoosePosition, RaisePoint, RecordReply, StopDeliberation
from engine.deliberation.drafting import END, DeliberationDraft, later
from engine.deliberation.errors import CarriedOut, InvalidPoint
from engine.deliberation.events import (
    CriticAsked,
    CriticReplied,
    DeliberationReopened,
    PointRaised,
    PositionChosen,
    StopRequested,
)
from engine.deliberation.rounds import rounds
from engine.deliberation.rounds.plans import standing
from engine.deliberation.rounds.positions import standing_of
from engine.deliberation.rounds.turns import question_scope
from engine.deliberation.state import Deliberation, Status
from engine.deliberation.terms import DEBATERS, LONGEST_POINT, MOST_POINTS, MOST_ROUNDS, Reason
from engine.errors import IllegalStep, NotAllowed, Outdated
from engine.facts.shortening import without_surrogates
from engine.kernel import OPERATOR, Ask

# ── who may ───────────────────────────────────────────────────────────────────────────────────────────────────────


def takes_part(state: Deliberation, user: str) -> bool:
    """Whether somebody may object and ask: whoever asked for the plan and the people in it; where nobody in it is
    linked to a user, every colleague. Nobody of another company, whose id has their home in it.
    """
    users = {each.user_id for each in state.brief.people if each.user_id}
    is_colleague = bool(user) and "@" not in user
    return is_colleague and (user == state.requester_id or not users or user in users)


def may_lead(state: Deliberation, user: str, *, as_admin: bool = False) -> bool:
    """Whether somebody may choose between two positions, and stop it."""
    return bool(user) and (as_admin or user == state.requester_id)


def may_choose_now(state: Deliberation) -> bool:
    """Whether there are two positions to choose from, and still something to decide."""
    if state.status is Status.TERMINATED and state.carried_out_in:
        return False
    when = (Status.ARGUING, Status.CLOSING, Status.TERMINATED)
    return state.status in when and state.choice is None and not state.erased and positions_differ(state)


def positions_differ(state: Deliberation) -> bool:
    """Whether both have taken a position, and what they hold as data is not the same, or nobody can tell yet."""
    found = standing_of(state)
    return found is not None and not found.is_agreed


# ── objections ────────────────────────────────────────────────────────────────────────────────────────────────────


def may_object(state: Deliberation) -> bool:
    """Whether whoever takes part may object: while both argue, and as long as there is a plan that is not carried
    out.
    """
    return (state.is_argued or may_reopen(state)) and len(state.points) < MOST_POINTS


def may_ask(state: Deliberation) -> bool:
    """Whether whoever takes part may ask the Critic."""
    return standing(state) is not None and not state.erased and len(state.questions) < MOST_POINTS


def check_not_carried_out(state: Deliberation) -> None:
    """Check that no delivery carries the plan out."""
    if state.carried_out_in and not state.is_argued:
        raise CarriedOut("This plan is being carried out, so it stays as it is. Write to whoever has the task.")


def check_point(state: Deliberation, by: str) -> None:
    """Check that this person may raise a point."""
    _check_participant(state, by)
    check_not_carried_out(state)
    if not state.is_argued and not may_reopen(state):
        raise IllegalStep("There is no plan any more to which anybody could object. Ask for a new one.")
    if len(state.points) >= MOST_POINTS:
        raise InvalidPoint(f"There are {MOST_POINTS} objections already, and both have to answer each of them.")


def raise_point(draft: DeliberationDraft, command: RaisePoint) -> None:
    state = draft.state
    check_point(state, command.by)
    text = _text(command.text, "objection")
    point_id = f"point-{len(state.points) + 1}"
    point = PointRaised(**draft.ids, point_id=point_id, by=command.by, text=text, at=command.at)
    if state.is_argued:
        draft.happens(point)
    else:
        _reopen(draft, point)


def may_reopen(state: Deliberation) -> bool:
    """Whether both may be let argue on: they argue no more, there is a plan, and no word of it was erased."""
    is_forgotten = bool(state.erased) or state.reason is Reason.FORGOTTEN
    is_free = not state.is_argued and not state.carried_out_in
    return state.exists and is_free and not is_forgotten and standing(state) is not None


def _reopen(draft: DeliberationDraft, said: PointRaised | CriticAsked) -> None:
    """Let both argue on with what somebody has said to a plan that is finished, or is about to be; where there can be
    no more rounds, report it anew."""
    closing.give_up(draft)
    state, at = draft.state, said.at
    number = min(len(state.rounds) + 1, MOST_ROUNDS)
    until = later(at, state.policy.max_duration)
    draft.happens(DeliberationReopened(**draft.ids, by=said.by, round=number, until=until, at=at))
    draft.happens(said)
    if number == len(state.rounds):
        closing.begin(draft, Reason.MAX_ROUNDS, at)
    else:
        draft.sets(END, until)
        rounds.ask(draft)


def _check_participant(state: Deliberation, user: str) -> None:
    if not takes_part(state, user):
        raise NotAllowed("Only the person who asked for this plan and the people in it can take part in it.")


def _text(said: str, what: str) -> str:
    text = without_surrogates(said).strip()
    if not text:
        raise InvalidPoint(f"The {what} has no words in it. Write what it is about, in a sentence.")
    if len(text) > LONGEST_POINT:
        raise InvalidPoint(f"The {what} has {len(text)} characters; {LONGEST_POINT} are the most. Use fewer words.")
    return text


# ── questions ─────────────────────────────────────────────────────────────────────────────────────────────────────


def check_question(state: Deliberation, by: str) -> None:
    """Check that this person may ask the Critic."""
    _check_participant(state, by)
    if state.erased:
        raise IllegalStep("Words of this plan were erased, so the Critic can say nothing of it any more.")
    if standing(state) is None:
        raise IllegalStep("There is no plan yet that the Critic could be asked about. Ask again in a minute.")
    if len(state.questions) >= MOST_POINTS:
        raise InvalidPoint(f"The Critic was asked {MOST_POINTS} questions about this plan; there can be no more.")


def ask_critic(draft: DeliberationDraft, command: AskCritic) -> None:
    state = draft.state
    check_question(state, command.by)
    text = _text(command.text, "question")
    question_id = f"question-{len(state.questions) + 1}"
    scope = question_scope(question_id)
    asked = CriticAsked(**draft.ids, question_id=question_id, by=command.by, text=text, at=command.at)
    draft.owes(Ask(name=scope, scope=scope, prompt="reply", about=question_id))
    if command.reopens and question_reopens(state):
        _reopen(draft, asked)
    else:
        draft.happens(asked)


def question_reopens(state: Deliberation) -> bool:
    """Whether a question may let both argue on: a round is left for it, and they have argued at all."""
    is_unargued = state.closing is not None and state.closing.reason is Reason.NOT_ARGUED
    return may_reopen(state) and len(state.rounds) < MOST_ROUNDS and not is_unargued


def replied(draft: DeliberationDraft, command: RecordReply) -> None:
    state, answer = draft.state, command.answer
    asked = next((each for each in state.questions if each.question_id == command.question_id), None)
    if asked is None or asked.reply is not None:
        return
    draft.happens(
        CriticReplied(
            **draft.ids,
            question_id=command.question_id,
            content=answer.content if answer else "",
            arguments=tuple(each for each in answer.arguments if each in state.arguments) if answer else (),
            model=command.model,
            prompt_hash=command.prompt_hash,
        )
    )


def not_replied(draft: DeliberationDraft, question_id: str) -> None:
    """No model could answer."""
    if any(each.question_id == question_id and each.reply is None for each in draft.state.questions):
        draft.happens(CriticReplied(**draft.ids, question_id=question_id, content=""))


# ── choosing and stopping ─────────────────────────────────────────────────────────────────────────────────────────


def check_choice(state: Deliberation, by: str, shown: int, *, as_admin: bool) -> None:
    """Args: shown: the newest round whose positions they were shown; 0 where nobody says."""
    if not may_lead(state, by, as_admin=as_admin):
        raise NotAllowed("Only the person who asked for this plan, or an admin, can choose between the positions.")
    if state.status is not Status.CLOSING:
        check_not_carried_out(state)
    if state.choice is not None:
        raise IllegalStep("The choice was made already, and the plan follows it.")
    if state.status is Status.REPORTING:
        raise IllegalStep("The report is being written. Choose again once it is there.")
    if state.status is Status.CONVERGED:
        raise IllegalStep("The Planner and the Critic have agreed, so there is nothing to choose between.")
    if not may_choose_now(state):
        raise IllegalStep("There are no two positions that differ, so there is nothing to choose between.")
    spoken = [each.number for each in state.rounds if each.outputs]
    if shown and spoken and spoken[-1] > shown:
        raise Outdated(
            "A position has changed since it was shown, so nothing was chosen. Look at both as they are now."
        )


def choose_position(draft: DeliberationDraft, command: ChoosePosition) -> None:
    state = draft.state
    check_choice(state, command.by, command.round, as_admin=command.as_admin)
    if command.chosen not in DEBATERS:
        raise IllegalStep("Choose the position of the Planner or of the Critic; nobody else has one.")
    why = without_surrogates(command.why).strip()
    if len(why) > LONGEST_POINT:
        raise InvalidPoint(f"The reason has {len(why)} characters; {LONGEST_POINT} are the most. Use fewer words.")
    draft.happens(PositionChosen(**draft.ids, by=command.by, chosen=command.chosen, why=why, at=command.at))
    if state.status is not Status.CLOSING:
        closing.begin(draft, Reason.USER_DECIDED, command.at)


def stop(draft: DeliberationDraft, command: StopDeliberation) -> None:
    """Report at once what there is. What both have agreed on stays agreed, where only the end of it is cut short."""
    state = draft.state
    if not may_lead(state, command.by, as_admin=command.as_admin):
        raise NotAllowed("Only the person who asked for this plan, or an admin, can stop it.")
    if not state.is_open:
        raise IllegalStep("This plan is finished already; there is nothing left to stop.")
    is_forgotten = command.by == OPERATOR
    if state.status is Status.REPORTING and not is_forgotten:
        raise IllegalStep("The report is being written already; there is nothing left to stop.")
    draft.happens(StopRequested(**draft.ids, by=command.by, at=command.at))
    if is_forgotten:
        closing.begin(draft, Reason.FORGOTTEN, command.at)
    elif state.status is Status.CLOSING:
        closing.hurry(draft, command.at)
    else:
        closing.begin(draft, Reason.USER_STOP, command.at)
