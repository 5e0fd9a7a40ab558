"""Knows what Slack says of each person: the language they read, where they are, their company and their name.

Slack is asked once a day. Language and place are stored, since messages are written in them after a restart; the rest
is kept in memory. So is the channel of each person's direct messages with us, whether their account still exists, and
whether people of other companies read a channel by now.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple
from weakref import WeakValueDictionary

from slack_sdk.web.async_client import AsyncWebClient

from bot.posts.failures import CALL_ERRORS, FORBIDDEN, CallFailed, Refused, Throttled, Unsure, failure
from engine.errors import StoreError
from engine.kernel import Millis, Tenant, Validated
from engine.runtime.clock import Clock, Monotonic
from engine.store.port import Store

log = logging.getLogger(__name__)

DIRECT_RECORD: Final = "direct"

ACCOUNT_TRUSTED: Final[Millis] = 60_000
"""How long an account is believed to exist. Slack accepts messages to one that was closed."""

Person = tuple[Tenant, str]


class DirectMessages:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._known: dict[Person, str] = {}
        self._seen: dict[Person, Monotonic] = {}
        self._waiters: dict[Person, set[asyncio.Event]] = {}

    async def channel(self, tenant: Tenant, user: str) -> str:
        """Return the channel of a user's direct messages; empty where they were never opened."""
        if (tenant, user) not in self._known:
            rows = await self._store.records(tenant, DIRECT_RECORD, user)
            self._known[tenant, user] = rows.get(user, '""').strip('"')
        return self._known[tenant, user]

    def is_there(self, tenant: Tenant, user: str) -> bool:
        """Return whether Slack has confirmed within the last minute that the account exists."""
        seen = self._seen.get((tenant, user))
        return seen is not None and self._clock.monotonic() - seen < ACCOUNT_TRUSTED

    def wait(self, tenant: Tenant, user: str, wake: asyncio.Event) -> None:
        """Set ``wake`` once Slack was asked about this user, whoever asked."""
        self._waiters.setdefault((tenant, user), set()).add(wake)

    async def keep(self, tenant: Tenant, user: str, channel: str) -> None:
        """Store what Slack has just said of a user's channel, unless it is stored already.

        Args:
            channel: empty where the account or the conversation was closed.
        """
        person = (tenant, user)
        if await self.channel(tenant, user) != channel:
            await self._store.put_records(tenant, DIRECT_RECORD, {user: f'"{channel}"' if channel else None})
            self._known[person] = channel
        if channel:
            self._seen[person] = self._clock.monotonic()
        else:
            self._seen.pop(person, None)
        for wake in self._waiters.pop(person, ()):
            wake.set()


CHANNEL_TRUSTED: Final[Millis] = 60_000
"""How long what Slack says of a channel is believed. Its events say it sooner, and may be lost."""

Spot = tuple[Tenant, str]


class SharedChannels:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._asked: dict[Spot, Monotonic] = {}
        self._shared: set[Spot] = set()
        self._changes: defaultdict[Spot, int] = defaultdict(int)
        self._asking: defaultdict[Spot, asyncio.Lock] = defaultdict(asyncio.Lock)

    def is_shared(self, tenant: Tenant, channel: str) -> bool:
        """Return whether Slack has said so within the last minute."""
        spot = (tenant, channel)
        return spot in self._shared and not self._is_to_ask(spot)

    def forget(self, tenant: Tenant, channel: str) -> None:
        """Ask Slack anew before anything is shown there: it has changed who reads a channel. What Slack is about to
        answer may be of before.
        """
        self._changes[tenant, channel] += 1
        self._asked.pop((tenant, channel), None)

    def _is_to_ask(self, spot: Spot) -> bool:
        """Return whether Slack was not asked within the last minute. Nobody but its reader reads a direct message."""
        channel = spot[1]
        if not channel or channel.startswith("D"):
            return False
        asked = self._asked.get(spot)
        return asked is None or self._clock.monotonic() - asked >= CHANNEL_TRUSTED

    async def ask(self, tenant: Tenant, channel: str, asked: Callable[[], Awaitable[bool]]) -> None:
        """Ask whether a channel is shared, unless that is known. Who asks at the same time is asked for once. Where we
        may not ask, it is taken for shared: we may post there all the same.

        Raises:
            CallFailed: Slack did not say it; not where it refuses to.
        """
        spot = (tenant, channel)
        if not self._is_to_ask(spot):
            return
        async with self._asking[spot]:
            while self._is_to_ask(spot):
                change = self._changes[spot]
                try:
                    (self._shared.add if await asked() else self._shared.discard)(spot)
                except Refused as refused:
                    log.info("Slack does not say who reads %s: %s", channel, refused.why)
                    if refused.why in FORBIDDEN:
                        self._shared.add(spot)
                if change == self._changes[spot]:
                    self._asked[spot] = self._clock.monotonic()


