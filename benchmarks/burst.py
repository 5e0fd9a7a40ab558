"""Many demands at once, and then everybody votes at once, at Slack's own rates: how long until there is a proposal to
each, and until every card of every negotiation is right.

Bot and workspace share one clock that jumps: what takes time here is Slack's rates alone, and the figures are the same
on every machine.
"""

import random
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from benchmarks.stub import somebody
from bot.app import ToWow, running
from bot.config import SlackAccess
from bot.listeners.negotiation.intake import stream_names
from bot.local_slack import Channel, LocalWorkspace, Message, User
from bot.posts.post_records import PostRecords, address_of
from bot.registry import PROTOCOLS
from bot.views.kit.post import Post
from bot.views.negotiation.button_values import ACCEPT
from bot.views.negotiation.presenter import posts
from engine.directory.profile import Profiles
from engine.kernel import Millis, StreamKey, Tenant
from engine.llm.port import Answer, Question, Returns
from engine.negotiation.answers import (
    Assignment,
    Candidate,
    FeedbackAnswer,
    GapAnalysis,
    OfferAnswer,
    OfferDecision,
    ProposalDraft,
    Shortlist,
    Understanding,
)
from engine.negotiation.policy import Policy
from engine.negotiation.state import Negotiation
from engine.negotiation.voting.kinds import FeedbackType
from engine.runtime.clock import JumpingClock
from engine.store.memory import MemoryStore

NOON: Final[Millis] = 1_800_000_000_000
QUIET: Final = 0.005
"""Real seconds in which nothing passes between bot and workspace once they are done."""
TICK: Final[Millis] = 250
ASKER: Final = "U_ASKS"
LONGEST: Final[Millis] = 30 * 60_000


