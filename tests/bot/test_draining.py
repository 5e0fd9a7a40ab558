"""``towow run`` is told to end while demands are under way: it says so, ends in time, and nothing is lost."""

import asyncio
import signal
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final

import psycopg
import pytest
from aiohttp import ClientConnectionError, ClientSession

from bot.demo.demo import CHANNEL
from bot.health_check import UNWELL, WELL
from bot.local_slack import LocalWorkspace, Message
from engine.runtime.ending import BY_FORCE
from tests.tracing.collector import ADDRESS, collecting

from .driver import ACCEPT, YOU, shows
from .test_run import LONGEST, ROOT, access, towow_run, workspace

__all__ = ["workspace"]

DEMAND: Final = "<@U_TOWOW> 我想在北京办一场50人的AI主题聚会，需要场地"
IN_TIME: Final = 10.0
"""Seconds from the signal to the end: what service managers give, and container engines."""
SECRET: Final = "t" * 32


@asynccontextmanager
async def silent_model() -> AsyncIterator[tuple[str, asyncio.Event]]:
    """An API that takes every question and answers none: its address, and whether something was asked."""
    asked = asyncio.Event()

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        asked.set()
        await reader.read()
        writer.close()

    server = await asyncio.start_server(take, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", asked


async def url_of(towow: Process) -> str:
    assert towow.stdout is not None
    told = (await towow.stdout.readline()).decode()
    assert b"ToWow is connected" in await towow.stdout.readline()
    return told.removesuffix("/api/v1.\n").rpartition(" ")[2]


async def until_draining(session: ClientSession) -> None:
    while True:
        async with session.get("/readyz") as answer:
            if (await answer.json())["status"] == "draining":
                assert answer.status == 503
                assert answer.headers["Connection"] == "close"
                return


async def health(port: str, path: str) -> int:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot.health_check", path, cwd=ROOT, stdout=PIPE, env={"TOWOW_API_PORT": port}
    )
    return await process.wait()


@pytest.mark.exhaustive
@pytest.mark.parametrize("is_impatient", [False, True], ids=["one SIGTERM", "a second SIGTERM"])
async def test_it_ends_in_time_with_questions_under_way_and_loses_nothing(
    workspace: LocalWorkspace, tmp_path: Path, is_impatient: bool
) -> None:
    you, api = workspace.person(YOU), {"TOWOW_API_TOKENS": f"program read - {SECRET}", "TOWOW_API_PORT": "0"}
    async with AsyncExitStack() as stack, asyncio.timeout(2 * LONGEST):
        model, asked = await stack.enter_async_context(silent_model())
        claude = {"ANTHROPIC_API_KEY": "sk-ant-nobody", "ANTHROPIC_BASE_URL": model, "LLM_TIMEOUT": "60"}
        towow = await stack.enter_async_context(towow_run(tmp_path, **api, **claude, **access(workspace)))
        session = await stack.enter_async_context(ClientSession(await url_of(towow)))
        said = [await you.say(CHANNEL, DEMAND) for _ in range(3)]
        await asked.wait()

        towow.send_signal(signal.SIGTERM)
        started = time.monotonic()
        await until_draining(session)
        if is_impatient:
            towow.send_signal(signal.SIGTERM)

        assert await towow.wait() == (1 if is_impatient else 0)
        assert time.monotonic() - started < IN_TIME
        with pytest.raises(ClientConnectionError):
            await session.get("/readyz")
        await goes_on_with(said, workspace, tmp_path, access(workspace))


async def goes_on_with(
    said: Sequence[Message], workspace: LocalWorkspace, tmp_path: Path, known: Mapping[str, str]
) -> None:
    """The next process asks people about every demand, and ends when it is told to."""
    you = workspace.person(YOU)
    async with towow_run(tmp_path, **known) as again:
        for each in said:
            await you.until_message(CHANNEL, lambda message: shows(message, ACCEPT), each.ts, within=LONGEST)
        again.send_signal(signal.SIGTERM)
        assert await again.wait() == 0


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.exhaustive)])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "towow.db") if request.param == "sqlite" else request.getfixturevalue("postgres_url")


async def test_it_ends_in_time_though_slack_and_the_model_are_silent_and_loses_nothing(
    workspace: LocalWorkspace, tmp_path: Path, database: str
) -> None:
    you, known = workspace.person(YOU), access(workspace) | {"TOWOW_DB": database}
    api = {"TOWOW_API_TOKENS": f"program read - {SECRET}", "TOWOW_API_PORT": "0"}
    async with AsyncExitStack() as stack, asyncio.timeout(3 * LONGEST):
        model, asked = await stack.enter_async_context(silent_model())
        claude = {"ANTHROPIC_API_KEY": "sk-ant-nobody", "ANTHROPIC_BASE_URL": model, "LLM_TIMEOUT": "60"}
        towow = await stack.enter_async_context(towow_run(tmp_path, **api, **claude, **known))
        session = await stack.enter_async_context(ClientSession(await url_of(towow)))
        heard = await you.say(CHANNEL, DEMAND)
        await asked.wait()
        silence = await workspace.admin.fault("*", "hold", times=None)
        said = [heard, *[await you.say(CHANNEL, DEMAND) for _ in range(2)]]
        await silence.reached()

        towow.send_signal(signal.SIGTERM)
        started = time.monotonic()
        await until_draining(session)
        assert await towow.wait() == 0
        assert time.monotonic() - started < IN_TIME

        await workspace.admin.clear_faults()
        await goes_on_with(said, workspace, tmp_path, known)