KIND: Final = "locale"

TRUSTED: Final[Millis] = 86_400_000
"""How long a locale is taken for current."""
PAUSE: Final[Millis] = 60_000
"""Before Slack is asked again for a person whose locale it could not tell."""
LONGEST_CALL: Final = 2.0
"""Seconds. A message in another language is better than a late one."""
LONGEST_WAIT: Final = 1.5
"""Seconds that somebody's company or name may take: Slack waits three for what they did, and the rest is needed."""
ALREADY: Final = Monotonic(-1)
"""A moment that has passed."""
MOST_PEOPLE: Final = 10_000
"""Whose languages are kept in memory; those of the others are in the store."""


class Locale(Validated):
    """What Slack said of one person."""

    locale: str
    """``zh-CN``; empty where Slack has none."""
    time_zone: str = ""
    """IANA; empty where Slack has none, and in what was stored before it was kept."""
    at: Millis


class UserSettings(NamedTuple):
    """What Slack knows of somebody; empty where it does not say."""

    locale: str = ""
    time_zone: str = ""
    team: str = ""
    """The workspace they belong to."""
    organisation: str = ""
    """The enterprise that this workspace is part of."""
    is_stranger: bool = False
    is_closed: bool = False
    """Whether their account was."""
    name: str = ""

    @classmethod
    def told_by(cls, user: Mapping[str, Any]) -> "UserSettings":
        """Read what ``users.info`` says of a user."""
        profile, enterprise = user.get("profile") or {}, user.get("enterprise_user") or {}
        return cls(
            locale=str(user.get("locale") or ""),
            time_zone=str(user.get("tz") or ""),
            team=str(user.get("team_id") or ""),
            organisation=str(enterprise.get("enterprise_id") or ""),
            is_stranger=bool(user.get("is_stranger")),
            is_closed=user.get("deleted") is True,
            name=str(profile.get("display_name") or user.get("real_name") or ""),
        )


@dataclass(frozen=True, slots=True)
class _Known:
    locale: str | None = None
    time_zone: str = ""
    until: Monotonic = ALREADY
    """From then on Slack is asked again."""
    told: UserSettings | None = None
    """All that Slack has said since the start; None before it was asked."""


