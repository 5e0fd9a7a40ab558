"""Threads: what is said in one about what began it."""

import pytest

from bot.demo.demo import CHANNEL
from bot.listeners.handing_over import streams_of_thread
from bot.views.negotiation.button_values import ACCEPT
from engine.kernel import Tenant
from engine.negotiation.policy import Policy

from .conftest import Begin, Given
from .driver import AYA, BO, EVE, QUIET, YOU, Driver
from .planning import key_of, planned
from .test_subnets import agreed


async def protocols(it: Driver, thread: str, tenant: Tenant | None = None) -> list[tuple[str, str]]:
    services = it.demo.towow.services
    found = await streams_of_thread(services, tenant or it.key.tenant, CHANNEL, thread)
    return [(each.protocol, each.key.stream) for each in found]


async def test_a_plan_that_is_argued_out_joins_the_thread_of_its_demand(given: Given) -> None:
    it = (await planned(given)).it
    [demand, *_] = await it.thread()
    assert await protocols(it, demand.ts) == [("negotiation", it.key.stream), ("deliberation", key_of(it).stream)]


async def test_so_do_the_subnets_of_a_plan(driver: Begin) -> None:
    it = await agreed(driver, photos=("cy",), music=("dee",))
    [demand, *_] = await it.thread()
    main, *others = await protocols(it, demand.ts)
    assert main == ("negotiation", it.key.stream)
    assert {stream for _, stream in others} == set((await it.state()).subnets)


async def test_what_was_said_elsewhere_is_about_nothing(given: Given) -> None:
    it = await given()
    [demand, *_] = await it.thread()
    said = await it.demo.person(YOU).say(CHANNEL, "good morning")
    assert await protocols(it, said.ts) == []
    assert await protocols(it, "") == []
    assert await protocols(it, demand.ts, Tenant("T_OTHER")) == []


async def test_the_message_that_asked_shows_how_its_negotiation_stands(given: Given) -> None:
    it = await given()
    [demand, *_] = await it.thread()
    ours = it.demo.workspace.bot_user_id
    assert demand.reactions == {"hourglass_flowing_sand": [ours]}
    await it.stops(YOU)
    await it.settles()
    [demand, *_] = await it.thread()
    assert demand.reactions == {"octagonal_sign": [ours]}


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
