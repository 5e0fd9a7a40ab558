"""How much there is to read: the height of a negotiation's thread, and how often a participant is notified.

Keys: ``thread_screens``, screens of 720 px in the thread pane of the local workspace's page (1280 px wide), and
``notifications``, the most new direct messages that one participant gets who does nothing, both by ``"people/rounds"``.
It needs Chromium; the clock jumps, and the texts have the lengths that models write.
"""

import secrets
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from rich.console import Console
from rich.table import Table

from benchmarks.burst import ASKER, NOON, QUIET
from benchmarks.cost import Figures
from benchmarks.stub import somebody
from bot.api_config import ApiAccess
from bot.app import ToWow, running
from bot.config import SlackAccess
from bot.listeners.negotiation.intake import stream_names
from bot.local_slack import Channel, LocalWorkspace, Message, User
from bot.models import offline_model
from bot.registry import PROTOCOLS
from bot.story_links import PageAccess
from bot.views.kit.menu import buttons_in
from engine.directory.profile import Profiles
from engine.kernel import StreamKey, Tenant, plain
from engine.llm.port import Answer, Model, Question, Returns
from engine.negotiation.policy import FIRST_WINDOW, Policy
from engine.runtime.clock import JumpingClock
from engine.store.memory import MemoryStore
from tests.deliberation import arguing

if TYPE_CHECKING:
    from playwright.async_api import Browser

SIZES: Final = ((2, 1), (6, 2), (6, 3), (20, 5))
"""People and rounds."""
SCREEN: Final = 720
"""Pixels."""
CHANNEL: Final = "C_GENERAL"
DEMAND: Final = "An AI meetup for 50 people in Beijing on 14 March: we need a venue, speakers and somebody who hosts"
NEEDS: Final = ("venue", "speakers", "host")
MINUTE: Final = 60_000
MOST_JUMPS: Final = 500
"""Minutes after which it should have ended."""

_HEIGHT: Final = """() => [...document.querySelectorAll('#thread li.message')]
    .reduce((sum, each) => sum + each.getBoundingClientRect().height, 0)"""


async def measure() -> Figures:
    screens: dict[str, float] = {}
    notified: dict[str, int] = {}
    async with shown_height() as height:
        for people, rounds in SIZES:
            name = f"{people}/{rounds}"
            screens[name], notified[name] = await measured(people, rounds, height)
    return {"thread_screens": screens, "notifications": notified}


def tell(found: Figures, console: Console) -> None:
    table = Table("people/rounds", "screens", "notifications", title="A thread, and a participant who does nothing")
    for name, screens in found["thread_screens"].items():
        table.add_row(name, f"{screens:.1f}", str(found["notifications"][name]))
    console.print(table)


async def measured(people: int, rounds: int, height: Callable[[str], Awaitable[float]]) -> tuple[float, int]:
    """Screens of the thread, and the most direct messages that one participant gets.

    Args:
        height: the address of a page with a thread -> the height of its messages in pixels.
    """
    async with negotiated(people, rounds) as scene:
        return await height(scene.address) / SCREEN, max((await scene.notifications()).values())


@dataclass(frozen=True)
class Scene:
    """A workspace in which a negotiation has ended."""

    workspace: LocalWorkspace
    towow: ToWow
    clock: JumpingClock
    users: list[str]
    """Who took part."""
    key: StreamKey
    thread: str

    @property
    def address(self) -> str:
        """Of a page with the thread."""
        return f"{self.workspace.url}/#/{ASKER}/{CHANNEL}/{self.thread}"

    async def notifications(self) -> Counter[str]:
        """How many direct messages each of them has."""
        counts: Counter[str] = Counter()
        for each in self.users:
            person = self.workspace.person(each)
            counts[each] = len(await person.messages((await person.dm()).id))
        return counts

    async def settles(self) -> None:
        """Wait until bot and workspace have no more to say to each other."""
        before = None
        while before != (before := await self.workspace.admin.calls()):
            await self.towow.idle()
            await self.workspace.admin.idle(QUIET)


