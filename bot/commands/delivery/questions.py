"""What waits for whoever sits at the terminal, how it is asked there, and the command inside of what they type."""

import asyncio
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from bot.commands.delivery.live_board import owner_name
from bot.commands.delivery.plan_file import YOU
from engine.delivery import commands as asked
from engine.delivery.inbox import waits_for_owner
from engine.delivery.outstanding import is_open_to_people
from engine.delivery.state import Delivery, Status, Ticket
from engine.delivery.terms import Evidence, Owner, PermissionChoice, PersonNeed, WorkerKind
from engine.delivery.tickets.owners import checker_of
from engine.delivery.work.working import unread_numbers
from engine.errors import InvalidInput
from engine.kernel import Command, Millis

# ── about work ────────────────────────────────────────────────────────────────────────────────────────────────────────
# How tickets of people are worked on in the terminal: with a text, a link or a file for each expected output.


BLOCKED = "blocked:"
FILE = "@"

Asked = tuple[str, tuple[str, ...], tuple[str, ...], Callable[[Sequence[str], str, Millis], Command | None]]
"""The fields of a question (`bot.commands.delivery.questions`)."""


def discussed(ticket: Ticket) -> Asked:
    """The Manager's proposal how a risky ticket is done."""
    made = ticket.proposals[-1]

    def read(typed: Sequence[str], command_id: str, at: Millis) -> Command | None:
        if not typed[0]:
            return None
        agrees = typed[0].casefold() in ("y", "yes")
        text = "" if agrees else typed[0]
        return asked.AnswerProposal(
            command_id=command_id, at=at, by=YOU, ticket_id=ticket.ticket_id, agrees=agrees, text=text
        )

    said = (
        f"{ticket.ticket_id} {ticket.task.title}: the Manager proposes how it is done.",
        made.summary,
        *(f"- {each}" for each in made.draft_steps),
        *(f"! {each}" for each in made.risks),
        *(f"? {each}" for each in made.open_questions),
    )
    return f"discuss-{ticket.ticket_id}-{len(ticket.proposals)}", said, ("[y]es, or what speaks against it",), read


def worked_on(ticket: Ticket, take: Callable[[str], str]) -> Asked:
    """Ask the person at the terminal for the result of their own ticket, or for what it lacks."""
    steps, labels = ticket.instruction, [each.label for each in ticket.task.outputs]
    said = (
        f"{ticket.ticket_id} {ticket.task.title} is yours.",
        *((steps.summary,) if steps and steps.summary != ticket.task.title else ()),
        *(f"- {each}" for each in (steps.steps if steps else ())),
        *(f"✓ {each}" for each in (steps.acceptance if steps else ticket.task.acceptance)),
        *(f"To change: {each}" for each in ticket.changes),
        *(f"Answer: {each}" for each in ticket.answers),
        *_not_taken(ticket),
        f"Show a text, a link, or a file as {FILE}path; or say `{BLOCKED} why`. Nothing leaves it for now.",
    )

    def read(typed: Sequence[str], command_id: str, at: Millis) -> Command | None:
        if not any(typed):
            return None
        if typed[0].casefold().startswith(BLOCKED):
            why = typed[0][len(BLOCKED) :].strip()
            return asked.BlockTicket(command_id=command_id, at=at, by=YOU, ticket_id=ticket.ticket_id, why=why)
        evidence = tuple(_shown(label, each, take) for label, each in zip(labels, typed, strict=False) if each)
        return asked.FinishTicket(command_id=command_id, at=at, by=YOU, ticket_id=ticket.ticket_id, evidence=evidence)

    return f"work-{ticket.ticket_id}-{len(ticket.attempts)}", said, tuple(labels), read


def _not_taken(ticket: Ticket) -> tuple[str, ...]:
    last = ticket.attempts[-1] if ticket.attempts else None
    if last is None or last.outcome in ("", "reported", "blocked", "permission"):
        return ()
    return (f"What was shown was not taken: {last.detail or last.outcome.replace('_', ' ')}",)


def _shown(label: str, typed: str, take: Callable[[str], str]) -> Evidence:
    if typed.startswith(FILE):
        path = typed[len(FILE) :].strip()
        return Evidence(label=label, file_id=take(path), file_name=path.replace("\\", "/").rpartition("/")[2])
    if typed.startswith(("https://", "http://")) and " " not in typed:
        return Evidence(label=label, link=typed)
    return Evidence(label=label, text=typed)


# ── all that is asked ─────────────────────────────────────────────────────────────────────────────────────────────────


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

    def alone(typed: Sequence[str], command_id: str, at: Millis) -> Command | None:
        """Nobody else is here: that nobody else approves it is said first, and then it is asked whether it is done."""
        if typed[0].casefold() not in ("a", "alone"):
            return review(typed, command_id, at)
        task = ticket.task
        return asked.ChangeChecking(
            command_id=command_id, at=at, is_high_risk=task.risk == "high", risk_reason=task.risk_reason, **told
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
        case PersonNeed.REVIEW if ticket.task.checked_by and not checker_of(state, ticket):
            lines = (f"{head}: somebody else was to approve it, and nobody else is here.", *_reported(ticket, ()))
            yield Question(f"{name}-alone", lines, ("[a]lone, or say what has to change",), alone)
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
    """Return the choice that was typed; None for an empty line."""
    if not typed:
        return None
    key = typed.casefold()
    found = choices.get(key, choices.get(key[:1]) if not key.isdecimal() else None)
    if found is None:
        raise InvalidInput(f"Type one of: {', '.join(choices)}.")
    return found


# ── lines that somebody types ─────────────────────────────────────────────────────────────────────────────────────────
# Reads lines that somebody types, or that are piped in, without a thread that could keep the process from ending.


AT_ONCE = 65_536
"""Bytes."""


class InputLines:
    """Lines of a file descriptor, inside of ``with``."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._read = b""
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._is_watched = False

    def __enter__(self) -> Self:
        try:
            asyncio.get_running_loop().add_reader(self._fd, self._some_came)
            self._is_watched = True
        except (PermissionError, NotImplementedError):  # a file, which can be read at any time
            while self._some_came():
                pass
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._unwatch()

    async def line(self) -> str | None:
        """Return the next line without its end; None where nothing more will come."""
        line = await self._lines.get()
        if line is None:
            self._lines.put_nowait(None)
        return line

    def _some_came(self) -> bool:
        """Whether there may be more."""
        try:
            came = os.read(self._fd, AT_ONCE)
        except OSError:
            came = b""
        *lines, self._read = (self._read + came).split(b"\n")
        for line in lines:
            self._lines.put_nowait(_text(line))
        if not came:
            if self._read:
                self._lines.put_nowait(_text(self._read))
            self._lines.put_nowait(None)
            self._unwatch()
        return bool(came)

    def _unwatch(self) -> None:
        if self._is_watched:
            self._is_watched = False
            asyncio.get_running_loop().remove_reader(self._fd)


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace").strip()
