"""Carries one delivery out in the terminal: shows it, asks whoever sits there, and sends what they type."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from bot.commands.delivery.input_lines import InputLines
from bot.commands.delivery.live_board import LiveBoard
from bot.commands.delivery.plan_file import YOU
from bot.commands.delivery.questions import Question, questions
from bot.commands.delivery.session import Session
from engine.delivery.commands import StopDelivery
from engine.delivery.outstanding import effects
from engine.delivery.state import Delivery, Status, TicketStatus
from engine.errors import InvalidInput, Refusal
from engine.kernel import Command

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
