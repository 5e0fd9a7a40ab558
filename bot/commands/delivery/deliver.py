"""``towow deliver``: one goal or one plan, carried out here with a live board, and with proof of all that is done."""

import asyncio
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from bot.claude_config import read_claude
from bot.commands.delivery.live_board import LiveBoard, summary
from bot.commands.delivery.plan_file import YOU, GivenPlan, read_plan_file
from bot.commands.delivery.questions import InputLines, Question, questions
from bot.commands.delivery.session import DeliverSettings, Session, delivering
from bot.commands.doctor_models import tell_troubles
from bot.commands.subcommand import FAILED, FINE, CommandFailed, Subcommand, print_json, text
from bot.commands.waiting import telling
from bot.config import read_workers
from bot.terminal import Terminal, one_line
from engine.delivery.commands import StopDelivery
from engine.delivery.events import EVENTS
from engine.delivery.outstanding import effects
from engine.delivery.state import Delivery, Status, Ticket, TicketStatus
from engine.delivery.terms import EndReason
from engine.errors import InvalidInput, Refusal
from engine.files.kept_folder import make_folder
from engine.kernel import Ask, Command, iso, plain
from engine.runtime.streams import envelope
from engine.workers.registry import RegistryFile

# ── carrying it out ───────────────────────────────────────────────────────────────────────────────────────────────────
# Carries one delivery out in the terminal: shows it, asks whoever sits there, and sends what they type.


NOBODY: Final = "Nobody can be asked here, since nothing more is typed: what waits for a person stays undone."
STOP: Final = "stop"
"""Typed as an answer, it ends the delivery."""


async def carry_out(session: Session, shown: Callable[[Delivery], Awaitable[None]], seat: "Seat | None") -> Delivery:
    """Return how it ended.

    Args:
        seat: who answers; None where nobody does: then it is stopped once nothing goes on without people.
    """
    number = 0
    while (state := await session.read()).is_open:
        await shown(state)
        waiting = [*questions(state, session.take)] if seat is not None else []
        question = next((each for each in waiting if seat is not None and each.name not in seat.left), None)
        if question is not None and seat is not None:
            number += 1
            await seat.answer(session, question, f"typed:{session.process}:{number}")
            seat = None if seat.is_empty else seat
        elif goes_on(state):
            await session.change()
        elif waiting and seat is not None:
            seat.left.clear()  # nothing goes on without them: what they have left for later is asked again
            seat.board.tell("Everything waits for you. Type stop to end it.")
        else:
            with suppress(Refusal):
                await session.send(StopDelivery(command_id=f"stop:{session.process}", at=session.clock.now(), by=YOU))
    await shown(state)
    return state


def goes_on(state: Delivery) -> bool:
    """Whether a machine works on it, or begins again by itself soon."""
    retried = (
        each.status is TicketStatus.IN_PROGRESS and each.running is None and each.retry_at and not each.need
        for each in state.tickets.values()
    )
    return bool(effects(state)) or (state.status is Status.WORKING and any(retried))


class Seat:
    """Whoever sits at the terminal."""

    def __init__(self, lines: InputLines, board: LiveBoard) -> None:
        self.board = board
        self.left: set[str] = set()
        """Names of questions that they have left for later."""
        self.is_empty = False
        """Whether nothing more will be typed."""
        self._lines = lines

    async def answer(self, session: Session, question: Question, command_id: str) -> None:
        self.board.pause()
        for line in question.said:
            if line:
                self.board.tell(line)
        typed: list[str] = []
        for prompt in question.prompts:
            self.board.tell(f"{prompt}> ")
            answer = await self._lines.line()
            if answer is None:
                self.is_empty = True
                self.board.tell(NOBODY)
                return
            if answer.casefold() == STOP:
                await self._send(session, StopDelivery(command_id=command_id, at=session.clock.now(), by=YOU))
                return
            typed.append(answer)
        try:
            command = question.read(typed, command_id, session.clock.now())
        except InvalidInput as error:
            self.board.tell(f"{error}")
            return
        if command is None:
            self.left.add(question.name)
        else:
            await self._send(session, command)

    async def _send(self, session: Session, command: Command) -> None:
        try:
            await session.send(command)
        except Refusal as refusal:
            self.board.tell(f"{refusal}")


# ── what came of it ───────────────────────────────────────────────────────────────────────────────────────────────────
# The result of a delivery as one object, for ``towow deliver --json``.


