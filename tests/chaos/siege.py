"""Runs a siege: the plan and the crowd at the same time; then everything may come to an end, and is counted."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

import yaml

from bot.app import ToWow, running
from bot.config import SlackAccess
from bot.local_slack import App, LocalWorkspace, User
from bot.models import offline_model
from bot.posts.post_records import doubtful_streams
from bot.registry import PROTOCOLS
from engine.files.profiles import load_profiles
from engine.kernel import Tenant
from engine.negotiation.policy import FOR_PEOPLE
from engine.runtime.clock import JumpingClock
from engine.store.port import Store
from engine.store.sqlite import SqliteStore
from tests.anthropic_server import KEY, LocalAnthropic
from tests.held_loop import Hold, worst

from . import town
from .bot_process import ROOT, BotProcess
from .checks import MOST_FILES, MOST_MIB, Verdict, standing, wrong_in_log
from .crowd import BETWEEN_DEMANDS, Crowd
from .ledger import Ledger
from .machine import KIB, NOTHING, FakeClock, Holding, can_fill_disks, holding, limit_files
from .model_wire import FAULTS, SensibleModel
from .plan import KINDS, Step, plan
from .questions import last_questions
from .watched import holds_in
from .world import World

APP: Final = App.described_by(yaml.safe_load((ROOT / "manifest.yml").read_text("utf-8")))
REDELIVERIES: Final = (1.0, 3.0, *(8.0,) * 600)
"""Seconds before each. Slack stops after three: what no bot lived long enough to take is then lost."""
ACK: Final = 10.0
"""Seconds in which a click has to be acknowledged. Slack's three are too few where others use the machine, too, and a
click that was not acknowledged proves little."""
LOOK: Final = 3.0
"""Seconds between two looks at the log and at what the process holds."""
WITH_CLAUDE: Final = 0.7
"""Of all lives; in the others the offline model answers."""
MOST_TOLD: Final = 5
"""Callbacks that held a bot's event loop for too long."""
FOREVER: Final = 10**15
"""Later than anything is due, in milliseconds."""
PEACE: Final = 240.0
"""Seconds in which everything has to come to its end when nothing goes wrong any more."""


@dataclass(slots=True)
class Report:
    seed: int
    seconds: float
    bots: int = 1
    took: float = 0.0
    """Seconds of siege, without what follows."""
    planned: int = 0
    steps: Counter[str] = field(default_factory=Counter)
    left_out: list[str] = field(default_factory=list)
    lives: int = 0
    demands: int = 0
    clicks: Counter[str] = field(default_factory=Counter)
    acknowledged: int = 0
    unsure: int = 0
    counted: int = 0
    refused: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    posts: int = 0
    most: Holding = NOTHING
    holds: list[Hold] = field(default_factory=list)
    """What held the event loop of a bot for too long, each callback's longest."""
    problems: list[tuple[str, str]] = field(default_factory=list)
    """What went wrong, and after which step it was noticed."""

    def lines(self) -> list[str]:
        ended = ", ".join(f"{often} {how}" for how, often in self.endings.most_common())
        faults = sum(often for name, often in self.steps.items() if name not in ("kill", "stop"))
        return [
            f"seed {self.seed}, {self.took:.0f} s, {self.steps.total()} of {self.planned} steps",
            f"kills     {self.steps['kill']}, and {self.steps['stop']} stops: {self.lives} lives",
            f"faults    {faults}",
            *(f"          {often:4} {name}" for name, often in sorted(self.steps.items()) if ":" in name),
            *(f"left out  {each}" for each in self.left_out),
            f"demands   {self.demands}; negotiations ended: {ended}",
            f"clicks    {self.clicks.total()}: {', '.join(f'{n} {each}' for each, n in self.clicks.most_common())}",
            f"votes     {self.acknowledged} acknowledged, {self.unsure} unsure; "
            f"on record {self.counted} counted, {self.refused} refused",
            f"posts     {self.posts}",
            f"held      {self.most.kib // KIB} MiB, {self.most.files} files at most",
            *(f"loop      held for {each}" for each in self.holds[:MOST_TOLD]),
            *(f"FAILED    {what} (noticed after step {step})" for what, step in self.problems),
            f"replay    make chaos SECONDS={self.seconds:g} SEED={self.seed} BOTS={self.bots}"
            if self.problems
            else "nothing failed",
        ]


