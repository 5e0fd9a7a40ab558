"""``towow demo --terminal``: shows the thread live, and lets the person vote for each seat."""

import asyncio
import sys
import termios
import tty
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from bot.demo.demo import CHANNEL, REQUESTER, Demo, DemoSettings, Posted, running_demo
from bot.demo.negotiation.ask import ask, cast_vote, post, read
from bot.demo.thread_text import print_thread, shown
from bot.local_slack import Message
from bot.terminal import Terminal
from bot.texts import texts_in
from bot.views.negotiation.voting.votes import BUTTONS, LOOKS
from engine.negotiation.state import Negotiation, Round, Seat, Status
from engine.negotiation.terms import Source
from engine.negotiation.voting.kinds import FeedbackType


class Keyboard:
    """Yields keys as they are pressed, inside of `listening`."""

    def __init__(self) -> None:
        self._keys: asyncio.Queue[str] = asyncio.Queue()
        self._fd = sys.stdin.fileno()

    @contextmanager
    def listening(self) -> Iterator["Keyboard"]:
        before = termios.tcgetattr(self._fd)
        self._begin()
        try:
            yield self
        finally:
            self._end(before)

    async def key(self, within: float) -> str | None:
        """Return the next key, or None when none is pressed for so many seconds."""
        try:
            return await asyncio.wait_for(self._keys.get(), within)
        except TimeoutError:
            return None

    async def line(self, prompt: str) -> str:
        """Return a whole line, edited and echoed as usual."""
        asyncio.get_running_loop().remove_reader(self._fd)
        before = termios.tcgetattr(self._fd)
        cooked = before[:]
        cooked[3] |= termios.ICANON | termios.ECHO
        termios.tcsetattr(self._fd, termios.TCSADRAIN, cooked)
        try:
            return (await asyncio.to_thread(input, prompt)).strip()
        except EOFError:
            return ""
        finally:
            termios.tcsetattr(self._fd, termios.TCSADRAIN, before)
            asyncio.get_running_loop().add_reader(self._fd, self._pressed)

    def _begin(self) -> None:
        tty.setcbreak(self._fd)
        asyncio.get_running_loop().add_reader(self._fd, self._pressed)

    def _end(self, before: "list[int | list[bytes | int]]") -> None:
        asyncio.get_running_loop().remove_reader(self._fd)
        termios.tcsetattr(self._fd, termios.TCSADRAIN, before)

    def _pressed(self) -> None:
        character = sys.stdin.read(1)
        if character:
            self._keys.put_nowait(character)
        else:
            asyncio.get_running_loop().remove_reader(self._fd)


WINDOW: Final = 60.0
"""Seconds in which the person may overrule twins in a round."""

VOTES: Final = {each.key: kind for kind, each in BUTTONS.items()}
SEATS: Final = "123456789abcdefghijk"
"""Keys for up to 20 seats."""


async def play(demand: str | None, settings: DemoSettings, suggestions: Sequence[str]) -> Status:
    """Play one demand: live in a terminal, where the person may vote; else without questions, and print its thread.

    Args:
        suggestions: what might be asked for where nothing is said.
    """
    console = Terminal()
    if not (sys.stdin.isatty() and console.is_terminal):
        asked = await ask(demand or suggestions[0], settings)
        print_thread(console, asked.thread, asked.names)
        return asked.report.channel_status
    return await _TerminalSeat(console, Keyboard(), suggestions).play(demand, settings)


