"""What waits for whoever sits at the terminal, how it is asked there, and the command inside of what they type."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bot.commands.delivery.plan_file import YOU
from bot.commands.delivery.wording import owner_name
from bot.commands.delivery.work_questions import discussed, worked_on
from engine.delivery import commands as asked
from engine.delivery.inbox import waits_for_owner
from engine.delivery.outstanding import is_open_to_people
from engine.delivery.state import Delivery, Status, Ticket
from engine.delivery.terms import Owner, PermissionChoice, PersonNeed, WorkerKind
from engine.delivery.work.proof import unread_numbers
from engine.errors import InvalidInput
from engine.kernel import Command, Millis

Take = Callable[[str], str]
"""Takes a path that was typed, and returns the id of its file."""


@dataclass(frozen=True, slots=True)
class Question:
    name: str
    """Of what it is about, such as ``review-T-1-2``: who has left it for later is not asked at once again."""
    said: tuple[str, ...]
    """Lines."""
    prompts: tuple[str, ...]
    """A line is read for each."""
    read: Callable[[Sequence[str], str, Millis], Command | None]
    """What was typed, the command's id, and when -> the command; None where it is left for later. Raises
    InvalidInput."""


def questions(state: Delivery, take: Take) -> Iterator[Question]:
    """Return all that waits for them, in the order in which it is asked."""
    if (open_one := state.open_clarification) is not None:
        yield _clarification(state, open_one.number)
    if state.status is not Status.WORKING:
        return
    tickets = [each for each in state.tickets.values() if each.is_open]
    for ticket in tickets:
        if ticket.waiting_permission is not None:
            yield _permission(ticket)
        elif ticket.need is not None:
            yield from _decision(state, ticket)
    for ticket in tickets:
        if is_open_to_people(ticket):
            yield Question(*discussed(ticket))
        elif waits_for_owner(ticket):
            yield Question(*worked_on(ticket, take))


def _clarification(state: Delivery, number: int) -> Question:
    open_one = state.clarifications[-1]

    def read(typed: Sequence[str], command_id: str, at: Millis) -> Command:
        return asked.AnswerClarification(command_id=command_id, at=at, by=YOU, number=number, answers=tuple(typed))

    said = ("The Manager asks. An empty answer leaves it to the Manager.",)
    return Question(f"clarify-{number}", said, tuple(each.text for each in open_one.questions), read)


def _permission(ticket: Ticket) -> Question:
    waiting = ticket.waiting_permission
    assert waiting is not None  # noqa: S101 - that is why it is asked
    permission = waiting.permission
    choices = {"o": PermissionChoice.ONCE, "t": PermissionChoice.TICKET, "r": PermissionChoice.REFUSE}

    def read(typed: Sequence[str], command_id: str, at: Millis) -> Command | None:
        if (choice := _chosen(typed[0], choices)) is None:
            return None
        return asked.AnswerPermission(
            command_id=command_id, at=at, by=YOU, ticket_id=ticket.ticket_id, digest=permission.digest, choice=choice
        )

    said = (
        f"{ticket.ticket_id} {ticket.task.title}",
        f"{owner_name(ticket.owner)} asks leave to {permission.kind.replace('_', ' ')}: {permission.title}",
        *permission.detail.splitlines(),
        permission.digest,
    )
    prompt = "Allow it [o]nce, for this [t]icket, or [r]efuse"
    return Question(f"permission-{ticket.ticket_id}-{permission.digest}", said, (prompt,), read)


def _decision(state: Delivery, ticket: Ticket) -> Iterator[Question]:
    told: dict[str, Any] = {"by": YOU, "ticket_id": ticket.ticket_id}
    if ticket.open_decision:
        told["decision"] = ticket.open_decision.number
    head = f"{ticket.ticket_id} {ticket.task.title}"
    last, unread = ticket.attempts[-1] if ticket.attempts else None, unread_numbers(ticket, YOU)
    name = f"{ticket.need}-{ticket.ticket_id}-{len(ticket.attempts)}"
    workers = [Owner(kind=WorkerKind.PERSON, user_id=YOU)]
    workers += [
        Owner(kind=role.kind, role_id=role.role_id, name=role.name)
        for role in state.roles.values()
        if not role.is_manager
    ]
    by_number = {str(number): owner for number, owner in enumerate(workers, 1)}
    listed = " ".join(f"[{number}] {owner_name(owner)}" for number, owner in by_number.items())

    def owner(typed: Sequence[str], command_id: str, at: Millis) -> Command | None:
        if (chosen := _chosen(typed[0], by_number)) is None:
            return None
        return asked.ChangeOwner(command_id=command_id, at=at, owner=chosen, **told)

    def blocked(typed: Sequence[str], command_id: str, at: Millis) -> Command | None:
        return asked.AnswerBlock(command_id=command_id, at=at, text=typed[0], **told) if typed[0] else None

    def review(typed: Sequence[str], command_id: str, at: Millis) -> Command | None:
        if not typed[0]:
            return None
        report = len(ticket.reports)
        if unread and typed[0].casefold() in ("o", "open"):
            return asked.OpenEvidence(
                command_id=command_id, at=at, by=YOU, ticket_id=ticket.ticket_id, report=report, output=unread[0]
            )
        approves = typed[0].casefold() in ("a", "approve")
        changes = "" if approves else typed[0]
        return asked.ReviewTicket(
            command_id=command_id, at=at, approves=approves, changes=changes, report=report, **told
        )

    def failed(typed: Sequence[str], command_id: str, at: Millis) -> Command | None:
        match _chosen(typed[0], {"r": "reset", "d": "drop"} | {number: number for number in by_number}):
            case None:
                return None
            case "reset":
                return asked.ResetTicket(command_id=command_id, at=at, **told)
            case "drop":
                return asked.DropTicket(command_id=command_id, at=at, **told)
            case number:
                return asked.ChangeOwner(command_id=command_id, at=at, owner=by_number[number], **told)

    def budget(typed: Sequence[str], command_id: str, at: Millis) -> Command | None:
        if typed[0].casefold() == "d":
            return asked.DropTicket(command_id=command_id, at=at, **told)
        return _raised(typed[0], command_id, at) if typed[0] else None

    match ticket.need:
        case PersonNeed.OWNER:
            yield Question(name, (f"{head}: nobody has it yet.", listed), ("Who does it",), owner)
        case PersonNeed.BLOCKED:
            lines = (f"{head}: {owner_name(ticket.owner)} lacks something.", *ticket.issues, ticket.question)
            yield Question(name, lines, ("Your answer",), blocked)
        case PersonNeed.REVIEW:
            prompt = "[o]pen what is unread, [a]pprove it unread, or say what has to change"
            prompt = prompt if unread else "[a]pprove, or say what has to change"
            lines = (f"{head}: is it done?", *_reported(ticket, unread))
            opened = len(ticket.report.opened) if ticket.report else 0
            yield Question(f"{name}-{opened}" if opened else name, lines, (prompt,), review)
        case PersonNeed.FAILED:
            code = ticket.failure or (last.outcome if last else "")
            why = code.replace("_", " ") or "no reason is known"
            lines = (f"{head} has failed: {why}", last.detail if last else "")
            yield Question(name, (*lines, listed), ("[r]eset, [d]rop, or who does it",), failed)
        case PersonNeed.BUDGET:
            lines = (f"{head} has cost what it may: {ticket.spent.tokens} tokens, {ticket.spent.usd:.2f} dollars.",)
            yield Question(name, lines, ("By how many dollars may it cost more, or [d]rop",), budget)
        case _:
            pass


def _reported(ticket: Ticket, unread: Sequence[int]) -> Iterator[str]:
    """What was shown; of what they have opened, how it begins."""
    report = ticket.report
    if report is None:
        return
    if report.summary:
        yield report.summary
    for number, each in enumerate(report.artifacts, 1):
        told = ", unread" if number in unread else ""
        yield f"- {each.label}: {each.uri} ({each.size_bytes} bytes, {each.digest}){told}"
        if number not in unread:
            written = next((shown.text for shown in ticket.shown if shown.label == each.label), "")
            yield from (f"  | {line}" for line in (written or each.beginning).splitlines())
    for check in report.checks:
        yield f"- check {check.name}: {'passed' if check.has_passed else 'failed'}"
    if ticket.question:
        yield ticket.question


def _raised(typed: str, command_id: str, at: Millis) -> Command:
    try:
        usd = float(typed)
    except ValueError:
        raise InvalidInput(f"{typed!r} is no amount of dollars, such as 2.5.") from None
    if not 0 < usd < 1e6:
        raise InvalidInput(f"{typed!r} is no amount of dollars, such as 2.5.")
    return asked.RaiseBudget(command_id=command_id, at=at, by=YOU, usd=usd, tokens=round(usd * 100_000))


def _chosen(typed: str, choices: dict[str, Any]) -> Any:
    """
    Raises:
        InvalidInput: it is none of them.
    """
    if not typed:
        return None
    key = typed.casefold()
    found = choices.get(key, choices.get(key[:1]) if not key.isdecimal() else None)
    if found is None:
        raise InvalidInput(f"Type one of: {', '.join(choices)}.")
    return found