class Siege:
    kinds = KINDS
    between_demands = BETWEEN_DEMANDS
    peace = PEACE

    def __init__(self, seed: int, seconds: float, folder: Path, say: Callable[[str], None]) -> None:
        self._seed = seed
        self._seconds = seconds
        self._say = say
        self._home = folder / "home"
        self._people = folder / "people"
        for each in (self._home, self._people):
            each.mkdir(parents=True)
        self._users: tuple[User, ...] = town.profiles(self._people)
        self._clock = FakeClock(folder)
        self._bots = [BotProcess(self._home)]
        self._ledger = Ledger()
        self._rng = Random(f"{seed} lives")
        self._report = Report(seed, seconds)
        self._step = "0"
        self._away = 0.0
        """Seconds for which steps have waited until the app was there again; those that follow keep their distance."""
        self._log_read = Counter[Path]()

    async def run(self) -> Report:
        report = self._report
        without = []
        if not self._clock.is_there:
            without.append("clock")
            report.left_out.append("clock: libfaketime is not installed, so no clock jumps")
        if not can_fill_disks():
            without.append("disk")
            report.left_out.append("disk: this platform cannot limit another process's files")
        steps = plan(self._seed, self._seconds, without, self.kinds)
        report.planned = len(steps)
        async with AsyncExitStack() as stack:
            anthropic = await stack.enter_async_context(LocalAnthropic())
            anthropic.always(SensibleModel(self._seed))
            workspace = await stack.enter_async_context(
                LocalWorkspace(
                    app=APP,
                    users=(*town.ASKERS, *self._users, town.STRANGER),
                    channels=town.channels(self._users),
                    redelivery_delays=REDELIVERIES,
                    ack_timeout=ACK,
                )
            )
            for bot in self._bots:
                stack.push_async_callback(bot.close)
            self._world = World(workspace, self._users, APP.scopes)
            await self._siege(steps, workspace, anthropic)
            await workspace.admin.clear_faults()
            await self._world.make_good()
            self._say("peace: everything may come to its end now")
            await self._peace(workspace)
        return report

    async def _siege(self, steps: list[Step], workspace: LocalWorkspace, anthropic: LocalAnthropic) -> None:
        report, began = self._report, time.monotonic()
        for bot in self._bots:
            self._fails(await bot.start(self._environ(workspace, anthropic)))
        crowd = Crowd(workspace, self._seed, self._users, self._world, self._ledger, self.between_demands)
        others = [asyncio.create_task(crowd.live()), asyncio.create_task(self._watch())]
        try:
            for step in steps:
                await asyncio.sleep(max(0.0, began + self._away + step.at - time.monotonic()))
                if time.monotonic() - began - self._away > self._seconds:
                    break
                self._step = str(step)
                report.steps[step.name] += 1
                self._fails(await self._take(step, workspace, anthropic))
                for each in others:
                    if each.done():
                        each.result()  # a fault of ours
            await asyncio.sleep(max(0.0, began + self._away + self._seconds - time.monotonic()))
        finally:
            for each in others:
                each.cancel()
            await asyncio.gather(*others, return_exceptions=True)
        report.took = time.monotonic() - began
        await self._end()
        self._look_at_log()
        report.holds = worst(each for bot in self._bots for each in holds_in(bot.held))
        report.lives = sum(bot.lives for bot in self._bots)
        if any(bot.stillborn for bot in self._bots):
            report.left_out.append("a start: the preloaded clock crashed before there was an interpreter")
        report.demands = len(self._ledger.demands) + len(self._ledger.commands)
        report.clicks = self._ledger.clicks
        report.acknowledged = self._ledger.acknowledged.total()
        report.unsure = self._ledger.unsure.total()

    async def _end(self) -> None:
        for bot in self._bots:
            self._fails(await bot.stop())

    async def _take(self, step: Step, workspace: LocalWorkspace, anthropic: LocalAnthropic) -> str:
        """Let one thing go wrong.

        Returns:
            What must not come of it; mostly nothing.
        """
        given, bot = step.given, self._bots[0]
        match step.kind:
            case "kill":
                await bot.kill()
                await asyncio.sleep(given["down"])
                await self._until_it_has_us()
                return await bot.start(self._environ(workspace, anthropic))
            case "stop":
                ended = await bot.stop()
                await self._until_it_has_us()
                return ended or await bot.start(self._environ(workspace, anthropic))
            case "slack":
                await workspace.admin.fault(**given)
            case "socket" if "how" in given:
                await workspace.admin.disconnect(given["how"])
            case "socket":
                await workspace.admin.fault(**given)
            case "model":
                anthropic.then(*[FAULTS[step.what]] * given["times"])
            case "world" if step.what == "reinstalled":
                if not self._world.has_us.is_set():
                    return ""
                began = time.monotonic()
                await self._world.uninstall()
                await asyncio.sleep(given["seconds"])
                await self._world.reinstall(f"xoxb-local-{step.number}")
                ended = await bot.stop()  # as whoever runs it has to, who has another token for it now
                failed = ended or await bot.start(self._environ(workspace, anthropic))
                self._away += time.monotonic() - began
                return failed
            case "world":
                await self._world.change(step.what, given)
            case "clock":
                self._clock.jump(given["by"])
            case "second":
                return await bot.second(self._environ(workspace, anthropic) | self._database(step.what))
            case "disk" if (pid := bot.pid) is not None:
                limit_files(pid, max(each.stat().st_size for each in self._home.iterdir()))
                await asyncio.sleep(given["seconds"])
                with suppress(ProcessLookupError):
                    limit_files(pid, None)
        return ""

    async def _until_it_has_us(self) -> None:
        """Wait until the app is installed: nobody starts it for a workspace that has taken it out."""
        began = time.monotonic()
        await self._world.has_us.wait()
        self._away += time.monotonic() - began

    def _environ(self, workspace: LocalWorkspace, anthropic: LocalAnthropic) -> dict[str, str]:
        """What a life is started with; the dice say who answers for the twins."""
        claude = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": anthropic.url, "LLM_TIMEOUT": "5"}
        return {
            "SLACK_BOT_TOKEN": workspace.bot_token,
            "SLACK_APP_TOKEN": workspace.app_token,
            "SLACK_API_URL": workspace.api_url,
            "TOWOW_DB": "towow.db",
            "TOWOW_PROFILES": str(self._people),
            **(claude if self._rng.random() < WITH_CLAUDE else {}),
            **self._clock.environ,
        }

    def _database(self, how: str) -> dict[str, str]:
        if how == "symlink":
            link = self._home.with_name("link.db")
            if not link.is_symlink():
                link.symlink_to(self._home / "towow.db")
            return {"TOWOW_DB": str(link)}
        return {}

    # ── watching ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(LOOK)
            self._look_at_log()
            for bot in self._bots:
                held = holding(pid) if (pid := bot.pid) else None
                if held is not None:
                    most = self._report.most
                    self._report.most = Holding(max(most.kib, held.kib), max(most.files, held.files))
                    if held.kib > MOST_MIB * KIB or held.files > MOST_FILES:
                        self._fails(f"it holds {held.kib // KIB} MiB and {held.files} files")

    def _look_at_log(self) -> None:
        for log in (bot.log for bot in self._bots if bot.log.exists()):
            for each in wrong_in_log(log, (KEY, "xoxb-", "xapp-"), self._log_read[log]):
                self._fails(each)
            self._log_read[log] = log.stat().st_size

    def _fails(self, what: str) -> None:
        if what:
            self._report.problems.append((what, self._step))
            self._say(f"FAILED after step {self._step}: {what}")

    def _store(self) -> Store:
        return SqliteStore(self._home / "towow.db")

    # ── the end ───────────────────────────────────────────────────────────────────────────────────────────────────

    async def _peace(self, workspace: LocalWorkspace) -> None:
        """One more life, in which nothing goes wrong, no rates hold, and time passes as fast as it may."""
        store, clock = self._store(), JumpingClock()
        clock.set_wall(clock.now() + max(0, self._clock.ahead) * 1000)
        slack = SlackAccess(workspace.bot_token, workspace.app_token, workspace.api_url, ping_seconds=1, limited=False)
        async with running(
            slack,
            store,
            offline_model(PROTOCOLS),
            load_profiles(self._people),
            clock,
            FOR_PEOPLE["balanced"],
            PROTOCOLS,
        ) as towow:
            try:
                async with asyncio.timeout(self.peace):
                    await workspace.admin.connected()
                    await _everything_ends(towow, clock, workspace)
                    unanswered = await last_questions(workspace, self._world.halls, towow.idle)
            except TimeoutError:
                self._fails(f"not everything came to its end within {self.peace:g} s: {await store.counts()}")
                unanswered = []
            there = await standing(workspace, self._users, [*self._world.halls.values()])
            self._report.posts = there.times.total()
            verdict = Verdict(store, Tenant(workspace.team_id, ""), self._ledger, there)
            await verdict.reach()
        status = await workspace.admin.status()
        if status.lost:
            self._fails(f"{len(status.lost)} events were never taken")
        for each in (*unanswered, *verdict.problems):
            self._fails(each)
        report = self._report
        report.endings, report.counted, report.refused = verdict.endings, verdict.counted, verdict.refused


async def _everything_ends(towow: ToWow, clock: JumpingClock, workspace: LocalWorkspace) -> None:
    while True:
        await workspace.admin.idle(quiet=0.2)
        await towow.idle()
        counts = await towow.store.counts()
        behind = await towow.store.lagging(1)
        status = await workspace.admin.status()
        doubts = await doubtful_streams(towow.store)
        if not (counts["open_streams"] or counts["owed"] or behind or status.pending or status.late or doubts):
            return
        if status.late:
            continue  # these wait in real time, and whoever looks for them may not have given up by then
        stalled = [each.since for each in await towow.store.stalled(FOREVER, 1)]
        # Who only looks again and again would make it days of quarters of a minute.
        wake = clock.next_wake if counts["owed"] or behind or doubts else None
        dues = (await towow.store.next_due(), wake, towow.posts.next_due, *stalled)
        clock.jump(min((each for each in dues if each is not None), default=clock.now()))
        await towow.runtime.sweep()