class Languages:
    """Failures are logged and never raised, since a message can be written in another language."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._people: dict[Person, _Known] = {}
        self._held: dict[Tenant, Monotonic] = {}
        """Until when Slack takes no more calls from a tenant, after it has answered "too many"."""
        self._asking: WeakValueDictionary[Person, asyncio.Lock] = WeakValueDictionary()
        self._waiters: dict[Tenant, dict[str, set[asyncio.Event]]] = {}

    def known(self, tenant: Tenant, user: str) -> str | None:
        """Return the locale that is in memory; `recall` reads it from the store."""
        known = self._people.get((tenant, user))
        return known.locale if known else None

    def time_zone(self, tenant: Tenant, user: str) -> str:
        """Return the time zone that is in memory, empty if none is; `recall` reads it from the store."""
        known = self._people.get((tenant, user))
        return known.time_zone if known else ""

    def is_to_ask(self, tenant: Tenant, user: str) -> bool:
        """Return whether Slack should be asked now."""
        known = self._people.get((tenant, user), _Known())
        return max(known.until, self._held.get(tenant, ALREADY)) <= self._clock.monotonic()

    async def recall(self, tenant: Tenant, user: str) -> None:
        """Read the stored language of a user into memory."""
        if not user or (tenant, user) in self._people:
            return
        rows = await self._store.records(tenant, KIND, user)
        found = Locale.model_validate_json(rows[user]) if user in rows else None
        # Another task may have asked Slack meanwhile.
        if (tenant, user) not in self._people:
            self._remember((tenant, user), self._known_by(found) if found else _Known())

    async def learn(self, tenant: Tenant, user: str, ask: Callable[[], Awaitable[UserSettings]]) -> None:
        """Ask Slack for the language of a user, once for all concurrent callers, and wake everybody who waits for it.

        Args:
            ask: returns what Slack says; may raise `CallFailed`.
        """
        async with self._asking.setdefault((tenant, user), asyncio.Lock()):
            if self.is_to_ask(tenant, user):
                await self._ask(tenant, user, ask, LONGEST_CALL)

    async def told(self, tenant: Tenant, user: str, ask: Callable[[], Awaitable[UserSettings]]) -> UserSettings | None:
        """Return all that Slack says of a user, asking it where it was not asked since the start; None where it does
        not answer now.

        Args:
            ask: returns what Slack says; may raise `CallFailed`.
        """
        async with self._asking.setdefault((tenant, user), asyncio.Lock()):
            known = self._people.get((tenant, user), _Known())
            if known.told is None and self._held.get(tenant, ALREADY) <= self._clock.monotonic():
                await self._ask(tenant, user, ask, LONGEST_WAIT)
            return self._people.get((tenant, user), _Known()).told

    async def _ask(self, tenant: Tenant, user: str, ask: Callable[[], Awaitable[UserSettings]], seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                told = await _twice(ask)
        except TimeoutError:
            self._lookup_failed(tenant, user, Unsure("TimeoutError"))
        except CallFailed as failed:
            self._lookup_failed(tenant, user, failed)
        else:
            await self._looked_up(tenant, user, told)

    def wait(self, tenant: Tenant, user: str, wake: asyncio.Event) -> None:
        """Set ``wake`` once Slack was asked for this user's language, whoever asked."""
        self._waiters.setdefault(tenant, {}).setdefault(user, set()).add(wake)

    async def _looked_up(self, tenant: Tenant, user: str, told: UserSettings) -> None:
        kept = Locale(locale=told.locale, time_zone=told.time_zone, at=self._clock.now())
        self._remember((tenant, user), replace(self._known_by(kept), told=told))
        self._wake(tenant, user)
        try:
            await self._store.put_records(tenant, KIND, {user: kept.model_dump_json()})
        except StoreError as error:
            log.warning("the locale of %s is not written down, and is asked again after a restart: %s", user, error)

    def _lookup_failed(self, tenant: Tenant, user: str, failed: CallFailed) -> None:
        log.warning("what Slack knows of %s is not known here: %s", user, failed.why)
        if isinstance(failed, Throttled):
            self._held[tenant] = self._clock.after(1000 * failed.seconds)
            for each in [*self._waiters.get(tenant, ())]:
                self._wake(tenant, each)
            return
        # What Slack refuses, it refuses again; but a scope may be granted, and this is not written down.
        pause = TRUSTED if isinstance(failed, Refused) else PAUSE
        until = self._clock.after(pause)
        self._remember((tenant, user), replace(self._people.get((tenant, user), _Known()), until=until))
        self._wake(tenant, user)

    def _known_by(self, told: Locale) -> _Known:
        # It was told before, also where the wall clock was set back since.
        age = max(0, self._clock.now() - told.at)
        return _Known(told.locale or None, told.time_zone, self._clock.after(TRUSTED - age))

    def _remember(self, person: Person, known: _Known) -> None:
        self._people.pop(person, None)
        self._people[person] = known
        if len(self._people) > MOST_PEOPLE:
            del self._people[next(iter(self._people))]

    def _wake(self, tenant: Tenant, user: str) -> None:
        for wake in self._waiters.get(tenant, {}).pop(user, ()):
            wake.set()


async def _twice(ask: Callable[[], Awaitable[UserSettings]]) -> UserSettings:
    """Ask again at once where Slack is out of order for a moment: what is begun now keeps the answer for good, and
    asking does no harm.
    """
    try:
        return await ask()
    except Unsure:
        return await ask()


async def settings_of(client: AsyncWebClient, user: str) -> UserSettings:
    """Return what Slack tells of a user; empty where it does not."""
    try:
        answer = await client.users_info(user=user, include_locale=True)
    except CALL_ERRORS as error:
        raise failure(error) from error
    except AttributeError as error:  # what slack_sdk 3.48 makes of a reply that is text, as proxies give
        raise Unsure("not_json") from error
    told: Any = answer.get("user")
    return UserSettings.told_by(told) if isinstance(told, dict) else UserSettings()