@dataclass(frozen=True)
class Cast:
    """Who takes part in a negotiation, what its models say, and what people do in it."""

    demand: str
    profiles: Callable[[list[str]], Profiles]
    """The users who take part -> a profile of each."""
    model: Model
    act: Callable[[Scene], Awaitable[None]]
    """What people do whenever bot and workspace have no more to say."""
    locale: str = "en-US"


async def nobody_acts(_scene: Scene) -> None:
    """Leave everything to twins, and to time."""


def stand_ins(people: int, rounds: int) -> Cast:
    """People who are alike and do nothing."""
    return Cast(DEMAND, _profiles, Hesitant(people, rounds), nobody_acts)


@asynccontextmanager
async def negotiated(people: int, rounds: int, cast: Cast | None = None) -> AsyncIterator[Scene]:
    """Within it the bot runs, and the thread shows what was agreed."""
    cast = cast or stand_ins(people, rounds)
    users = [f"U_P{number:02}" for number in range(people)]
    clock = JumpingClock(NOON)
    profiles = cast.profiles(users)
    names = {str(each.slack_user): each.user_name for each in profiles.values()} | {ASKER: _name(ASKER)}
    async with LocalWorkspace(
        users=[User(id=each, name=each.lower(), real_name=names[each], locale=cast.locale) for each in (ASKER, *users)],
        channels=[Channel(id=CHANNEL, name="general", members=[ASKER, *users])],
        now=lambda: clock.now() / 1000,
    ) as workspace:
        slack = SlackAccess(workspace.bot_token, workspace.app_token, workspace.api_url, ping_seconds=5, limited=False)
        policy = Policy(
            max_candidates=people, max_rounds=rounds, fail_below=None, max_depth=0, first_window=FIRST_WINDOW
        )
        pages = ApiAccess(port=0, pages=PageAccess(secrets.token_bytes(32)))
        async with running(slack, MemoryStore(), cast.model, profiles, clock, policy, PROTOCOLS, api=pages) as towow:
            said = await workspace.person(ASKER).say(CHANNEL, f"<@{workspace.bot_user_id}> {cast.demand}")
            tenant = Tenant(workspace.team_id, workspace.enterprise_id or "")
            key = StreamKey(tenant, next(stream_names(tenant, CHANNEL, said.ts)))
            scene = Scene(workspace, towow, clock, users, key, said.ts)
            await _ends(scene, rounds, cast)
            yield scene


async def _ends(scene: Scene, rounds: int, cast: Cast) -> None:
    """Let time pass until it has ended, and everything is shown.

    Raises:
        RuntimeError: it did not end as it was to; what it measures would mean nothing.
    """
    for _ in range(MOST_JUMPS):
        await scene.settles()
        await cast.act(scene)
        state, _version = await scene.towow.runtime.read(scene.key)
        if not state.is_open:
            break
        scene.clock.jump(scene.clock.now() + MINUTE)
        await scene.towow.runtime.sweep()
    state, _version = await scene.towow.runtime.read(scene.key)
    if state.final is None or len(state.rounds) != rounds:
        raise RuntimeError(f"it is {state.status} after {len(state.rounds)} rounds")


@asynccontextmanager
async def shown_height() -> AsyncIterator[Callable[[str], Awaitable[float]]]:
    """The address of a page with a thread -> the height of its messages in pixels, in a browser of its own."""
    from playwright.async_api import async_playwright  # only this part needs it

    from tests.equipment import browser as installed_browser

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=installed_browser(), args=["--no-sandbox"])
        yield partial(height_in, browser)
        await browser.close()


async def height_in(browser: "Browser", url: str) -> float:
    """Pixels of the messages in the thread that the address shows."""
    page = await browser.new_page(viewport={"width": 1280, "height": 800})
    await page.goto(url)
    await page.locator("#thread li.message").nth(3).wait_for()
    found = float(await page.evaluate(_HEIGHT))
    await page.close()
    return found


def has(message: Message, action: str) -> bool:
    """Whether a message has a button of this action."""
    return any(each.get("action_id") == action for each in buttons_in(elements(message)))


def elements(message: Message) -> list[dict[str, Any]]:
    """Return what can be pressed or chosen in a message."""
    rows = ((*block.get("elements", ()), block.get("accessory", {})) for block in message.blocks)
    return [each for row in rows for each in row]


