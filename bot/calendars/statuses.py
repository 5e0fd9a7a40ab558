"""When somebody says in Slack that they are away, or wants no notifications: asked before a version, and never stored.

Only the signs of Slack's own suggestions for being away are looked at, and never what somebody has written beside them.
A status without an end says nothing of when, and of *do not disturb* Slack tells the next time alone. What Slack has
said is remembered for a few minutes, and it is asked at the pace of all other calls, after them: many versions that are
made at once ask about everybody once.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from itertools import islice
from typing import Any, Final, NamedTuple
from weakref import WeakValueDictionary

from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from bot.posts.failures import CallFailed, Throttled
from bot.posts.rate_limits import PERSON, UNDISTURBED, UNLIMITED, Lane, RateLimits
from bot.posts.slack_calls import Clients, called
from bot.posts.waiting import Waiting
from engine.kernel import Millis, Tenant
from engine.runtime.activity import Activity
from engine.runtime.clock import Clock, Monotonic
from engine.times.clocks import Seconds

log = logging.getLogger(__name__)

AWAY: Final = frozenset({":palm_tree:", ":face_with_thermometer:", ":spiral_calendar_pad:"})
"""Vacationing, out sick, in a meeting."""
MOST: Final = 50
"""People that are asked about: so many Slack takes at a time."""
LONGEST: Final = 5.0
"""Seconds that a version waits for it."""
REMEMBERED: Final[Millis] = 5 * 60_000
NOT_TOLD: Final[Millis] = 60_000
"""For so long Slack is not asked again for what it has not said."""
MOST_KNOWN: Final = 20_000
"""Answers that are remembered."""
RANK: Final = 6
"""After whatever is to be shown to people."""


class _Told(NamedTuple):
    span: Seconds | None
    until: Monotonic
    """When Slack is asked again."""


class Statuses:
    def __init__(self, clients: Clients, clock: Clock) -> None:
        self._clients = clients
        self._clock = clock
        self._limits = RateLimits(UNLIMITED, Waiting(clock, Activity()))
        self._told: dict[tuple[Lane, str], _Told] = {}
        self._held: dict[Lane, Monotonic] = {}
        """Until when Slack has said that it is called too often."""
        self._wanted: dict[Tenant, dict[str, None]] = {}
        """About whom the next call for those who are not to be disturbed asks, with those of its own."""
        self._asking: WeakValueDictionary[tuple[Lane, str], asyncio.Lock] = WeakValueDictionary()

    def keep_pace(self, limits: RateLimits) -> None:
        """Ask in turn with all other calls."""
        self._limits = limits

    async def away(self, tenant: Tenant, users: Collection[str]) -> Mapping[str, tuple[Seconds, ...]]:
        """Return when people are away or not to be disturbed, of those of whom Slack says so in time."""
        asked, now = [*users][:MOST], self._clock.now() // 1000
        try:
            async with asyncio.timeout(LONGEST):
                await asyncio.gather(self._ask_undisturbed(tenant, asked), *(self._ask(tenant, each) for each in asked))
        except TimeoutError:
            log.info("Slack does not say in time who is away")
        found: dict[str, tuple[Seconds, ...]] = {}
        for user in asked:
            told = (self._known(Lane(tenant, method), user) for method in (PERSON, UNDISTURBED))
            spans = tuple((max(each.span[0], now), each.span[1]) for each in told if each and each.span)
            if ahead := tuple(each for each in spans if each[1] > now):
                found[user] = ahead
        return found

    async def _ask(self, tenant: Tenant, user: str) -> None:
        """Ask about the status of somebody, unless it is known."""
        lane = Lane(tenant, PERSON)
        async with self._one(lane, user):
            if self._known(lane, user):
                return
            answer = await self._answer(lane, lambda slack: slack.users_info(user=user))
        if answer is not None:
            profile = _mapping(_mapping(answer.get("user")).get("profile"))
            is_away = profile.get("status_emoji") in AWAY
            self._remember(lane, user, answer, (0, _second(profile.get("status_expiration"))) if is_away else None)

    async def _ask_undisturbed(self, tenant: Tenant, users: Collection[str]) -> None:
        """Ask about those who are not known, together with those that others wait for."""
        lane = Lane(tenant, UNDISTURBED)
        waiting = self._wanted.setdefault(tenant, {})
        waiting |= dict.fromkeys(each for each in users if not self._known(lane, each))
        async with self._one(lane):
            if own := [each for each in users if not self._known(lane, each)]:
                batch = [*islice(dict.fromkeys((*own, *waiting)), MOST)]
                for each in batch:
                    waiting.pop(each, None)
                answer = await self._answer(lane, lambda slack: slack.dnd_teamInfo(users=batch))
                told = _mapping(answer.get("users")) if answer is not None else {}
                for each in batch if answer is not None else ():
                    self._remember(lane, each, told, _undisturbed(_mapping(told.get(each))))

    @asynccontextmanager
    async def _one(self, lane: Lane, user: str = "") -> AsyncIterator[None]:
        """Let nobody else ask the same meanwhile."""
        lock = self._asking.get((lane, user))
        if lock is None:
            lock = self._asking[lane, user] = asyncio.Lock()
        async with lock:
            yield

    async def _answer(
        self, lane: Lane, call: Callable[[AsyncWebClient], Awaitable[AsyncSlackResponse]]
    ) -> Mapping[str, Any] | None:
        """Return what Slack answers, in its turn: empty where it says nothing of it, None where it is not asked now."""
        if self._is_held(lane):
            return None
        try:
            client = await self._clients(lane.tenant)
            await self._turn(lane)
            async with self._limits.place(lane):
                return None if self._is_held(lane) else _mapping((await called(call(client))).data)
        except Throttled as failed:
            self._held[lane] = self._clock.after(1000 * failed.seconds)
            self._limits.hold(lane, self._held[lane])
        except CallFailed as failed:
            log.info("Slack does not say who is away: %s", failed.why)
            return {}
        return None

    def _is_held(self, lane: Lane) -> bool:
        return lane in self._held and self._clock.monotonic() < self._held[lane]

    async def _turn(self, lane: Lane) -> None:
        granted = asyncio.Event()
        ticket = self._limits.join(lane, RANK, granted)
        try:
            if not ticket.granted:
                await granted.wait()
        finally:
            ticket.leave()

    def _known(self, lane: Lane, user: str) -> _Told | None:
        told = self._told.get((lane, user))
        return told if told and told.until > self._clock.monotonic() else None

    def _remember(self, lane: Lane, user: str, answer: Mapping[str, Any], span: Seconds | None) -> None:
        self._told.pop((lane, user), None)
        self._told[lane, user] = _Told(span, self._clock.after(REMEMBERED if answer else NOT_TOLD))
        if len(self._told) > MOST_KNOWN:
            del self._told[next(iter(self._told))]


def _undisturbed(told: Mapping[str, Any]) -> Seconds | None:
    if told.get("dnd_enabled") is not True:
        return None
    return _second(told.get("next_dnd_start_ts")), _second(told.get("next_dnd_end_ts"))


def _second(said: object) -> int:
    """Return a time of Slack's, in seconds; 0, which is never, where it is none."""
    return said if isinstance(said, int) else 0


def _mapping(said: object) -> Mapping[str, Any]:
    return said if isinstance(said, Mapping) else {}
