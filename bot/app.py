"""Wires everything that ToWow is made of, in the order in which it starts and ends."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence, Set
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from slack_sdk.web.async_client import AsyncWebClient

from bot import logs
from bot.api_config import ApiAccess
from bot.claude_config import ClaudeAccess
from bot.config import SlackAccess
from bot.digest_source import DigestsOf
from bot.directories import Directories
from bot.home_page import HomeOf
from bot.listeners.admission import MOST_OPEN, Admission
from bot.listeners.background import BackgroundTasks
from bot.listeners.gateway import CommandGateway
from bot.listeners.one_at_a_time import OneAtATime
from bot.listeners.reader_texts import ReaderTexts
from bot.listeners.services import Services
from bot.listeners.workers_watch import WorkersWatch
from bot.models import asks_by_protocol, claude, name_of, needed_prompts
from bot.posts import SLACK_RATES, UNLIMITED, Languages, Posts, ResponseUrls
from bot.protocol_row import Protocol
from bot.runtimes import runtime_on
from bot.slack.bolt import bolt_app
from bot.slack.client import slack_client
from bot.slack.connection import WATCH_EVERY, Connection, connected
from bot.slack.files import SlackFiles
from bot.slack.identity import Identity
from bot.slack.workspaces import OneWorkspace, Workspaces
from bot.story_links import StoryLinks
from bot.time_zones import machine_time_zone
from bot.tracing.forgetting import ended_and_shown, everything_is_over, forget_causes
from bot.tracing.models import TracedModel
from bot.tracing.slack import ShownStreams, traced_calls
from bot.workspace_settings import WorkspaceSettings
from engine.directory.profile import Profiles
from engine.files.validated_file import ValidatedFile
from engine.kernel import Ask, Compute, Effect, RegisterOutputs, RunWorker, Tenant
from engine.llm.asker import Asker
from engine.llm.port import Model, Paced, never_paused
from engine.runtime.activity import Activity
from engine.runtime.clock import Clock, WallClock
from engine.runtime.computing import Computing
from engine.runtime.machines_time import not_at_all
from engine.runtime.membership import Membership
from engine.runtime.pace import PACE, Pace
from engine.runtime.parts import FOR_THE_STORE, Deadline, Parts
from engine.runtime.ports import EffectRunner, nobody_is_absent
from engine.runtime.runtime import Runtime
from engine.runtime.tracing import Tracing
from engine.runtime.turns import Turns
from engine.shortlist import WHOLE
from engine.shortlist.keeper import Shortlists
from engine.store.port import Store
from engine.workers.access import WorkersAccess
from engine.workers.workers import Workers

if TYPE_CHECKING:
    from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow

    from bot.api.metrics import Meter
    from bot.api.server import ApiServer
    from bot.slack.oauth.leaving import Leaving
    from bot.slack.oauth.many import ManyWorkspaces


@dataclass(frozen=True, slots=True)
class ToWow:
    """The running product."""

    runtime: Runtime
    posts: Posts
    services: Services
    store: Store
    api: "ApiServer | None" = None
    leaving: "Leaving | None" = None
    """Hears who has taken us out, where there are many workspaces."""

    async def idle(self) -> None:
        """Return once nothing is under way; what only waits for the clock does not count."""
        while True:
            await self.runtime.activity.idle()
            await self.posts.idle()
            await self.services.background.activity.idle()
            if self.runtime.activity.is_idle and self.services.background.activity.is_idle:
                return


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
        deadline: by which everything ends; of its own, where nobody else has begun to end anything.

    Raises:
        Misconfigured, StoreUnusable: before anything was started.
    """
    prompts = await asyncio.to_thread(needed_prompts, protocols)
    async with Parts(deadline or Deadline()) as stack:
        shown = ShownStreams(store, tracing) if tracing else None
        told_of_calls = [traced_calls(tracing, shown.cause)] if tracing and shown else []
        client = await stack.enter_async_context(slack_client(slack, told_of_calls))
        stack.push_async_callback(store.close)
        await store.open()
        many = await _many(slack, client, store, clock, stack)
        workspaces: Workspaces = many or await _one(client, store)
        is_absent = workspaces.is_absent if many else nobody_is_absent
        membership = Membership(store.sharing, WallClock(), Activity()) if store.sharing is not None else None
        if membership is not None:
            await membership.start()
            stack.push_async_callback(membership.close)
        who_answers = name_of(model)
        if isinstance(model, ClaudeAccess):
            model = await stack.enter_async_context(claude(model, prompts, store, clock, tracing, membership))
        meter = _meter(protocols) if api else None

        shortlists = Shortlists(store, shortlist)
        stack.push_async_callback(shortlists.close)

        async def people(tenant: Tenant) -> Profiles:
            return await shortlists.of(tenant, await directories.asked(tenant))

        asks = asks_by_protocol(protocols, prompts, people)
        counted = meter.model(model) if meter else model
        asker = Asker(TracedModel(counted, tracing) if tracing else counted, asks, clock)
        computing = Computing({each.name: each.computations for each in protocols}, clock)
        access = workers or WorkersAccess(Path(stack.enter_context(TemporaryDirectory(prefix="towow-"))))
        if store.sharing is not None:  # before others say of what it works at that it was interrupted
            access = replace(access, unheard=pace.lasts / 1000 / 2)
        ports = {each.name: each.work() for each in protocols if each.work}
        office = Workers(access, ports, clock, SlackFiles(workspaces.client, slack.api_url))
        stack.push_async_callback(office.close)
        runners: Mapping[str, EffectRunner] = {Ask.kind: asker, Compute.kind: computing, **office.runners}
        effects: list[type[Effect]] = [Ask, Compute, RunWorker, RegisterOutputs]
        paced = model if isinstance(model, Paced) else None
        held_up = paced.held_up if paced else not_at_all
        rulebooks = [each.rulebook for each in protocols]
        turns = Turns()
        runtime = await stack.enter_async_context(
            runtime_on(
                store,
                clock,
                rulebooks,
                runners,
                effects,
                held_up=held_up,
                tracing=tracing,
                pace=pace,
                is_absent=is_absent,
                turns=turns,
            )
        )
        stack.keep(FOR_THE_STORE)
        directories = Directories(runtime, clock, profiles)
        urls, languages = ResponseUrls(clock, slack.api_url), Languages(store, clock)
        parts = {each.name: each.settings for each in protocols if each.settings}
        policies = {protocols[0].name: policy}
        settings = WorkspaceSettings(directories, parts, policies, admins, workspaces.known, workspaces.installer)
        links = (
            StoryLinks(api.pages, names_team=many is not None) if api is not None and api.pages is not None else None
        )
        posts = Posts(
            store,
            {each.name: each.presenter for each in protocols},
            shown.reading(runtime.look_up) if shown else runtime.look_up,
            runtime.handle,
            workspaces.client if many else client,
            clock,
            rates=SLACK_RATES if slack.limited else UNLIMITED,
            urls=urls,
            languages=languages,
            home=HomeOf(
                store,
                runtime.read,
                settings,
                languages,
                [(each.home, each.presenter) for each in protocols if each.home and each.presenter],
                workspaces.web_address,
                has_pages=links is not None,
                model=who_answers,
                since=clock.now(),
                now=clock.now,
                standing=paced.standing if paced else None,
                is_only_one=many is None,
            ),
            choices=settings.choices,
            digests=DigestsOf(
                store,
                runtime.look_up,
                settings,
                languages,
                {each.name: each.home for each in protocols if each.home},
                time_zone or machine_time_zone(),
            ),
            paused=paced.paused if paced else never_paused,
            has_pages=links is not None,
            membership=membership,
            web=workspaces.web_address,
            is_absent=is_absent,
            turns=turns,
        )
        stack.push_async_callback(posts.close)
        if paced:
            paced.listen(posts.look_again)
        runtime.observers.watch(posts.notice)
        runtime.observers.hear(posts.hear)
        if membership is not None:
            membership.follow(runtime.observers.notify_news)
        runtime.observers.listen(logs.event_logger([each.descriptions for each in protocols]))
        background = BackgroundTasks()
        stack.push_async_callback(background.close)
        texts = ReaderTexts(languages, background, time_zone or machine_time_zone())
        services = Services(
            CommandGateway(runtime, Admission(store, most_open)),
            settings,
            store,
            clock,
            texts,
            background,
            urls,
            posts.homes,
            office,
            {
                each.name: ValidatedFile(access.scheduler, each.scheduling, each.scheduling())
                for each in protocols
                if each.scheduling
            },
            links,
            pause_of=posts.pause_of,
            one_at_a_time=OneAtATime(membership),
        )
        for each in protocols:
            if each.heard is not None:
                runtime.observers.listen(each.heard(services, workspaces.client))
        for each in protocols:
            if each.session_logs is not None and access.logs is not None:
                follower = each.session_logs(store, access.logs)
                runtime.observers.listen(follower.hear)
                stack.push_async_callback(follower.close)
                await follower.start()
        await runtime.start()
        await posts.start()
        is_over = ended_and_shown(store, runtime.look_up, rulebooks) if tracing else everything_is_over
        background.spawn(forget_causes(store, is_over))
        for each in protocols:
            if each.resume is not None:
                await each.resume(services, workspaces.client)
        # Files are changed by people: no clock that jumps has to do with when they are looked at.
        watch = WorkersWatch(
            services, [each.workers_changed for each in protocols if each.workers_changed], WallClock()
        )
        await watch.start()
        stack.push_async_callback(watch.close)
        bolt = bolt_app(client, services, protocols, workspaces, tracing)
        leaving: Leaving | None = None
        if many is not None:
            from bot.oauth_app import hearing_who_leaves

            leaving = await stack.enter_async_context(
                hearing_who_leaves(many, bolt, store, runtime, posts, access, clock)
            )
        socket = Connection(bolt, slack.app_token, client, slack.ping_seconds) if slack.app_token else None
        served: ApiServer | None = None
        if api is not None and meter is not None:
            from bot.api.server import serving

            # Before Slack is reached: whether that works is what its health is asked for.
            is_connected = socket.client.is_connected if socket else _always
            served = await stack.enter_async_context(
                serving(
                    api,
                    runtime,
                    services,
                    workspaces.client,
                    workspaces.tenant,
                    is_connected,
                    meter,
                    protocols,
                    bolt=bolt,
                    tracing=tracing,
                    install=_flow_of(many, clock),
                )
            )
            if links is not None:
                links.serve_at(served.url)
        if socket is not None:
            await stack.enter_async_context(connected(socket, WATCH_EVERY * slack.ping_seconds))
        yield ToWow(runtime, posts, services, store, served, leaving)


async def _one(client: AsyncWebClient, store: Store) -> OneWorkspace:
    identity = Identity(client, store)
    await identity.recall()
    return OneWorkspace(client, identity)


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
