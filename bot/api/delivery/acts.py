"""What people do over HTTP: the same commands as behind the buttons, so the same rules."""

from typing import Any

from bot.api.context import Call
from bot.api.delivery import schemas
from bot.api.delivery.deliveries import NAMED, as_told, check_colleague, told
from bot.api.delivery.schemas import DeliveryTold, OfLeader
from bot.api.streams import key_of
from bot.api.tokens import Scope
from engine.delivery import commands as asked
from engine.delivery.rules import RULEBOOK
from engine.delivery.state import Delivery
from engine.delivery.terms import Evidence, Owner, PermissionChoice, WorkerKind
from engine.kernel import Command

# ── whoever asked, and admins ─────────────────────────────────────────────────────────────────────────────────────


async def answer_questions(call: Call) -> DeliveryTold:
    said: schemas.NewAnswers = call.body
    return await _lead(call, asked.AnswerClarification, "answers", number=said.number, answers=said.answers)


async def add_ticket(call: Call) -> DeliveryTold:
    said: schemas.NewTicket = call.body
    return await _lead(
        call,
        asked.AddTicket,
        "ticket",
        title=said.title,
        description=said.description,
        owner=await _owner(call, said.owner_user_id, said.role_id),
        depends_on=said.depends_on,
        deadline=said.deadline,
        expected_output=said.expected_output,
        is_high_risk=said.risk == "high",
        risk_reason=said.risk_reason,
        checked_by=await _checker(call, said.checked_by),
    )


async def review_ticket(call: Call) -> DeliveryTold:
    said: schemas.NewReview = call.body
    return await _decide(
        call,
        asked.ReviewTicket,
        "review",
        approves=said.decision == "approved",
        changes=said.changes,
        report=said.report or 0,
    )


async def answer_block(call: Call) -> DeliveryTold:
    said: schemas.NewAnswer = call.body
    return await _decide(call, asked.AnswerBlock, "answer", text=said.text)


async def answer_permission(call: Call) -> DeliveryTold:
    said: schemas.NewPermission = call.body
    choice = PermissionChoice(said.choice)
    return await _lead(
        call,
        asked.AnswerPermission,
        "permission",
        ticket_id=call.path["ticket_id"],
        digest=said.digest,
        choice=choice,
    )


async def change_owner(call: Call) -> DeliveryTold:
    said: schemas.NewOwner = call.body
    owner = await _owner(call, said.owner_user_id, said.role_id)
    return await _decide(call, asked.ChangeOwner, "owner", owner=owner)


async def change_checking(call: Call) -> DeliveryTold:
    said: schemas.NewChecking = call.body
    return await _decide(
        call,
        asked.ChangeChecking,
        "checking",
        is_high_risk=said.risk == "high",
        risk_reason=said.risk_reason,
        checked_by=await _checker(call, said.checked_by),
    )


async def drop_ticket(call: Call) -> DeliveryTold:
    said: schemas.NewDrop = call.body
    return await _decide(call, asked.DropTicket, "drop", why=said.why)


async def reset_ticket(call: Call) -> DeliveryTold:
    return await _decide(call, asked.ResetTicket, "reset")


async def raise_budget(call: Call) -> DeliveryTold:
    said: schemas.NewBudget = call.body
    return await _lead(call, asked.RaiseBudget, "budget", tokens=said.tokens, usd=said.usd)


async def stop_delivery(call: Call) -> DeliveryTold:
    return await _lead(call, asked.StopDelivery, "stop")


async def _checker(call: Call, user_id: str | None) -> str:
    """Return the id of the colleague who approves the ticket; empty where nobody is named."""
    if user_id:
        await check_colleague(call, await NAMED.any(call), user_id)
    return user_id or ""


async def _owner(call: Call, user_id: str | None, role_id: str) -> Owner:
    """Return the owner that the caller names: a role, or a colleague."""
    if not user_id:
        return Owner(role_id=role_id)
    await check_colleague(call, await NAMED.any(call), user_id)
    return Owner(kind=WorkerKind.PERSON, user_id=user_id)


# ── whoever has a ticket ──────────────────────────────────────────────────────────────────────────────────────────


async def start_ticket(call: Call) -> DeliveryTold:
    return await _own(call, asked.StartTicket, "start")


async def block_ticket(call: Call) -> DeliveryTold:
    said: schemas.NewBlock = call.body
    return await _own(call, asked.BlockTicket, "block", why=said.why)


async def finish_ticket(call: Call) -> DeliveryTold:
    said: schemas.NewResult = call.body
    evidence = tuple(Evidence(label=each.label, text=each.text, link=each.link) for each in said.evidence)
    return await _own(call, asked.FinishTicket, "result", evidence=evidence, summary=said.summary)


async def answer_proposal(call: Call) -> DeliveryTold:
    said: schemas.NewOpinion = call.body
    return await _own(
        call, asked.AnswerProposal, "proposal", agrees=said.agrees, text=said.text, number=said.number or 0
    )


async def hand_ticket_over(call: Call) -> DeliveryTold:
    said: schemas.NewHandOver = call.body
    await check_colleague(call, await NAMED.any(call), said.to)
    return await _own(call, asked.HandTicketOver, "hand-over", to=said.to)


async def take_ticket(call: Call) -> DeliveryTold:
    said: schemas.NewTaking = call.body
    return await _own(call, asked.TakeTicket, "take", number=said.hand_over_number or 0)


async def decline_ticket(call: Call) -> DeliveryTold:
    said: schemas.NewTaking = call.body
    return await _own(call, asked.DeclineTicket, "decline", number=said.hand_over_number or 0)


# ── sending ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def _lead(call: Call, command: type[Command], what: str, **fields: Any) -> DeliveryTold:
    """Send what whoever asked decides, or an admin."""
    said: OfLeader = call.body
    as_admin = Scope.ADMIN in call.token.scopes
    by = call.acts_for(said.user_id, "userId") if said.user_id or not as_admin else call.token.actor
    return await _send(call, command, what, by=by, as_admin=as_admin, **fields)


async def _decide(call: Call, command: type[Command], what: str, **fields: Any) -> DeliveryTold:
    said: schemas.OfDecider = call.body
    about = {"ticket_id": call.path["ticket_id"], "decision": said.decision_number or 0}
    return await _lead(call, command, what, **about, **fields)


async def _own(call: Call, command: type[Command], what: str, **fields: Any) -> DeliveryTold:
    return await _send(call, command, what, by=call.token.user, ticket_id=call.path["ticket_id"], **fields)


async def _send(call: Call, command: type[Command], what: str, **fields: Any) -> DeliveryTold:
    await NAMED.any(call)
    key, cause = key_of(call, call.path["session_id"]), call.cause_with_body(_named(call, what))
    await call.context.gateway.send(key, RULEBOOK, command(command_id=cause, at=call.now(), **fields))
    after: Delivery = await NAMED.any(call)
    return told(await as_told(call, after))


def _named(call: Call, what: str) -> str:
    """What is done, and to which ticket: the same key names two acts on two tickets."""
    ticket = call.path.get("ticket_id", "")
    return f"{what}:{ticket}" if ticket else what
