"""An edit begins nothing and changes nothing; whoever edits is told so, in private, each time."""

import json
from typing import Final

from bot.demo.demo import CHANNEL
from tests.api.test_slack import SECRET, both, delivers, mention

from .conftest import Begin
from .driver import ALONE, YOU, Driver
from .test_direct_demands import told as told_directly
from .test_direct_demands import writes

BEGINS_NOTHING: Final = "I do not read edits, so nothing has begun"
CHANGES_NOTHING: Final = "I do not read edits, so nothing was changed"


async def told(it: Driver) -> list[str]:
    await it.settles()
    return [each.partition(".")[0].partition(":")[0] for each in await it.told(YOU)]


async def test_an_edit_that_adds_the_mention_is_answered(driver: Begin) -> None:
    it = await driver(policy=ALONE)
    person = it.demo.person(YOU)
    message = await person.say(CHANNEL, "We need a venue for 50")

    await person.edit(message, "<@U_TOWOW> We need a venue for 50")

    assert await told(it) == [BEGINS_NOTHING]
    assert await it.begun() == 0
    await person.edit(message, "<@U_TOWOW> We need a venue for 60")
    assert await told(it) == [BEGINS_NOTHING] * 2


async def test_an_edit_of_what_has_begun_is_answered(driver: Begin) -> None:
    it = await (await driver(policy=ALONE)).asks()
    assert it.posted is not None

    await it.demo.person(YOU).edit(it.posted.message, "<@U_TOWOW> A venue for 60 people instead")

    assert await told(it) == [CHANGES_NOTHING]
    assert await it.begun() == 1


async def test_an_edit_in_direct_messages_is_answered(driver: Begin) -> None:
    it = await driver(policy=ALONE)
    demand = await writes(it, "A venue for 50 people")
    small_talk = await writes(it, "help")
    before = len(await told_directly(it))

    await it.demo.person(YOU).edit(demand, "A venue for 60 people")
    await it.settles()
    await it.demo.person(YOU).edit(small_talk, "A band for the evening")
    await it.settles()

    assert {each.partition(".")[0].partition(":")[0] for each in await told_directly(it)} >= {
        BEGINS_NOTHING,
        CHANGES_NOTHING,
    }
    assert len(await told_directly(it)) == before + 2
    assert await it.begun() == 1


async def test_an_edit_that_is_delivered_again_is_answered_once_over_http_too() -> None:
    async with both(signing_secret=SECRET, policy=ALONE) as (it, session):
        body = json.loads(mention(it))
        body["event"] |= {"edited": {"user": YOU, "ts": "1800000000.000200"}}
        for _ in range(2):
            assert (await delivers(it, session, json.dumps(body).encode()))[0] == 200

        assert await told(it) == [BEGINS_NOTHING]
        assert await it.begun() == 0
