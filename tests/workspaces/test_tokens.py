"""Each token is exchanged once, in time, whoever needs it; and what cannot be exchanged is told."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.local_slack import Fault
from bot.posts.failures import CallFailed
from bot.slack.client import slack_client
from bot.slack.oauth.many import many_workspaces
from engine.store.memory import MemoryStore

from ..local_slack.several import ACME
from .driver import DAY, HOUR, PATIENT, WINDOW, Many, many, tenant

LOST = Fault(method="oauth.v2.access", do="drop_after")


async def _calls(it: Many) -> str:
    """Call Slack as whatever posts does, and return the token that is used."""
    client = await it.workspaces.client(tenant(ACME))
    await client.auth_test()
    return str(client.token)


async def test_many_at_once_exchange_it_once(tmp_path: Path) -> None:
    async with many(MemoryStore(), tmp_path / "towow.db", ACME) as it:
        await it.installs(ACME.id)
        before = await _calls(it)
        it.later(11 * HOUR)

        used = await asyncio.gather(*(_calls(it) for _ in range(20)))

        assert it.slack.slack.refreshed == 1
        assert before not in used
        assert len({*used}) == 1


async def test_two_processes_exchange_it_once(tmp_path: Path) -> None:
    store = MemoryStore()
    async with many(store, tmp_path / "towow.db", ACME) as it:
        await it.installs(ACME.id)
        access = it.access
        assert access.oauth is not None
        async with slack_client(access) as client, many_workspaces(access.oauth, client, store, it.clock) as other:
            await (await other.client(tenant(ACME))).auth_test()
            it.later(11 * HOUR)

            async def elsewhere() -> str:
                return str((await other.client(tenant(ACME))).token)

            used = await asyncio.gather(*(_calls(it) if number % 2 else elsewhere() for number in range(10)))

        assert it.slack.slack.refreshed == 1
        assert len({*used}) == 1


async def test_an_alarm_that_rings_a_day_later_posts_with_a_fresh_token(tmp_path: Path) -> None:
    async with many(MemoryStore(), tmp_path / "towow.db", ACME, policy=PATIENT) as it:
        await it.installs(ACME.id)
        asked = await it.asks(ACME)
        before = len(await it.thread(ACME, asked))
        await it.passes(DAY)
        await it.passes(WINDOW)
        assert len(await it.thread(ACME, asked)) > before
        assert it.slack.slack.refreshed >= 1


async def test_a_token_that_slack_calls_expired_is_exchanged_and_the_call_made(tmp_path: Path) -> None:
    async with many(MemoryStore(), tmp_path / "towow.db", ACME) as it:
        await it.installs(ACME.id)
        it.slack.slack.expire_tokens()
        await _calls(it)
        assert it.slack.slack.refreshed == 1


async def test_an_answer_that_is_lost_is_asked_for_again_in_the_time_of_grace(tmp_path: Path) -> None:
    async with many(MemoryStore(), tmp_path / "towow.db", ACME, grace=60) as it:
        await it.installs(ACME.id)
        it.slack.slack.fault(LOST)
        it.later(11 * HOUR)
        await _calls(it)
        assert it.slack.slack.refreshed == 1
        it.later(11 * HOUR)
        await _calls(it)
        assert it.slack.slack.refreshed == 2


async def test_what_cannot_be_exchanged_is_told_while_the_old_token_works_and_then_it_pauses(tmp_path: Path) -> None:
    async with many(MemoryStore(), tmp_path / "towow.db", ACME) as it:
        await it.installs(ACME.id)
        before = await _calls(it)
        it.slack.slack.fault(LOST)
        it.later(11 * HOUR)

        assert await _calls(it) == before
        it.later(120_000)
        assert await _calls(it) == before

        admin = it.slack.workspaces[ACME.id].person("U_ACME_ADMIN")
        [told] = await admin.messages("D_ACME_ADMIN")
        assert "install ToWow once more" in told.text
        assert f"{it.url}/slack/install" in told.text

        it.later(2 * HOUR)
        with pytest.raises(CallFailed):
            await _calls(it)
        assert it.workspaces.departures.is_absent(tenant(ACME))
        it.later(40 * DAY)
        await it.looks()
        assert it.workspaces.departures.is_absent(tenant(ACME)), "nobody has taken it out: nothing is deleted"

        assert "ToWow is in Acme" in await it.installs(ACME.id)
        await _calls(it)


async def test_slack_that_cannot_be_reached_is_asked_again_later(tmp_path: Path) -> None:
    async with many(MemoryStore(), tmp_path / "towow.db", ACME) as it:
        await it.installs(ACME.id)
        before = await _calls(it)
        it.slack.slack.fault(Fault(method="oauth.v2.access", do="drop_before", times=3))
        it.later(11 * HOUR)
        assert await _calls(it) == before
        assert await _calls(it) == before
        it.later(61_000)
        assert await _calls(it) != before
        assert it.slack.slack.refreshed == 1
