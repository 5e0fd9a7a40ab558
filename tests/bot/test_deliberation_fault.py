"""Slack fails once at each call while a plan is argued out: in the end all is as if nothing had happened."""

import asyncio

import pytest
from pytest import LogCaptureFixture  # noqa: PT013 - a type, not a mark

from bot.posts.post_records import PostRecords
from bot.posts.stream_reconciler import TO_REQUESTER
from bot.views.deliberation.forms import TEXT
from bot.views.deliberation.values import POINT, STOP
from bot.views.kit.handover import PLAN_IT
from engine.deliberation.events import PointRaised, StopRequested
from engine.deliberation.state import Status
from engine.store.memory import MemoryStore

from .conftest import Given
from .driver import BO, YOU, shows, text_of
from .planning import TWO_HELD, Planned, agreed, final_card, key_of, two_positions
from .tame import LINK
from .test_any_fault import FAULTS, FINAL, OF_EACH_KIND, PASSING, SHORTLY, TRIES, nobody_read_an_exception, settles

METHODS = ("chat.postMessage", "chat.update", "views.open", "response_url", "chat.postEphemeral")
WORDS = "Where do the children go?"


async def played(plan: Planned) -> dict[str, str]:
    """*Plan it*, a point, and *Stop and report now*: each is tried again until it is taken. Return what is posted."""
    it = plan.it
    it.script.says |= two_positions()
    it.script.held[TWO_HELD] = asyncio.Event()
    it.script.thinking.clear()
    for _ in range(TRIES):
        await it.goes(YOU, PLAN_IT, card=await final_card(it))
        await settles(it)
        if await it.begun() == 2:
            break
    await it.script.thinking.wait()
    await settles(it)
    for _ in range(TRIES):
        if await happened(plan, PointRaised) or not await offers(plan, POINT):
            break
        form = (await plan.clicks(BO, POINT)).modal
        if form is not None:
            await plan.sends(BO, form, **{TEXT: WORDS})
        await settles(it)
    for _ in range(TRIES):
        if await happened(plan, StopRequested) or not await offers(plan, STOP):
            break
        await plan.clicks(YOU, STOP)
        await settles(it)
    await plan.goes_on()
    await settles(it)
    return {key: LINK.sub("", text_of(each)) for key, each in (await plan.posts()).items()}


async def offers(plan: Planned, action: str) -> bool:
    return any(shows(each, action) for each in (await plan.posts()).values())


async def happened(plan: Planned, kind: type) -> bool:
    return any(isinstance(each, kind) for each in await plan.events())


@pytest.mark.parametrize(
    "fault", [pytest.param(each, marks=() if each in OF_EACH_KIND else pytest.mark.exhaustive) for each in FAULTS]
)
async def test_one_fault_of_every_method_changes_nothing_in_the_end(
    given: Given, store: MemoryStore, caplog: LogCaptureFixture, fault: str
) -> None:
    it = await agreed(given, ack_timeout=SHORTLY)
    plan = Planned(it, key_of(it))
    for number, method in enumerate(METHODS):
        await it.demo.workspace.admin.fault(method, **FAULTS[fault], nth=1 + number % 2)

    posts = await played(plan)

    table = await PostRecords(store, plan.key).read()
    lost = {key for key, entry in table.items() if entry.state in ("given_up", "deleted") or entry.is_plain}
    assert not lost or fault in FINAL
    assert {each for each in table if not each.endswith(TO_REQUESTER)} == {"plan", "report"}
    assert {*posts} >= {"plan", "report"} - lost
    if fault in PASSING:
        assert (await plan.state()).status is Status.TERMINATED
        assert f"• <@{BO}>: {WORDS}" in posts["plan"]
        assert "⚖️ The plan, with what is not agreed" in posts["report"]
        assert len(posts) == len({*posts})
    for key in lost:
        is_told_gone = (fault, table[key].state) == ("message_not_found", "deleted")  # of an edit, that is no fault
        assert is_told_gone or f"{key} of {plan.key.stream} is given up: {fault}" in caplog.text or table[key].is_plain
    await nobody_read_an_exception(it)
