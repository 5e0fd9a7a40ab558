"""What workers are told of a ticket, and what is made of what they did: a `WorkPort` (engine/workers/port.py)."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from engine.delivery.answers import DiscussAnswer
from engine.delivery.commands import RecordDiscussion, RecordWork, RejectEnvelope
from engine.delivery.composing import discussion_given, results_given, told, troubles
from engine.delivery.state import Delivery, Ticket
from engine.delivery.terms import Artifact, CheckRun, Cost, Permission, PermissionChoice
from engine.delivery.tickets.owners import language
from engine.facts.language import Language
from engine.facts.shortening import shorten
from engine.kernel import Command, Millis, RegisterOutputs, RunWorker, iso
from engine.workers.port import (
    AnsweredPermission,
    GivenOutput,
    Limits,
    RegisterOrder,
    WantedOutput,
    WorkOrder,
    WorkOutcome,
)

# ── what a worker is told ─────────────────────────────────────────────────────────────────────────────────────────────
# What a worker is told of its ticket: in words for agents, and as the payload of an envelope for other commands.
#
# All of it is data: none of it ever becomes an argument of a command.


VERSION: Final = "1.0"
LONGEST_GOAL: Final = 2_000
"""Characters."""
LONGEST: Final = 20_000

HEADINGS: Final[Mapping[str, Mapping[Language, str]]] = {
    "why": {"en": "What it is for", "zh": "用途"},
    "steps": {"en": "Steps", "zh": "步骤"},
    "resources": {"en": "What you can use", "zh": "可用的资源"},
    "acceptance": {"en": "It is done when", "zh": "完成标准"},
    "results": {"en": "What was done before", "zh": "之前的成果"},
    "discussion": {"en": "What was said about how to do it", "zh": "关于做法的讨论"},
    "told": {"en": "What you were told since; all of it has to be in the result",
             "zh": "之后的答复与修改要求，成果中都要体现"},
    "failed": {"en": "How earlier attempts failed", "zh": "之前的尝试为何失败"},
    "risks": {"en": "Risks", "zh": "风险"},
    "questions": {"en": "Questions to you", "zh": "请你回答"},
    "until": {"en": "Until", "zh": "截止"},
}  # fmt: skip


def work_text(state: Delivery, ticket: Ticket) -> str:
    """Return what an agent reads: Markdown in the language of the brief."""
    spoken = language(state)
    steps = ticket.instruction
    parts = [f"# {ticket.task.title}"]
    if steps and steps.summary and steps.summary != ticket.task.title:
        parts.append(steps.summary)
    if ticket.task.description:
        parts.append(ticket.task.description)
    if ticket.task.deadline:
        parts.append(f"{HEADINGS['until'][spoken]}: {ticket.task.deadline}")
    parts += _section("why", (shorten(state.brief.goal, LONGEST_GOAL),), spoken)
    parts += _section("steps", steps.steps if steps else (), spoken)
    parts += _section("resources", steps.resources if steps else (), spoken)
    parts += _section("acceptance", steps.acceptance if steps else ticket.task.acceptance, spoken)
    parts += _section("results", tuple(_results(state, ticket)), spoken)
    parts += _section("discussion", tuple(_discussion(ticket)), spoken)
    parts += _section("told", told(ticket), spoken)
    parts += _section("failed", troubles(ticket), spoken)
    return _bounded("\n\n".join(parts))


def proposal_text(state: Delivery, ticket: Ticket) -> str:
    made, spoken = ticket.proposals[-1], language(state)
    parts = [f"# {ticket.task.title}", made.summary]
    parts += _section("why", (shorten(state.brief.goal, LONGEST_GOAL),), spoken)
    parts += _section("steps", made.draft_steps, spoken)
    parts += _section("risks", made.risks, spoken)
    parts += _section("questions", made.open_questions, spoken)
    return _bounded("\n\n".join(parts))


def _bounded(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1].rstrip()}…"


def _section(name: str, lines: tuple[str, ...], spoken: Language) -> list[str]:
    said = [each for each in lines if each.strip()]
    return ["\n".join([f"## {HEADINGS[name][spoken]}", "", *(f"- {each}" for each in said)])] if said else []


def _results(state: Delivery, ticket: Ticket) -> Iterator[str]:
    for each in results_given(state, ticket):
        yield f"{each.ticket_id} {each.title}: {'; '.join(each.results) or each.summary}"


def _discussion(ticket: Ticket) -> Iterator[str]:
    for each in discussion_given(ticket):
        yield each.summary
        yield from each.draft_steps
        yield from each.worker_says


# ── envelopes ─────────────────────────────────────────────────────────────────────────────────────────────────────


def work_envelope(state: Delivery, ticket: Ticket, *, at: Millis) -> dict[str, Any]:
    """Return the ``dispatch`` of a ticket."""
    steps, task = ticket.instruction, ticket.task
    payload = {
        "ticket_id": ticket.ticket_id,
        "task_id": task.task_id,
        "title": task.title,
        "description": task.description,
        "goal": shorten(state.brief.goal, LONGEST_GOAL),
        "summary": steps.summary if steps else "",
        "steps": [*(steps.steps if steps else ())],
        "resources": [*(steps.resources if steps else ())],
        "acceptance_criteria": [*(steps.acceptance if steps else task.acceptance)],
        "expected_outputs": [{"label": each.label or "…", "path": each.path} for each in task.outputs],
        "results": [*_results(state, ticket)],
        "answers": [*ticket.answers],
        "changes": [*ticket.changes],
        "deadline": task.deadline,
    }
    return _enveloped(state, ticket, "dispatch", payload, at)


def proposal_envelope(state: Delivery, ticket: Ticket, *, at: Millis) -> dict[str, Any]:
    """Return the latest ``instruction_proposal`` of a ticket."""
    made = ticket.proposals[-1]
    payload = {
        "ticket_id": ticket.ticket_id,
        "title": ticket.task.title,
        "summary": made.summary,
        "draft_steps": [*made.draft_steps],
        "open_questions": [*made.open_questions],
        "risks": [*made.risks],
    }
    return _enveloped(state, ticket, "instruction_proposal", payload, at)


def _enveloped(
    state: Delivery, ticket: Ticket, payload_type: str, payload: dict[str, Any], at: Millis
) -> dict[str, Any]:
    return {
        "session_id": state.session_id,
        "timestamp": iso(at),
        "source": "scheduler",
        "target": ticket.owner.role_id,
        "payload_type": payload_type,
        "version": VERSION,
        "payload": payload,
    }


# ── what is made of what it did ───────────────────────────────────────────────────────────────────────────────────────


class DeliveryWork:
    def order(self, state: Delivery, effect: RunWorker, *, at: Millis) -> WorkOrder:
        ticket = state.tickets[effect.about]
        is_discussed = effect.purpose == "discuss"
        envelope = proposal_envelope if is_discussed else work_envelope
        return WorkOrder(
            session=state.session_id,
            ticket=ticket.ticket_id,
            attempt=_number(effect.name),
            role_id=ticket.owner.role_id,
            purpose=effect.purpose,
            text=proposal_text(state, ticket) if is_discussed else work_text(state, ticket),
            envelope=envelope(state, ticket, at=at),
            outputs=tuple(WantedOutput(label=each.label, path=each.path) for each in ticket.task.outputs),
            check=ticket.task.check,
            permissions=tuple(_answered(ticket, at)),
            agent_session=ticket.agent_session,
            limits=_limits(state, ticket),
        )

    def claim(self, state: Delivery, effect: RegisterOutputs) -> RegisterOrder:
        ticket = state.tickets[effect.about]
        claim = ticket.claim
        shown = claim.evidence if claim else ()
        paths = {each.label: each.path for each in ticket.task.outputs}
        return RegisterOrder(
            session=state.session_id,
            ticket=ticket.ticket_id,
            attempt=_number(effect.name),
            outputs=tuple(
                GivenOutput(
                    label=each.label,
                    path=f"{ticket.ticket_id}/{paths.get(each.label, 'evidence.md')}",
                    text=each.text,
                    link=each.link,
                    file_id=each.file_id,
                    file_name=each.file_name,
                )
                for each in shown
            ),
            check=ticket.task.check,
            limits=_limits(state, ticket),
        )

    def outcome(
        self,
        state: Delivery,
        effect: RunWorker | RegisterOutputs,
        outcome: WorkOutcome,
        *,
        command_id: str,
        at: Millis,
    ) -> Command:
        told: dict[str, Any] = {"command_id": command_id, "at": at, "ticket_id": effect.about}
        if isinstance(effect, RunWorker) and effect.purpose == "discuss":
            said = None
            if outcome.failure is None:
                said = DiscussAnswer(agrees=outcome.agrees, answers=outcome.answers, concerns=outcome.issues)
            return RecordDiscussion(number=_number(effect.name), answer=said, **told)
        asked = outcome.permission
        return RecordWork(
            attempt=_number(effect.name),
            failure=outcome.failure,
            detail=outcome.detail,
            summary=outcome.summary,
            issues=outcome.issues,
            next_actions=outcome.next_actions,
            artifacts=tuple(
                Artifact(**{name: getattr(each, name) for name in Artifact.__struct_fields__})
                for each in outcome.registered
            ),
            checks=tuple(
                CheckRun(name=each.name, has_passed=each.has_passed, detail=each.detail) for each in outcome.checks
            ),
            permission=Permission(digest=asked.digest, kind=asked.kind, title=asked.title, detail=asked.detail)
            if asked
            else None,
            agent_session=outcome.agent_session,
            cost=Cost(input_tokens=outcome.input_tokens, output_tokens=outcome.output_tokens, usd=outcome.usd),
            worker=outcome.worker,
            rejected=tuple(
                RejectEnvelope(
                    command_id=command_id,
                    at=at,
                    source=state.tickets[effect.about].owner.role_id,
                    payload_type=each.payload_type,
                    message=each.message,
                    ticket_id=effect.about,
                )
                for each in outcome.faults
            ),
            **told,
        )


def _number(name: str) -> int:
    return int(name.rpartition("-")[2])


def _answered(ticket: Ticket, at: Millis) -> Iterator[AnsweredPermission]:
    """The answers that hold in the attempt that is under way; what was refused stays refused."""
    attempt = len(ticket.attempts)
    for digest, each in ticket.permissions.items():
        match each.choice:
            case PermissionChoice.ONCE if each.told_to == attempt:
                yield AnsweredPermission(digest=digest, is_allowed=True)
            case PermissionChoice.TICKET if at < each.expires:
                yield AnsweredPermission(digest=digest, is_allowed=True, expires=each.expires)
            case PermissionChoice.REFUSE:
                yield AnsweredPermission(digest=digest, is_allowed=False)
            case _:
                pass


def _limits(state: Delivery, ticket: Ticket) -> Limits:
    policy = state.policy
    tokens = policy.ticket_tokens and max(1, policy.ticket_tokens + state.tokens_raised - ticket.spent.tokens)
    usd = policy.ticket_usd and max(0.000001, policy.ticket_usd + state.usd_raised - ticket.spent.usd)
    return Limits(
        total=policy.attempt_timeout,
        silence=policy.stall_timeout,
        permission_wait=policy.permission_wait,
        output_bytes=policy.most_output_bytes,
        artifact_bytes=policy.largest_artifact_bytes,
        tokens=tokens,
        usd=usd,
    )


WORK = DeliveryWork()
