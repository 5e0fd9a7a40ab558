"""Keeps everything that is posted about one stream equal to what its presenter wants, each conversation by itself.

While Slack does not let a thread stand, whoever asked is told of it by direct message, and nobody else.
"""

import asyncio
import dataclasses
import logging
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from bot.posts.conversation_reconciler import ConversationReconciler
from bot.posts.difference import is_shown
from bot.posts.failures import GONE, UNEDITABLE, is_about_content
from bot.posts.holds import Hold
from bot.posts.post_records import PostRecord, PostRecords, addresses_of, is_thread_begun, joined, listed
from bot.posts.stored_posts import StoredPosts
from bot.posts.thread_statuses import ThreadStatus, ThreadStatuses, Wish
from bot.posts.tools import Tools
from bot.posts.waiting import FIRST_PAUSE
from bot.posts.workflow_steps import ENDED, RUN
from bot.texts import Texts, texts_in
from bot.views.kit.blocks import section
from bot.views.kit.mrkdwn import channel_link
from bot.views.kit.notices import thread_refused, thread_refused_since, thread_stands
from bot.views.kit.post import Post, StepEnd
from bot.views.kit.presenter import Delivery, Presenter, Reaction, SessionStatus
from engine.errors import EngineError, LeaseLost, StoreError, UnknownStream
from engine.kernel import ChangePlace, Command, Place, StreamKey, Tenant
from engine.llm.port import Pause
from engine.runtime.log_context import about
from engine.runtime.streams import Committed
from engine.store.port import Store

log = logging.getLogger(__name__)

KIND: Final = "refused"
"""The kind of the records: ``channel/stream``, of each thread that Slack refuses."""

TO_REQUESTER: Final = "/requester"
"""At the end of the keys of what whoever asked gets in place of the thread."""

NOTICE: Final = "refused" + TO_REQUESTER


class Standing(NamedTuple):
    """How a thread stands in Slack."""

    stands: bool
    """Whether anything of it was ever posted."""
    refusal: str = ""
    """Slack's code, where it refuses what begins the thread, or what belongs in one that stands."""
    refused: tuple[str, ...] = ()
    """The keys of what is refused of a thread that stands."""


def standing(thread: Sequence[Post], shown: Mapping[str, PostRecord]) -> Standing:
    """
    Args:
        thread: the posts that are wanted in the thread, in their order.
    """
    if not thread or is_thread_begun(shown):
        refused = tuple(each.key for each in thread if _is_kept_out(shown.get(each.key)))
        return Standing(stands=True, refusal=shown[refused[0]].why if refused else "", refused=refused)
    first = shown.get(thread[0].key)
    return Standing(stands=False, refusal=first.why if first is not None and first.state == "given_up" else "")


def _is_kept_out(entry: PostRecord | None) -> bool:
    """Return whether Slack has refused a post, or an edit of it, for where it stands or is to stand."""
    if entry is None or entry.state != "given_up" or entry.is_direct:
        return False
    return not is_about_content(entry.why) and entry.why not in UNEDITABLE


async def may_be_told(store: Store, key: StreamKey, presenter: Presenter[Any], state: Any, user: str) -> bool:
    """Return whether somebody may be told of a stream elsewhere: in a digest, or in their Home. Whoever asked knows of
    it; nobody else is told before its thread stands. What has no channel has no thread to wait for.
    """
    place = presenter.place(state)
    if place is None or not place.channel or user == presenter.requester(state):
        return True
    return is_thread_begun(await PostRecords(store, key).read())


def in_their_place(thread: Sequence[Post], refusal: str, channel: str, to: str, texts: Texts) -> Iterator[Post]:
    """Yield what is wanted while the thread is refused: its beginning, which is tried again with whatever is new in it,
    and for whoever asked why it does not stand, how it stands, what they are asked and how it ends.
    """
    yield from thread if is_about_content(refusal) else thread[:1]
    told = thread_refused(refusal, channel_link(channel), texts)
    yield Post(NOTICE, told, (section(told),), to=to, language=texts.locale, texts=texts)
    for each in thread:
        if not each.is_for_participants:
            yield dataclasses.replace(each, key=each.key + TO_REQUESTER, to=to, broadcast=False, language=texts.locale)