@pytest.mark.exhaustive
async def test_it_ends_in_time_though_the_database_is_silent_and_loses_nothing(
    workspace: LocalWorkspace, tmp_path: Path, postgres_url: str
) -> None:
    you, known = workspace.person(YOU), access(workspace) | {"TOWOW_DB": postgres_url}
    async with AsyncExitStack() as stack, asyncio.timeout(3 * LONGEST):
        model, asked = await stack.enter_async_context(silent_model())
        claude = {"ANTHROPIC_API_KEY": "sk-ant-nobody", "ANTHROPIC_BASE_URL": model, "LLM_TIMEOUT": "60"}
        towow = await stack.enter_async_context(towow_run(tmp_path, **claude, **known))
        assert towow.stdout is not None
        assert b"ToWow is connected" in await towow.stdout.readline()
        said = [await you.say(CHANNEL, DEMAND)]
        await asked.wait()
        async with await psycopg.AsyncConnection.connect(postgres_url) as locking:
            await locking.execute("LOCK TABLE streams IN ACCESS EXCLUSIVE MODE")
            said += [await you.say(CHANNEL, DEMAND) for _ in range(2)]

            towow.send_signal(signal.SIGTERM)
            started = time.monotonic()
            assert await towow.wait() in (0, BY_FORCE)
            assert time.monotonic() - started < 1.5 * IN_TIME  # the lock alone would hold it up for longer

        await goes_on_with(said, workspace, tmp_path, known)


@pytest.mark.exhaustive
async def test_of_two_that_share_a_database_one_ends_and_the_other_goes_on_in_the_same_traces(
    workspace: LocalWorkspace, tmp_path: Path, postgres_url: str
) -> None:
    you = workspace.person(YOU)
    with collecting() as collector:
        shared = access(workspace) | {"TOWOW_DB": postgres_url, ADDRESS: collector.url}
        async with AsyncExitStack() as stack, asyncio.timeout(3 * LONGEST):
            model, asked = await stack.enter_async_context(silent_model())
            claude = {"ANTHROPIC_API_KEY": "sk-ant-nobody", "ANTHROPIC_BASE_URL": model, "LLM_TIMEOUT": "60"}
            one = await stack.enter_async_context(towow_run(tmp_path, OTEL_SERVICE_NAME="one", **claude, **shared))
            assert one.stdout is not None
            assert b"ToWow is connected" in await one.stdout.readline()
            said = [await you.say(CHANNEL, DEMAND) for _ in range(3)]
            await asked.wait()
            other = await stack.enter_async_context(towow_run(tmp_path, OTEL_SERVICE_NAME="other", **shared))
            assert other.stdout is not None
            assert b"ToWow is connected" in await other.stdout.readline()

            one.send_signal(signal.SIGTERM)
            started = time.monotonic()
            assert await one.wait() == 0
            assert time.monotonic() - started < IN_TIME
            for each in said:
                await you.until_message(CHANNEL, lambda message: shows(message, ACCEPT), each.ts, within=LONGEST)
            other.send_signal(signal.SIGTERM)
            assert await other.wait() == 0

    understood = [span for span in collector.named("model negotiation/understand") if span.service == "other"]
    assert understood
    for span in understood:
        *_, first = collector.above(span)
        assert (first.service, first.about["towow.used"]) == ("one", "app_mention")
    posted = [span for span in collector.named("slack chat.postMessage") if span.service == "other"]
    assert {span.trace for span in understood} <= {span.trace for span in posted}
    begun_by = {collector.above(span)[-1].name for span in posted}
    assert begun_by <= {"slack event_callback", "command AlarmRang"}  # an alarm begins a trace of its own


async def test_a_health_check_needs_no_token_and_tells_by_its_exit_status(
    workspace: LocalWorkspace, tmp_path: Path
) -> None:
    async with AsyncExitStack() as stack, asyncio.timeout(LONGEST):
        health_alone = {"TOWOW_API_HEALTH": "yes", "TOWOW_API_PORT": "0", "TOWOW_DRAIN": "0"}
        towow = await stack.enter_async_context(towow_run(tmp_path, **health_alone, **access(workspace)))
        url = await url_of(towow)
        port = url.rpartition(":")[2]
        session = await stack.enter_async_context(ClientSession(url))

        assert [await health(port, path) for path in ("/healthz", "/readyz")] == [WELL, WELL]
        async with session.get("/metrics", headers={"Authorization": f"Bearer {SECRET}"}) as answer:
            assert answer.status == 401

        towow.send_signal(signal.SIGTERM)
        assert await towow.wait() == 0
        assert await health(port, "/healthz") == UNWELL


async def test_secrets_may_be_in_files(workspace: LocalWorkspace, tmp_path: Path) -> None:
    known, files = access(workspace), tmp_path / "secrets"
    files.mkdir()
    named = {}
    for name in ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN"):
        (files / name).write_text(known.pop(name) + "\n")
        named[f"{name}_FILE"] = str(files / name)
    async with towow_run(tmp_path, **known, **named) as towow, asyncio.timeout(LONGEST):
        assert towow.stdout is not None
        assert b"ToWow is connected" in await towow.stdout.readline()
        towow.send_signal(signal.SIGTERM)
        assert await towow.wait() == 0
