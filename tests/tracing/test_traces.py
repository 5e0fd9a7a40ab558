"""One trace leads from a click to the commit, to what it owes, to the model and to Slack; across a restart, too."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from bot.app import running
from bot.claude_config import ClaudeAccess
from bot.config import SlackAccess, read_config
from bot.demo.demo import CHANNEL
from bot.registry import PROTOCOLS
from bot.tracing.access import TracesAccess
from bot.tracing.otlp import FLUSHED, traced
from engine.errors import Misconfigured
from engine.kernel import StreamKey
from engine.llm.ledger import Outcome
from engine.llm.port import Model
from engine.negotiation.policy import PRESETS, Policy
from engine.runtime.tracing import Role, Tracing
from engine.store.memory import MemoryStore
from engine.store.port import TRACES, Store
from engine.store.sqlite import SqliteStore
from tests.anthropic_server import KEY, LocalAnthropic, Status
from tests.bot.driver import ACCEPT, AYA, BO, DEMAND, NEGOTIATE, YOU, Driver, playing
from tests.bot.script import people
from tests.bot.test_claude import sensible

from .collector import ADDRESS, Arrived, Collector, collecting

ACCESS: Final = TracesAccess(version="7")
IS_OPEN: Final = {each.name: each.rulebook.is_open for each in PROTOCOLS}


@asynccontextmanager
async def started(
    it: Driver, store: Store, tracing: Tracing | None, model: Model | ClaudeAccess | None = None
) -> AsyncIterator[Driver]:
    """Start ToWow in a workspace that it has left."""
    workspace = it.demo.workspace
    slack = SlackAccess(workspace.bot_token, workspace.app_token, workspace.api_url, ping_seconds=0.5, limited=False)
    profiles, clock = people({"aya": AYA, "bo": BO}), it.demo.clock
    async with running(
        slack, store, model or it.script, profiles, clock, Policy(), PROTOCOLS, tracing=tracing
    ) as towow:
        yield replace(it, demo=replace(it.demo, towow=towow))


def names(spans: list[Arrived]) -> list[str]:
    return [each.name for each in spans]


async def test_a_click_leads_to_the_commit_the_effects_the_model_and_the_posts(collector: Collector) -> None:
    async with traced(ACCESS) as tracing, playing(MemoryStore(), tracing=tracing) as it:
        driver = await it.asks()
        await driver.clicks(AYA, ACCEPT)
        await driver.clicks(BO, ACCEPT)

    [first, _] = collector.named("slack block_actions")
    assert first.about["towow.used"] == ACCEPT
    assert first.about["towow.outcome"] == "ok"
    assert first.service == "towow"
    of_the_click = [each for each in collector.spans if first in collector.above(each)]
    assert {"command CastVote", "commit", "slack chat.update"} <= {*names(of_the_click)}

    asked = next(each for each in collector.named("model negotiation/aggregate"))
    above = collector.above(asked)
    assert names(above)[:2] == ["model negotiation/aggregate", "effect ask"]
    assert above[-1].about["towow.used"] == "app_mention"
    posted = {each.name for each in collector.spans if each.trace == asked.trace and each.name.startswith("slack ")}
    assert {"slack chat.postMessage"} <= posted
    assert all(each.about["towow.team"] for each in collector.named("commit"))


async def test_what_was_owed_goes_on_in_its_trace_after_a_restart(collector: Collector, tmp_path: Path) -> None:
    async with playing(MemoryStore()) as other, traced(ACCESS) as tracing:
        # A workspace of its own, that stays while ToWow is started again there.
        await other.leaves()
        async with started(other, SqliteStore(tmp_path / "towow.db"), tracing) as it:
            it.script.held["aggregate"] = asyncio.Event()
            await it.asks()
        it.script.held.clear()
        async with traced(ACCESS) as another, started(it, SqliteStore(tmp_path / "towow.db"), another) as again:
            await again.settles()
            after = {each.id for each in collector.spans}

    asked = next(each for each in collector.named("slack event_callback") if each.about["towow.used"] == "app_mention")
    [*_, model] = collector.named("model negotiation/aggregate")
    again_spans = [each for each in collector.spans if each.id not in after and each.trace == asked.trace]
    assert names(collector.above(model))[:2] == ["model negotiation/aggregate", "effect ask"]
    assert collector.above(model)[-1].id == asked.id
    assert "slack chat.postMessage" in names(again_spans)


async def test_calls_of_claude_are_told_with_their_model_tokens_and_status(collector: Collector) -> None:
    async with LocalAnthropic() as anthropic, traced(ACCESS) as tracing, playing(MemoryStore()) as other:
        await other.leaves()
        anthropic.always(
            lambda request: sensible(request) if "surface_demand" in request.schema["properties"] else Status(401)
        )
        claude = ClaudeAccess(KEY, anthropic.url, timeout=5)
        async with started(other, MemoryStore(), tracing, model=claude) as it:
            await it.asks()

    call, failed, *_ = [each for each in collector.spans if each.name.startswith("chat ")]
    assert (failed.about["http.response.status_code"], failed.is_fault) == (401, True)
    assert failed.about["towow.outcome"] == Outcome.REFUSED.value
    assert call.about["gen_ai.request.model"].startswith("claude-")
    assert call.about["gen_ai.usage.output_tokens"] > 0
    assert call.about["towow.outcome"] == Outcome.ANSWERED.value
    degraded, *_ = collector.named("model negotiation/filter")
    assert (degraded.about["towow.outcome"], degraded.is_fault) == ("E003", True)
    assert names(collector.above(call))[1:3] == ["model negotiation/understand", "effect ask"]


async def test_nothing_that_anybody_wrote_is_in_any_span(collector: Collector) -> None:
    word = "Zanzibarquark"
    async with traced(ACCESS) as tracing, playing(MemoryStore(), tracing=tracing) as it:
        driver = await it.asks(f"{DEMAND} {word}")
        await driver.says(AYA, NEGOTIATE, f"No, because of {word}")
        await driver.clicks(BO, ACCEPT)
        await driver.demo.person(YOU).say(CHANNEL, f"<@{it.demo.workspace.bot_user_id}> what of {word}?")
        await driver.settles()
        access = it.demo.workspace

    sent = b"".join(collector.bodies)
    assert len(collector.spans) > 30
    for secret in (word, access.bot_token, access.app_token, "hooks", "/response/", "xox"):
        assert secret.encode() not in sent
    for whoever in (YOU, AYA, BO, "user_agent_", "Aya"):
        assert whoever.encode() not in sent


@pytest.mark.parametrize("is_traced", [True, False], ids=["traces are collected", "nobody collects any more"])
async def test_what_led_to_a_stream_is_deleted_at_the_next_start_once_it_is_of_no_use(
    tmp_path: Path, is_traced: bool
) -> None:
    store, later = (SqliteStore(tmp_path / "towow.db") for _ in range(2))
    async with traced(ACCESS) as tracing, playing(store, tracing=tracing) as it:
        ended = await it.asks()
        for each in (AYA, BO):
            await ended.clicks(each, ACCEPT)
        await it.asks()
        await it.settles()
        before = await store.records(it.demo.tenant, TRACES)
        tenant = it.demo.tenant
        await it.leaves()
        async with started(it, later, tracing if is_traced else None) as again:
            await again.settles()
            after = await later.records(tenant, TRACES)
            runtime = again.demo.towow.runtime
            found = {each: await runtime.look_up(StreamKey(tenant, each)) for each in before}
        opened = {each for each, told in found.items() if IS_OPEN[told.protocol](told.state)}

    assert len(before) > len(opened) > 0
    assert after.keys() == (opened if is_traced else set())


async def test_a_collector_that_does_not_answer_holds_up_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with collecting(is_silent=True) as silent:
        monkeypatch.setenv(ADDRESS, silent.url)
        async with traced(ACCESS) as tracing:
            with tracing.span("a step", Role.INTERNAL, {}):
                pass
            started_ending = time.monotonic()
        assert time.monotonic() - started_ending < FLUSHED + 1


def test_without_an_address_nobody_collects_and_a_wrong_one_is_named() -> None:
    tokens = {"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_APP_TOKEN": "xapp-1"}

    assert read_config(tokens, PRESETS).traces is None
    assert read_config(tokens | {ADDRESS: "http://127.0.0.1:4318"}, PRESETS).traces is not None
    with pytest.raises(Misconfigured) as refused:
        read_config(tokens | {ADDRESS: "collector:4318"}, PRESETS)
    assert [each.split()[0] for each in refused.value.faults] == [ADDRESS]
    with pytest.raises(Misconfigured) as refused:
        read_config(tokens | {"OTEL_EXPORTER_OTLP_HEADERS": "secret"}, PRESETS)
    assert "secret" not in str(refused.value.faults)
