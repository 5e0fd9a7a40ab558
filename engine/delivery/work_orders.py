"""What workers are told of a ticket, and what is made of what they did: a `WorkPort` (engine/workers/port.py)."""

from collections.abc import Iterator
from typing import Any

from engine.delivery.answers import DiscussAnswer
from engine.delivery.commands import RecordDiscussion, RecordWork, RejectEnvelope
from engine.delivery.order_texts import proposal_envelope, proposal_text, work_envelope, work_text
from engine.delivery.state import Delivery, Ticket
from engine.delivery.terms import Artifact, CheckRun, Cost, Permission, PermissionChoice
from engine.kernel import Command, Millis, RegisterOutputs, RunWorker
from engine.workers.port import (
    AnsweredPermission,
    GivenOutput,
    Limits,
    RegisterOrder,
    WantedOutput,
    WorkOrder,
    WorkOutcome,
)


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
