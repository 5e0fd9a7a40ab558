"""When somebody says in Slack that they are away, or wants no notifications: asked before a version, and kept nowhere.

Only the signs of Slack's own suggestions for being away are looked at, and never what somebody has written beside them.
A status without an end says nothing of when, and of *do not disturb* Slack tells the next time alone.
"""

import asyncio
import logging
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from slack_sdk.web.async_client import AsyncWebClient

from bot.posts.failures import CALL_ERRORS, CallFailed
from bot.posts.slack_calls import Clients
from engine.kernel import Tenant
from engine.runtime.clock import Clock
from engine.times.clocks import Seconds

log = logging.getLogger(__name__)

AWAY: Final = frozenset({":palm_tree:", ":face_with_thermometer:", ":spiral_calendar_pad:"})
"""Vacationing, out sick, in a meeting."""
MOST: Final = 50
"""People that are asked about: so many Slack takes at a time."""
AT_ONCE: Final = 4
LONGEST: Final = 5.0
"""Seconds that a version waits for it."""


class Statuses:
    def __init__(self, clients: Clients, clock: Clock) -> None:
        self._clients = clients
        self._clock = clock

    async def away(self, tenant: Tenant, users: Collection[str]) -> Mapping[str, tuple[Seconds, ...]]:
        """Return when people are away or not to be disturbed, of those of whom Slack says so in time."""
        asked, now = [*users][:MOST], self._clock.now() // 1000
        found: dict[str, list[Seconds]] = {}
        try:
            async with asyncio.timeout(LONGEST):
                client = await self._clients(tenant)
                told = await asyncio.gather(_undisturbed(client, asked), *_statuses(client, asked))
        except (CallFailed, TimeoutError) as error:
            log.info("Slack does not say who is away: %r", error)
            return {}
        for each in told:
            for user, (begins, ends) in each:
                if ends > now:
                    found.setdefault(user, []).append((max(begins, now), ends))
        return {user: tuple(spans) for user, spans in found.items()}


Told = Sequence[tuple[str, Seconds]]


def _statuses(client: AsyncWebClient, users: Sequence[str]) -> list[Any]:
    at_once = asyncio.Semaphore(AT_ONCE)

    async def status(user: str) -> Told:
        try:
            async with at_once:
                answer = await client.users_info(user=user)
        except (*CALL_ERRORS, AttributeError):  # the last: what slack_sdk makes of a reply that is text
            return ()
        profile = _mapping(_mapping(answer.get("user")).get("profile"))
        ends = profile.get("status_expiration")
        is_away = profile.get("status_emoji") in AWAY
        return [(user, (0, _second(ends)))] if is_away else ()

    return [status(each) for each in users]


async def _undisturbed(client: AsyncWebClient, users: Sequence[str]) -> Told:
    """Ask all at once; nobody, where the scope is not granted."""
    try:
        answer = await client.dnd_teamInfo(users=[*users])
    except (*CALL_ERRORS, AttributeError):
        return ()
    told = ((user, _mapping(each)) for user, each in _mapping(answer.get("users")).items())
    return [
        (user, (_second(each.get("next_dnd_start_ts")), _second(each.get("next_dnd_end_ts"))))
        for user, each in told
        if user in users and each.get("dnd_enabled") is True
    ]


def _second(said: object) -> int:
    """Return a time of Slack's, in seconds; 0, which is never, where it is none."""
    return said if isinstance(said, int) else 0


def _mapping(said: object) -> Mapping[str, Any]:
    return said if isinstance(said, Mapping) else {}