def besides(thread: Sequence[Post], how: Standing, channel: str, to: str, texts: Texts) -> Iterator[Post]:
    """Yield what whoever asked gets of a thread that stands and takes no more: why, and what is refused of it."""
    told = thread_refused_since(how.refusal, channel_link(channel), texts)
    yield Post(NOTICE, told, (section(told),), to=to, language=texts.locale, texts=texts)
    for each in thread:
        if each.key in how.refused and not each.is_for_participants:
            yield dataclasses.replace(each, key=each.key + TO_REQUESTER, to=to, broadcast=False, language=texts.locale)


def after_all(shown: Mapping[str, PostRecord], channel: str, to: str, texts: Texts) -> Iterator[Post]:
    """Yield what becomes of what whoever asked got instead, once the thread stands."""
    told = thread_stands(channel_link(channel), texts)
    for key, entry in shown.items():
        if key.endswith(TO_REQUESTER) and entry.ts:
            yield Post(key, told, (section(told),), to=to, language=texts.locale, texts=texts)


async def remember(store: Store, key: StreamKey, channel: str, *, is_refused: bool) -> None:
    """Store that a thread is refused, or is so no longer."""
    record = f"{channel}/{key.stream}"
    await store.put_records(key.tenant, KIND, {record: '""' if is_refused else None})


async def refused_in(store: Store, tenant: Tenant, channel: str = "") -> list[StreamKey]:
    """Return the streams whose threads are refused, in a channel or in all of them."""
    rows = await store.records(tenant, KIND, f"{channel}/" if channel else "")
    return [StreamKey(tenant, each.rpartition("/")[2]) for each in rows]


Read = Callable[[StreamKey], Awaitable[Committed]]

Report = Callable[[StreamKey, str, Command], Awaitable[object]]
"""Hands a command to a stream of a protocol; returns when it is committed."""

Presenters = Mapping[str, Presenter[Any] | None]
"""By protocol, every one there is; None where its streams are shown to nobody."""

NOTHING: Final[tuple[Post, ...]] = ()

THREAD: Final = ""
"""Among the conversations, which are named after their readers: the thread, which everybody reads."""

SESSION: Final = "session"
"""Among the conversations: how the thread stands, as Slack tells it of agents."""

REACTION: Final = "reaction"
"""Among the conversations: how it stands, as a reaction on the message that asked shows it."""

STEP: Final = "step"
"""Among the conversations: how the workflow's step ends that began it."""


