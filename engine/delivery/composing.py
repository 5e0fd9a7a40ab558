"""Makes what each prompt is given out of the state. Everything has a bound."""

from typing import Final

from engine.delivery.given import (
    AdviseGiven,
    AnsweredQuestion,
    BriefGiven,
    ClarifyGiven,
    DiscussGiven,
    FactGiven,
    FinalGiven,
    InstructGiven,
    OutcomeGiven,
    PersonGiven,
    PlanGiven,
    ProofGiven,
    ProposalGiven,
    ProposeGiven,
    ReportGiven,
    ResultGiven,
    ReviewGiven,
    RoleGiven,
    StepsGiven,
    TaskGiven,
    TroubleGiven,
    WorkGiven,
)
from engine.delivery.outstanding import is_high_risk
from engine.delivery.state import Delivery, Ticket, TicketStatus
from engine.delivery.terms import Artifact, Evidence, Owner, Steps, WorkerKind
from engine.facts.shortening import shorten

LONGEST_LINE: Final = 400
"""Characters."""
LONGEST_EXCERPT: Final = 6_000
MOST_FACTS: Final = 60
MOST_LISTED: Final = 20
MOST_TICKETS: Final = 60
KINDS: Final = {
    WorkerKind.PERSON: "person",
    WorkerKind.ACP: "agent",
    WorkerKind.ENVELOPE: "command",
    WorkerKind.MODEL: "model",
    WorkerKind.NOBODY: "",
}


# ── what everybody is told ────────────────────────────────────────────────────────────────────────────────────────


def brief_given(state: Delivery) -> BriefGiven:
    brief = state.brief
    return BriefGiven(
        title=brief.title,
        goal=brief.goal,
        today=brief.today,
        language=brief.spoken,
        ends=brief.ends,
        intent=shorten(state.intent_summary, LONGEST_LINE),
        facts=tuple(
            FactGiven(kind=each.kind, text=shorten(each.text, LONGEST_LINE), by=name_of(state, each.by))
            for each in brief.facts[:MOST_FACTS]
        ),
    )


def name_of(state: Delivery, who: str) -> str:
    """Return the name of somebody, by a user's or a person's id. No model is told the id of a user."""
    found = next((each for each in state.brief.people if who and who in (each.user_id, each.person_id)), None)
    if found is not None:
        return found.name
    return "whoever asked for it" if who and who == state.requester_id else ""


def people_given(state: Delivery) -> tuple[PersonGiven, ...]:
    """Return those who can be given a ticket: each acts for themselves."""
    return tuple(
        PersonGiven(
            person_id=each.person_id,
            name=each.name,
            role=shorten(each.role, LONGEST_LINE),
            brings=shorten(each.brings, LONGEST_LINE),
        )
        for each in state.brief.people[:MOST_LISTED]
        if each.user_id
    )


def roles_given(state: Delivery) -> tuple[RoleGiven, ...]:
    return tuple(
        RoleGiven(
            role_id=each.role_id,
            name=each.name,
            kind=KINDS[each.kind],
            capabilities=each.capabilities,
            checks=each.checks,
        )
        for each in state.roles.values()
        if not each.is_manager
    )


def owner_name(state: Delivery, owner: Owner) -> str:
    return owner.name or name_of(state, owner.user_id or owner.person_id) or owner.role_id


def task_given(state: Delivery, ticket: Ticket) -> TaskGiven:
    task = ticket.task
    return TaskGiven(
        ticket_id=ticket.ticket_id,
        title=shorten(task.title, LONGEST_LINE),
        description=task.description,
        worker=owner_name(state, ticket.owner),
        worker_kind=KINDS[ticket.owner.kind],
        expected_outputs=tuple(each.label for each in task.outputs),
        files=tuple(each.path for each in task.outputs),
        acceptance_criteria=task.acceptance,
        risks=task.risks,
        risk="high" if is_high_risk(state, ticket) else "low",
        risk_reason=task.risk_reason,
        starts=task.starts,
        deadline=task.deadline,
    )


def results_given(state: Delivery, ticket: Ticket) -> tuple[ResultGiven, ...]:
    before = (state.ticket_of(each) for each in ticket.task.depends_on)
    return tuple(
        ResultGiven(
            ticket_id=each.ticket_id,
            title=shorten(each.task.title, LONGEST_LINE),
            summary=shorten(each.report.summary, LONGEST_LINE) if each.report else "",
            results=tuple(f"{found.label}: {found.uri}" for found in each.artifacts),
        )
        for each in before
        if each is not None and each.status is TicketStatus.DONE
    )


def discussion_given(ticket: Ticket) -> tuple[ProposalGiven, ...]:
    answers = {each.number: each for each in ticket.proposal_answers}
    return tuple(
        ProposalGiven(
            summary=each.summary,
            draft_steps=each.draft_steps,
            open_questions=each.open_questions,
            risks=each.risks,
            worker_agrees=answers[each.number].agrees if each.number in answers else None,
            worker_says=answers[each.number].answers if each.number in answers else (),
        )
        for each in ticket.proposals
    )