class _TerminalSeat:
    """One person follows one thread, and votes in it."""

    def __init__(self, console: Console, keyboard: Keyboard, suggestions: Sequence[str]) -> None:
        self._console = console
        self._keyboard = keyboard
        self._suggestions = suggestions
        self._printed: set[str] = set()

    async def play(self, demand: str | None, settings: DemoSettings) -> Status:
        patient = settings.policy.model_copy(update={"human_window": 0.0, "override_window": WINDOW})
        async with running_demo(replace(settings, policy=patient)) as demo:
            with self._keyboard.listening():
                self._welcome(demo, settings)
                while True:
                    posted = await post(demo, demand or await self._demand())
                    if posted is not None:
                        break
                    await self._refused(demo)
                    demand = None
                return await self._follow(demo, posted)

    def _welcome(self, demo: Demo, settings: DemoSettings) -> None:
        thinker = "Claude" if settings.claude else "an offline model: no account, no key"
        self._console.print(
            Text.assemble(
                ("\nToWow", "bold"),
                f" · a workspace of its own at {demo.workspace.url}, {len(settings.profiles)} colleagues with ",
                f"digital twins, and {thinker}.\n",
            )
        )

    async def _demand(self) -> str:
        self._console.print("[bold]What do you need?[/bold] Say it in your own words, or take one of these:")
        for number, each in enumerate(self._suggestions, 1):
            self._console.print(f"  [bold]{number}[/bold]  {each}")
        answer = await self._keyboard.line("> ")
        if answer.isdigit() and 1 <= int(answer) <= len(self._suggestions):
            return self._suggestions[int(answer) - 1]
        return answer or self._suggestions[0]

    async def _refused(self, demo: Demo) -> None:
        for posted in await demo.person().messages(CHANNEL):
            for each in await demo.person().thread(CHANNEL, posted.ts):
                if each.visible_to and each.ts not in self._printed:
                    self._printed.add(each.ts)
                    self._console.print(shown(each, demo.names))

    async def _follow(self, demo: Demo, posted: Posted) -> Status:
        while True:
            await demo.settle()
            state = await read(demo, posted.key)
            await self._print_new(demo, posted, state)
            if not state.is_open and not state.is_searching:
                return state.status
            if state.current is not None:
                await self._sit(demo, posted, state.current)
            elif not await demo.skip():
                return state.status

    async def _print_new(self, demo: Demo, posted: Posted, state: Negotiation) -> None:
        """Print each message once, as it is before the next round."""
        for each in await demo.thread(posted):
            if each.ts not in self._printed:
                self._printed.add(each.ts)
                self._console.print(shown(each, demo.names))
        if not state.is_open and not state.is_searching:
            root = next(each for each in await demo.thread(posted) if _key(each) == "root")
            self._console.print(shown(root, demo.names))

    # ── a seat at the table ───────────────────────────────────────────────────────────────────────────────────────

    async def _sit(self, demo: Demo, posted: Posted, opened: Round) -> None:
        """Show the votes and the time left, and let the person overrule a twin, until the round closes."""
        note = ""
        with Live(console=self._console, auto_refresh=False, transient=True) as live:
            while True:
                state = await read(demo, posted.key)
                current = state.current
                if current is None or current.number != opened.number:
                    live.update(Text())
                    closed = state.rounds[opened.number - 1]
                    self._console.print(_ended(closed, is_secret=state.is_secret(closed)))
                    return
                seats = tuple(current.seats.values())
                left = demo.clock.seconds_until(current.window.deadline)
                live.update(_round(current, seats, left, note, is_secret=state.is_secret(current)), refresh=True)
                if left <= 0:
                    await demo.settle()
                    continue
                key = await self._keyboard.key(within=0.25)
                if key in {"\n", "\r"}:
                    await demo.skip_to(current.window.deadline)
                    await demo.settle()
                elif key and key in SEATS[: len(seats)]:
                    live.stop()
                    note = await self._vote(demo, posted, seats[SEATS.index(key)], state.kinds_of_vote)
                    live.start()

    async def _vote(self, demo: Demo, posted: Posted, seat: Seat, kinds: Sequence[FeedbackType]) -> str:
        """
        Returns:
            what came of it, in a sentence.
        """
        self._console.print(
            f"For [bold]{seat.display_name}[/bold]: {', '.join(map(_keyed, kinds))}? Any other key: never mind."
        )
        pressed = VOTES.get((await self._keyboard.key(within=WINDOW) or "").lower())
        if pressed is None or pressed not in kinds:
            return ""
        text = ""
        if pressed.kind.needs_words:
            text = await self._keyboard.line("What should change? " if pressed.kind.asks else "Why? ")
            if not text:
                return "Nothing was said, so nothing was changed."
        refused = await cast_vote(demo, posted, REQUESTER, seat.agent_id, pressed, text)
        await demo.settle()
        return refused or f"{seat.display_name} {_said(pressed)}: recorded, instead of the twin's vote."


def _keyed(kind: FeedbackType) -> str:
    """Return its name with the key for it in bold."""
    key = BUTTONS[kind].key
    return kind.value.replace(key, f"[bold]{key}[/bold]", 1)


def _said(kind: FeedbackType) -> str:
    return LOOKS[kind].alone(texts_in("en"))


def _round(current: Round, seats: Sequence[Seat], left: float, note: str, *, is_secret: bool) -> RenderableType:
    table = Table.grid(padding=(0, 2))
    for key, seat in zip(SEATS, seats, strict=False):
        table.add_row(Text(key, style="bold"), Text(seat.display_name), stands(seat, is_secret=is_secret))
    parts: list[RenderableType] = [
        Text(f"\nRound {current.number}: you may overrule a twin", style="bold"),
        table,
        Text.assemble(
            "Press a key to vote for that seat, or ",
            ("Enter", "bold"),
            " to let the votes stand. ",
            (f"{int(left)} s", "bold yellow" if left > 10 else "bold red"),
            " left.",
        ),
    ]
    return Group(*parts, *([Text(note, style="italic")] if note else []))


def _ended(closed: Round, *, is_secret: bool) -> Text:
    """Return the result of a closed round, with every vote that counted."""
    lines = [
        Text.assemble(("  " + seat.display_name, "bold"), "  ", stands(seat, is_secret=is_secret))
        for seat in closed.seats.values()
    ]
    tally = closed.tally
    summary = f"Round {closed.number} has closed"
    if tally is not None:
        summary += f": {tally.accepts} of {tally.total} in favour"
    return Text("\n").join([Text(summary, style="bold"), *lines, Text()])


def stands(seat: Seat, *, is_secret: bool) -> Text:
    """Return how a seat has voted; in a round that `is_secret`, only whether."""
    vote = seat.vote
    if vote is None:
        return Text("⏳ has not answered")
    whose = "you" if vote.source is Source.HUMAN else "twin"
    if is_secret:
        return Text.assemble("🗳️ has voted", (f" ({whose})", "dim"))
    return Text.assemble(
        _said(vote.feedback_type), (f" ({whose})", "dim"), f"  {vote.adjustment_request or vote.reasoning}"[:90]
    )


def _key(message: Message) -> str:
    return str(((message.metadata or {}).get("event_payload") or {}).get("key", ""))
