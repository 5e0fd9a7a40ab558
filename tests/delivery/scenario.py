"""given/when/then over the pure rules of the delivery: the history is folded, one command is the when.

Commands carry what the Manager and the workers would have said, so neither a model nor a process is needed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from engine.delivery import commands as asked
from engine.delivery.answers import (
    AdviseAnswer,
    ClarifyAnswer,
    FinalReportAnswer,
    InstructAnswer,
    PlanAnswer,
    PlannedTask,
    ProposeAnswer,
    ReviewAnswer,
)
from engine.delivery.policy import DEFAULT, Policy
from engine.delivery.rules import RULEBOOK
from engine.delivery.state import Delivery, Status, Ticket, TicketStatus
from engine.delivery.terms import (
    Artifact,
    Brief,
    Evidence,
    ExpectedOutput,
    Owner,
    Permission,
    PermissionChoice,
    PersonNeed,
    Role,
    Task,
    WorkerKind,
)
from engine.kernel import Ask, HandedPerson, Place, RunWorker

from ..given import NOON as NOON
from ..given import Given

REQUESTER = "U_ASKS"
ANN = "U_ANN"
BO = "U_BO"
STREAM = "deliver-00000001"
BRIEF = Brief(
    title="An evening about AI",
    goal="Fifty people meet for an evening about AI.",
    people=(
        HandedPerson(person_id="ann", user_id=ANN, name="Ann"),
        HandedPerson(person_id="bo", user_id=BO, name="Bo"),
    ),
)
AGENT = Role(role_id="worker_agent", name="Agent", kind=WorkerKind.ACP, capabilities=("coding",), checks=("lint",))
SCRIPT = Role(role_id="worker_script", name="Script", kind=WorkerKind.ENVELOPE, capabilities=("research",))
WRITER = Role(role_id="writer", name="Writer", kind=WorkerKind.MODEL, capabilities=("writing",))
BOSS = Role(role_id="manager", name="Manager", kind=WorkerKind.MODEL, is_manager=True, capabilities=("planning",))
ROLES = (AGENT, SCRIPT, WRITER, BOSS)
FOR_ANN = Owner(kind=WorkerKind.PERSON, user_id=ANN, person_id="ann", name="Ann")
FOR_AGENT = Owner(kind=WorkerKind.ACP, role_id="worker_agent", name="Agent")
FOR_SCRIPT = Owner(kind=WorkerKind.ENVELOPE, role_id="worker_script", name="Script")
FOR_WRITER = Owner(kind=WorkerKind.MODEL, role_id="writer", name="Writer")
DIGEST = "sha256:" + "0" * 64


def task(task_id: str = "room", owner: Owner = FOR_ANN, **fields: Any) -> Task:
    told: dict[str, Any] = {"title": f"Do {task_id}", "outputs": (ExpectedOutput(label="Result"),)}
    return Task(task_id=task_id, owner=owner, **told | fields)


def artifact(label: str = "Result", **fields: Any) -> Artifact:
    told: dict[str, Any] = {
        "uri": "artifacts/T-1/result.md", "digest": DIGEST, "content_type": "text/markdown", "size_bytes": 10,
        "beginning": "# A result",
    }  # fmt: skip
    return Artifact(label=label, **told | fields)


def evidence(label: str = "Result", **fields: Any) -> Evidence:
    return Evidence(label=label, **fields or {"text": "It is booked, see the mail of today."})


@dataclass(kw_only=True)
class Scenario(Given):
    """A delivery in the making. Every command gets a fresh id; time passes only when told."""

    rulebook: ClassVar = RULEBOOK
    policy: Policy = DEFAULT
    brief: Brief = BRIEF
    roles: tuple[Role, ...] = ROLES
    state: Delivery = field(default_factory=Delivery)

    # ── when ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def opens(self, *tasks: Task, **fields: Any) -> Self:
        begun: dict[str, Any] = {"session_id": STREAM, "by": REQUESTER, "brief": self.brief, "policy": self.policy}
        begun |= {"place": Place(channel="C_LOBBY"), "roles": self.roles, "tasks": tasks}
        return self.does(asked.OpenDelivery, **begun | fields)

    def clarifies(self, *questions: str, number: int | None = None) -> Self:
        number = number or len(self.state.clarifications) + 1
        return self.does(asked.RecordClarification, number=number, answer=ClarifyAnswer(questions=questions))

    def plans(self, *tasks: PlannedTask, **fields: Any) -> Self:
        told: dict[str, Any] = {"number": self.state.plans_refused + 1, "answer": PlanAnswer(tasks=tasks)}
        return self.does(asked.RecordPlan, **told | fields)

    def proposes(self, ticket_id: str = "T-1", **fields: Any) -> Self:
        answer = ProposeAnswer(**{"summary": "Carefully."} | fields)
        number = len(self.ticket(ticket_id).proposals) + 1
        return self.does(asked.RecordProposal, ticket_id=ticket_id, number=number, answer=answer)

    def instructs(self, ticket_id: str = "T-1", **fields: Any) -> Self:
        answer = InstructAnswer(**{"summary": "Do it well."} | fields)
        number = self.ticket(ticket_id).instructions + 1
        return self.does(asked.RecordInstruction, ticket_id=ticket_id, number=number, answer=answer)

    def worked(self, ticket_id: str = "T-1", **fields: Any) -> Self:
        """The attempt has come to something; to proof of one result unless something else is given."""
        told: dict[str, Any] = {"attempt": len(self.ticket(ticket_id).attempts)}
        if not fields.keys() & {"failure", "permission", "issues", "artifacts"}:
            told["artifacts"] = tuple(artifact(each.label) for each in self.ticket(ticket_id).task.outputs)
        return self.does(asked.RecordWork, ticket_id=ticket_id, **told | fields)

    def asks_leave(self, ticket_id: str = "T-1", digest: str = DIGEST, **fields: Any) -> Self:
        permission = Permission(digest=digest, kind="execute", title="pip install x", detail="pip install x")
        return self.worked(ticket_id, permission=permission, agent_session="s-1", **fields)

    def permits(
        self, choice: PermissionChoice = PermissionChoice.ONCE, by: str = REQUESTER, ticket_id: str = "T-1",
        digest: str = DIGEST, **fields: Any,
    ) -> Self:  # fmt: skip
        return self.does(asked.AnswerPermission, by=by, ticket_id=ticket_id, digest=digest, choice=choice, **fields)

    def finishes(self, ticket_id: str = "T-1", by: str = ANN, **fields: Any) -> Self:
        """The owner shows something for each expected output."""
        shown = tuple(evidence(each.label) for each in self.ticket(ticket_id).task.outputs)
        return self.does(asked.FinishTicket, ticket_id=ticket_id, by=by, **{"evidence": shown} | fields)

    def reviews(self, decision: str = "approved", ticket_id: str = "T-1", **fields: Any) -> Self:
        answer = ReviewAnswer(decision=decision, **fields)  # type: ignore[arg-type]
        number = len(self.ticket(ticket_id).reports)
        return self.does(asked.RecordReview, ticket_id=ticket_id, number=number, answer=answer)

    def decides(self, *, approves: bool = True, by: str = REQUESTER, ticket_id: str = "T-1", **fields: Any) -> Self:
        return self.does(asked.ReviewTicket, by=by, ticket_id=ticket_id, approves=approves, **fields)

    def advises(self, action: str, ticket_id: str = "T-1", **fields: Any) -> Self:
        answer = AdviseAnswer(action=action, **fields)  # type: ignore[arg-type]
        number = len(self.ticket(ticket_id).advice) + 1
        return self.does(asked.RecordAdvice, ticket_id=ticket_id, number=number, answer=answer)

    def reports(self, summary: str = "It is done.") -> Self:
        return self.does(asked.RecordFinalReport, answer=FinalReportAnswer(summary=summary))

    # ── then ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def ticket(self, ticket_id: str = "T-1") -> Ticket:
        return self.state.tickets[ticket_id]

    def owing(self, *names: str) -> Self:
        """Exactly these effects are owed by the last command."""
        assert sorted(each.name for each in self.last.effects) == sorted(names), self.last.effects
        return self

    def asks(self) -> list[str]:
        return [each.prompt for each in self.last.effects if isinstance(each, Ask)]

    def runs(self) -> list[RunWorker]:
        return [each for each in self.last.effects if isinstance(each, RunWorker)]

    def stands(self, status: Status) -> Self:
        assert self.state.status is status, self.state.status
        return self

    def ticket_is(self, status: TicketStatus, ticket_id: str = "T-1", *, need: PersonNeed | None = None) -> Self:
        ticket = self.ticket(ticket_id)
        assert (ticket.status, ticket.need) == (status, need)
        return self


def opened(*tasks: Task, **fields: Any) -> Scenario:
    """It has begun with a plan; one task of Ann's unless others are given."""
    return Scenario(**fields).opens(*(tasks or (task(),)))


def instructed(*tasks: Task, **fields: Any) -> Scenario:
    """Every ticket that waits for nothing is instructed: people can work, and machines do."""
    scenario = opened(*tasks, **fields)
    for ticket_id, ticket in scenario.state.tickets.items():
        if not scenario.state.waits_for(ticket) and not ticket.task.needs_proposal:
            scenario.instructs(ticket_id)
    return scenario


def reported(*tasks: Task, **fields: Any) -> Scenario:
    """The first ticket is reported with proof and waits for the Manager's review."""
    scenario = instructed(*tasks, **fields)
    if scenario.ticket().is_a_persons:
        scenario.finishes()
    return scenario.worked()
