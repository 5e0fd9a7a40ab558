"""Where what has ended is kept for a while only: buttons and links of what is gone say so, and what is open goes on."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Final

import aiohttp
import pytest

from bot.api_config import ApiAccess
from bot.retention import DAY, LOOK_EVERY, LOOKED, Retention
from bot.story_links import PageAccess, StoryLinks
from engine.kernel import Tenant
from engine.store.memory import MemoryStore
from tests.pressing.still import buttons

from .driver import ALONE, PATIENT, YOU, Driver, playing, presses

KEEP: Final = 30
PAGES: Final = PageAccess(b"signs the links of this test")
LINKS: Final = StoryLinks(PAGES)


@pytest.fixture
async def it() -> AsyncIterator[Driver]:
    api = ApiAccess(port=0, pages=PAGES)
    async with playing(MemoryStore(), policy=ALONE, keep_days=KEEP, api=api) as it:
        yield it


def retention(it: Driver) -> Retention:
    found = it.demo.towow.retention
    assert found is not None
    return found


async def passes(it: Driver, days: int) -> None:
    it.demo.clock.jump(it.demo.clock.now() + days * DAY)
    await it.settles()
    await retention(it).look()
    await it.settles()


async def test_each_button_of_what_is_gone_says_so_when_it_is_pressed(it: Driver) -> None:
    it = await it.asks()
    await it.goes_on()
    pressed = [(card, each) for card in await it.thread() for each in buttons(card.blocks)]
    assert pressed

    await passes(it, KEEP + 1)
    assert await it.demo.towow.store.load(it.key) is None

    for card, action in pressed:
        before = len(await it.told(YOU))
        await presses(it.demo.person(YOU), card, action["action_id"])
        await it.settles()
        [answer] = (await it.told(YOU))[before:]
        assert "cannot find this" in answer, (action["action_id"], answer)
    assert await it.demo.towow.store.load(it.key) is None


async def test_what_is_open_goes_on_however_old_it_is() -> None:
    async with playing(MemoryStore(), policy=PATIENT, keep_days=KEEP) as it:
        it = await it.asks()
        clock = it.demo.clock
        before = await it.events()
        assert (await it.state()).is_open
        clock.set_wall(clock.now() + (KEEP + 1) * DAY)  # no alarm rings yet

        await retention(it).look()

        assert await it.events() == before


async def test_it_is_looked_once_a_day(it: Driver) -> None:
    it = await it.asks()
    await it.goes_on()
    tenant, store, clock = it.key.tenant, it.demo.towow.store, it.demo.clock
    await retention(it).look()
    [first] = (await store.records(tenant, LOOKED)).values()

    clock.set_wall(clock.now() + DAY - 1)
    await retention(it).look()
    assert [*(await store.records(tenant, LOOKED)).values()] == [first]

    clock.set_wall(clock.now() + 1)
    await retention(it).look()
    assert [*(await store.records(tenant, LOOKED)).values()] != [first]


class Looking(MemoryStore):
    """Says when a workspace was looked through."""

    def __init__(self) -> None:
        super().__init__()
        self.looked = asyncio.Event()

    async def put_records(
        self, tenant: Tenant, kind: str, records: Mapping[str, str | None], *, member: str = ""
    ) -> None:
        await super().put_records(tenant, kind, records, member=member)
        if kind == LOOKED:
            self.looked.set()


async def test_it_is_looked_by_itself_but_not_right_after_the_clock_was_set(caplog: pytest.LogCaptureFixture) -> None:
    store = Looking()
    async with playing(store, policy=ALONE, keep_days=KEEP) as it:
        it = await it.asks()
        await it.goes_on()
        clock = it.demo.clock
        store.looked.clear()

        clock.set_wall(clock.now() + (KEEP + 1) * DAY)
        clock.jump(clock.now() + LOOK_EVERY)
        await it.settles()
        assert "clock was set by more than a day" in caplog.text
        assert not store.looked.is_set()

        clock.jump(clock.now() + LOOK_EVERY)
        await store.looked.wait()
        assert await store.load(it.key) is None


async def test_a_link_to_its_page_says_so(it: Driver) -> None:
    it = await it.asks()
    await it.goes_on()
    api = it.demo.towow.api
    assert api is not None
    await passes(it, KEEP + 1)

    url = api.url + LINKS.link(it.key.tenant, it.key.stream, YOU, it.demo.clock.now(), "en")
    async with aiohttp.ClientSession() as session, session.get(url) as response:
        assert response.status == 404
        assert "deleted because it had ended long ago" in await response.text()
