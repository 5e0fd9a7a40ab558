"""Digests: whoever wants them is told together, at set times, and never later than half of the time for a vote."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest

from bot.app import running
from bot.config import SlackAccess
from bot.local_slack import Message
from bot.registry import PROTOCOLS
from bot.views.directory.buttons import NOTIFICATIONS, SETTINGS
from bot.views.directory.notifications_form import FROM, TO, WHEN
from bot.views.negotiation.voting.accept_all import ACCEPT_ALL
from engine.errors import ModelTimeout
from engine.negotiation.events import PersonReached, ProposalFeedback
from engine.negotiation.policy import Policy
from engine.negotiation.terms import Source
from engine.negotiation.voting.kinds import FeedbackType
from engine.store.port import Store
from engine.store.sqlite import SqliteStore

from .conftest import Begin
from .driver import ACCEPT, ADMIN, AYA, BO, EVE, NOON, Driver, text_of
from .home import clicks, opens, sends, top
from .roles import Role, forges
from .script import people

HOUR = 3_600_000
DAY = Policy(human_window=24 * 3600, override_window=30)
"""Noon of the driver is eight o'clock UTC, so the next set time is in an hour, and half a day is four hours after the
second one."""


async def wants(it: Driver, user: str, when: str = "digest", **hours: str) -> None:
    await opens(it, user)
    await clicks(it, user, NOTIFICATIONS)
    await sends(it, user, await top(it, user), **{WHEN: when, **hours})


async def direct(it: Driver, user: str = AYA) -> list[Message]:
    person = it.demo.person(user)
    return await person.messages((await person.dm()).id)


async def until(it: Driver, hours: float) -> None:
    """Let time pass until so many hours after eight."""
    due = NOON + round(hours * HOUR)
    while it.demo.clock.now() < due:
        upcoming = it.demo.towow.posts.next_due
        it.demo.clock.jump(min(due, max(upcoming or due, it.demo.clock.now() + 1)))
        await it.settles()


async def asks(it: Driver, count: int) -> list[Driver]:
    return [await it.asks(f"I need a venue for {50 + number} people in Berlin") for number in range(count)]


def buttons(message: Message, action: str) -> list[Mapping[str, str]]:
    elements = (each for block in message.blocks for each in block.get("elements", ()))
    return [each for each in elements if each.get("action_id") == action]


async def votes(it: Driver, user: str = AYA) -> list[ProposalFeedback]:
    return [each for each in await it.happened(ProposalFeedback) if each.source is Source.HUMAN and each.by == user]


async def accepts_all(it: Driver, digest: Message, user: str = AYA) -> list[str]:
    """Click it, and return what they are told."""
    before = {each.ts for each in await direct(it, user)}
    assert (await it.demo.person(user).click(digest.channel, digest.ts, ACCEPT_ALL)).acked
    await it.settles()
    return [each.text for each in await direct(it, user) if each.ts not in before]


# ── when it comes ─────────────────────────────────────────────────────────────────────────────────────────────────


async def test_with_nothing_to_decide_there_is_no_digest(driver: Begin) -> None:
    it = await driver(policy=DAY)
    await wants(it, AYA)
    await until(it, 30)

    assert await direct(it) == []


async def test_what_is_to_be_decided_comes_together_at_the_next_set_time(driver: Begin) -> None:
    it = await driver(policy=DAY)
    await wants(it, AYA)
    await asks(it, 3)
    assert await direct(it) == []
    assert len(await direct(it, BO)) == 3

    await until(it, 1)

    [digest] = await direct(it)
    assert digest.text == "3 decisions are waiting for you"
    assert len(buttons(digest, ACCEPT)) == 3
    assert "✅ The twin accepts" in text_of(digest)


async def test_a_workspace_sets_other_times(driver: Begin) -> None:
    it = await driver(policy=DAY)
    await opens(it, ADMIN)
    await clicks(it, ADMIN, SETTINGS)
    await sends(it, ADMIN, await top(it, ADMIN), digests="10:30")
    await wants(it, AYA)
    await asks(it, 1)
    await until(it, 2.4)
    assert await direct(it) == []

    await until(it, 2.5)

    assert len(await direct(it)) == 1


async def test_nobody_waits_for_longer_than_half_of_the_time(driver: Begin) -> None:
    """An hour to vote: at half past eight there is half an hour left."""
    it = await driver()
    await wants(it, AYA)
    await asks(it, 2)
    await until(it, 0.49)
    assert await direct(it) == []

    await until(it, 0.5)

    assert [each.text for each in await direct(it)] == ["2 decisions are waiting for you"]


async def test_in_quiet_hours_there_is_none(driver: Begin) -> None:
    it = await driver(policy=DAY)
    await wants(it, AYA, **{FROM: "08:30", TO: "10:00"})
    await asks(it, 1)
    await until(it, 1.9)
    assert await direct(it) == []

    await until(it, 2)

    assert len(await direct(it)) == 1


async def test_a_digest_tells_of_the_same_once_and_lists_it_again_beside_what_is_new(driver: Begin) -> None:
    it = await driver(policy=DAY)
    await wants(it, AYA)
    await asks(it, 1)
    await until(it, 2)
    await it.asks("I need a stage for 70 people in Berlin")
    await until(it, 7.9)
    assert len(await direct(it)) == 1

    await until(it, 8)

    old, new = await direct(it)
    assert new.text == "2 decisions are waiting for you"
    assert not buttons(old, ACCEPT)
    assert "newer list below" in text_of(old)


async def test_twelve_are_more_than_fit_and_the_rest_is_named(driver: Begin) -> None:
    it = await driver(policy=DAY)
    await wants(it, AYA)
    await asks(it, 12)

    await until(it, 1)

    [digest] = await direct(it)
    listed = len(buttons(digest, ACCEPT))
    assert 6 <= listed < 12
    assert f"…and {12 - listed} more, in the Home tab" in text_of(digest)
    assert len(json.dumps(digest.blocks)) < 10_000


async def test_whoever_wants_no_digests_any_more_gets_what_was_kept_at_once(driver: Begin) -> None:
    it = await driver(policy=DAY)
    await wants(it, AYA)
    await asks(it, 2)
    assert await direct(it) == []

    await wants(it, AYA, "needed")
    await it.settles()

    assert len(await direct(it)) == 2


async def test_what_came_by_itself_is_not_told_again(driver: Begin) -> None:
    it = await driver(policy=DAY)
    await asks(it, 1)
    assert len(await direct(it)) == 1
    await wants(it, AYA)

    await until(it, 9)

    assert len(await direct(it)) == 1


async def test_how_it_ends_comes_by_itself(driver: Begin) -> None:
    it = await driver(policy=DAY)
    await wants(it, AYA)
    [one] = await asks(it, 1)
    await until(it, 1)

    await one.stops("U_YOU")

    digest, ending = await direct(it)
    assert "was stopped" in text_of(ending)
    assert not buttons(digest, ACCEPT)
    assert digest.text == "Nothing of this is waiting for you any more"


# ── whom it has reached ───────────────────────────────────────────────────────────────────────────────────────────


async def test_whoever_got_the_digest_counts_as_told_and_nobody_before(driver: Begin) -> None:
    """Their twin could not vote, so their silence would count."""
    it = await driver(policy=DAY, fails={"feedback/aya": ModelTimeout("after 10 s")})
    await wants(it, AYA)
    [one] = await asks(it, 1)
    assert AYA not in [each.agent_id for each in await one.happened(PersonReached)]
    assert not await one.happened(PersonReached)

    await until(it, 1)

    assert [each.agent_id for each in await one.happened(PersonReached)] == ["user_agent_aya"]


# ── voting ────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_vote_in_the_digest_is_a_vote(driver: Begin) -> None:
    it = await driver(policy=DAY)
    await wants(it, AYA)
    both = await asks(it, 2)
    await until(it, 1)
    [digest] = await direct(it)

    await it.demo.person(AYA).click(digest.channel, digest.ts, ACCEPT, index=0)
    await it.settles()

    assert sorted([len(await votes(each)) for each in both]) == [0, 1]
    [digest] = await direct(it)
    assert digest.text == "1 decision is waiting for you"
    assert len(buttons(digest, ACCEPT)) == 1


async def test_all_are_accepted_as_the_twin_says_each_on_record(driver: Begin) -> None:
    it = await driver(policy=DAY)
    await wants(it, AYA)
    all_three = await asks(it, 3)
    await until(it, 1)
    [digest] = await direct(it)
    assert buttons(digest, ACCEPT_ALL)[0]["confirm"]

    told = await accepts_all(it, digest)

    assert told == ["✅ 3 parts accepted, as your twin says."]
    for each in all_three:
        [vote] = await votes(each)
        assert (vote.feedback_type, vote.by, vote.agent_id) == (FeedbackType.ACCEPT, AYA, "user_agent_aya")
    [digest, *_] = await direct(it)
    assert not buttons(digest, ACCEPT_ALL)
    assert "Nothing of this is waiting for you any more" in text_of(digest)


async def test_a_second_click_changes_nothing(driver: Begin) -> None:
    it = await driver(policy=DAY)
    await wants(it, AYA)
    both = await asks(it, 2)
    await until(it, 1)
    [digest] = await direct(it)
    await it.keeps_old_cards()

    assert await accepts_all(it, digest) == ["✅ 2 parts accepted, as your twin says."]
    told = await accepts_all(it, digest)

    assert [len(await votes(each)) for each in both] == [1, 1]
    assert "there is a vote of a person already" in told[0]


async def test_what_is_over_is_told_one_by_one_and_the_others_are_accepted(driver: Begin) -> None:
    it = await driver(policy=DAY)
    await wants(it, AYA)
    over, *others = await asks(it, 3)
    await until(it, 1)
    [digest] = await direct(it)
    await it.keeps_old_cards()
    await over.stops("U_YOU")

    [told] = await accepts_all(it, digest)

    first, *rest = told.split("\n")
    assert first == "✅ 2 parts accepted, as your twin says."
    assert [each.startswith("✗ I need a venue for 50 people in Berlin: ") for each in rest] == [True]
    assert not await votes(over)
    assert [len(await votes(each)) for each in others] == [1, 1]


async def test_a_twin_that_asks_for_a_change_is_not_accepted_over(driver: Begin) -> None:
    it = await driver(policy=DAY, twins={("aya", 1): "negotiate"})
    await wants(it, AYA)
    both = await asks(it, 2)
    await until(it, 1)

    [digest] = await direct(it)

    assert not buttons(digest, ACCEPT_ALL)
    assert "💬 The twin asks for a change" in text_of(digest)
    assert [await votes(each) for each in both] == [[], []]


@pytest.mark.parametrize(
    "role",
    [
        Role("another participant", BO),
        Role("a stranger", EVE),
        Role("somebody of another company", AYA, home="T_PARTNER"),
        Role("another tenant", AYA, tenant="T_ELSEWHERE"),
    ],
    ids=lambda role: role.name,
)
async def test_nobody_accepts_for_somebody_else(driver: Begin, role: Role) -> None:
    it = await driver(policy=DAY)
    await wants(it, AYA)
    both = await asks(it, 2)
    await until(it, 1)
    [digest] = await direct(it)

    await forges(it, role, digest, ACCEPT_ALL)

    for each in both:
        assert not [vote for vote in await each.happened(ProposalFeedback) if vote.source is Source.HUMAN]
        if not (role.home or role.tenant):
            assert await each.refusals() == ["NotAllowed"]


async def test_the_home_page_has_it_too(driver: Begin) -> None:
    it = await driver(policy=DAY)
    both = await asks(it, 2)
    await opens(it, AYA)

    await clicks(it, AYA, ACCEPT_ALL)

    assert [len(await votes(each)) for each in both] == [1, 1]


# ── restarts ──────────────────────────────────────────────────────────────────────────────────────────────────────


@asynccontextmanager
async def restarted(it: Driver, store: Store) -> AsyncIterator[Driver]:
    """Start it again on what is stored, in the same workspace and at the same time."""
    workspace = it.demo.workspace
    slack = SlackAccess(workspace.bot_token, workspace.app_token, workspace.api_url, ping_seconds=0.5, limited=False)
    profiles = people({"aya": AYA, "bo": BO}, ())
    async with running(slack, store, it.script, profiles, it.demo.clock, DAY, PROTOCOLS, frozenset({ADMIN})) as towow:
        again = replace(it, demo=replace(it.demo, towow=towow))
        await again.settles()
        yield again


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    return SqliteStore(tmp_path / "towow.db")


async def test_a_set_time_that_passes_while_it_is_down_is_made_up_for(driver: Begin, tmp_path: Path) -> None:
    it = await driver(policy=DAY)
    await wants(it, AYA)
    await asks(it, 2)
    await it.leaves()
    it.demo.clock.jump(NOON + 3 * HOUR)

    async with restarted(it, SqliteStore(tmp_path / "towow.db")) as again:
        assert [each.text for each in await direct(again)] == ["2 decisions are waiting for you"]


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(("drop_after", 200), id="it was posted, and nobody heard of it"),
        pytest.param(("status", 503), id="it was not posted"),
    ],
)
async def test_ended_while_it_is_posted_it_stands_there_once(
    driver: Begin, tmp_path: Path, fault: tuple[Literal["drop_after", "status"], int]
) -> None:
    it = await driver(policy=DAY, fails={"feedback/aya": ModelTimeout("after 10 s")})
    await wants(it, AYA)
    one, _ = await asks(it, 2)
    kind, status = fault
    await it.demo.workspace.admin.fault("chat.postMessage", kind, status=status)
    await until(it, 1)
    await it.leaves()

    async with restarted(it, SqliteStore(tmp_path / "towow.db")) as again:
        while len(await direct(again)) < 1:
            await again.passes()
        assert [each.text for each in await direct(again)] == ["2 decisions are waiting for you"]
        one = replace(one, demo=again.demo)
        assert [each.agent_id for each in await one.happened(PersonReached)] == ["user_agent_aya"]
        await until(again, 7)
        assert len(await direct(again)) == 1


async def test_a_choice_is_kept_and_a_digest_goes_on_being_edited_after_a_restart(
    driver: Begin, tmp_path: Path
) -> None:
    it = await driver(policy=DAY)
    await wants(it, AYA)
    await asks(it, 2)
    await until(it, 1)
    await it.leaves()

    async with restarted(it, SqliteStore(tmp_path / "towow.db")) as again:
        [digest] = await direct(again)
        await again.demo.person(AYA).click(digest.channel, digest.ts, ACCEPT, index=0)
        await again.settles()
        [digest] = await direct(again)
        assert digest.text == "1 decision is waiting for you"


async def test_a_digest_that_was_voted_in_before_it_was_known_to_stand_there_is_still_edited(
    driver: Begin, tmp_path: Path
) -> None:
    it = await driver(policy=DAY)
    await wants(it, AYA)
    await asks(it, 1)
    await it.demo.workspace.admin.fault("chat.postMessage", "drop_after")
    await until(it, 1)
    [digest] = await direct(it)
    await it.demo.person(AYA).click(digest.channel, digest.ts, ACCEPT)
    await it.settles()
    await it.leaves()

    async with restarted(it, SqliteStore(tmp_path / "towow.db")) as again:
        [digest] = await direct(again)
        assert digest.text == "Nothing of this is waiting for you any more"
