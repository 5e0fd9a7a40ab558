"""Somebody says in Slack that they are away, or not to be disturbed: no time for a plan, and no word of it is kept."""

from datetime import UTC, datetime
from typing import Final

import pytest

from bot.calendars.statuses import MOST
from bot.local_slack import User
from engine.facts.circumstances import When
from engine.negotiation.answers import Assignment, Circumstances, ProposalDraft, Understanding
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
    kept = next(each for each in await it.demo.person(BO).users() if each.id == AYA)
    await it.demo.workspace.admin.put_user(User(**{**kept.model_dump(), **status}))
    assert not await gives(it, BO, export())
    it.script.says["understand"] = Understanding(
        surface_demand=DEMAND, confidence="high", language="en", context=Circumstances(when=MORNING, minutes=60)
    )
    seats = tuple(Assignment(agent_id=f"{AGENT}{each}", responsibility="comes") for each in ("aya", "bo"))
    eleven = When(first=DAY, last=DAY, start="11:00", end="12:00", time_zone="Europe/Berlin", exact="day")
    it.script.says["aggregate"] = ProposalDraft(summary="They meet", assignments=seats, when=eleven)
    await it.asks()
    return [(each.when.start, each.can, each.of) for each in it.script.given["aggregate"]["times"]]


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