class StreamReconciler:
    """
    Args:
        report: tells the engine who has been reached, where it must know.
        thread_stands: called once the thread stands, after it did not.
        thread_refused: called with whether Slack refuses something of the thread, where it does or did.
        sessions: what all streams say about their threads.
        reactions: what all streams say about the messages that asked.
        steps: how all streams end the steps of workflows that began them.
    """

    def __init__(
        self,
        key: StreamKey,
        store: Store,
        presenters: Presenters,
        read: Read,
        report: Report,
        tools: Tools,
        thread_stands: Callable[[StreamKey], None],
        thread_refused: Callable[[StreamKey, bool], None],
        sessions: ThreadStatuses,
        reactions: ThreadStatuses,
        steps: ThreadStatuses,
    ) -> None:
        self.noticed = asyncio.Event()
        self.is_listed_anew = False
        """Whether digests list what posts of this stream ask, without its being known here."""
        self.is_asked_for = False
        """Whether another process wants it to be looked at, and may have stored something about it."""
        self._key = key
        self._store = store
        self._presenters = presenters
        self._read = read
        self._report = report
        self._tools = tools
        self._thread_stands = thread_stands
        self._thread_refused = thread_refused
        self._statuses: Mapping[str, tuple[ThreadStatuses, Callable[[], Wish | None]]] = {
            SESSION: (sessions, self._session_wish),
            REACTION: (reactions, self._reaction_wish),
            STEP: (steps, self._step_wish),
        }
        self._hold = Hold(key, tools.membership)
        self._stored = StoredPosts(store, key, tools.restored, tools.waiting.clock, self._hold)
        self._shown: dict[str, PostRecord] | None = None
        self._listed: Mapping[str, PostRecord] = {}
        """The digests that took the places of posts, by the keys of those."""
        self._marked = 0
        """Up to which version everything is known to be shown."""
        self._version = 0
        """Of the state whose posts are in `_wanted`."""
        self._pause: Pause | None = None
        """Why its model was not asked when they were drawn."""
        self._draw: Callable[[], Sequence[Post]] = tuple
        """Draws the posts of that state, in the languages that are known by then."""
        self._requester = ""
        """Who asked."""
        self._otherwise = "en"
        """The language of the stream, for whoever's own is not known."""
        self._standing = Standing(stands=True)
        """How the thread stood when the posts were drawn last."""
        self.is_let_in = False
        """Whether Slack may let us post where it has refused to."""
        self._instead: Callable[[str, Texts], str] = lambda key, texts: ""
        """Says what stands in the place of a post that is not wanted any more; empty where it stays."""
        self._wanted: Mapping[str, Sequence[Post]] = {}
        self._place: Place | None = None
        """Where the thread is, once it is known."""
        self._status: SessionStatus | None = None
        """How that state stands, as Slack tells it of agents."""
        self._reaction: Reaction | None = None
        self._end_step: Callable[[], StepEnd | None] = _no_end
        """Says how the workflow's step ends that began the stream, in the language that is known by then."""
        self._read_in: dict[str, str | None] = {}
        """User -> the locale that was known when their posts were drawn last."""
        self._workspace = ""
        """Where it is on the web; empty while that is not known."""
        self._linked: dict[str, str] = {}
        """Key of a post -> its address that was known when posts that lead to it were drawn last."""
        self._conversations: dict[str, ConversationReconciler | ThreadStatus] = {}
        self._settled: set[str] = set()
        """Conversations in which there was nothing to do, until what is wanted or stored changes for all."""
        self._tasks: dict[asyncio.Task[None], str] = {}
        self._broken: dict[str, int] = {}
        """Conversations that a fault of ours has stopped, with the version for which they are not tried again."""
        self._reported: set[str] = set()
        self._reports_on: tuple[int, Mapping[str, Delivery]] = (0, {})
        """Of which state and deliveries everything is reported."""
        self._is_closing = False
        self._is_lost = False
        """Whether a conversation has ended because another process may keep it by now."""

    async def catch_up(self) -> None:
        """Return once every post is shown or given up, or kept by another process, unless a notice has come since.

        Raises:
            LeaseLost: another process may keep the posts by now; whoever looks again begins with what is stored.
        """
        with about(self._key):
            try:
                await self._catch_up()
            finally:
                self._let_go_of_itself()

    def _let_go_of_itself(self) -> None:
        """Hold nothing any more that holds this: what is not in a cycle goes at once, and is never looked for."""
        self._statuses, self._wanted, self._draw = {}, {}, tuple
        self._instead, self._end_step = lambda key, texts: "", _no_end

    async def _catch_up(self) -> None:
        try:
            while not self._is_closing:
                await self._tools.waiting.turns.take()
                self.noticed.clear()
                try:
                    if not await self._hold.take() or (await self._look() and await self._let_go()):
                        return
                except StoreError as error:
                    self._check_hold()
                    log.warning("posts of %s wait for the store: %s", self._key.stream, error)
                    await self._tools.waiting.pause(FIRST_PAUSE)
            await asyncio.gather(*self._tasks, return_exceptions=True)
        except LeaseLost:
            self.close()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            raise
        except UnknownStream as error:
            if self._tools.membership is None:
                raise
            log.warning("nothing is shown of what a process has left: %s", error)
            await self._hold.drop()
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def is_closed(self) -> bool:
        return self._is_closing

    def close(self) -> None:
        """Let calls under way end and be recorded; begin none."""
        self._is_closing = True
        self.noticed.set()
        for task, to in self._tasks.items():
            conversation = self._conversations[to]
            conversation.is_closing = True
            if not conversation.is_calling:
                task.cancel()

    async def _let_go(self) -> bool:
        """Return whether nothing has come up since the last look, so that another process may keep the posts next."""
        if self.noticed.is_set():
            return False
        self.is_asked_for = not await self._hold.let_go()
        return not self.is_asked_for

    def _check_hold(self) -> None:
        """Check that this process still keeps the stream's posts."""
        self._hold.check()
        if self._is_lost:
            raise LeaseLost(f"The posts of {self._key.stream} may be kept by another process by now.")

    async def _look(self) -> bool:
        """Look at the newest state once; return whether nothing is left to do."""
        self._check_hold()
        if self._shown is None:
            self._shown = await self._stored.read()
            for statuses, _ in self._statuses.values():
                statuses.forget(self._key)
        elif self.is_asked_for:
            await self._stored.doubts.read()
            self._notice_all()
        if self.is_let_in or self.is_asked_for:
            self.is_let_in = False
            await self._try_refused(self._shown)
        if self.is_listed_anew or self.is_asked_for:
            self.is_listed_anew = self.is_asked_for = False
            self._listed = await listed(self._store, self._key)
        protocol, state, version = await self._read(self._key)
        if protocol not in self._presenters:
            raise LookupError(f"{self._key.stream} is a stream of {protocol!r}; no protocol here is called that.")
        presenter = self._presenters[protocol]
        place = presenter.place(state) if presenter else None
        if presenter is None or place is None:
            await self._store.mark_shown(self._key, version)  # its streams are shown to nobody
            await self._stored.unknown.shown()
            return True
        if self._place is None or place.channel != self._place.channel:
            self._place = await self._located(presenter.origin(state), place)
            await self._move(self._shown)
        elif place.shared != self._place.shared:
            self._place = replace(self._place, shared=place.shared)
        if self._place is None:
            waiting = self._tools.waiting
            await waiting.until_or_event(waiting.clock.after(FIRST_PAUSE), self.noticed)
            return False
        now = self._tools.waiting.clock.now()
        if not place.shared and self._tools.shared_channels.is_shared(self._key.tenant, self._place.channel):
            # It may be shared again that was shared once, so the channel alone does not name it.
            command = f"place:{place.channel}:shared:{version}"
            found = ChangePlace(
                command_id=command, at=now, old_channel=place.channel, channel=place.channel, shared=True
            )
            await self._report(self._key, protocol, found)
            return False
        await self._stored.records.threads.add((self._place.channel, self._place.thread), now)
        self._workspace = self._tools.web(self._key.tenant)
        pause = await self._tools.pause_of(self._key)
        if version != self._version or pause != self._pause:
            for user in presenter.readers(state):
                await self._tools.languages.recall(self._key.tenant, user)
            self._requester, self._otherwise = presenter.requester(state), presenter.language(state) or "en"
            self._draw = partial(presenter.posts, state, self._language, pause, self._address)
            self._pause = pause
            self._instead = partial(presenter.instead, state)
            self._status, self._reaction = presenter.session(state), presenter.reaction(state)
            self._end_step = partial(self._ended_step, presenter, state)
            await self._want(version)
        elif self._stands(self._wanted.get(THREAD, NOTHING)) != self._standing:
            await self._want(version)  # Slack has let the thread stand, or refused it
        elif self._found(self._linked) != self._linked:
            await self._want(version)  # what is led to has been posted since
        for to in self._wanted:
            if to not in self._conversations and to not in self._settled and self._broken.get(to) != version:
                await self._begin(to, self._shown)
        self._begin_statuses()
        if await self._send_reports(presenter, protocol, state, version) or self._is_closing:
            return False  # what the end kept from beginning, or cut off, is not shown
        if not self._broken and all(each.is_shown for each in self._conversations.values()) and self._marked != version:
            await self._store.mark_shown(self._key, version)
            self._marked = version
        if self._conversations:
            await self._tools.waiting.for_event(self.noticed)
            return False
        if not self._broken and not self._is_closing:
            await self._stored.unknown.shown()
        return True

    async def _move(self, shown: dict[str, PostRecord]) -> None:
        """Look for every post of the thread where the channel's id says by now that it is, and try again there."""
        channel = self._place.channel if self._place else ""
        for key in tuple(shown):  # a conversation may post while this is written
            entry = shown.get(key)
            if entry and channel and entry.channel != channel and not entry.is_direct and "/" not in key:
                digest = "" if entry.state == "given_up" else entry.digest
                shown[key] = entry.model_copy(update={"channel": channel, "digest": digest})
                await self._stored.records.write(key, shown[key])
                if NOTICE in shown:
                    await remember(self._store, self._key, entry.channel, is_refused=False)
        if channel:
            await self._stored.doubts.move(channel)
        self._notice_all()

    async def _located(self, origin: str, place: Place) -> Place | None:
        """Return where the thread is; None while the stream whose thread this one joins has none yet."""
        if not origin:
            return place
        shown = await PostRecords(self._store, StreamKey(self._key.tenant, origin)).read()
        return joined(place, shown)

    async def _want(self, version: int) -> None:
        """Draw the posts of the newest state, and tell who depends on them."""
        before, shown = self._standing, self._shown or {}
        self._draw_posts(version)
        if self._standing.refusal and not before.refusal:
            await self._tools.languages.recall(self._key.tenant, self._requester)
            self._draw_posts(version)
        if self._standing.stands and not before.stands:
            self._thread_stands(self._key)
        channel = self._place.channel if self._place else ""
        if self._standing.refusal or NOTICE in shown:
            is_refused = bool(self._standing.refusal)
            await remember(self._store, self._key, channel, is_refused=is_refused)
            self._thread_refused(self._key, is_refused)

    def _draw_posts(self, version: int) -> None:
        self._linked, self._read_in = {}, {}
        wanted: dict[str, list[Post]] = {}
        for post in self._placed(self._draw()):
            wanted.setdefault(post.to, []).append(post)
        self._add_left_behind(wanted)
        self._wanted, self._version = wanted, version
        self._notice_all()

    def _add_left_behind(self, wanted: dict[str, list[Post]]) -> None:
        """Add what is to stand in the place of posts that are there and are not drawn any more: for a direct message,
        to what else its reader is told.
        """
        shown = self._shown or {}
        drawn = {post.key: to for to, posts in wanted.items() for post in posts}
        readers = {shown[key].channel: to for key, to in drawn.items() if to and key in shown}
        for key, entry in shown.items():
            if entry.ts and key not in drawn:
                texts = texts_in(entry.language or self._otherwise)
                to = readers.get(entry.channel, THREAD) if entry.is_direct else THREAD
                if said := self._instead(key, texts):
                    wanted.setdefault(to, []).append(Post(key, said, (), to=to, language=entry.language, texts=texts))

    def _placed(self, posts: Sequence[Post]) -> Iterable[Post]:
        """Leave out what people would be told before the thread stands: they could not see what it is about. Where
        Slack refuses the thread, whoever asked gets it instead.
        """
        thread, shown = [each for each in posts if not each.to], self._shown or {}
        channel = self._place.channel if self._place else ""
        self._standing = self._stands(thread)
        texts = texts_in(self._language(self._requester, NOTICE) or self._otherwise)
        is_refused = bool(self._standing.refusal) and not channel.startswith("D")
        if not self._standing.stands:
            refusal = self._standing.refusal
            return in_their_place(thread, refusal, channel, self._requester, texts) if is_refused else thread
        if is_refused:
            return (*posts, *besides(thread, self._standing, channel, self._requester, texts))
        return (*posts, *(after_all(shown, channel, self._requester, texts) if NOTICE in shown else ()))

    def _stands(self, thread: Sequence[Post]) -> Standing:
        """Return how the thread stands. Without a channel there is none to wait for."""
        is_shown = self._place is not None and self._place.channel
        return standing(thread, self._shown or {}) if is_shown else Standing(stands=True)

    async def _try_refused(self, shown: dict[str, PostRecord]) -> None:
        """Have everything posted and edited once more that Slack has refused, but for whom nobody can write to."""
        for key in tuple(shown):  # a conversation may post while this is written
            entry = shown.get(key)
            if entry and entry.state == "given_up" and entry.digest and entry.why not in GONE | UNEDITABLE:
                shown[key] = entry.model_copy(update={"digest": ""})
                await self._stored.records.write(key, shown[key])
        self._notice_all()

    def _notice_all(self) -> None:
        """Have every conversation look again."""
        self._settled.clear()
        for conversation in self._conversations.values():
            conversation.is_shown = False
            conversation.noticed.set()

    def _wants(self, to: str) -> tuple[Sequence[Post], Place]:
        """Return the posts of a conversation, drawn again if the language of its reader became known meanwhile."""
        if to in self._read_in and self._read_in[to] != self._known(to):
            self._draw_posts(self._version)
        return self._wanted.get(to, NOTHING), self._place or Place()

    def _language(self, user: str, key: str) -> str | None:
        """Return the locale of a post: the one it was posted in, or else the one its reader prefers."""
        if user not in self._read_in:
            self._read_in[user] = self._known(user)
        entry = (self._shown or {}).get(key)
        return entry.language if entry else self._read_in[user]

    def _address(self, key: str) -> str:
        """Return where a post can be read, as links to it say."""
        if key not in self._linked:
            self._linked |= self._found((key,))
        return self._linked[key]

    def _found(self, keys: Collection[str]) -> dict[str, str]:
        """Return the addresses; empty for a thread that takes no more, where nobody finds what is new."""
        found = addresses_of(self._workspace, keys, self._place or Place(), self._shown or {})
        if THREAD in found and self._stands(self._wanted.get(THREAD, NOTHING)).refusal:
            found[THREAD] = ""
        return found

    def _known(self, user: str) -> str | None:
        return self._tools.languages.known(self._key.tenant, user)

    async def _begin(self, to: str, shown: dict[str, PostRecord]) -> None:
        """Begin a conversation, where there is anything to do in it."""
        self._broken.pop(to, None)
        if (
            self._stored.unknown.of_all is None
            and not self._stored.doubts.by_post
            and is_shown(self._wanted[to], shown)
        ):
            self._settled.add(to)
            return
        conversation = ConversationReconciler(
            self._key,
            to,
            self._tools,
            self._stored,
            shown,
            partial(self._wants, to),
            self.noticed.set,
        )
        if not await conversation.steps() and not conversation.holds_back:
            self._settled.add(to)
        elif not self._is_closing:
            self._spawn(to, conversation)

    def _begin_statuses(self) -> None:
        """Say how the thread stands once its posts do."""
        thread = self._conversations.get(THREAD)
        if self._is_closing or (thread is not None and not thread.is_shown):
            return
        for name, (statuses, wanted) in self._statuses.items():
            wish = wanted()
            if wish is None or statuses.is_told(self._key, wish):
                continue
            if name not in self._conversations and self._broken.get(name) != self._version:
                self._spawn(name, ThreadStatus(self._hold, statuses, wanted, self.noticed))

    def _session_wish(self) -> Wish | None:
        """Return what is to be said about the thread; None where there is nothing to say, or no thread yet."""
        place = joined(self._place, self._shown or {}) if self._place else None
        if place is None or self._status is None:
            return None
        return Wish((place.channel, place.thread), self._status)

    def _reaction_wish(self) -> Wish | None:
        """Return what is to be said about the message that asked; None where none did."""
        if self._place is None or not self._place.message_ts or self._reaction is None:
            return None
        return Wish((self._place.channel, self._place.message_ts), self._reaction)

    def _step_wish(self) -> Wish | None:
        """Return how the workflow's step ends that began the stream; None while it goes on, or where none did."""
        end = self._end_step()
        return Wish((RUN, end.run), ENDED, end) if end is not None else None

    def _ended_step(self, presenter: Presenter[Any], state: Any) -> StepEnd | None:
        texts = texts_in(self._known(self._requester) or self._otherwise)
        end = presenter.step_end(state, texts)
        return end and dataclasses.replace(end, link=self._found((THREAD,))[THREAD])

    def _spawn(self, to: str, conversation: ConversationReconciler | ThreadStatus) -> None:
        self._broken.pop(to, None)
        self._conversations[to] = conversation
        task = self._tools.waiting.activity.spawn(conversation.catch_up())
        self._tasks[task] = to
        task.add_done_callback(partial(self._ended, to))

    def _ended(self, to: str, task: asyncio.Task[None]) -> None:
        del self._conversations[to], self._tasks[task]
        self.noticed.set()
        error = None if task.cancelled() else task.exception()
        if isinstance(error, LeaseLost):
            self._is_lost = True
        elif error is not None:
            self._broken[to] = self._version
            log.error("posts of %s: one conversation is not kept up to date", self._key.stream, exc_info=error)

    async def _send_reports(self, presenter: Presenter[Any], protocol: str, state: Any, version: int) -> bool:
        """Tell the engine who has been reached; return whether there was anything to tell."""
        records = (*self._listed.items(), *(self._shown or {}).items())
        deliveries = {key: entry.delivery for key, entry in records}
        if self._reports_on == (version, deliveries):
            return False
        reports = presenter.reports(state, deliveries, self._tools.waiting.clock.now())
        fresh = [each for each in reports if each.command_id not in self._reported]
        for command in fresh:
            try:
                await self._report(self._key, protocol, command)
            except StoreError:
                raise
            except EngineError as error:
                log.warning("%s of %s was not taken: %s", command.command_id, self._key.stream, error)
            self._reported.add(command.command_id)
        self._reports_on = version, deliveries
        return bool(fresh)


def _no_end() -> None:
    return None
