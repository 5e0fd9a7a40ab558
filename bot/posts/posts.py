"""Runs a reconciler for each stream whose posts are behind, and for no other."""

import asyncio
import logging
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any, Final

from slack_sdk.web.async_client import AsyncWebClient

from bot.posts.difference import HeldBack
from bot.posts.digests import PREFIX as DIGESTS
from bot.posts.digests import Digests, DigestSource, NoDigests, is_digest
from bot.posts.going_out import ChoicesOf, nothing_chosen
from bot.posts.holds import BESIDE, go_on_without
from bot.posts.homes import Draw, HomeKeepers, Homes, nothing_there
from bot.posts.languages import DirectMessages, Languages, SharedChannels
from bot.posts.pauses import PausedBy, PauseOf, SharedPauses, known_to_one
from bot.posts.post_records import WebAddress, doubtful_streams, nowhere, remember_earlier_threads
from bot.posts.rate_limits import SLACK_RATES, Rate, RateLimits
from bot.posts.readmission import Readmission
from bot.posts.response_urls import ResponseUrls
from bot.posts.slack_calls import PAGE as PAGE_OF_MESSAGES
from bot.posts.slack_calls import Clients, SlackCalls
from bot.posts.stored_posts import RestoredTenants, restored_streams
from bot.posts.stream_reconciler import Presenters, Read, Report, StreamReconciler, refused_in
from bot.posts.thread_statuses import AgentSessions, Reactions, ThreadStatuses
from bot.posts.tools import Tools
from bot.posts.waiting import FIRST_PAUSE, Waiting
from bot.posts.workflow_steps import WorkflowSteps
from engine.errors import LeaseLost, StoreError
from engine.kernel import Millis, StreamKey, Tenant
from engine.llm.port import never_paused
from engine.runtime.activity import Activity, Turns
from engine.runtime.clock import Clock
from engine.runtime.membership import Membership
from engine.runtime.ports import IsAbsent, nobody_is_absent
from engine.store.port import Store

log = logging.getLogger(__name__)

PAGE: Final = 1_000
"""Streams read from the store at a time."""

LOOK_EVERY: Final[Millis] = 15_000
"""How often streams are looked for that are behind and that nobody looks at, where processes share a store."""

TRY_AGAIN: Final[Sequence[Millis]] = tuple(3_600_000 << each for each in range(7))
"""The pauses before each further try of what Slack has refused, more than five days together: no event says that a
restriction was lifted, a scope was granted or a workspace has its keys again.
"""

MOST_AT_ONCE: Final = 100
"""Streams that are looked at when more of those in which nothing happens are left for later; about 150 KiB each."""

LONGEST_WITHOUT_ROOM: Final[Millis] = 60_000

GRACE: Final = 2.0
"""Seconds in which calls under way may end; the result of a later one is looked up at the next start."""


