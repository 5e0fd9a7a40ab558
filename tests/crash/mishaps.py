"""What goes wrong in a run, and when."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from bot.workspace import LocalWorkspace
from engine.kernel import Millis

from .bot_process import Papers
from .bots import Bots
from .fuse import Fuse
from .people import until_twins_have_voted
from .story import ASKER, LOBBY

PATIENCE: Final = 90.0
"""Seconds that a fault may take to strike."""

TWO_HOURS: Final[Millis] = 7_200_000


Strike = Callable[[Bots], Coroutine[Any, Any, None]]
"""Returns once it has happened; cancelled where it could not."""


class Mishap:
    """This one never comes about."""

    def papers(self, papers: Papers, life: int) -> Papers:
        """What the bot is started with. Its first life is 0."""
        return papers

    async def lie_in_wait(self, workspace: LocalWorkspace) -> Strike:
        """Called before the first bot is started."""
        return Bots.died


NONE: Final = Mishap()


@dataclass(frozen=True, slots=True)
class KilledAtWrite(Mishap):
    """By itself, in its first life, or in each."""

    fuse: Fuse
    always: bool = False

    def papers(self, papers: Papers, life: int) -> Papers:
        return replace(papers, fuse=self.fuse) if self.always or not life else papers


@dataclass(frozen=True, slots=True)
class KilledAtCall(Mishap):
    """When the workspace has done what a call asked for and holds the reply back; or has just sent an envelope."""

    method: str
    nth: int
    do: Literal["hold", "drop_sent"] = "hold"

    async def lie_in_wait(self, workspace: LocalWorkspace) -> Strike:
        fault = await workspace.admin.fault(self.method, self.do, nth=self.nth)

        async def strike(bots: Bots) -> None:
            await fault.reached(PATIENCE)
            bots.kill()
            await bots.died()
            await fault.release()

        return strike


@dataclass(frozen=True, slots=True)
class CallFails(Mishap):
    """And the bot lives: ``drop_after``, its effect is done and the bot never learns of it; ``status``, it is not."""

    method: str
    nth: int
    do: Literal["drop_after", "status"]

    async def lie_in_wait(self, workspace: LocalWorkspace) -> Strike:
        fault = await workspace.admin.fault(self.method, self.do, nth=self.nth)

        async def strike(bots: Bots) -> None:
            await fault.reached(PATIENCE)

        return strike


@dataclass(frozen=True, slots=True)
class Asleep(Mishap):
    """Killed once the twins of a round have voted; when the next one starts, it is two hours later. In both rounds."""

    def papers(self, papers: Papers, life: int) -> Papers:
        return replace(papers, ahead=life * TWO_HOURS)

    async def lie_in_wait(self, workspace: LocalWorkspace) -> Strike:
        async def strike(bots: Bots) -> None:
            asker = workspace.person(ASKER.id)
            demand = await asker.until_message(LOBBY, lambda _: True, within=PATIENCE)
            for number in (1, 2):
                await until_twins_have_voted(asker, demand, number)
                bots.kill()
                await bots.died(number)

        return strike