def result(state: Delivery) -> dict[str, Any]:
    """Return JSON values: the status and why it ended, each ticket with what was made, the report, and the cost."""
    report = state.report
    return {
        "session_id": state.session_id,
        "title": state.brief.title,
        "status": plain(state.status),
        "reason": plain(state.reason) if state.reason else "",
        "ended_at": iso(state.ended_at) if state.ended_at else "",
        "tickets": [_ticket(each) for each in state.tickets.values()],
        "report": {
            "summary": report.summary if report else "",
            "learned": [*report.learned] if report else [],
            "next_steps": [*report.next_steps] if report else [],
        },
        "cost": {
            "input_tokens": state.spent.input_tokens,
            "output_tokens": state.spent.output_tokens,
            "usd": state.spent.usd,
        },
    }


def _ticket(ticket: Ticket) -> dict[str, Any]:
    owner = ticket.owner
    return {
        "ticket_id": ticket.ticket_id,
        "task_id": ticket.task.task_id,
        "title": ticket.task.title,
        "owner": owner.user_id or owner.role_id,
        "status": plain(ticket.status),
        "attempts": len(ticket.attempts),
        "dependencies": [*ticket.task.depends_on],
        "artifacts": [
            {
                "label": each.label,
                "uri": each.uri,
                "digest": each.digest,
                "content_type": each.content_type,
                "size_bytes": each.size_bytes,
            }
            for each in ticket.artifacts
        ],
    }


# ── the command ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("goal", metavar="GOAL", nargs="?", type=text, help="what is to be done; the Manager plans it")
    parser.add_argument(
        "--plan", type=Path, metavar="FILE", help="tasks that are planned already: YAML, JSON, or a Markdown checklist"
    )
    parser.add_argument(
        "--json", action="store_true", help="a line of JSON for each event and the result; nothing is asked"
    )
    parser.add_argument("--roles", type=Path, metavar="FILE", help="the role registry; TOWOW_ROLES when left out")
    parser.add_argument(
        "--into", type=Path, metavar="FOLDER", help="where what is made is kept; TOWOW_SESSIONS when left out"
    )
    parser.add_argument(
        "--db", type=Path, metavar="FILE", help="keep everything here; without a goal, go on with what goes on there"
    )


def _run(options: Namespace) -> int:
    """Carry out what the options name, and return the exit status."""
    plan = read_plan_file(options.plan) if options.plan else None
    goal = (options.goal or "").strip()
    goes_on = bool(options.db and options.db.exists() and not goal and plan is None)
    if not goes_on and bool(goal) is bool(plan):
        raise CommandFailed("Say what is to be carried out: a goal in a sentence, or a file with --plan.")
    access = read_workers(os.environ)
    access = replace(access, sessions=options.into or access.sessions, roles=options.roles or access.roles)
    RegistryFile(access.roles).load()
    make_folder(access.sessions)
    settings = DeliverSettings(access, options.protocols, options.db, read_claude(os.environ), goes_on)
    ended = asyncio.run(_deliver(goal, plan, settings, as_json=options.json))
    if ended.reason is EndReason.NO_MODEL and settings.claude is not None:
        tell_troubles(settings.claude, settings.protocols)
    return FINE if ended.status is Status.COMPLETED else FAILED


async def _deliver(goal: str, plan: GivenPlan | None, settings: DeliverSettings, *, as_json: bool) -> Delivery:
    async with delivering(settings) as session:
        if not settings.goes_on:
            await session.begin(goal, plan)
        if as_json:
            lines = JsonLines(session)
            async with telling(lambda: _asked(session), asks_a_model=settings.claude is not None):
                ended = await carry_out(session, lines.show, None)
            lines.tell_result(ended)
            return ended
        terminal = Terminal()
        with InputLines(sys.stdin.fileno()) as lines_in, LiveBoard(terminal) as board:

            async def show(state: Delivery) -> None:
                board.draw(state)

            # A board that is drawn shows by itself how far it is.
            is_told = settings.claude is not None and not terminal.is_terminal
            async with telling(lambda: _asked(session), asks_a_model=is_told):
                ended = await carry_out(session, show, Seat(lines_in, board))
        for line in summary(ended):
            board.tell(line)
        board.tell(f"Everything is in {settings.access.sessions / session.key.stream}")
        return ended


async def _asked(session: Session) -> str:
    """Return how a delivery stands of which a model is asked something; nothing while none is."""
    state = await session.read()
    is_asked = any(isinstance(each, Ask) for each in effects(state).values())
    return f"{one_line(state.brief.title)} · {state.status}" if is_asked else ""


@dataclass
class JsonLines:
    """Prints each event as it happens."""

    session: Session
    position: int = 0

    async def show(self, _: Delivery) -> None:
        session = self.session
        while events := await session.store.events(session.key.tenant, self.position, 500):
            self.position = events[-1].position
            for each in (each for each in events if each.key == session.key):
                print_json(envelope(each, EVENTS).model_dump(mode="json"))

    def tell_result(self, ended: Delivery) -> None:
        print_json({"event_type": "result", "payload": result(ended)})


COMMAND: Final = Subcommand(_run, _add_arguments)
