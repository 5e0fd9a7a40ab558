"""``towow deliver``: one goal or one plan, carried out here with a live board, and with proof of all that is done."""

import asyncio
import os
import sys
from argparse import ArgumentParser, Namespace
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from bot.claude_config import read_claude
from bot.commands.delivery.carrying_out import Seat, carry_out
from bot.commands.delivery.input_lines import InputLines
from bot.commands.delivery.live_board import LiveBoard, summary
from bot.commands.delivery.plan_file import GivenPlan, read_plan_file
from bot.commands.delivery.result import result
from bot.commands.delivery.session import DeliverSettings, Session, delivering
from bot.commands.doctor_models import tell_troubles
from bot.commands.subcommand import FAILED, FINE, CommandFailed, Subcommand, print_json, text
from bot.commands.waiting import telling
from bot.config import read_workers
from bot.terminal import Terminal, one_line
from engine.delivery.events import EVENTS
from engine.delivery.outstanding import effects
from engine.delivery.state import Delivery, Status
from engine.delivery.terms import EndReason
from engine.files.private import make_folder
from engine.kernel import Ask
from engine.runtime.streams import envelope
from engine.workers.registry_file import RegistryFile


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
    """
    Raises:
        Misconfigured, StoreError, Refusal, CommandFailed
    """
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


HELP: Final = "carry one goal or one plan out here, with you and the workers of the registry"
COMMAND: Final = Subcommand("deliver", HELP, _run, _add_arguments)
