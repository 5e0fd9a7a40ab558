"""While the disk is full nothing is acknowledged, people are told, and nothing that was paid for is lost."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress

import pytest

from bot.demo.demo import CHANNEL
from bot.views.negotiation.voting.wish_fields import CHANGE
from engine.errors import StoreUnavailable
from engine.kernel import StreamKey, Tenant
from engine.negotiation.events import FeedbackEvaluated, ProposalFeedback
from engine.negotiation.state import Status
from engine.store.memory import MemoryStore
from engine.store.port import Commit, PendingEffect

from .conftest import Begin, Given
from .driver import A_MOMENT, ACCEPT, ALONE, AYA, BO, DEMAND, NEGOTIATE, QUIET, YOU, nothing_changed

WENT_WRONG = "Something went wrong on our side. Nothing was lost; please try again in a moment."


class Disk(MemoryStore):
    """A disk that takes nothing while it is full, and takes its time while it is slow. It can always be read."""

    def __init__(self) -> None:
        super().__init__()
        self.is_full = False
        self.is_quick = asyncio.Event()
        self.is_quick.set()

    async def commit(self, commit: Commit, *, urgent: bool = False) -> None:
        await self._room()
        await super().commit(commit, urgent=urgent)

    async def reschedule(self, effect: PendingEffect) -> None:
        await self._room()
        await super().reschedule(effect)

    async def mark_shown(self, key: StreamKey, version: int) -> None:
        await self._room()
        await super().mark_shown(key, version)

    async def put_records(
        self, tenant: Tenant, kind: str, records: Mapping[str, str | None], *, member: str = ""
    ) -> None:
        await self._room()
        await super().put_records(tenant, kind, records, member=member)

    async def _room(self) -> None:
        if self.is_full:
            raise StoreUnavailable("The disk is full.")
        await self.is_quick.wait()


@pytest.fixture
def store() -> Disk:
    return Disk()


async def test_a_click_is_not_acknowledged_and_works_later(given: Given, store: Disk) -> None:
    it = await given()
    await it.expects_no_ack()

    store.is_full = True
    async with nothing_changed(it, by=AYA, told=WENT_WRONG):
        assert not (await it.clicks(AYA, ACCEPT)).acked
    store.is_full = False

    assert (await it.clicks(AYA, ACCEPT)).acked
    assert [each.by for each in await it.happened(ProposalFeedback) if each.by] == [AYA]


async def test_nothing_is_stopped_that_is_not_recorded_as_stopped(given: Given, store: Disk) -> None:
    it = await given()
    await it.expects_no_ack()

    store.is_full = True
    async with nothing_changed(it, by=YOU, told=WENT_WRONG):
        assert not (await it.stops(YOU)).acked
    store.is_full = False

    assert (await it.stops(YOU)).acked
    await it.stands(Status.CANCELLED)


async def test_a_form_stays_open_with_what_was_written_and_is_sent_again(given: Given, store: Disk) -> None:
    it = await given()
    form = await it.clicks(AYA, NEGOTIATE)
    before = await it.events()

    store.is_full = True
    kept = await it.fills_in(AYA, form, "Only until ten")
    assert kept.errors == {CHANGE: WENT_WRONG}
    assert kept.modal is not None
    assert await it.events() == before
    store.is_full = False

    sent = await it.demo.person(AYA).submit(kept.modal)
    await it.demo.settle(QUIET)
    assert sent.modal is None
    assert [each.adjustment_request for each in await it.happened(ProposalFeedback) if each.by] == ["Only until ten"]


async def test_what_models_answered_meanwhile_is_held_and_recorded_without_asking_again(
    driver: Begin, store: Disk
) -> None:
    it = await driver(policy=ALONE)
    thought = it.script.held["feedback"] = asyncio.Event()
    await it.demo.person().say(CHANNEL, "<@U_TOWOW> A venue for 50 people")
    card = await it.demo.person().until_message(CHANNEL, lambda each: each.reply_count == 3)
    [state] = await it.negotiations()

    store.is_full = True
    thought.set()
    await it.demo.settle(QUIET)
    assert (await it.negotiations())[0].rounds[-1].tally is None
    store.is_full = False
    assert await it.demo.skip()
    await it.demo.settle(QUIET)

    [state] = await it.negotiations()
    assert state.status is Status.FINALIZED
    assert sorted(it.script.asked) == sorted(set(it.script.asked))
    assert "We have a plan" in (await it.demo.person().thread(CHANNEL, card.ts))[-1].text
    assert (await store.counts())["owed"] == 0


async def test_a_mention_is_delivered_again_until_it_can_be_written_down(driver: Begin, store: Disk) -> None:
    it = await driver(policy=ALONE)
    await it.expects_no_ack("events_api")
    admin = it.demo.workspace.admin
    again = await admin.fault("events_api", "delay", nth=2)

    store.is_full = True
    await it.demo.person().say(CHANNEL, "<@U_TOWOW> A venue for 50 people")
    await again.reached()
    store.is_full = False
    await it.demo.settle(QUIET)

    assert [each.status for each in await it.negotiations()] == [Status.FINALIZED]
    assert (await admin.status()).lost == []


async def test_a_command_that_cannot_be_written_down_is_not_said_to_have_begun(driver: Begin, store: Disk) -> None:
    it = await driver()

    store.is_full = True
    outcome = await it.demo.person().slash(CHANNEL, "/towow", "A venue for 50 people")

    assert outcome.message is not None
    assert "Something went wrong on our side" in outcome.message.text
    assert await it.negotiations() == []


async def test_an_alarm_that_could_not_be_recorded_rings_again(given: Given, store: Disk) -> None:
    it = await given()
    deadline = (await it.state()).rounds[-1].window.deadline

    store.is_full = True
    await it.demo.skip_to(deadline)
    await it.demo.settle(QUIET)
    await it.stands(Status.NEGOTIATING, round=1)
    store.is_full = False
    await it.demo.towow.runtime.sweep()
    await it.demo.settle(QUIET)

    await it.stands(Status.FINALIZED, round=1)
    assert len(await it.happened(FeedbackEvaluated)) == 1


async def test_a_click_that_takes_too_long_to_write_is_not_acknowledged_and_counts_once(
    given: Given, store: Disk
) -> None:
    it = await given()
    card = await it.card()

    store.is_quick.clear()
    late = await it.demo.person(AYA).click(CHANNEL, card.ts, ACCEPT)
    assert not late.acked
    store.is_quick.set()
    await it.demo.settle(QUIET)

    assert await it.told(AYA) == [WENT_WRONG]
    assert (await it.clicks(AYA, ACCEPT)).acked
    assert (await it.clicks(BO, ACCEPT)).acked
    assert [each.by for each in await it.happened(ProposalFeedback) if each.by] == [AYA, BO]
    await it.stands(Status.FINALIZED, round=1)


async def test_a_click_under_way_is_acknowledged_before_towow_leaves(given: Given, store: Disk) -> None:
    it = await given()
    card = await it.card()
    admin = it.demo.workspace.admin
    sent = await admin.fault("interactive", "delay")

    store.is_quick.clear()
    clicking = asyncio.create_task(it.demo.person(AYA).click(CHANNEL, card.ts, ACCEPT))
    await sent.reached()
    leaving = asyncio.create_task(it.leaves())
    with suppress(TimeoutError):  # had the connection been cut, it would be seen now
        async with asyncio.timeout(A_MOMENT):
            while (await admin.status()).connections:
                pass
    store.is_quick.set()

    assert (await clicking).acked
    await leaving
    assert (await admin.status()).connections == 0


async def test_whoever_mentions_us_is_told_once_and_it_begins_once_there_is_room(driver: Begin, store: Disk) -> None:
    it = await driver(ack_timeout=A_MOMENT)
    store.is_full = True
    await it.demo.person(YOU).say(CHANNEL, f"<@{it.demo.workspace.bot_user_id}> {DEMAND}")
    await it.settles()
    [told] = [each.text for each in await it.everything(YOU) if each.visible_to == YOU]
    assert "I have not noted this yet" in told
    assert not await it.begun()
    store.is_full = False
    await it.demo.person(YOU).say(CHANNEL, f"<@{it.demo.workspace.bot_user_id}> {DEMAND}")
    await it.settles()
    assert await it.begun()
