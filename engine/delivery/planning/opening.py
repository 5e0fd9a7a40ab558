"""How a delivery begins: its goal or plan, what the Manager asks about it, and who may work by which figures."""

from typing import Final

from msgspec.structs import replace

from engine.delivery.answers import ClarifyAnswer
from engine.delivery.commands import AnswerClarification, ChangeRoles, OpenDelivery, RecordClarification
from engine.delivery.drafting import HOUR, DeliveryDraft, later
from engine.delivery.errors import InvalidBrief, InvalidPlan, InvalidText
from engine.delivery.events import (
    ClarificationAnswered,
    ClarificationAsked,
    ClarificationClosed,
    DeliveryOpened,
    RolesChanged,
)
from engine.delivery.planning import planning
from engine.delivery.planning.planning import faults_of
from engine.delivery.policy import PROTOCOL
from engine.delivery.state import Delivery, Status
from engine.delivery.terms import LONGEST_GOAL, LONGEST_TEXT, MOST_QUESTIONS, Brief, PlannedBy, Question
from engine.delivery.tickets.owners import may_lead, said
from engine.errors import IllegalStep, NotAllowed, Outdated
from engine.facts.language import catalogue_of
from engine.facts.shortening import without_surrogates
from engine.kernel import CommandDelivered, HandoverTaken, Millis, SendCommand, tell_origin


def opened(draft: DeliveryDraft, command: OpenDelivery) -> None:
    """Begin a delivery, of a goal or of a plan."""
    if draft.state.exists:
        raise IllegalStep("This delivery has begun already.")
    brief = _checked(command.brief)
    tasks = command.tasks or planning.tasks_of(brief, command.roles, command.by)
    tasks = tuple(planning.completed(each, catalogue_of(brief.spoken)) for each in tasks)
    if tasks and (faults := faults_of(tasks)):
        raise InvalidPlan(" ".join(faults))
    planning.check_checkers(tasks)
    draft.happens(
        DeliveryOpened(
            session_id=command.session_id,
            requester_id=command.by,
            brief=brief,
            policy=command.policy,
            roles=command.roles,
            place=command.place,
            is_planned=bool(tasks),
            at=command.at,
            conversation_id=command.conversation_id,
        )
    )
    if command.brief.origin_protocol:
        draft.owes(tell_origin(command.brief.origin, command.brief.origin_protocol))
    if tasks:
        by = PlannedBy.FILE if command.tasks else PlannedBy.HANDOVER
        planning.receive(draft, tasks, by, command.at)


def _checked(brief: Brief) -> Brief:
    goal, title = without_surrogates(brief.goal).strip(), without_surrogates(brief.title).strip()
    if not goal:
        raise InvalidBrief("There is nothing to carry out in it. Say what is to be done, in a sentence.")
    if len(goal) > LONGEST_GOAL:
        raise InvalidBrief(f"That has {len(goal)} characters; {LONGEST_GOAL} are the most. Say it in fewer words.")
    return replace(brief, goal=goal, title=title or goal.splitlines()[0][:200])


def roles_changed(draft: DeliveryDraft, command: ChangeRoles) -> None:
    state = draft.state
    is_new = tuple(state.roles.values()) != command.roles or state.policy != command.policy
    if state.is_open and is_new:
        draft.happens(RolesChanged(**draft.ids, roles=command.roles, policy=command.policy, at=command.at))


def compose_command(state: Delivery, effect: SendCommand, *, command_id: str, at: Millis) -> HandoverTaken:
    return HandoverTaken(command_id=command_id, at=at, stream=state.session_id, protocol=PROTOCOL)


def origin_told(draft: DeliveryDraft, command: CommandDelivered) -> None:
    """Nothing follows from it."""


MOST_ROUNDS: Final = 2
"""Of questions; then it is planned with what is known."""


def recorded(draft: DeliveryDraft, command: RecordClarification) -> None:
    state = draft.state
    is_waited_for = state.status is Status.CLARIFYING and state.open_clarification is None
    if not is_waited_for or command.number != len(state.clarifications) + 1:
        return
    answer = command.answer
    if answer is None:
        _close(draft, "no_model", command.at)
        return
    questions = tuple(each.strip() for each in answer.questions if each.strip())[:MOST_QUESTIONS]
    if not questions or len(state.clarifications) >= MOST_ROUNDS:
        _close(draft, "answered" if state.clarifications else "clear", command.at, answer)
        return
    draft.happens(
        ClarificationAsked(
            **draft.ids,
            number=command.number,
            questions=tuple(
                Question(question_id=f"q{command.number}-{place}", text=text) for place, text in enumerate(questions, 1)
            ),
            intent_summary=answer.intent_summary,
            language=answer.language,
            until=later(command.at, state.policy.clarification_hours * HOUR),
            at=command.at,
            model=command.model,
            prompt_hash=command.prompt_hash,
        )
    )


def answered(draft: DeliveryDraft, command: AnswerClarification) -> None:
    state = draft.state
    if not may_lead(state, command.by, as_admin=command.as_admin):
        raise NotAllowed("Only whoever asked for this, or an admin, answers what the Manager asks.")
    asked = state.open_clarification
    if asked is None:
        raise IllegalStep("Nothing is asked at the moment.")
    if command.number != asked.number:
        raise Outdated("Other questions have been asked since. Answer those.")
    if len(command.answers) > len(asked.questions):
        raise InvalidText(f"There are {len(asked.questions)} questions, and {len(command.answers)} answers.")
    answers = tuple(said(each, "answer", LONGEST_TEXT, may_be_empty=True) for each in command.answers)
    answers += ("",) * (len(asked.questions) - len(answers))
    draft.happens(
        ClarificationAnswered(**draft.ids, number=asked.number, by=command.by, answers=answers, at=command.at)
    )


def time_is_up(draft: DeliveryDraft, at: Millis) -> None:
    """Plan with what is known: whoever was asked has not answered."""
    asked = draft.state.open_clarification
    if asked is not None and at >= asked.until:
        _close(draft, "time_is_up", at)


def _close(draft: DeliveryDraft, why: str, at: Millis, answer: ClarifyAnswer | None = None) -> None:
    told = {"intent_summary": answer.intent_summary, "language": answer.language} if answer else {}
    draft.happens(ClarificationClosed(**draft.ids, why=why, at=at, **told))
