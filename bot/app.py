"""Wires everything that ToWow is made of, in the order in which it starts and ends."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine, Mapping, Sequence, Set
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot import logs
from bot.api_config import ApiAccess
from bot.calendars.fetching import Fetching
from bot.calendars.keeper import Calendars
from bot.calendars.records import Sealing
from bot.calendars.statuses import Statuses
from bot.calendars_config import CalendarAccess
from bot.claude_config import ClaudeAccess
from bot.config import SlackAccess
from bot.digest_source import DigestsOf
from bot.home_page import HomeOf
from bot.listeners.background import BackgroundTasks, OneAtATime
from bot.listeners.colleagues import MOST_OPEN, Admission
from bot.listeners.directory.calendars import telling_of_failures
from bot.listeners.gateway import CommandGateway
from bot.listeners.reader_texts import ReaderTexts
from bot.listeners.services import Services
from bot.listeners.workers_watch import WorkersWatch
from bot.models import asks_by_protocol, claude, load_ahead, name_of, needed_prompts
from bot.posts import DISTRIBUTED_PAGE, DISTRIBUTED_RATES, PAGE, SLACK_RATES, UNLIMITED, Languages, Posts, ResponseUrls
from bot.presence import Presence
from bot.protocol_row import Protocol
from bot.retention import Retention
from bot.runtimes import runtime_on
from bot.slack.bolt import bolt_app
from bot.slack.client import CallFailures, slack_client
from bot.slack.connection import WATCH_EVERY, Connection, connected
from bot.slack.files import SlackFiles
from bot.slack.workspaces import OneWorkspace, Workspaces
from bot.story_links import StoryLinks
from bot.time_zones import machine_time_zone
from bot.tracing.forgetting import ended_and_shown, everything_is_over, forget_causes
from bot.tracing.models import TracedModel
from bot.tracing.slack import ShownStreams, traced_calls
from bot.workspace_settings import Directories, WorkspaceSettings, directory_key
from engine.directory.profile import Profiles
from engine.files.validated_file import ValidatedFile
from engine.kernel import Ask, Compute, RegisterOutputs, RunWorker, Tenant
from engine.llm.asker import Asker
from engine.llm.port import Model, Paced, Prompt, never_paused
from engine.runtime.activity import PACE, Activity, Pace, Turns
from engine.runtime.clock import Clock, WallClock, not_at_all
from engine.runtime.computing import Computing
from engine.runtime.membership import Membership
from engine.runtime.parts import FOR_THE_STORE, Deadline, Parts
from engine.runtime.ports import EffectRunner, IsAbsent, nobody_is_absent
from engine.runtime.runtime import Runtime
from engine.runtime.tracing import Tracing
from engine.shortlist import WHOLE
from engine.shortlist.keeper import Shortlists
from engine.store.port import Store
from engine.times.availability import CalendarLookUp, ReadCalendar
from engine.times.busy import LARGEST
from engine.times.clocks import span_of
from engine.workers.registry import WorkersAccess
from engine.workers.workers import Workers

if TYPE_CHECKING:
    from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow

    from bot.api.metrics import Meter
    from bot.api.server import ApiServer
    from bot.slack.oauth.leaving import Leaving
    from bot.slack.oauth.many import ManyWorkspaces

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ToWow:
    """The running product."""

    runtime: Runtime
    posts: Posts
    services: Services
    store: Store
    load_ahead: Callable[[], Coroutine[Any, Any, None]]
    """Loads in a thread what the first demand would wait for. For a process that serves people: it takes seconds."""
    api: "ApiServer | None" = None
    leaving: "Leaving | None" = None
    """Hears who has taken us out, where there are many workspaces."""
    retention: Retention | None = None
    """Ends what is old; None where everything is kept."""

    async def idle(self) -> None:
        """Return once nothing is under way; what only waits for the clock does not count."""
        while True:
            await self.runtime.activity.idle()
            await self.posts.idle()
            await self.services.background.activity.idle()
            if self.runtime.activity.is_idle and self.services.background.activity.is_idle:
                return


def import_early(protocols: Sequence[Protocol], *, claude: bool, api: bool) -> None:
    """Import what is otherwise imported while the event loop stands still: Python compiles it at the first start.

    Args:
        claude: whether Claude is asked.
        api: whether there is the HTTP interface, or its pages.
    """
    if claude:
        import engine.llm.claude  # noqa: F401
    if api:
        import bot.api.metrics
        import bot.api.server  # noqa: F401
        from bot.api.part import parts_of

        parts_of(protocols)


@asynccontextmanager
async def running(
    slack: SlackAccess,
    store: Store,
    model: Model | ClaudeAccess,
    profiles: Profiles,
    clock: Clock,
    policy: Any,
    protocols: Sequence[Protocol],
    admins: Set[str] = frozenset(),
    api: ApiAccess | None = None,
    time_zone: str = "",
    workers: WorkersAccess | None = None,
    shortlist: int = WHOLE,
    most_open: int = MOST_OPEN,
    tracing: Tracing | None = None,
    pace: Pace = PACE,
    deadline: Deadline | None = None,
    keep_days: int | None = None,
    calendars: CalendarAccess | None = None,
) -> AsyncIterator[ToWow]:
    """Start everything. On leaving, what is under way is finished in time, or done at the next start.

    Args:
        policy: what streams of the first protocol are decided by where no admin has said otherwise.
        protocols: a row for each, the main one first; everything that knows a protocol is taken from there.
        time_zone: where people are of whom Slack does not tell it; the machine's without.
        workers: where what was made is kept, and who may work; without, a folder that is gone in the end, and nobody.
        shortlist: of more people than this, so many are put to a model.
        most_open: demands, plans and deliveries of one workspace that may be open at a time.
        tracing: tells of each step, where traces are collected.
        pace: how jobs are taken, where several processes share the store.
        keep_days: what has ended is kept for so long; None: for ever.
        calendars: which calendars people may give; files alone without.
        deadline: by which everything ends; of its own, where nobody else has begun to end anything.

    Raises:
        Misconfigured, StoreUnusable: before anything was started.
    """
    given = _Given(
        slack, store, model, profiles, clock, policy, protocols, admins, api, time_zone or machine_time_zone(),
        workers, shortlist, most_open, tracing, pace, keep_days,
        calendars or CalendarAccess(takes_addresses=False),
    )  # fmt: skip
    prompts = await asyncio.to_thread(needed_prompts, protocols)
    async with Parts(deadline or Deadline()) as stack:
        reached = await _reach_workspaces(given, stack)
        answers = await _choose_model(given, reached, prompts, stack)
        languages = Languages(given.store, given.clock)
        kept = _calendars(given, reached, languages)
        statuses = Statuses(reached.workspaces.client, given.clock)
        engine = await _make_engine(given, reached, answers, prompts, _looked_up(kept, statuses), stack)
        surface = _make_surface(given, reached, answers, engine, languages, kept, stack)
        statuses.keep_pace(surface.posts.rate_limits)
        services = _make_services(given, reached, engine, surface, stack)
        await _let_protocols_hear(given, reached, engine, services, stack)
        await _go_on(given, reached, engine, surface, services, stack)
        await _keep_calendars(given, reached, surface, services, stack)
        bolt = bolt_app(reached.client, services, protocols, reached.workspaces, tracing)
        leaving = await _hear_who_leaves(given, reached, engine, surface, bolt, stack)
        served = await _open_doors(given, reached, answers, engine, services, bolt, stack)
        retention = await _end_what_is_old(given, reached, engine, services, stack)
        late = partial(_load_ahead, given, reached, engine)
        yield ToWow(engine.runtime, surface.posts, services, store, late, served, leaving, retention)


async def _load_ahead(given: "_Given", reached: "_Reached", engine: "_Engine") -> None:
    tenant = reached.workspaces.known()  # of many workspaces, nobody knows which asks first
    try:
        await load_ahead(given.model, given.protocols, await engine.people(tenant) if tenant else given.profiles)
    except Exception:
        # Nobody has asked for it yet, so nobody loses anything by it.
        log.exception("what the first demand needs is loaded with it")


@dataclass(frozen=True, slots=True)
class _Given:
    """What `running` was given."""

    slack: SlackAccess
    store: Store
    model: Model | ClaudeAccess
    profiles: Profiles
    clock: Clock
    policy: Any
    protocols: Sequence[Protocol]
    admins: Set[str]
    api: ApiAccess | None
    time_zone: str
    workers: WorkersAccess | None
    shortlist: int
    most_open: int
    tracing: Tracing | None
    pace: Pace
    keep_days: int | None
    calendars: CalendarAccess


@dataclass(frozen=True, slots=True)
class _Reached:
    """Whose workspaces these are, how Slack is called, and who else works on the store."""

    client: AsyncWebClient
    workspaces: Workspaces
    many: "ManyWorkspaces | None"
    membership: Membership | None
    shown: ShownStreams | None
    """Tells which streams the calls are about, where traces are collected."""
    failures: CallFailures
    """What calls to Slack have failed for, where somebody may ask."""

    @property
    def is_absent(self) -> IsAbsent:
        return self.workspaces.is_absent if self.many else nobody_is_absent


async def _reach_workspaces(given: _Given, stack: Parts) -> _Reached:
    """Open the store, and learn who we are in Slack."""
    store, tracing = given.store, given.tracing
    shown = ShownStreams(store, tracing) if tracing else None
    failures = CallFailures()
    told_of_calls = [failures.listening()] if given.api else []
    told_of_calls += [traced_calls(tracing, shown.cause)] if tracing and shown else []
    client = await stack.enter_async_context(slack_client(given.slack, told_of_calls))
    stack.push_async_callback(store.close)
    await store.open()
    many = await _many(given.slack, client, store, given.clock, stack)
    workspaces: Workspaces = many or await _one(client, store)
    membership = Membership(store.sharing, WallClock(), Activity()) if store.sharing is not None else None
    if membership is not None:
        await membership.start()
        stack.push_async_callback(membership.close)
    return _Reached(client, workspaces, many, membership, shown, failures)


@dataclass(frozen=True, slots=True)
class _Answers:
    """Who answers the questions of the protocols."""

    model: Model
    name: str
    meter: "Meter | None"

    @property
    def paced(self) -> Paced | None:
        return self.model if isinstance(self.model, Paced) else None

    def told(self, tracing: Tracing | None) -> Model:
        """Return the model, with all who are told of each call."""
        counted = self.meter.model(self.model) if self.meter else self.model
        return TracedModel(counted, tracing) if tracing else counted


async def _choose_model(given: _Given, reached: _Reached, prompts: Mapping[str, Prompt], stack: Parts) -> _Answers:
    model = given.model
    if isinstance(model, ClaudeAccess):
        model = await stack.enter_async_context(
            claude(model, prompts, given.store, given.clock, given.tracing, reached.membership)
        )
    meter = _meter(given.protocols) if given.api else None
    if meter is not None:
        meter.slack(reached.failures.counts)
    return _Answers(model, name_of(given.model), meter)


@dataclass(frozen=True, slots=True)
class _Engine:
    """What decides, and what carries out."""

    runtime: Runtime
    directories: Directories
    workers: Workers
    access: WorkersAccess
    turns: Turns
    people: Callable[[Tenant], Awaitable[Profiles]]
    """Those whose twins are asked, so that they can be searched where they are many."""


async def _make_engine(
    given: _Given,
    reached: _Reached,
    answers: _Answers,
    prompts: Mapping[str, Prompt],
    looked_up: Callable[[Tenant], CalendarLookUp] | None,
    stack: Parts,
) -> _Engine:
    """Make the runtime, with whatever runs its effects. It is yet to be started."""
    protocols, clock = given.protocols, given.clock
    shortlists = Shortlists(given.store, given.shortlist)
    stack.push_async_callback(shortlists.close)

    async def people(tenant: Tenant) -> Profiles:
        return await shortlists.of(tenant, await directories.asked(tenant))

    asks = asks_by_protocol(protocols, prompts, people)
    asker = Asker(answers.told(given.tracing), asks, clock, looked_up)
    access = given.workers or WorkersAccess(Path(stack.enter_context(TemporaryDirectory(prefix="towow-"))))
    if given.store.sharing is not None:  # before others say of what it works at that it was interrupted
        access = replace(access, unheard=given.pace.lasts / 1000 / 2)
    ports = {each.name: each.work() for each in protocols if each.work}
    workers = Workers(access, ports, clock, SlackFiles(reached.workspaces.client, given.slack.api_url))
    stack.push_async_callback(workers.close)
    computing = Computing({each.name: each.computations for each in protocols}, clock)
    runners: Mapping[str, EffectRunner] = {Ask.kind: asker, Compute.kind: computing, **workers.runners}
    turns = Turns()
    runtime = await stack.enter_async_context(
        runtime_on(
            given.store,
            clock,
            [each.rulebook for each in protocols],
            runners,
            [Ask, Compute, RunWorker, RegisterOutputs],
            held_up=answers.paced.held_up if answers.paced else not_at_all,
            tracing=given.tracing,
            pace=given.pace,
            is_absent=reached.is_absent,
            turns=turns,
        )
    )
    stack.keep(FOR_THE_STORE)
    directories = Directories(runtime, clock, given.profiles)
    return _Engine(runtime, directories, workers, access, turns, people)


@dataclass(frozen=True, slots=True)
class _Surface:
    """What people see, and in which words."""

    posts: Posts
    settings: WorkspaceSettings
    languages: Languages
    urls: ResponseUrls
    links: StoryLinks | None
    calendars: Calendars | None


def _make_surface(
    given: _Given,
    reached: _Reached,
    answers: _Answers,
    engine: _Engine,
    languages: Languages,
    calendars: Calendars | None,
    stack: Parts,
) -> _Surface:
    """Make what keeps posts up to date. It is yet to be started."""
    workspaces, runtime, paced = reached.workspaces, engine.runtime, answers.paced
    parts = {each.name: each.settings for each in given.protocols if each.settings}
    policies = {given.protocols[0].name: given.policy}
    settings = WorkspaceSettings(
        engine.directories, parts, policies, given.admins, workspaces.known, workspaces.installer
    )
    urls = ResponseUrls(given.clock, given.slack.api_url)
    pages = given.api.pages if given.api is not None else None
    links = StoryLinks(pages, names_team=reached.many is not None) if pages is not None else None
    posts = Posts(
        given.store,
        {each.name: each.presenter for each in given.protocols},
        reached.shown.reading(runtime.look_up) if reached.shown else runtime.look_up,
        runtime.handle,
        workspaces.client if reached.many else reached.client,
        given.clock,
        rates=(DISTRIBUTED_RATES if reached.many else SLACK_RATES) if given.slack.limited else UNLIMITED,
        page=DISTRIBUTED_PAGE if reached.many else PAGE,
        urls=urls,
        languages=languages,
        home=_home(given, reached, answers, runtime, settings, languages, calendars, has_pages=links is not None),
        choices=settings.choices,
        digests=_digests(given, runtime, settings, languages),
        paused=paced.paused if paced else never_paused,
        has_pages=links is not None,
        membership=reached.membership,
        web=workspaces.web_address,
        is_absent=reached.is_absent,
        turns=engine.turns,
    )
    stack.push_async_callback(posts.close)
    if paced:
        paced.listen(posts.look_again)
    runtime.observers.watch(posts.notice)
    runtime.observers.hear(posts.hear)
    runtime.before_ring = Presence(
        workspaces.client,
        {each.name: each.accounts for each in given.protocols if each.accounts},
        given.clock,
        posts.readmission.shut_out,
    ).before_ring
    runtime.is_shut_out = posts.readmission.is_shut_out
    return _Surface(posts, settings, languages, urls, links, calendars)


def _home(
    given: _Given,
    reached: _Reached,
    answers: _Answers,
    runtime: Runtime,
    settings: WorkspaceSettings,
    languages: Languages,
    calendars: Calendars | None,
    *,
    has_pages: bool,
) -> HomeOf:
    return HomeOf(
        given.store,
        runtime.read,
        settings,
        languages,
        [(each.home, each.presenter) for each in given.protocols if each.home and each.presenter],
        reached.workspaces.web_address,
        has_pages=has_pages,
        model=answers.name,
        since=given.clock.now(),
        now=given.clock.now,
        standing=answers.paced.standing if answers.paced else None,
        is_only_one=reached.many is None,
        calendar=calendars.standing if calendars else None,
    )


def _calendars(given: _Given, reached: _Reached, languages: Languages) -> Calendars | None:
    access, files = given.calendars, SlackFiles(reached.workspaces.client, given.slack.api_url)
    if not access.takes_files:
        return None

    async def zone(tenant: Tenant, user: str) -> str:
        await languages.recall(tenant, user)
        return languages.time_zone(tenant, user) or given.time_zone

    async def file_of(tenant: Tenant, file_id: str) -> bytes:
        return await files(directory_key(tenant), file_id, most_bytes=LARGEST)

    return Calendars(
        given.store,
        given.clock,
        Sealing(access.keys),
        Fetching(access.networks) if access.takes_addresses else None,
        file_of,
        zone,
        OneAtATime(reached.membership),
        reached.is_absent,
    )


def _looked_up(calendars: Calendars | None, statuses: Statuses) -> Callable[[Tenant], CalendarLookUp] | None:
    """Make what looks up when people are busy or away, before they are asked to agree to a time."""
    if calendars is None:
        return None

    def of(tenant: Tenant) -> CalendarLookUp:
        async def known(users: Collection[str]) -> Mapping[str, ReadCalendar]:
            found, away = await asyncio.gather(calendars.fresh(tenant, users), statuses.away(tenant, users))
            return {
                user: ReadCalendar(
                    found[user].spans if user in found else (),
                    found[user].until // 1000 if user in found else 0,
                    tuple(span_of(*each) for each in away.get(user, ())),
                )
                for user in {*found, *away}
            }

        return known

    return of


async def _keep_calendars(
    given: _Given, reached: _Reached, surface: _Surface, services: Services, stack: Parts
) -> None:
    if surface.calendars is None:
        return
    tell = [each.availability(services) for each in given.protocols if each.availability is not None]

    def changed(tenant: Tenant, user: str) -> None:
        surface.posts.homes.notice(directory_key(tenant))
        for each in tell:
            each(tenant, user)

    surface.calendars.listen(
        changed,
        telling_of_failures(services, reached.workspaces.client),
    )
    await stack.enter_async_context(surface.calendars.looking(services.background.activity))


def _digests(given: _Given, runtime: Runtime, settings: WorkspaceSettings, languages: Languages) -> DigestsOf:
    homes = {each.name: (each.home, each.presenter) for each in given.protocols if each.home and each.presenter}
    return DigestsOf(given.store, runtime.look_up, settings, languages, homes, given.time_zone)


def _make_services(given: _Given, reached: _Reached, engine: _Engine, surface: _Surface, stack: Parts) -> Services:
    background = BackgroundTasks()
    stack.push_async_callback(background.close)
    scheduler = engine.access.scheduler
    return Services(
        CommandGateway(engine.runtime, Admission(given.store, given.most_open)),
        surface.settings,
        given.store,
        given.clock,
        ReaderTexts(surface.languages, background, given.time_zone),
        background,
        surface.urls,
        surface.posts.homes,
        engine.workers,
        {
            each.name: ValidatedFile(scheduler, each.scheduling, each.scheduling())
            for each in given.protocols
            if each.scheduling
        },
        surface.links,
        pause_of=surface.posts.pause_of,
        let_in=surface.posts.let_in,
        heard_from=surface.posts.readmission.heard_from,
        readers_changed=surface.posts.readers_changed,
        one_at_a_time=OneAtATime(reached.membership),
        calendars=surface.calendars,
    )


async def _let_protocols_hear(
    given: _Given, reached: _Reached, engine: _Engine, services: Services, stack: Parts
) -> None:
    """Have told, from the first event on, who keeps logs and whoever else listens."""
    observers = engine.runtime.observers
    if reached.membership is not None:
        reached.membership.follow(observers.notify_news)
    observers.listen(logs.event_logger([each.descriptions for each in given.protocols]))
    for each in given.protocols:
        if each.heard is not None:
            observers.listen(each.heard(services, reached.workspaces.client))
    for each in given.protocols:
        if each.session_logs is not None and engine.access.logs is not None:
            follower = each.session_logs(given.store, engine.access.logs)
            observers.listen(follower.hear)
            stack.push_async_callback(follower.close)
            await follower.start()


async def _go_on(
    given: _Given, reached: _Reached, engine: _Engine, surface: _Surface, services: Services, stack: Parts
) -> None:
    """Start what was made: what the last process has left undone goes on."""
    store, protocols, runtime = given.store, given.protocols, engine.runtime
    await runtime.start()
    await surface.posts.start()
    rulebooks = [each.rulebook for each in protocols]
    is_over = ended_and_shown(store, runtime.look_up, rulebooks) if given.tracing else everything_is_over
    services.background.spawn(forget_causes(store, is_over))
    for each in protocols:
        if each.resume is not None:
            await each.resume(services, reached.workspaces.client)
    # Files are changed by people: no clock that jumps has to do with when they are looked at.
    watch = WorkersWatch(services, [each.workers_changed for each in protocols if each.workers_changed], WallClock())
    await watch.start()
    stack.push_async_callback(watch.close)


async def _hear_who_leaves(
    given: _Given, reached: _Reached, engine: _Engine, surface: _Surface, bolt: AsyncApp, stack: Parts
) -> "Leaving | None":
    if reached.many is None:
        return None
    from bot.oauth_app import hearing_who_leaves

    return await stack.enter_async_context(
        hearing_who_leaves(reached.many, bolt, given.store, engine.runtime, surface.posts, engine.access, given.clock)
    )


async def _end_what_is_old(
    given: _Given, reached: _Reached, engine: _Engine, services: Services, stack: Parts
) -> Retention | None:
    if given.keep_days is None:
        return None
    rulebooks = {each.name: each.rulebook for each in given.protocols}
    retention = Retention(
        given.store,
        rulebooks,
        engine.runtime,
        services.one_at_a_time,
        engine.access,
        given.clock,
        reached.is_absent,
        given.keep_days,
    )
    await stack.enter_async_context(retention.looking())
    return retention


async def _open_doors(
    given: _Given,
    reached: _Reached,
    answers: _Answers,
    engine: _Engine,
    services: Services,
    bolt: AsyncApp,
    stack: Parts,
) -> "ApiServer | None":
    """Serve the HTTP interface, where it is wanted; then reach Slack."""
    slack, served = given.slack, None
    socket = Connection(bolt, slack.app_token, reached.client, slack.ping_seconds) if slack.app_token else None
    if socket is not None:
        stack.push_async_callback(socket.close_async)  # also where it is never connected
    if given.api is not None and answers.meter is not None:
        from bot.api.server import serving

        # Before Slack is reached: whether that works is what its health is asked for.
        served = await stack.enter_async_context(
            serving(
                given.api,
                engine.runtime,
                services,
                reached.workspaces.client,
                reached.workspaces.tenant,
                socket.client.is_connected if socket else _always,
                answers.meter,
                given.protocols,
                bolt=bolt,
                tracing=given.tracing,
                install=_flow_of(reached.many, given.clock),
            )
        )
        if services.links is not None:
            services.links.serve_at(served.url)
    if socket is not None:
        await stack.enter_async_context(connected(socket, WATCH_EVERY * slack.ping_seconds))
    return served


async def _one(client: AsyncWebClient, store: Store) -> OneWorkspace:
    workspace = OneWorkspace(client, store)
    await workspace.recall()
    return workspace


async def _many(
    slack: SlackAccess, client: AsyncWebClient, store: Store, clock: Clock, stack: AsyncExitStack
) -> "ManyWorkspaces | None":
    """Import what many workspaces take only where there are many."""
    if slack.oauth is None:
        return None
    from bot.slack.oauth.many import many_workspaces

    return await stack.enter_async_context(many_workspaces(slack.oauth, client, store, clock))


def _flow_of(many: "ManyWorkspaces | None", clock: Clock) -> "AsyncOAuthFlow | None":
    if many is None:
        return None
    from bot.oauth_app import flow_of

    return flow_of(many, clock)


def _meter(protocols: Sequence[Protocol]) -> "Meter":
    """Import the meter only where it is served: it would take a tenth of every start."""
    from bot.api.metrics import Meter

    return Meter([each.descriptions for each in protocols])


async def _always() -> bool:
    """Answer for Slack over HTTP, where there is no connection to lose."""
    return True
