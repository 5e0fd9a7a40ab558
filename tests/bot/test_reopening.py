"""Whoever asked takes up again what has failed: in the same thread, once, with what they changed in the form."""

from dataclasses import replace

import pytest

from bot.demo.demo import CHANNEL
from bot.demo.negotiation.ask import read
from bot.local_slack import Message, View
from bot.views.negotiation.afterwards import POSSIBLE, RULES
from bot.views.negotiation.button_values import EXPORT, REOPEN
from bot.views.negotiation.demand.demand_form import DEMAND as SAID
from bot.workspace_settings import directory_key
from engine.directory.messages import ChangeSettings, Settings
from engine.directory.rules import RULEBOOK as DIRECTORY
from engine.kernel import StreamKey
from engine.negotiation.afterwards.reopening import BALANCED
from engine.negotiation.answers import Candidate, Shortlist
from engine.negotiation.events import (
    DemandSubmitted,
    NegotiationReopened,
)
from engine.negotiation.state import Negotiation, Status
from engine.projections.audit import acts
from engine.projections.inbox import demands_of

from .conftest import Begin, Given
from .driver import ADMIN, ALONE, AYA, BO, DEMAND, EVE, YOU, Driver, nothing_changed, shows, text_of
from .script import AGENT, lacking, people
from .test_delegates import direct
from .test_direct_demands import asked, reads, writes

WISHES = {("aya", 1): "negotiate", ("bo", 1): "negotiate"}


async def outcome(it: Driver) -> Message:
    return next(each for each in reversed(await it.thread()) if shows(each, EXPORT))


async def form(it: Driver, user: str = YOU) -> View:
    clicked = await it.clicks(user, REOPEN, card=await outcome(it))
    assert clicked.modal is not None, clicked
    return clicked.modal


async def reopens(
    it: Driver,
    user: str = YOU,
    *,
    said: str = DEMAND,
    rules: str = BALANCED,
    opened: View | None = None,
    more: bool = False,
) -> dict[str, str]:
    values: dict[str, dict[str, object]] = {SAID: {SAID: said}, RULES: {RULES: rules}}
    if more:
        values[POSSIBLE] = {POSSIBLE: [POSSIBLE]}
    sent = await it.demo.person(user).submit(opened or await form(it, user), values)
    await it.settles()
    return sent.errors


async def the_new_one(it: Driver) -> Driver:
    assert it.posted is not None
    [again] = await it.happened(NegotiationReopened)
    key = StreamKey(it.key.tenant, again.next_channel_id)
    return replace(it, posted=replace(it.posted, key=key))


async def posts_of(it: Driver, stream: str) -> list[Message]:
    return [
        each
        for each in await it.thread()
        if each.metadata is not None and each.metadata["event_payload"]["stream"] == stream
    ]


@pytest.fixture
async def failed(given: Given) -> Driver:
    """Both twins wished for something, and nobody accepted."""
    it = await (await given(policy=ALONE, twins=dict(WISHES))).goes_on()
    await it.stands(Status.FAILED)
    return it


async def test_it_goes_on_in_the_same_thread_with_what_was_changed(failed: Driver) -> None:
    opened = await form(failed)
    assert "if fewer than 50% accept" in str(opened.blocks)
    assert await reopens(failed, said="I need a small room", opened=opened) == {}

    it = await (await the_new_one(failed)).goes_on()
    state = await it.stands(Status.FINALIZED, round=2)
    assert (state.raw_input, state.policy.name, state.requester_id) == ("I need a small room", BALANCED, YOU)
    before, after = [await posts_of(it, each.key.stream) for each in (failed, it)]
    assert "🔁 Taken up again" in text_of(after[0])
    assert max(each.ts for each in before) < min(each.ts for each in after)
    assert len(await it.demo.person().messages(CHANNEL)) == 1
    [old] = [each for each in before if shows(each, EXPORT)]
    assert not shows(old, REOPEN)
    assert f"🔁 <@{YOU}> took it up again" in text_of(old)
    assert "The demand is said otherwise. It is decided by the balanced rules." in text_of(old)
    for user in (AYA, BO):
        [told] = [each for each in await direct(it, user) if "🔁 It was taken up again" in text_of(each)]
        assert "no agreement this time" in text_of(told)


async def test_an_admin_may_and_it_is_whose_demand_it_was(failed: Driver) -> None:
    assert await reopens(failed, ADMIN) == {}

    it = await the_new_one(failed)
    assert (await it.state()).requester_id == YOU
    act = (await acts(it.demo.towow.store, failed.key.tenant, failed.key.stream))[-1]
    assert (act.act, act.by, act.as_admin, act.refused) == ("reopen", ADMIN, True, "")


async def test_it_is_done_once(failed: Driver) -> None:
    late = await form(failed, ADMIN)
    await failed.keeps_old_cards()
    stale = await outcome(failed)
    await reopens(failed)

    assert "taken up again already" in (await reopens(failed, ADMIN, opened=late))[SAID]
    async with nothing_changed(failed, by=YOU, told="It was taken up again already"):
        assert (await failed.clicks(YOU, REOPEN, card=stale)).modal is None
    assert await failed.begun() == 2


