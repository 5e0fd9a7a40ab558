"""The event panel: what it tells of the engine, and how the clock is put forward."""

import asyncio

import pytest

from bot.demo.event_panel import EventPanel
from bot.local_slack import Panel
from bot.texts import texts_in
from bot.views.negotiation.button_values import ACCEPT, NEGOTIATE
from bot.views.negotiation.descriptions import deadline
from engine.kernel import StreamKey
from engine.negotiation.drafting import DURATION
from engine.negotiation.events import RoundStarted
from engine.negotiation.offers.offers import OFFERS
from engine.negotiation.search.substitutes import waiting
from engine.negotiation.state import Status
from engine.negotiation.voting.rounds import closing, patience
from engine.negotiation.voting.votes import half_time
from engine.store.port import Commit, NewEvent

from .conftest import Begin, Given
from .driver import AYA, DEMAND, PATIENT, YOU

NAMES = {"user_agent_bo": "Bo"}


async def told(panel: Panel) -> list[str]:
    """Return the entries of the panel, oldest first."""
    return [f"{each.name} {each.who}: {each.text}" for each in reversed(await panel.entries(0, 200))]


async def test_the_engine_s_events_are_told_in_few_words(given: Given) -> None:
    it = await given(twins={("bo", 1): "negotiate"})

    lines = await told(EventPanel(it.demo))

    assert lines[0] == f"demand.submitted You: asks, under the policy {(await it.state()).policy.name}"
    assert "offer.submitted Aya: takes part" in lines
    assert "negotiation.round_started : round 1 of 5" in lines
    assert "proposal.feedback Bo: asks for a change (twin)" in lines


async def test_nobody_s_own_words_are_told(given: Given) -> None:
    it = await given()
    await it.says(AYA, NEGOTIATE, "I am looking for another job")
    await it.goes_on()

    lines = await told(EventPanel(it.demo))

    assert "proposal.feedback Aya: asks for a change (in person)" in lines
    assert lines[-2].startswith("proposal.finalized")
    assert lines[-1].startswith("gap.identified")
    for words in (DEMAND, "another job", "venue for meetups", "60 people"):
        assert not any(words in each for each in lines)


async def test_of_a_blind_vote_only_that_there_is_one(given: Given) -> None:
    it = await given(twins={("bo", 1): "negotiate"}, policy=PATIENT.model_copy(update={"blind_votes": True}))
    await it.clicks(AYA, ACCEPT)

    lines = await told(EventPanel(it.demo))

    assert [each for each in lines if each.startswith("proposal.feedback")] == [
        "proposal.feedback Aya: has voted (twin)",
        "proposal.feedback Bo: has voted (twin)",
        "proposal.feedback Aya: has voted (in person)",
    ]


async def test_an_event_of_an_unknown_protocol_is_listed_by_its_type(driver: Begin) -> None:
    it = await driver()
    key = StreamKey(it.demo.tenant, "toy-1")
    broke = NewEvent("toy.broke", it.demo.clock.now(), '{"by": "U_AYA"}')
    await it.demo.towow.store.commit(Commit(key, "toy", 0, events=(broke,), is_open=False))

    assert "toy.broke Aya: " in await told(EventPanel(it.demo))


async def test_entries_go_on_after_a_position(given: Given) -> None:
    it = await given()
    panel = EventPanel(it.demo)
    before = await panel.entries(0, 200)
    assert await panel.entries(before[0].position, 200) == []

    await it.passes()

    after = await panel.entries(before[0].position, 200)
    assert [each.name for each in after] == ["feedback.reminded"]
    assert list(await panel.entries(0, 200)) == [*after, *before]
    assert await panel.entries(0, 1) == after


async def test_it_is_told_that_there_is_something_new(driver: Begin) -> None:
    it = await driver()
    panel, changes = EventPanel(it.demo), []
    panel.watch(lambda: changes.append(1))

    await it.asks()

    assert changes


async def test_one_skips_from_one_deadline_to_the_next_and_not_beyond(given: Given) -> None:
    it = await given()
    panel = EventPanel(it.demo)
    half = await panel.wait()
    assert half.what == "Half time in round 1: who has not decided is reminded"
    assert (await panel.wait("zh")).what == "第 1 轮时间过半：提醒还没有决定的人"
    assert half.due is not None

    await panel.skip(half.due + 1_000_000)

    assert it.demo.clock.now() == round(half.due * 1000)
    end = await panel.wait()
    assert end.what == "Round 1 closes"
    await panel.skip(half.due)  # pressed twice
    assert (await panel.wait()) == end

    assert end.due is not None
    await panel.skip(end.due)
    await it.settles()

    await it.stands(Status.FINALIZED)
    assert (await panel.wait()).due is None
    await panel.skip(end.due)


async def test_what_waits_for_the_same_moment_by_another_clock_does_not_hide_a_deadline(given: Given) -> None:
    it = await given()
    panel = EventPanel(it.demo)
    half = await panel.wait()
    assert half.due is not None
    resting = asyncio.create_task(it.demo.clock.until(it.demo.clock.after(half.due * 1000 - it.demo.clock.now() - 1)))
    await asyncio.sleep(0)

    assert await panel.wait() == half
    resting.cancel()


async def test_who_is_thinking_may_finish_before_the_clock_jumps(given: Given) -> None:
    it = await given(held=["feedback"])
    panel = EventPanel(it.demo)
    waited = await panel.wait()
    assert waited.what.startswith("Models are answering. ")
    assert waited.due is not None

    skipping = asyncio.create_task(panel.skip(waited.due))
    it.script.held["feedback"].set()
    await skipping

    assert None not in (await it.votes()).values()
    assert len(await it.happened(RoundStarted)) == 1


@pytest.mark.parametrize("name", [OFFERS, DURATION, patience(3), half_time(3), closing(3), waiting("user_agent_bo")])
def test_every_deadline_has_words(name: str) -> None:
    words = deadline(name, NAMES, texts_in("en"))
    assert words != name
    assert "{" not in words
    assert ("3" in words) == name.endswith("/3")
    assert ("Bo" in words) == name.endswith("_bo")
    assert deadline("tea/{0}", NAMES, texts_in("en")) == "tea/{0}"


async def test_nobody_waits_until_something_can_be_undone_no_more(given: Given) -> None:
    it = await given()
    await it.stops(YOU)
    assert (await it.state()).reversals.until
    assert (await EventPanel(it.demo).wait()).what == "Nothing is waited for"
    await it.asks()
    assert "undone" not in (await EventPanel(it.demo).wait()).what
