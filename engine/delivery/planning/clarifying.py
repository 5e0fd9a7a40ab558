"""The Manager asks whoever wants it, before it is planned."""

from typing import Final

from engine.delivery.answers import ClarifyAnswer
from engine.delivery.commands import AnswerClarification, RecordClarification
from engine.delivery.drafting import HOUR, DeliveryDraft, later
from engine.delivery.errors import InvalidText
from engine.delivery.events import ClarificationAnswered, ClarificationAsked, ClarificationClosed
from engine.delivery.state import Status
from engine.delivery.terms import LONGEST_TEXT, MOST_QUESTIONS, Question
from engine.delivery.tickets.rights import may_lead
from engine.delivery.tickets.wording import said
from engine.errors import IllegalStep, NotAllowed, Outdated
from engine.kernel import Millis

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