def _profiles(users: list[str]) -> Profiles:
    profiles = {_agent(each): somebody(_agent(each), _name(each)) for each in users}
    return Profiles(profiles).with_links({_agent(each): each for each in users})


def _agent(user: str) -> str:
    return f"user_agent_{user.removeprefix('U_').lower()}"


def _name(user: str) -> str:
    return f"Robin {user.removeprefix('U_').title()}"


class Hesitant:
    """Twins that agree in the last round only: until then every third one asks for a change."""

    def __init__(self, people: int, rounds: int) -> None:
        self._people = people
        self._rounds = rounds
        self._offline = offline_model(PROTOCOLS)
        """Manages what is carried out, except for what takes judgement."""

    async def answer(self, question: Question[Returns]) -> Answer[Returns]:
        protocol, _, prompt = question.prompt.name.partition("/")
        if protocol == "deliberation":
            return Answer(question.returns.checked(plain(arguing.answer(prompt, question.given))), "hesitant")
        if protocol == "delivery" and prompt != "review":
            return await self._offline.answer(question)
        return Answer(question.returns.checked(self.said(question)), "hesitant")

    def said(self, question: Question[Any]) -> dict[str, Any]:
        given = question.given
        match question.prompt.name:
            case "negotiation/understand":
                needs = [
                    {"need_id": f"need_{n}", "what": each} for n, each in enumerate(("venue", "speakers", "host"), 1)
                ]
                return {"surface_demand": DEMAND, "needs": needs}
            case "negotiation/filter":
                chosen = given["profiles"][: self._people]
                return {
                    "definitely_related": [
                        {"agent_id": each.agent_id, "reason": "has done it before"} for each in chosen
                    ]
                }
            case "negotiation/respond":
                said = "A room for sixty people near the river, with a projector, two microphones and coffee."
                return {"decision": "participate", "contribution": said, "covers": ["need_1", "need_2", "need_3"]}
            case "negotiation/feedback":
                return self._vote(given)
            case "negotiation/gaps":
                return {"is_complete": True, "gaps": []}
            case "delivery/review":
                return {"decision": "approved", "notes": "The proof shows that it is done as it was agreed."}
            case "negotiation/verify" | "negotiation/read_request":
                return {}
            case "directory/read_profile":
                return {"limits": []}
            case name:
                seated = given["offers"] if name.endswith("aggregate") else given["proposal"].assignments
                return _plan([each.agent_id for each in seated], given.get("round", 0))

    def _vote(self, given: Any) -> dict[str, Any]:
        place = int(given["profile"].agent_id[-2:])
        if given["round"] < self._rounds and place % 3 == 1:
            wish = f"Half an hour later than in version {given['round']}, since my train arrives at six."
            return {"feedback_type": "negotiate", "adjustment_request": wish}
        return {"feedback_type": "accept", "reasoning": "That fits my week, and I know what I have to do."}


def _plan(agents: list[str], number: int) -> dict[str, Any]:
    task = "Prepares the room from five o'clock on, tests sound and projector, and stays until everybody has left."
    first, second, last = agents[0], agents[1 % len(agents)], agents[-1]
    moved = f"It begins at half past {6 + number}."
    return {
        "summary": f"An evening of three short talks with time to meet, in one room near the river. {moved}",
        "objective": "Fifty people learn something and meet each other.",
        "assignments": [{"agent_id": each, "role": "Host and helper", "responsibility": task} for each in agents],
        "timeline": {
            "start_date": "2027-03-01",
            "milestones": [
                _step("Room booked", "2027-03-05", "A written confirmation", first),
                _step("Programme announced", "2027-03-08", "A page with times", second),
                _step("The evening", "2027-03-14", "Talks and drinks", last),
            ],
        },
        "adjustment_summary": {
            "changes_made": [{"aspect": "Beginning", "before": f"{5 + number}:30", "after": f"{6 + number}:30"}],
        },
    }


def _step(name: str, date: str, deliverable: str, agent_id: str) -> dict[str, str]:
    return {"name": name, "date": date, "deliverable": deliverable, "agent_id": agent_id}
