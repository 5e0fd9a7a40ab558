"""Keeps what people's calendars say of when they are busy: read when it is given, and again and again from then on.

What somebody has given, and what was read of it, are two records. Only whoever gives or forgets writes the first, and
the second counts beside the first alone: so a calendar that is forgotten while it is read stays forgotten.
"""

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import Final, NamedTuple
from weakref import WeakValueDictionary

from msgspec.structs import replace

from bot.calendars.addresses import calendar_url
from bot.calendars.fetching import Fetched, NotFetched
from bot.calendars.records import GIVEN, READ, CalendarRead, Given, Sealing, Standing
from bot.listeners.background import OneAtATime
from engine.errors import StoreError, StoreUnusable
from engine.facts.asked import zone_of
from engine.kernel import Millis, Tenant, decode, encode
from engine.runtime.activity import Activity
from engine.runtime.clock import Clock, Monotonic, WallClock, until_or_event
from engine.runtime.ports import IsAbsent
from engine.store.port import Store
from engine.times.availability import joined
from engine.times.busy import UnreadableCalendar, read_export
from engine.times.clocks import Seconds, Span, span_of

log = logging.getLogger(__name__)

MINUTE: Final[Millis] = 60_000
HOUR: Final[Millis] = 60 * MINUTE
DAY: Final[Millis] = 24 * HOUR
LOOK_EVERY: Final[Millis] = MINUTE
READ_EVERY: Final[Millis] = 30 * MINUTE
FAILED_FOR_LONG: Final[Millis] = DAY
READ_RARELY: Final[Millis] = 6 * HOUR
"""What has failed for long is tried so often."""
TOLD_AFTER: Final[Millis] = HOUR
"""For so long a calendar may not answer before its owner is told."""
FRESH: Final[Millis] = 10 * MINUTE
BEHIND: Final[Millis] = 8 * DAY
"""So far back it is read: Home tells the hours of the whole week."""
AHEAD: Final[Millis] = 26 * 7 * DAY
"""So far ahead a calendar is read."""
SAME_WINDOW: Final[Millis] = 7 * DAY
"""For so long what has not changed need not be read again; then the time has moved on that is read."""
AT_ONCE: Final = 4
"""Calendars that are fetched at a time, of all workspaces."""
READERS: Final = 2
"""Processes that read at a time."""
MOST: Final = 20_000
"""Busy times of one person that are kept."""

Fetch = Callable[[str, str, str], Awaitable[Fetched]]
"""Fetches an address, by what was last said of it. It raises `NotFetched`."""
FileOf = Callable[[Tenant, str], Awaitable[bytes]]
"""Fetches a file that somebody has uploaded, by its id. It raises `FileRefused`."""
Zone = Callable[[Tenant, str], Awaitable[str]]
Changed = Callable[[Tenant, str], None]
"""Is told that something may be known anew of when somebody is busy."""
Failing = Callable[[Tenant, str, str, str], Awaitable[None]]
"""Tells a calendar's owner why it cannot be read, and what that is about."""


class Busy(NamedTuple):
    """When somebody is busy, as far as anybody knows."""

    busy: tuple[Seconds, ...]
    meetings: Mapping[str, tuple[Seconds, ...]]
    """To which ToWow has invited them."""
    read_at: Millis
    """When their calendar was known last to say so."""
    until: Millis
    """Of what comes later nothing is known."""

    @property
    def spans(self) -> tuple[Span, ...]:
        return self.spans_without("")

    def spans_without(self, demand_id: str) -> tuple[Span, ...]:
        """Return when they are busy, but for what a plan of this demand has put into their calendar itself."""
        others = (each for name, each in self.meetings.items() if not (demand_id and name.startswith(f"{demand_id}-")))
        return tuple(span_of(*each) for each in joined(chain(self.busy, *others)))


