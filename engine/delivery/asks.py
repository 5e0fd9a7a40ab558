"""What models are asked in a delivery, how their answers are read, and what stands in for one.

Nobody's profile is told to any of these prompts: what is known of people is what they have said to everybody.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from engine.delivery import composing
from engine.delivery.answers import (
    LONGEST_WORK,
    AdviseAnswer,
    ClarifyAnswer,
    DiscussAnswer,
    FinalReportAnswer,
    InstructAnswer,
    PlanAnswer,
    ProposeAnswer,
    ReviewAnswer,
    WorkAnswer,
)
from engine.delivery.commands import (
    RecordAdvice,
    RecordClarification,
    RecordDiscussion,
    RecordFinalReport,
    RecordInstruction,
    RecordPlan,
    RecordProposal,
    RecordReview,
    RecordWords,
)
from engine.delivery.given import Given
from engine.delivery.planning.planning import completed, faults_of, planned_tasks
from engine.delivery.planning.reading import held
from engine.delivery.state import Delivery
from engine.delivery.tickets.owners import language
from engine.directory.profile import Profiles
from engine.errors import ModelError
from engine.facts.content import Check
from engine.kernel import Ask, Command, Millis
from engine.kernel.encoding import texts_in
from engine.llm.port import Answer, AnswerClasses, Prompt, Question

RETURNS: AnswerClasses = {
    "clarify": ClarifyAnswer,
    "plan": PlanAnswer,
    "propose": ProposeAnswer,
    "discuss": DiscussAnswer,
    "instruct": InstructAnswer,
    "work": WorkAnswer,
    "review": ReviewAnswer,
    "advise": AdviseAnswer,
    "report": FinalReportAnswer,
}
"""What each prompt of prompts/delivery must say that it returns."""

RECORDS: Final[Mapping[str, Callable[..., Command]]] = {
    "clarify": RecordClarification,
    "plan": RecordPlan,
    "propose": RecordProposal,
    "discuss": RecordDiscussion,
    "instruct": RecordInstruction,
    "work": RecordWords,
    "review": RecordReview,
    "advise": RecordAdvice,
    "report": RecordFinalReport,
}
"""The command that carries the answer of each prompt."""
OF_THE_WHOLE: Final = frozenset({"clarify", "plan", "report"})
"""Prompts about no ticket."""


@dataclass(frozen=True, slots=True)
class DeliveryAsks:
    """Composes questions and reads answers."""

    prompts: Mapping[str, Prompt]
    """By name, e.g. ``delivery/plan``."""
    profiles: Profiles
    """Of the tenant. Nothing of them is told."""

    def compose(self, state: Delivery, ask: Ask) -> Question[Any]:
        prompt = self.prompts[f"delivery/{ask.prompt}"]
        check: Callable[[Any], str] | None = partial(_plan_faults, state) if ask.prompt == "plan" else None
        given = _given(state, ask).values()
        spoken = state.brief.language or None
        return Question(prompt, given, RETURNS[ask.prompt], asked_by=state.requester_id, language=spoken, check=check)

    def read(
        self, state: Delivery, ask: Ask, prompt: Prompt, answer: Answer[Any], *, command_id: str, at: Millis
    ) -> Command:
        value = checked(state, ask, answer.value)
        told = {"command_id": command_id, "at": at, "model": answer.model, "prompt_hash": prompt.content_hash}
        return _recorded(ask, value, told)

    def fallback(self, state: Delivery, ask: Ask, why: ModelError, *, command_id: str, at: Millis) -> Command:
        """Return the command without an answer: code, or a person, does what is needed."""
        return _recorded(ask, None, {"command_id": command_id, "at": at, "error": type(why).__name__})


def _recorded(ask: Ask, value: Any, told: dict[str, Any]) -> Command:
    if ask.prompt != "report":
        told["number"] = int(ask.name.rpartition("-")[2])
    if ask.prompt not in OF_THE_WHOLE:
        told["ticket_id"] = ask.about
    return RECORDS[ask.prompt](answer=value, **told)


def _given(state: Delivery, ask: Ask) -> Given:
    match ask.prompt:
        case "clarify":
            return composing.clarify_given(state)
        case "plan":
            return composing.plan_given(state)
        case "report":
            return composing.final_given(state)
    ticket = state.tickets[ask.about]
    match ask.prompt:
        case "propose":
            return composing.propose_given(state, ticket)
        case "discuss":
            return composing.discuss_given(state, ticket)
        case "instruct":
            return composing.instruct_given(state, ticket)
        case "work":
            return composing.work_given(state, ticket)
        case "review":
            return composing.review_given(state, ticket)
        case "advise":
            return composing.advise_given(state, ticket)
    raise KeyError(f"no prompt of a delivery is called {ask.prompt!r}")


# ── how answers are read ──────────────────────────────────────────────────────────────────────────────────────────


def checked(state: Delivery, ask: Ask, value: Any) -> Any:
    """Return an answer as far as what it says may be shown and what it names exists.

    What a model writes as the worker is an artifact: a person reviews it, and nothing of it is posted.
    """
    if ask.prompt == "work":
        return value
    shown, _ = Check(_given_by_people(state), language(state), LONGEST_WORK)(value)
    return held(shown, state)


def _given_by_people(state: Delivery) -> Iterable[str]:
    yield from texts_in(state.brief)
    for each in state.clarifications:
        yield from each.answers or ()
    for ticket in state.tickets.values():
        yield from texts_in(ticket.task)
        yield from ticket.answers
        for evidence in ticket.shown:
            yield from texts_in(evidence)
        for artifact in ticket.artifacts:  # what was registered has a digest, which a report may name
            yield artifact.digest


def _plan_faults(state: Delivery, answer: PlanAnswer) -> str:
    """Say why a plan cannot be carried out; nothing where it can."""
    return " ".join(
        faults_of(tuple(completed(each, language(state)) for each in planned_tasks(state, held(answer, state))))
    )
