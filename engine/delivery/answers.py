"""What models answer in a delivery, as the Manager and as a worker: the schemas of its prompts.

Fields and names are seed 002's, section 5.1, and what the flow needs besides. Ids that a model has written are kept
only where they exist (`engine.delivery.planning.reading`).
"""

from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, Field

from engine.delivery.terms import Risk
from engine.facts.answer_fields import Id, Ids, Needed, Text, Texts, cleaned, lower
from engine.kernel import PRIVATE, ModelAnswer

MOST_TASKS: Final = 40
"""Of one plan that a model makes."""
LONGEST_WORK: Final = 40_000
"""Characters of what a model writes for a ticket that is only words."""


def _bounded(most: int) -> BeforeValidator:
    def few(value: Any) -> Any:
        return value[:most] if isinstance(value, list | tuple) else () if value is None else value

    return BeforeValidator(few)


def _long(value: Any) -> Any:
    return value[:LONGEST_WORK] if isinstance(value, str) else value


def _risk(value: Any) -> Any:
    return "high" if isinstance(value, str) and value.strip().lower() == "high" else "low"


class ClarifyAnswer(ModelAnswer):
    """The Manager's questions to whoever asked; none where everything is clear."""

    language: Id = ""
    """BCP 47: in which the goal is written."""
    intent_summary: Text = ""
    questions: Annotated[Texts, _bounded(5)] = ()


class PlannedTask(ModelAnswer):
    task_id: Id
    title: Needed
    description: Text = ""
    depends_on: Ids = ()
    expected_outputs: Texts = ()
    acceptance_criteria: Texts = ()
    risks: Texts = ()
    """What may go wrong."""
    risk: Annotated[Risk, BeforeValidator(_risk)] = "low"
    risk_reason: Text = ""
    checked_by: Id = ""
    """A ``person_id`` that it was told: who approves it; empty where the Manager does."""
    owner: Id = ""
    """A ``person_id`` or a ``role_id`` that it was told; empty where ``capabilities`` decide."""
    capabilities: Ids = ()
    starts: Id = ""
    """ISO date."""
    deadline: Id = ""
    """ISO date."""
    check: Id = ""
    """Name of a check command of the registry."""


def _risks_as_before(value: Any) -> Any:
    """Read ``high_risk``, true or false, which prompts of before ask for."""
    if not isinstance(value, list | tuple):
        return value
    return [
        {"risk": "high", **each} if isinstance(each, dict) and each.get("high_risk") is True else each for each in value
    ]


class PlanAnswer(ModelAnswer):
    tasks: Annotated[tuple[PlannedTask, ...], BeforeValidator(_risks_as_before), _bounded(MOST_TASKS)] = ()


class ProposeAnswer(ModelAnswer):
    """How the Manager would have a risky ticket done (``instruction_proposal``)."""

    summary: Needed
    draft_steps: Texts = ()
    open_questions: Texts = ()
    risks: Texts = ()


class DiscussAnswer(ModelAnswer):
    """What a model that is the worker says to a proposal (``report`` with status ``proposal``)."""

    agrees: bool
    answers: Texts = ()
    """To the open questions, in their order."""
    concerns: Texts = ()


class InstructAnswer(ModelAnswer):
    """The instruction."""

    summary: Needed
    steps: Texts = ()
    resources: Texts = ()
    acceptance_criteria: Texts = ()


class WorkAnswer(ModelAnswer):
    """What a model has written for a ticket that is only words, one text for each expected output, in their order."""

    outputs: Annotated[
        tuple[Annotated[str, PRIVATE, BeforeValidator(cleaned), BeforeValidator(_long)], ...], PRIVATE, _bounded(8)
    ] = ()
    issues: Texts = ()
    """What it lacks. Where it lists any and writes nothing, the ticket is blocked."""
    next_actions: Texts = ()


class ReviewAnswer(ModelAnswer):
    decision: Annotated[Literal["approved", "changes_requested", "unsure"], BeforeValidator(lower)]
    """``unsure``: whoever asked decides."""
    notes: Text = ""
    requested_changes: Texts = ()


class AdviseAnswer(ModelAnswer):
    """What the Manager does about a ticket that is blocked or has failed too often."""

    action: Annotated[Literal["answer", "instruct", "reassign", "ask", "give_up"], BeforeValidator(lower)]
    text: Text = ""
    """The answer, the question to the requester, or why it is given up."""
    steps: Texts = ()
    """Of a new instruction."""
    role_id: Id = ""
    """Of another worker."""


class FinalReportAnswer(ModelAnswer):
    """The final report's words. What was done, and by whom, code says."""

    summary: Annotated[str, PRIVATE, BeforeValidator(cleaned), Field(min_length=1)]
    learned: Texts = ()
    next_steps: Texts = ()