@dataclass(frozen=True)
class Burst:
    negotiations: int = 30
    channels: int = 3
    people: int = 20
    """Each with a seat in every negotiation."""
    seconds: int = 10
    """In which all of them vote, half of them in the thread and half in their direct messages."""

    @property
    def fewest_edits(self) -> int:
        """Through chat.update: each root card, and the direct message of whoever voted in the thread. Whatever was
        clicked is changed through the click."""
        return self.negotiations * (1 + self.people // 2)


@dataclass
class Measured:
    """Seconds, by the clock that bot and workspace share."""

    ready: float = 0.0
    """Until everybody had their part of every negotiation."""
    shown: list[float] = field(default_factory=list)
    """From a vote until it stood in the thread; where others came before that, until the newest stood there."""
    thread_right: list[float] = field(default_factory=list)
    """From a negotiation's last vote until its thread was right to the last word."""
    all_right: list[float] = field(default_factory=list)
    """... and all its direct messages."""
    throttled: dict[str, int] = field(default_factory=dict)
    """How often Slack had to say "too many"."""
    calls: Counter[str] = field(default_factory=Counter)
    """From the first vote on."""
    wrong: list[str] = field(default_factory=list)
    """What was not as it should be, at any time."""


CROWD: Final = Burst(negotiations=20, channels=1, people=10)
"""Twenty demands in one channel."""


async def measure(burst: Burst) -> Measured:
    async with _field(burst) as field_:
        return await field_.play()


async def proposals(burst: Burst) -> list[float]:
    """Return after how many seconds each thread had something to vote on."""
    async with _field(burst) as field_:
        return await field_.first_proposals()


@asynccontextmanager
async def _field(burst: Burst) -> AsyncIterator["_Field"]:
    people = [f"U_P{number:02}" for number in range(burst.people)]
    channels = [f"C_{number}" for number in range(burst.channels)]
    clock = JumpingClock(NOON)
    async with LocalWorkspace(
        users=[User(id=each, name=each.lower()) for each in (ASKER, *people)],
        channels=[Channel(id=each, name=each.lower(), members=[ASKER, *people]) for each in channels],
        now=lambda: clock.now() / 1000,
    ) as workspace:
        await workspace.admin.rate_limits(True)
        slack = SlackAccess(workspace.bot_token, workspace.app_token, workspace.api_url, ping_seconds=5)
        store, policy = MemoryStore(), Policy(max_candidates=burst.people)
        async with running(slack, store, _Agreeable(), _profiles(people), clock, policy, PROTOCOLS) as towow:
            yield _Field(burst, workspace, towow, store, clock, people, channels)


class _Field:
    """Where it is played."""

    def __init__(
        self,
        burst: Burst,
        workspace: LocalWorkspace,
        towow: ToWow,
        store: MemoryStore,
        clock: JumpingClock,
        people: Sequence[str],
        channels: Sequence[str],
    ) -> None:
        self._burst = burst
        self._workspace = workspace
        self._towow = towow
        self._store = store
        self._clock = clock
        self._people = people
        self._channels = channels
        self._tenant = Tenant(workspace.team_id, workspace.enterprise_id or "")
        self._cards: dict[tuple[StreamKey, str], tuple[str, str]] = {}
        """Negotiation and post key -> the message's channel and ts."""
        self._waiting: dict[StreamKey, list[Millis]] = {}
        """When the votes were cast that the thread does not show yet."""
        self._last_vote: dict[StreamKey, Millis] = {}
        self._wanted: dict[StreamKey, tuple[int, Negotiation, tuple[Post, ...]]] = {}
        self._measured = Measured()

    async def play(self) -> Measured:
        keys = await self._ask()
        while not all([await self._is_ready(key) for key in keys]):
            if not await self._jump():
                self._measured.wrong.append("not everybody was asked")
                return self._measured
        measured = self._measured
        measured.ready = self._seconds_since(NOON)
        before = await self._workspace.admin.calls()
        began = self._clock.now()
        votes = [(key, person) for key in keys for person in self._people]
        random.Random(1).shuffle(votes)  # the same at every run
        done = 0
        unsettled = {*keys}
        in_thread = {*keys}
        while unsettled and self._clock.now() - began < LONGEST:
            due = min(len(votes), round(len(votes) * (self._clock.now() - began) / (self._burst.seconds * 1000)))
            for number in range(done, due):
                await self._vote(*votes[number], in_direct=number % 2 == 0)
            done = max(done, due)
            await self._settle()
            for key in keys:
                await self._look(key)
            for key in [each for each in in_thread if done == len(votes)]:
                if await self._is_right(key, direct=False):
                    in_thread.discard(key)
                    measured.thread_right.append(self._seconds_since(self._last_vote[key]))
            for key in [each for each in unsettled - in_thread if done == len(votes)]:
                if await self._is_right(key, direct=True):
                    unsettled.discard(key)
                    measured.all_right.append(self._seconds_since(self._last_vote[key]))
            if not await self._jump(latest=self._clock.now() + TICK if done < len(votes) else None):
                break
        measured.wrong += [f"{each.stream} is not right in the end" for each in unsettled]
        measured.calls = await self._workspace.admin.calls() - before
        measured.throttled = (await self._workspace.admin.status()).throttled
        return measured

    async def first_proposals(self) -> list[float]:
        left, found = {*await self._ask()}, []
        while left:
            shown = [each for each in left if "round-1" in await PostRecords(self._store, each).read()]
            found += [self._seconds_since(NOON)] * len(shown)
            left.difference_update(shown)
            if not await self._jump():
                break
        return found

    async def _ask(self) -> list[StreamKey]:
        keys = []
        for number in range(self._burst.negotiations):
            channel = self._channels[number % len(self._channels)]
            text = f"<@{self._workspace.bot_user_id}> help with number {number}"
            message = await self._workspace.person(ASKER).say(channel, text)
            keys.append(StreamKey(self._tenant, next(stream_names(self._tenant, channel, message.ts))))
        await self._settle()
        return keys

    async def _is_ready(self, key: StreamKey) -> bool:
        """Whether everybody has been asked; notes where their cards are."""
        table = await PostRecords(self._store, key).read()
        cards = {post: (entry.channel, entry.ts) for post, entry in table.items() if entry.ts}
        wanted = {"round-1", *(f"part-1/{_agent(each)}" for each in self._people)}
        if not wanted <= cards.keys():
            return False
        self._cards |= {(key, post): cards[post] for post in wanted}
        return True

    async def _vote(self, key: StreamKey, person: str, *, in_direct: bool) -> None:
        channel, ts = self._cards[key, f"part-1/{_agent(person)}" if in_direct else "round-1"]
        outcome = await self._workspace.person(person).click(channel, ts, ACCEPT)
        if not outcome.acked:
            self._measured.wrong.append(f"{person}'s click was not acknowledged: {outcome.error}")
        self._last_vote[key] = self._clock.now()
        self._waiting.setdefault(key, []).append(self._clock.now())

    async def _look(self, key: StreamKey) -> None:
        """What the thread shows by now; an end that is shown before it is so would be a lie."""
        if key not in self._waiting:
            return
        state, wanted_posts = await self._read(key)
        table = await PostRecords(self._store, key).read()
        if state.is_open and any(post == "outcome" or post.startswith("ending/") for post in table):
            self._measured.wrong.append(f"{key.stream} shows an end that it has not")
        wanted = next(each for each in wanted_posts if each.key == "round-1")
        if table["round-1"].digest == wanted.digest:
            self._measured.shown += [self._seconds_since(each) for each in self._waiting.pop(key)]

    async def _is_right(self, key: StreamKey, *, direct: bool) -> bool:
        """Whether the messages themselves, not what we noted of them, are what they should be."""
        state, wanted_posts = await self._read(key)
        if state.is_open:
            return False
        table = await PostRecords(self._store, key).read()
        wanted = [each for each in wanted_posts if direct or not each.to]
        if any(each.key not in table or table[each.key].digest != each.digest for each in wanted):
            return False
        for each in wanted:
            entry = table[each.key]
            reader = self._workspace.person(each.to or ASKER)
            messages = await (
                reader.thread(entry.channel, entry.thread) if entry.thread else reader.messages(entry.channel)
            )
            if not any(_shows(message, entry.ts, each.text) for message in messages):
                self._measured.wrong.append(f"{key.stream} shows something else than {each.key}")
        return True

    async def _read(self, key: StreamKey) -> tuple[Negotiation, tuple[Post, ...]]:
        """What is so, and what should be shown of it."""
        state, version = await self._towow.runtime.read(key)
        if key not in self._wanted or self._wanted[key][0] != version:
            # Once it has ended, no post leads to another one, and all lead to the thread.
            there = partial(address_of, f"{self._workspace.url}/", place=state.place, shown={})
            self._wanted[key] = (version, state, posts(state, address=there))
        return self._wanted[key][1:]

    async def _jump(self, latest: Millis | None = None) -> bool:
        """To the next time at which something is due; False when nothing will ever be."""
        dues = [self._towow.posts.next_due, self._clock.next_wake, latest]
        due = min((each for each in dues if each is not None), default=None)
        if due is None:
            return False
        self._clock.jump(max(due, self._clock.now()))
        await self._towow.runtime.sweep()
        await self._settle()
        return True

    async def _settle(self) -> None:
        while True:
            before = await self._workspace.admin.calls()
            await self._towow.idle()
            await self._workspace.admin.idle(QUIET)
            if before == await self._workspace.admin.calls():
                return

    def _seconds_since(self, then: Millis) -> float:
        return (self._clock.now() - then) / 1000


def _shows(message: Message, ts: str, text: str) -> bool:
    return message.ts == ts and message.text == text


def _agent(person: str) -> str:
    return f"user_agent_{person.removeprefix('U_').lower()}"


def _profiles(people: Sequence[str]) -> Profiles:
    profiles = {_agent(each): somebody(_agent(each), each.removeprefix("U_")) for each in people}
    return Profiles(profiles).with_links({_agent(each): each for each in people})


class _Agreeable:
    """Every twin takes part and accepts, at once."""

    async def answer(self, question: Question[Returns]) -> Answer[Returns]:
        given = question.given
        match question.prompt.name:
            case "negotiation/understand":
                said: object = Understanding(surface_demand=given["raw_input"])
            case "negotiation/filter":
                said = Shortlist(
                    definitely_related=tuple(Candidate(agent_id=each.agent_id) for each in given["profiles"])
                )
            case "negotiation/respond":
                said = OfferAnswer(decision=OfferDecision.PARTICIPATE, contribution="I bring a projector.")
            case "negotiation/feedback":
                said = FeedbackAnswer(feedback_type=FeedbackType.ACCEPT, reasoning="Fits my week.")
            case "negotiation/gaps":
                said = GapAnalysis(is_complete=True, gaps=())
            case _:
                said = ProposalDraft(
                    summary="An evening of short talks",
                    assignments=tuple(
                        Assignment(agent_id=each.agent_id, role="helper", responsibility="Brings what was promised.")
                        for each in given["offers"]
                    ),
                )
        return Answer(question.returns.checked(said), "agreeable")