class Posts:
    """
    Args:
        presenters: what each protocol says about its posts.
        report: tells the engine who has been reached, where it must know.
        slack: the client, made with ``retry_handlers=[]`` and a timeout; or what returns a tenant's.
        rates: how often each method may be called in one workspace; `UNLIMITED` for the local one.
        page: messages that may be read at a time.
        urls: by which messages that were clicked can be changed; listeners add to them.
        languages: which language each person reads; shared with the listeners.
        activity: counts what is under way.
        home: draws somebody's App Home.
        choices: returns how somebody wants to be told.
        digests: says what digests list.
        paused: says which streams wait for their model; `look_again` is called where that changes.
        is_absent: to whom nothing is posted; `absence_changed` is called where that changes.
        membership: of this process, where several share the store. Each stream's posts are kept by one of them.
        web: says where the workspace is on the web, for links to posts.
        turns: shared with others who work in the background on this event loop.
    """

    def __init__(
        self,
        store: Store,
        presenters: Presenters,
        read: Read,
        report: Report,
        slack: AsyncWebClient | Clients,
        clock: Clock,
        *,
        rates: Mapping[str, Rate] = SLACK_RATES,
        page: int = PAGE_OF_MESSAGES,
        urls: ResponseUrls | None = None,
        languages: Languages | None = None,
        activity: Activity | None = None,
        home: Draw = nothing_there,
        choices: ChoicesOf = nothing_chosen,
        digests: DigestSource | None = None,
        paused: PausedBy = never_paused,
        has_pages: bool = True,
        is_absent: IsAbsent = nobody_is_absent,
        membership: Membership | None = None,
        web: WebAddress = nowhere,
        turns: Turns | None = None,
    ) -> None:
        self._store = store
        self._is_absent = is_absent
        self._membership = membership
        if membership is not None:
            membership.listen(asked=self._asked_for, left=self._left, lost=self._lost)
        self._activity = activity or Activity()
        self._waiting = Waiting(clock, self._activity, turns)
        self.rate_limits = RateLimits(rates, self._waiting, store.sharing)
        self._shared_channels = SharedChannels(clock)
        calls = SlackCalls(slack, urls or ResponseUrls(clock), has_pages=has_pages, page=page)
        self.readmission = Readmission(calls.check, self.rate_limits, self._waiting, is_absent)
        languages = languages or Languages(store, clock)
        self._pauses = SharedPauses(store, paused, clock.now) if membership else None
        self.pause_of: PauseOf = self._pauses.of if self._pauses else known_to_one(paused)
        """Says which streams wait for their model, and why."""
        tools = Tools(
            calls,
            self.rate_limits,
            self._waiting,
            DirectMessages(store, clock),
            languages,
            self._shared_channels,
            RestoredTenants(store),
            HeldBack(choices, languages, clock),
            self.readmission,
            self.pause_of,
            membership,
            web,
        )
        self._digests = Digests(store, digests or NoDigests(), tools, self._listed, is_absent)
        self.homes = Homes(
            home, self.rate_limits, self._waiting, self.readmission, HomeKeepers(store) if membership else None
        )
        shared = (store, self.rate_limits, self._waiting, self.readmission, tools.restored, membership)
        self._reconciler = partial(
            StreamReconciler,
            store=store,
            presenters=presenters,
            read=read,
            report=report,
            tools=tools,
            thread_stands=self._thread_stands,
            thread_refused=self._thread_refused,
            sessions=ThreadStatuses(AgentSessions(calls), *shared),
            reactions=ThreadStatuses(Reactions(calls), *shared),
            steps=ThreadStatuses(WorkflowSteps(calls), *shared),
        )
        self._reconcilers: dict[StreamKey, StreamReconciler] = {}
        self._tried_again: set[StreamKey] = set()
        """Streams of which Slack refuses something, which is tried again or was."""
        self._in_digests: set[StreamKey] = set()
        """Streams that a digest lists, or did since the start."""
        self._tasks: dict[asyncio.Task[None], StreamReconciler | None] = {}
        self._has_room = asyncio.Event()
        self._closing = False

    def notice(self, key: StreamKey) -> None:
        """Look at a stream after a commit. Notices during a look cost one more look."""
        if self._closing or self._is_absent(key.tenant):
            return
        self.homes.notice(key)
        self._digests.notice(key)
        self._look(key)

    def _thread_stands(self, key: StreamKey) -> None:
        """Tell people elsewhere, too, of a stream whose thread stands from now on."""
        self.homes.notice(key)
        self._digests.thread_stands(key)

    def look_again(self, key: StreamKey) -> None:
        """Look at a stream after something changed that is in no commit: whether its model can be asked."""
        if self._closing or self._is_absent(key.tenant):
            return
        self.homes.notice(key)
        if self._pauses is not None:
            self._spawn(self._tell_of_pause(self._pauses, key), f"why {key.stream} waits")
        else:
            self._look(key)

    async def _tell_of_pause(self, pauses: SharedPauses, key: StreamKey) -> None:
        try:
            await pauses.tell(key)
        except StoreError as error:
            log.warning("why %s waits is not told yet: %s", key.stream, error)
        if not self._closing:
            self._look(key)

    def let_in(self, tenant: Tenant, channel: str) -> None:
        """Make up for the threads that Slack has refused in a channel which may be open to us by now."""
        if not self._closing and not self._is_absent(tenant):
            self._spawn(self._try_refused(tenant, channel), f"refused threads in {channel}")

    def readers_changed(self, tenant: Tenant, channel: str) -> None:
        """Ask Slack again who reads a channel before anything is shown there."""
        self._shared_channels.forget(tenant, channel)

    async def _try_refused(self, tenant: Tenant, channel: str = "") -> None:
        try:
            refused = await refused_in(self._store, tenant, channel)
        except StoreError as error:
            log.warning("what was refused is tried with the next news: %s", error)
            return
        for key in refused:
            if (reconciler := self._look(key)) is not None:
                reconciler.is_let_in = True

    def _thread_refused(self, key: StreamKey, is_refused: bool) -> None:
        """Try again what Slack has refused of a stream, ever more seldom; then with its next news, or at a start."""
        if not is_refused:
            self._tried_again.discard(key)
        elif key not in self._tried_again and not self._closing:
            self._tried_again.add(key)
            self._spawn(self._try_again(key), f"what was refused of {key.stream}")

    async def _try_again(self, key: StreamKey) -> None:
        clock = self._waiting.clock
        for pause in TRY_AGAIN:
            with self._activity.waiting():
                await clock.until(clock.after(pause))
            if key not in self._tried_again:
                return
            if (reconciler := self._look(key)) is not None:
                reconciler.is_let_in = True

    def hear(self, key: StreamKey) -> None:
        """Look at a stream that another process has committed to, where this one keeps its posts."""
        if self._closing or self._is_absent(key.tenant):
            return
        self.homes.notice(key)
        self._digests.notice(key)
        if key in self._reconcilers:
            self._look(key)

    def _asked_for(self, key: StreamKey) -> None:
        """Look at what this process holds, and another one wants to be looked at."""
        if self._closing:
            return
        if key.stream == DIGESTS:
            self._digests.go_on(key.tenant)
        elif not key.stream.startswith(BESIDE) and (reconciler := self._look(key)) is not None:
            reconciler.is_asked_for = True

    def _left(self, key: StreamKey) -> None:
        """Go on with what another process has left."""
        if self._closing:
            return
        if key.stream.startswith(BESIDE):
            self._spawn(self._go_on_without(key), f"what is left of {key.stream}")
        elif key.stream == DIGESTS:
            self._digests.go_on(key.tenant)
        else:
            self._look(key)

    async def _go_on_without(self, key: StreamKey) -> None:
        assert self._membership is not None  # noqa: S101 - it has told of it
        try:
            await go_on_without(key, self._membership)
        except StoreError as error:
            log.warning("%s is not let go yet: %s", key.stream, error)

    def _lost(self) -> None:
        """Look at everything again: others may keep it by now."""
        for reconciler in self._reconcilers.values():
            reconciler.noticed.set()
        self._digests.look_again()

    def _listed(self, key: StreamKey) -> None:
        """Look at a stream after a digest listed what it asks, or is not to list it any more."""
        if self._closing:
            return
        self._in_digests.add(key)
        if (reconciler := self._look(key)) is not None:
            reconciler.is_listed_anew = True

    def _look(self, key: StreamKey) -> StreamReconciler | None:
        """Run a stream's reconciler, and return it; None where nothing is posted, since its tenant is absent."""
        if self._is_absent(key.tenant):
            return None
        reconciler = self._reconcilers.get(key)
        if reconciler is None:
            self._reconcilers[key] = reconciler = self._reconciler(key)
            reconciler.is_listed_anew = key in self._in_digests or self._membership is not None
            self._spawn(self._keep(key, reconciler), f"posts of {key.stream}", reconciler)
        reconciler.noticed.set()
        return reconciler

    async def start(self) -> None:
        """Catch up with all streams that are behind, or have posts that may stand there twice, in the background."""
        self._go_on()
        if self._membership is not None:
            self._spawn(self._watch(), "posts that nobody keeps")

    def _go_on(self) -> None:
        self._spawn(self._catch_up(), "posts that are behind")
        self._spawn(self._digests.start(), "digests")

    def absence_changed(self) -> None:
        """Post nothing more to tenants that are absent now, and catch up with those that have come back."""
        for key, reconciler in self._reconcilers.items():
            if self._is_absent(key.tenant):
                reconciler.close()
        self._digests.let_go()
        if not self._closing:
            self._go_on()

    async def close(self) -> None:
        """Begin no further call. What is not shown yet is caught up with at the next start."""
        self._closing = True
        for task, reconciler in self._tasks.items():
            if reconciler is not None:
                reconciler.close()
            else:
                task.cancel()
        if self._tasks:
            _, late = await asyncio.wait([*self._tasks], timeout=GRACE)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        await self._digests.close()
        await self.homes.close()
        await self.readmission.close()
        self.rate_limits.close()

    async def idle(self) -> None:
        """Return once nothing is under way but what waits for the clock; `next_due` says until when."""
        await self._waiting.idle()

    @property
    def has_digests_behind(self) -> bool:
        """Whether a digest is not shown as it should be; `Store.lagging` tells the same of streams."""
        return self._digests.are_behind

    @property
    def next_due(self) -> Millis | None:
        return self._waiting.next_due

    async def _keep(self, key: StreamKey, reconciler: StreamReconciler) -> None:
        try:
            await reconciler.catch_up()
        except LeaseLost as error:
            log.warning("posts of %s are looked at anew: %s", key.stream, error)
            reconciler.noticed.set()
            await self._waiting.pause(FIRST_PAUSE)
        finally:
            self._has_room.set()
            del self._reconcilers[key]  # without an await since its last look, so that no notice is lost in between
        # One that was closed for a tenant that was absent goes on, if that is back by now.
        is_wanted = self._membership is not None and reconciler.noticed.is_set()
        if (is_wanted or reconciler.is_closed) and not self._closing:
            self._look(key)

    async def _catch_up(self) -> None:
        """Look at every stream that is behind, a few at a time; rate limits keep that from being too many calls.

        What is only looked for after a restore comes last: it may be every open stream, and nothing has happened there.
        """
        seen: set[StreamKey] = set()
        while True:
            try:
                if not seen:
                    await remember_earlier_threads(self._store)
                    for key in await doubtful_streams(self._store):
                        await self._look_behind(key)
                    for tenant in await self._store.tenants():
                        await self._try_refused(tenant)
                behind = await self._store.lagging(PAGE + len(seen))
                fresh = [lag.key for lag in behind if lag.key not in seen]
                if not fresh:
                    for key in await restored_streams(self._store):
                        await self._look_behind(key)
                    return
            except StoreError as error:
                log.warning("cannot see yet which threads are behind: %s", error)
                await self._waiting.pause(FIRST_PAUSE)
                continue
            seen.update(fresh)
            for key in fresh:
                await self._look_behind(key)

    async def _look_behind(self, key: StreamKey) -> None:
        """Look at a stream in which nothing happens now, once there is room: each that is looked at is kept in memory,
        with its posts. One more is let in after a while though none has ended, since those may wait for Slack.
        """
        if is_digest(key.stream):
            return
        if len(self._reconcilers) >= MOST_AT_ONCE and key not in self._reconcilers:
            self._has_room.clear()
            await self._waiting.until_or_event(self._waiting.clock.after(LONGEST_WITHOUT_ROOM), self._has_room)
        self.notice(key)

    async def _watch(self) -> None:
        """Look again and again at what stays behind: whoever committed it may have ended before anybody looked."""
        skipped = 0
        while True:
            with self._activity.waiting():
                await self._waiting.clock.until(self._waiting.clock.after(LOOK_EVERY))
            try:
                behind = await self._store.lagging(PAGE + skipped)
            except StoreError as error:
                log.warning("cannot see which threads are behind: %s", error)
                continue
            skipped = sum(self._is_absent(each.key.tenant) for each in behind)  # and so they hide nobody
            for each in behind:
                if each.key not in self._reconcilers:
                    self._look(each.key)

    def _spawn(self, work: Coroutine[Any, Any, None], name: str, reconciler: StreamReconciler | None = None) -> None:
        under_way = ExitStack()
        under_way.enter_context(self._activity.busy())  # from now on, and not only once the task runs
        task = asyncio.create_task(work, name=name)
        self._tasks[task] = reconciler
        task.add_done_callback(partial(self._ended, under_way))

    def _ended(self, under_way: ExitStack, task: asyncio.Task[None]) -> None:
        under_way.close()
        del self._tasks[task]
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("%s: not kept up to date until the next change or start", task.get_name(), exc_info=error)