async def test_a_demand_without_words_stays_in_the_form(failed: Driver) -> None:
    assert "Tell me what you need" in (await reopens(failed, said="123"))[SAID]
    assert await failed.begun() == 1
    assert await reopens(failed, said=DEMAND) == {}


async def test_where_demands_may_not_begin_any_more_none_is_taken_up(failed: Driver) -> None:
    opened = await form(failed)
    towow = failed.demo.towow
    elsewhere = Settings(channels=("C_ELSE",), admins=(ADMIN,))
    settings = ChangeSettings(
        command_id="s", at=towow.services.now(), by=ADMIN, as_admin=True, settings=elsewhere, revision=0
    )
    await towow.runtime.handle(directory_key(failed.key.tenant), DIRECTORY.protocol, settings)

    assert "Admins of this workspace let demands begin in" in (await reopens(failed, opened=opened))[SAID]
    async with nothing_changed(failed, by=YOU, told="Admins of this workspace let demands begin in"):
        assert (await failed.clicks(YOU, REOPEN, card=await outcome(failed))).modal is None


async def test_whoever_was_not_asked_is_asked_if_they_like(driver: Begin) -> None:
    it = await driver(policy=ALONE, said_by=people({"aya": AYA, "bo": BO, "eve": EVE}), twins=dict(WISHES))
    it.script.says["filter"] = Shortlist(
        definitely_related=tuple(Candidate(agent_id=AGENT + each) for each in ("aya", "bo")),
        possibly_related=(Candidate(agent_id=f"{AGENT}eve", reason="knows a room"),),
    )
    it = await (await it.asks()).goes_on()
    assert "*Eve*" in str((await form(it)).blocks)

    await reopens(it, more=True)

    new = await (await the_new_one(it)).state()
    assert [each.removeprefix(AGENT) for each in new.invited] == ["aya", "bo", "eve"]
    assert new.invited[f"{AGENT}eve"].reason == "knows a room"
    assert "1 more is asked" in text_of(next(each for each in await posts_of(it, it.key.stream) if shows(each, EXPORT)))


async def test_taken_up_twice_and_with_gaps_all_of_it_is_in_one_thread(driver: Begin) -> None:
    """A thread that a slash command began has no message of anybody's above it."""
    it = await driver(
        linked=("aya",), said_by=people({"aya": AYA}, ("cy",)), policy=ALONE, twins={("aya", 1): "reject"}
    )
    await it.demo.person().slash(CHANNEL, "/towow", DEMAND)
    await it.settles()
    person = it.demo.person()
    [started] = [each for each in await person.messages(CHANNEL) if each.metadata is not None]

    async def again(rules: str) -> list[Negotiation]:
        card = next(each for each in await person.thread(CHANNEL, started.ts) if shows(each, REOPEN))
        opened = (await person.click(CHANNEL, card.ts, REOPEN)).modal
        assert opened is not None
        assert (await person.submit(opened, {SAID: {SAID: DEMAND}, RULES: {RULES: rules}})).errors == {}
        await it.settles()
        return await it.negotiations()

    assert [each.status for each in await again("same")] == [Status.FAILED, Status.FAILED]
    it.script.votes.clear()
    lacking(it.script, photos=("cy",))
    negotiations = await again("same")

    assert [each.status for each in negotiations[:3]] == [Status.FAILED, Status.FAILED, Status.FINALIZED]
    assert len(negotiations) == 4
    streams = {
        each.metadata["event_payload"]["stream"]
        for each in await person.thread(CHANNEL, started.ts)
        if each.metadata is not None
    }
    assert streams == {each.channel_id for each in negotiations}
    assert len(await person.messages(CHANNEL)) == 1


async def test_a_demand_in_direct_messages_goes_on_there(driver: Begin) -> None:
    it = await driver(policy=ALONE, twins=dict(WISHES))
    state = await asked(it, await writes(it, DEMAND))
    assert state is not None
    assert state.status is Status.FAILED
    person = it.demo.person(YOU)
    card = next(each for each in await reads(it) if shows(each, REOPEN))
    opened = (await person.click(card.channel, card.ts, REOPEN)).modal
    assert opened is not None
    assert (await person.submit(opened, {SAID: {SAID: DEMAND}, RULES: {RULES: BALANCED}})).errors == {}
    await it.settles()

    demands = await demands_of(it.demo.towow.store, it.demo.tenant, YOU)
    new = next(each for each in demands if each.stream != state.channel_id)
    assert len(demands) == 2
    assert new.status is Status.FINALIZED
    begun = await read(it.demo, StreamKey(it.demo.tenant, new.stream))
    assert begun.place == state.place


async def test_its_first_event_names_where_it_came_from(failed: Driver) -> None:
    await reopens(failed)

    [first] = await (await the_new_one(failed)).happened(DemandSubmitted)
    assert first.reopened_from == failed.key.stream
