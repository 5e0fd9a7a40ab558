"""Who mentions ToWow in the thread of something asks about it: they are told alone, and nothing begins."""

import pytest

from bot.demo.demo import CHANNEL
from bot.views.negotiation.button_values import ACCEPT
from engine.negotiation.policy import Policy

from .conftest import Begin, Given
from .driver import AYA, BO, EVE, QUIET, YOU, Driver
from .planning import planned


async def asks(it: Driver, user: str, text: str) -> list[str]:
    """Return what they are told, and nobody else."""
    [said, *_] = await it.thread()
    before = (await it.begun(), await it.events())
    await it.demo.person(user).say(CHANNEL, f"<@U_TOWOW> {text}", thread_ts=said.ts)
    await it.demo.settle(QUIET)
    assert (await it.begun(), await it.events()) == before
    return await it.told(user)


@pytest.mark.parametrize(
    "text", ["how does it stand?", "", "status", "We also need a caterer for 50 people", "在吗？怎么样了"]
)
async def test_in_its_own_thread_a_mention_is_a_question_about_it(given: Given, text: str) -> None:
    it = await given()
    await it.clicks(AYA, ACCEPT)
    [told] = await asks(it, EVE, text)
    assert "Round 1 of 5" in told or "第 1 轮" in told
    assert "<!date^" in told
    assert "<@" not in told, "which notifies nobody"
    assert await it.told(YOU) == []


async def test_who_still_has_to_answer_is_named(given: Given) -> None:
    it = await given(fails={"feedback/aya": TimeoutError("slow")})
    [told] = await asks(it, BO, "who is missing?")
    assert "Still to answer: *Aya*" in told


async def test_in_a_blind_round_nothing_is_given_away(given: Given) -> None:
    it = await given(policy=Policy(blind_votes=True))
    await it.clicks(AYA, ACCEPT)
    [told] = await asks(it, EVE, "and?")
    assert "accept" not in told.casefold()


async def test_everything_that_a_thread_shows_is_told_of(given: Given) -> None:
    it = (await planned(given)).it
    [told] = await asks(it, EVE, "how far is it?")
    assert told.count("“") >= 2


async def test_elsewhere_a_mention_in_a_thread_is_a_demand_as_before(driver: Begin) -> None:
    it = await driver()
    said = await it.demo.person().say(CHANNEL, "Does anybody know a room?")
    await it.demo.person().say(CHANNEL, "<@U_TOWOW> find us a venue for 50 people", thread_ts=said.ts)
    await it.demo.settle(QUIET)
    assert await it.begun() == 1
