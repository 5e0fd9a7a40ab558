"""response_url: where the app answers what a person did, without a token."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import LocalWorkspace, Person

from .conftest import AYA, CHANNELS, GENERAL, USERS
from .raw_connections import RawConnection, raw_connection
from .test_conversation import BUTTON
from .test_limits import Clock

CARD = [{"type": "actions", "elements": [BUTTON]}]
METADATA = {"event_type": "towow_post", "event_payload": {"key": "root"}}
HALF_AN_HOUR = 30 * 60  # seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def workspace(clock: Clock) -> AsyncIterator[LocalWorkspace]:
    async with LocalWorkspace(users=USERS, channels=CHANNELS, now=clock) as workspace:
        yield workspace


@pytest.fixture
async def tap(workspace: LocalWorkspace) -> AsyncIterator[RawConnection]:
    async with raw_connection(workspace) as tap:
        yield tap


@pytest.fixture
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session


async def typed(tap: RawConnection, person: Person, channel: str = GENERAL) -> str:
    """The response_url of a slash command."""
    typing = asyncio.create_task(person.slash(channel, "/towow"))
    url: str = (await tap.next())["payload"]["response_url"]
    await typing
    return url


async def clicked(tap: RawConnection, person: Person, channel: str, ts: str) -> str:
    """The response_url of a click, once the events before it are acknowledged."""
    clicking = asyncio.create_task(person.click(channel, ts, "accept"))
    while (envelope := await tap.next())["type"] != "interactive":
        pass
    await clicking
    url: str = envelope["payload"]["response_url"]
    return url


async def answer(session: aiohttp.ClientSession, url: str, **body: Any) -> tuple[int, str | None]:
    """The HTTP status and, if it is not "ok", the error."""
    async with session.post(url, json=body) as response:
        text = await response.text()
        return response.status, None if text == "ok" else (await response.json())["error"]


async def test_it_works_five_times_for_the_person_who_acted(
    tap: RawConnection, session: aiohttp.ClientSession, aya: Person, bo: Person
) -> None:
    url = await typed(tap, aya)
    answers = [await answer(session, url, text="still at it") for _ in range(6)]
    assert answers == [(200, None)] * 5 + [(404, "used_url")]
    assert len(await aya.messages(GENERAL)) == 5
    assert await bo.messages(GENERAL) == []


async def test_it_works_for_thirty_minutes_of_the_workspace_s_own_clock(
    tap: RawConnection, session: aiohttp.ClientSession, clock: Clock, aya: Person
) -> None:
    url = await typed(tap, aya)
    clock.time += HALF_AN_HOUR
    assert await answer(session, url, text="just in time") == (200, None)
    clock.time += 1
    assert await answer(session, url, text="too late") == (404, "expired_url")


async def test_a_reply_in_a_thread_is_replaced_where_it_is_and_keeps_its_metadata(
    tap: RawConnection, session: aiohttp.ClientSession, client: AsyncWebClient, aya: Person, bo: Person
) -> None:
    root = await bo.say(GENERAL, "a venue")
    posted = await client.chat_postMessage(
        channel=GENERAL, thread_ts=root.ts, text="Accept?", blocks=CARD, metadata=METADATA
    )
    url = await clicked(tap, aya, GENERAL, posted["ts"])
    assert await answer(session, url, text="Accepted", replace_original=True) == (200, None)
    [_, reply] = await bo.thread(GENERAL, root.ts)
    assert (reply.ts, reply.text, reply.blocks, reply.metadata) == (posted["ts"], "Accepted", [], METADATA)
    other = {"event_type": "towow_post", "event_payload": {"key": "other"}}
    await answer(session, url, text="Once more", replace_original=True, metadata=other)
    thread = await client.conversations_replies(channel=GENERAL, ts=root.ts, include_all_metadata=True)
    assert thread["messages"][1]["metadata"] == other


async def test_a_message_in_a_dm_is_replaced_and_answered(
    tap: RawConnection, session: aiohttp.ClientSession, client: AsyncWebClient, aya: Person
) -> None:
    posted = await client.chat_postMessage(channel=AYA, text="Accept?", blocks=CARD)
    url = await clicked(tap, aya, posted["channel"], posted["ts"])
    assert await answer(session, url, text="Accepted", replace_original=True) == (200, None)
    assert await answer(session, url, text="Thank you") == (200, None)
    assert [message.text for message in await aya.messages(posted["channel"])] == ["Accepted", "Thank you"]


@pytest.mark.parametrize("asked", ["replace_original", "delete_original"])
async def test_a_message_that_was_deleted_is_not_replaced_but_the_person_can_still_be_answered(
    tap: RawConnection, session: aiohttp.ClientSession, client: AsyncWebClient, aya: Person, asked: str
) -> None:
    posted = await client.chat_postMessage(channel=GENERAL, text="Accept?", blocks=CARD)
    url = await clicked(tap, aya, GENERAL, posted["ts"])
    await client.chat_delete(channel=GENERAL, ts=posted["ts"])
    assert await answer(session, url, text="Accepted", **{asked: True}) == (404, "message_not_found")
    assert await aya.messages(GENERAL) == []
    assert await answer(session, url, text="It is gone.") == (200, None)
    assert [message.text for message in await aya.messages(GENERAL)] == ["It is gone."]


async def test_a_command_s_url_has_nothing_to_replace_and_posts_instead(
    tap: RawConnection, session: aiohttp.ClientSession, aya: Person
) -> None:
    url = await typed(tap, aya)
    assert await answer(session, url, text="one") == (200, None)
    assert await answer(session, url, text="two", replace_original=True) == (200, None)
    assert [message.text for message in await aya.messages(GENERAL)] == ["one", "two"]


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        pytest.param({}, "no_text", id="nothing to say"),
        pytest.param({"blocks": [{"type": "banner"}]}, "invalid_blocks", id="wrong blocks"),
    ],
)
async def test_what_cannot_be_shown_is_refused(
    tap: RawConnection, session: aiohttp.ClientSession, aya: Person, wrong: dict[str, Any], error: str
) -> None:
    assert await answer(session, await typed(tap, aya), **wrong) == (500, error)


# ── Faults ────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
async def url(tap: RawConnection, aya: Person) -> str:
    return await typed(tap, aya)


async def test_every_answer_is_counted_the_refused_ones_too(
    workspace: LocalWorkspace, session: aiohttp.ClientSession, url: str
) -> None:
    await answer(session, url, text="one")
    await answer(session, url)
    assert (await workspace.admin.calls())["response_url"] == 2


async def test_a_status_comes_with_its_retry_after_and_its_error(
    workspace: LocalWorkspace, session: aiohttp.ClientSession, aya: Person, url: str
) -> None:
    await workspace.admin.fault("response_url", "status", status=429, retry_after=7)
    async with session.post(url, json={"text": "never"}) as response:
        assert (response.status, response.headers["Retry-After"]) == (429, "7")
        assert await response.json() == {"ok": False, "error": "ratelimited"}
    assert (await workspace.admin.status()).throttled == {"response_url": 1}
    await workspace.admin.fault("response_url", "status", status=503, error="service_unavailable")
    assert await answer(session, url, text="never") == (503, "service_unavailable")
    assert await aya.messages(GENERAL) == []


@pytest.mark.parametrize(("error", "status"), [("expired_url", 404), ("internal_error", 500)])
async def test_an_error_has_the_status_that_such_a_refusal_has_here(
    workspace: LocalWorkspace, session: aiohttp.ClientSession, url: str, error: str, status: int
) -> None:
    await workspace.admin.fault("response_url", "error", error=error)
    assert await answer(session, url, text="never") == (status, error)
    assert await answer(session, url, text="now") == (200, None)


@pytest.mark.parametrize(("do", "left"), [("drop_before", []), ("drop_after", ["once"])])
async def test_a_dropped_answer_was_given_or_not(
    workspace: LocalWorkspace, session: aiohttp.ClientSession, aya: Person, url: str, do: Any, left: list[str]
) -> None:
    await workspace.admin.fault("response_url", do)
    with pytest.raises((aiohttp.ServerDisconnectedError, aiohttp.ClientOSError)):
        await answer(session, url, text="once")
    assert [message.text for message in await aya.messages(GENERAL)] == left


async def test_a_held_answer_has_had_its_effect(
    workspace: LocalWorkspace, session: aiohttp.ClientSession, aya: Person, url: str
) -> None:
    hold = await workspace.admin.fault("response_url", "hold")
    call = asyncio.create_task(answer(session, url, text="held"))
    await hold.reached()
    assert [message.text for message in await aya.messages(GENERAL)] == ["held"]
    assert not call.done()
    await hold.release()
    assert await call == (200, None)


async def test_a_delayed_answer_is_given(workspace: LocalWorkspace, session: aiohttp.ClientSession, url: str) -> None:
    delay = await workspace.admin.fault("response_url", "delay", seconds=0.001)
    assert await answer(session, url, text="late") == (200, None)
    await delay.reached()