def steps_given(steps: Steps) -> StepsGiven:
    return StepsGiven(
        summary=steps.summary, steps=steps.steps, resources=steps.resources, acceptance_criteria=steps.acceptance
    )


def told(ticket: Ticket) -> tuple[str, ...]:
    """Return what its worker was told since: answers to what was lacking, and the changes that are wanted."""
    return tuple(shorten(each, LONGEST_LINE * 4) for each in (*ticket.answers, *ticket.changes))[-MOST_LISTED:]


def troubles(ticket: Ticket) -> tuple[str, ...]:
    """Return how each attempt came to nothing."""
    lost = [each for each in ticket.attempts if each.ended_at and each.outcome not in ("reported", "approved")]
    return tuple(
        f"{each.outcome}: {shorten(each.detail, LONGEST_LINE)}" if each.detail else each.outcome
        for each in lost[-MOST_LISTED:]
    )


# ── each prompt ───────────────────────────────────────────────────────────────────────────────────────────────────


def clarify_given(state: Delivery) -> ClarifyGiven:
    return ClarifyGiven(brief_given(state), people_given(state), _answered(state))


def plan_given(state: Delivery) -> PlanGiven:
    return PlanGiven(
        brief_given(state), people_given(state), roles_given(state), _answered(state), state.plan_faults[:MOST_LISTED]
    )


def _answered(state: Delivery) -> tuple[AnsweredQuestion, ...]:
    return tuple(
        AnsweredQuestion(question=question.text, answer=answer)
        for each in state.clarifications
        for question, answer in zip(each.questions, each.answers or (), strict=False)
    )


def propose_given(state: Delivery, ticket: Ticket) -> ProposeGiven:
    return ProposeGiven(
        brief_given(state), task_given(state, ticket), results_given(state, ticket), discussion_given(ticket)
    )


def discuss_given(state: Delivery, ticket: Ticket) -> DiscussGiven:
    return DiscussGiven(brief_given(state), task_given(state, ticket), discussion_given(ticket)[-1])


def instruct_given(state: Delivery, ticket: Ticket) -> InstructGiven:
    return InstructGiven(
        brief_given(state), task_given(state, ticket), results_given(state, ticket), discussion_given(ticket)
    )


def _instruction(ticket: Ticket) -> Steps:
    return ticket.instruction or Steps(summary=ticket.task.title)


def work_given(state: Delivery, ticket: Ticket) -> WorkGiven:
    return WorkGiven(
        brief_given(state),
        task_given(state, ticket),
        steps_given(_instruction(ticket)),
        results_given(state, ticket),
        told(ticket),
    )


def review_given(state: Delivery, ticket: Ticket) -> ReviewGiven:
    report = ticket.reports[-1]
    shown = {each.label: each for each in ticket.shown}
    return ReviewGiven(
        brief_given(state),
        task_given(state, ticket),
        steps_given(_instruction(ticket)),
        ReportGiven(
            summary=shorten(report.summary, LONGEST_LINE * 4),
            proof=tuple(
                ProofGiven(
                    output=each.label,
                    file=each.uri,
                    size_bytes=each.size_bytes,
                    content_type=each.content_type,
                    excerpt=_excerpt(each, shown.get(each.label)),
                    is_link=each.is_link,
                )
                for each in report.artifacts
            ),
            checks=tuple(f"{each.name}: {'passed' if each.has_passed else 'failed'}" for each in report.checks),
            issues=report.issues,
        ),
    )


def _excerpt(artifact: Artifact, shown: Evidence | None) -> str:
    text = shown.text if shown and shown.text else artifact.beginning
    return shorten(text, LONGEST_EXCERPT)


def advise_given(state: Delivery, ticket: Ticket) -> AdviseGiven:
    return AdviseGiven(
        brief_given(state),
        task_given(state, ticket),
        steps_given(ticket.instruction) if ticket.instruction else None,
        TroubleGiven(
            is_blocked=ticket.status is TicketStatus.BLOCKED,
            issues=ticket.issues,
            attempts=troubles(ticket),
            told=told(ticket),
        ),
        roles_given(state),
    )


def final_given(state: Delivery) -> FinalGiven:
    return FinalGiven(
        brief_given(state),
        state.reason or "",
        tuple(
            OutcomeGiven(
                ticket_id=each.ticket_id,
                title=shorten(each.task.title, LONGEST_LINE),
                worker=owner_name(state, each.owner),
                status=each.status,
                results=tuple(f"{found.label}: {found.uri}" for found in each.artifacts),
                troubles=(*troubles(each), *(answer for answer in each.answers))[:MOST_LISTED],
                next_actions=each.report.next_actions if each.report else (),
            )
            for each in [*state.tickets.values()][:MOST_TICKETS]
        ),
    )
