"""Somebody says in Slack that they are away, or not to be disturbed: no time for a plan, and no word of it is kept."""

import asyncio
from collections import Counter
from datetime import UTC, datetime
from typing import Final

import pytest

from bot.calendars.statuses import MOST, REMEMBERED
from bot.local_slack import User
from engine.facts.circumstances import When
from engine.negotiation.answers import Assignment, Circumstances, ProposalDraft, Understanding
from engine.negotiation.events import TimesFound
from engine.store.memory import MemoryStore
from tests.bot.driver import AYA, BO, DEMAND, SCOPES, Driver, playing
from tests.bot.script import AGENT
from tests.calendars.test_times import DAY, MORNING, OF_FILES, gives
from tests.times.exports import export

TEN: Final = int(datetime(2027, 1, 20, 9, tzinfo=UTC).timestamp())
"""In Berlin."""
ELEVEN: Final = TEN + 3600


async def found(it: Driver, **status: object) -> list[tuple[str, int, int]]:
    """Which times the first version is given, of Bo who has a calendar, and of Aya with this in Slack."""
    await prepared(it, **status)
    await it.asks()
    return [(each.when.start, each.can, each.of) for each in it.script.given["aggregate"]["times"]]


async def prepared(it: Driver, **status: object) -> None:
    kept = next(each for each in await it.demo.person(BO).users() if each.id == AYA)
    await it.demo.workspace.admin.put_user(User(**{**kept.model_dump(), **status}))
    assert not await gives(it, BO, export())
    it.script.says["understand"] = Understanding(
        surface_demand=DEMAND, confidence="high", language="en", context=Circumstances(when=MORNING, minutes=60)
    )
    seats = tuple(Assignment(agent_id=f"{AGENT}{each}", responsibility="comes") for each in ("aya", "bo"))
    eleven = When(first=DAY, last=DAY, start="11:00", end="12:00", time_zone="Europe/Berlin", exact="day")
    it.script.says["aggregate"] = ProposalDraft(summary="They meet", assignments=seats, when=eleven)


EVERYBODY: Final = [("09:00", 1, 1), ("10:00", 1, 1), ("11:00", 1, 1)]
"""Of Aya, nothing is known."""


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ({"status_emoji": ":palm_tree:", "status_expiration": ELEVEN}, ["11:00", "09:00", "10:00"]),
        ({"status_emoji": ":house_with_garden:", "status_expiration": ELEVEN}, ["09:00", "10:00", "11:00"]),
        ({"status_emoji": ":palm_tree:", "status_text": "quokka"}, ["09:00", "10:00", "11:00"]),
        ({"dnd": (TEN, ELEVEN)}, ["09:00", "11:00", "10:00"]),
    ],
    ids=["on holiday until eleven", "at home", "on holiday without an end", "not to be disturbed"],
)
async def test_what_somebody_says_in_slack_is_looked_at_before_a_version(
    status: dict[str, object], expected: list[str]
) -> None:
    async with playing(MemoryStore(), calendars=OF_FILES) as it:
        assert [start for start, _, _ in await found(it, **status)] == expected
        records = [await it.demo.towow.store.records(it.demo.tenant, kind) for kind in ("calendar", "calendar_read")]
        assert AYA not in str(records), "nothing of it is kept"


async def test_without_the_scope_nobody_is_known_not_to_want_to_be_disturbed() -> None:
    async with playing(MemoryStore(), calendars=OF_FILES) as it:
        await it.demo.workspace.admin.grant(*(each for each in SCOPES if each != "dnd:read"))
        assert await found(it, dnd=(TEN, ELEVEN)) == EVERYBODY
        assert (await it.demo.workspace.admin.calls())["dnd.teamInfo"] == 1


async def test_where_slack_does_not_answer_a_plan_is_made_without_it() -> None:
    async with playing(MemoryStore(), calendars=OF_FILES) as it:
        await it.demo.workspace.admin.fault("dnd.teamInfo", "error", times=None)
        assert await found(it, dnd=(TEN, ELEVEN)) == EVERYBODY
    assert MOST == 50


# ── many at once ──────────────────────────────────────────────────────────────────────────────────────────────────


async def calls_of_thirty(it: Driver) -> Counter[str]:
    """Make thirty demands at once, and return what Slack was called for; each has its first version then."""
    before = Counter(await it.demo.workspace.admin.calls())
    asked = await asyncio.gather(*(it.asks() for _ in range(30)))
    assert {len(await each.happened(TimesFound)) for each in asked} == {1}
    return Counter(await it.demo.workspace.admin.calls()) - before


async def test_of_thirty_versions_at_once_slack_is_asked_once_about_each_person() -> None:
    async with playing(MemoryStore(), calendars=OF_FILES) as it:
        await prepared(it, status_emoji=":palm_tree:", status_expiration=ELEVEN)
        calls = await calls_of_thirty(it)
        assert [each.when.start for each in it.script.given["aggregate"]["times"]] == ["11:00", "09:00", "10:00"]
        assert calls["users.info"] <= 4, "two of them for their languages"
        assert calls["dnd.teamInfo"] == 1


async def test_where_slack_is_asked_too_often_thirty_versions_go_on_without_it() -> None:
    async with playing(MemoryStore(), calendars=OF_FILES) as it:
        await prepared(it)
        for method in ("users.info", "dnd.teamInfo"):
            await it.demo.workspace.admin.fault(method, "status", times=None, status=429, retry_after=3600)
        calls = await calls_of_thirty(it)
        assert calls["users.info"] <= 4, "two of them for their languages"
        assert calls["dnd.teamInfo"] == 1


async def test_slack_is_asked_again_after_some_minutes() -> None:
    async with playing(MemoryStore(), calendars=OF_FILES) as it:
        await prepared(it)
        await it.asks()
        await prepared(it, status_emoji=":palm_tree:", status_expiration=ELEVEN)
        await it.demo.skip_to(it.demo.clock.now() + REMEMBERED + 1)
        await it.asks()
        assert [each.when.start for each in it.script.given["aggregate"]["times"]] == ["11:00", "09:00", "10:00"]