class Calendars:
    """
    Args:
        sealing: encrypts addresses.
        fetch: None where nothing is fetched: what was known goes on counting.
        files: fetches what was uploaded.
        zone: returns where somebody is, by its IANA name.
    """

    def __init__(
        self, store: Store, clock: Clock, sealing: Sealing, fetch: Fetch | None, files: FileOf, zone: Zone,
        one_at_a_time: OneAtATime, is_absent: IsAbsent,
    ) -> None:  # fmt: skip
        self._store = store
        self._clock = clock
        self._sealing = sealing
        self._fetch = fetch
        self.file_of = files
        self._zone = zone
        self._one_at_a_time = one_at_a_time
        self._is_absent = is_absent
        self._next: dict[tuple[Tenant, str, str], Monotonic] = {}
        """When each calendar is due, by its id."""
        self._reading: WeakValueDictionary[tuple[Tenant, str], asyncio.Lock] = WeakValueDictionary()
        self._fetching = asyncio.Semaphore(AT_ONCE)
        self._readers = asyncio.Semaphore(READERS)
        self._is_any = asyncio.Event()
        self._changed: Changed = lambda tenant, user: None
        self._failing: Failing | None = None

    @property
    def takes_addresses(self) -> bool:
        """Whether anybody may give an address: it is fetched, and is not kept unless it can be encrypted."""
        return self._fetch is not None and self._sealing.has_keys

    def listen(self, changed: Changed, failing: Failing) -> None:
        """Call these whenever something is known anew, and once where a calendar does not answer."""
        self._changed, self._failing = changed, failing

    async def give_address(self, tenant: Tenant, user: str, address: str) -> None:
        """Keep an address in place of whatever was given before. It is yet to be read.

        Raises:
            NoAddress, StoreError
        """
        calendar_url(address)
        sealed = self._sealing.seal(address.strip(), tenant, user)
        await self._give(tenant, user, Given(id=secrets.token_hex(8), at=self._clock.now(), address=sealed))

    async def give_file(self, tenant: Tenant, user: str, content: bytes) -> None:
        """Read a file, and keep when it says that they are busy in place of whatever was given before.

        Raises:
            UnreadableCalendar, StoreError, OSError
        """
        given = Given(id=secrets.token_hex(8), at=self._clock.now())
        read = await self._read_content(given, content, await self._zone(tenant, user))
        await self._give(tenant, user, given)
        await self._keep(tenant, user, read)
        self._changed(tenant, user)

    async def _give(self, tenant: Tenant, user: str, given: Given) -> None:
        await self._store.put_records(tenant, READ, {user: None})
        await self._store.put_records(tenant, GIVEN, {user: encode(given)})
        if given.address:
            self._is_any.set()
        self._changed(tenant, user)

    async def forget(self, tenant: Tenant, user: str) -> None:
        """Delete what somebody has given, and what was read of it.

        Raises:
            StoreError
        """
        await self._store.put_records(tenant, GIVEN, {user: None})
        await self._store.put_records(tenant, READ, {user: None})
        self._changed(tenant, user)

    async def standing(self, tenant: Tenant, user: str) -> Standing | None:
        """Return how somebody's calendar stands; None where they have given none.

        Raises:
            StoreError
        """
        given = await self._given(tenant, user)
        if given is None:
            return None
        read = await self._kept(tenant, user, given) or CalendarRead(of=given.id, tried_at=0)
        first, last = _week(self._clock.now(), await self._zone(tenant, user))
        spans = joined(chain(read.busy, *read.meetings.values()))
        hours = sum(max(0, min(end, last) - max(start, first)) for start, end in spans) / 3600
        return Standing(bool(given.address), read.read_at, read.failing_since, read.why, read.about, hours)

    async def known(self, tenant: Tenant, users: Collection[str]) -> Mapping[str, Busy]:
        """Return when people are busy, of those whose calendar was ever read; of the others nothing is known.

        Raises:
            StoreError
        """
        found: dict[str, Busy] = {}
        for user in users:
            given = await self._given(tenant, user)
            read = await self._kept(tenant, user, given) if given else None
            if read is not None and read.read_at:
                found[user] = Busy(read.busy, read.meetings, read.read_at, read.until)
        return found

    async def fresh(self, tenant: Tenant, users: Collection[str], seconds: float = 5.0) -> Mapping[str, Busy]:
        """Read calendars anew that were not read just now, and return what is known then.

        Args:
            seconds: that are waited at most; what has not answered by then counts as it was known.

        Raises:
            StoreError
        """
        now, stale = self._clock.now(), []
        for user in users:
            given = await self._given(tenant, user)
            read = await self._kept(tenant, user, given) if given else None
            if given and given.address and self._fetch and (read is None or read.tried_at + FRESH <= now):
                stale.append(asyncio.create_task(self.read(tenant, user)))
        if stale:
            _, late = await asyncio.wait(stale, timeout=seconds)
            for each in late:
                each.cancel()
            for outcome in await asyncio.gather(*stale, return_exceptions=True):
                if isinstance(outcome, Exception):
                    log.warning("a calendar was not read before it was needed: %s", outcome)
        return await self.known(tenant, users)

    async def read(self, tenant: Tenant, user: str) -> None:
        """Read somebody's calendar now, if they have given its address.

        Raises:
            StoreError, OSError
        """
        async with self._lock(tenant, user):
            given = await self._given(tenant, user)
            if given is None or not given.address or self._fetch is None:
                return
            before = await self._kept(tenant, user, given)
            async with self._fetching:
                read = await self._read(self._fetch, tenant, user, given, before)
            is_to_be_told = _is_to_be_told(read, given)
            await self._keep(tenant, user, replace(read, is_told=True) if is_to_be_told else read)
        self._next[tenant, user, given.id] = self._clock.after(_pause(read))
        self._changed(tenant, user)
        if is_to_be_told and self._failing is not None:
            await self._failing(tenant, user, read.why, read.about)

    @asynccontextmanager
    async def looking(self, activity: Activity) -> AsyncIterator[None]:
        """Look again and again until the block ends, once anybody has given an address.

        Args:
            activity: counts a look that is under way.
        """
        task = asyncio.create_task(self._look_again(activity), name="calendars")
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def look(self) -> bool:
        """Read each calendar whose turn it is, and return whether there is any to be read again.

        Raises:
            StoreError, OSError
        """
        is_any = False
        if self._fetch is None:
            return is_any
        for tenant in await self._store.tenants():
            if self._is_absent(tenant):
                continue
            rows = await self._store.records(tenant, GIVEN)
            given = {user: each for user, row in rows.items() if (each := decode(row, Given)).address}
            is_any = is_any or bool(given)
            due = [user for user, each in given.items() if await self._is_due(tenant, user, each)]
            if not due or not await self._one_at_a_time.begin(tenant, GIVEN):
                continue
            try:
                await asyncio.gather(*(self._read_again(tenant, user) for user in due))
            finally:
                await self._one_at_a_time.end(tenant, GIVEN)
        return is_any

    async def _look_again(self, activity: Activity) -> None:
        while True:
            self._is_any.clear()
            is_any = True  # where nobody knows, it is looked again
            try:
                with activity.busy():
                    is_any = await self.look()
            except (StoreError, OSError) as error:
                log.warning("calendars are read later: %s", error)
            except Exception:
                log.exception("calendars are read later")
            if is_any:
                self._is_any.set()
            if not self._is_any.is_set() and self._store.sharing is None:
                await self._is_any.wait()
            elif not self._is_any.is_set():  # another process may be given one, and end
                clock = WallClock()
                await until_or_event(clock, clock.after(READ_EVERY), self._is_any)
            await self._clock.until(self._clock.after(LOOK_EVERY))

    async def _read_again(self, tenant: Tenant, user: str) -> None:
        try:
            await self.read(tenant, user)
        except (StoreError, OSError) as error:
            log.warning("the calendar of %s is read later: %s", user, error)

    async def _is_due(self, tenant: Tenant, user: str, given: Given) -> bool:
        at = (tenant, user, given.id)
        if self._next.get(at, 0) > self._clock.monotonic():
            return False
        read = await self._kept(tenant, user, given)  # another process may have read it
        ago = self._clock.now() - read.tried_at if read else READ_RARELY
        pause = _pause(read) if read else 0
        if 0 <= ago < pause:
            self._next[at] = self._clock.after(pause - ago)
            return False
        return True

    async def _read(
        self, fetch: Fetch, tenant: Tenant, user: str, given: Given, before: CalendarRead | None
    ) -> CalendarRead:
        now, zone = self._clock.now(), await self._zone(tenant, user)
        asked = before if before and before.read_at and _is_of_now(before, now, zone) else None
        try:
            sealed = before.address if before and before.address else given.address
            address = self._sealing.open(sealed, tenant, user)
            newest = "" if self._sealing.is_newest(given.address) else self._sealing.seal(address, tenant, user)
            fetched = await fetch(address, asked.etag if asked else "", asked.modified if asked else "")
            if fetched.content is None and asked is not None:
                good = replace(asked, failing_since=0, why="", about="", is_told=False)
                return replace(good, tried_at=now, read_at=now, address=newest)
            read = await self._read_content(given, fetched.content or b"", zone)
            return replace(read, etag=fetched.etag, modified=fetched.modified, address=newest)
        except NotFetched as failed:
            fault = (str(failed.why), "")
        except UnreadableCalendar as failed:
            fault = (failed.reason, failed.about)
        except StoreUnusable:
            fault = ("no_key", "")
        why, about = fault
        kept = before or CalendarRead(of=given.id, tried_at=now)
        return replace(kept, tried_at=now, failing_since=kept.failing_since or now, why=why, about=about)

    async def _read_content(self, given: Given, content: bytes, zone: str) -> CalendarRead:
        now = self._clock.now()
        since, until = now - BEHIND, now + AHEAD
        window = Span(datetime.fromtimestamp(since // 1000, UTC), datetime.fromtimestamp(until // 1000, UTC))
        async with self._readers:
            found = await asyncio.to_thread(read_export, content, window, zone_of(zone).key)
        if len(found.busy) + sum(map(len, found.meetings.values())) > MOST:
            raise UnreadableCalendar("too_much")
        kept = CalendarRead(of=given.id, tried_at=now, busy=found.busy, meetings=found.meetings, zone=zone)
        return replace(kept, since=since, until=until, read_at=now)

    async def _keep(self, tenant: Tenant, user: str, read: CalendarRead) -> None:
        """Keep what was read, unless its calendar was forgotten meanwhile, or another was given."""
        if not await self._is_given(tenant, user, read.of):
            return
        await self._store.put_records(tenant, READ, {user: encode(read)})
        given = await self._given(tenant, user)
        if given is None:
            await self._store.put_records(tenant, READ, {user: None})

    async def _is_given(self, tenant: Tenant, user: str, given_id: str) -> bool:
        given = await self._given(tenant, user)
        return given is not None and given.id == given_id

    async def _given(self, tenant: Tenant, user: str) -> Given | None:
        row = (await self._store.records(tenant, GIVEN, user)).get(user)
        return None if row is None else decode(row, Given)

    async def _kept(self, tenant: Tenant, user: str, given: Given) -> CalendarRead | None:
        row = (await self._store.records(tenant, READ, user)).get(user)
        read = None if row is None else decode(row, CalendarRead)
        return read if read is not None and read.of == given.id else None

    def _lock(self, tenant: Tenant, user: str) -> asyncio.Lock:
        lock = self._reading.get((tenant, user))
        if lock is None:
            lock = self._reading[tenant, user] = asyncio.Lock()
        return lock


def _is_of_now(read: CalendarRead, now: Millis, zone: str) -> bool:
    """Whether what was read is of the time and the zone that would be read now."""
    return read.zone == zone and 0 <= now - read.since - BEHIND < SAME_WINDOW


def _pause(read: CalendarRead) -> Millis:
    is_long = read.failing_since and read.tried_at - read.failing_since > FAILED_FOR_LONG
    return READ_RARELY if is_long else READ_EVERY


def _is_to_be_told(read: CalendarRead, given: Given) -> bool:
    if read.is_told or not read.failing_since:
        return False
    return not read.read_at or read.tried_at - read.failing_since >= TOLD_AFTER


def _week(now: Millis, zone: str) -> tuple[float, float]:
    """Return when this week begins and ends where somebody is, in seconds since 1970."""
    today = datetime.fromtimestamp(now / 1000, zone_of(zone)).replace(hour=0, minute=0, second=0, microsecond=0)
    first = today - timedelta(today.weekday())
    return first.timestamp(), (first + timedelta(7)).timestamp()
