"""How tickets of people are worked on in the terminal: with a text, a link or a file for each expected output."""

from collections.abc import Callable, Sequence

from bot.commands.delivery.plan_file import YOU
from engine.delivery import commands as asked
from engine.delivery.state import Ticket
from engine.delivery.terms import Evidence
from engine.kernel import Command, Millis

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
    """A ticket that is theirs: what is shown for it, or what it lacks."""
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
