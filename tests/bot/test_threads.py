"""A thread is about the stream that began it, and about every one that joined it, whatever their protocols."""

from bot.demo.demo import CHANNEL
from bot.listeners.threads import streams_of_thread
from engine.kernel import Tenant

from .conftest import Begin, Given
from .driver import YOU, Driver
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
