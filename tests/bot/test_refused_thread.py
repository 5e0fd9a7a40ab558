"""Slack refuses every post to the channel: nobody is told but whoever asked, and the thread is made up for later."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

import pytest

from bot.demo.demo import CHANNEL
from bot.local_slack import Channel, Message
from bot.posts.posts import TRY_AGAIN
from bot.posts.stream_reconciler import KIND
from engine.negotiation.events import PersonReached

from .conftest import Begin
from .driver import ACCEPT, ALONE, AYA, BO, DEMAND, QUIET, SCOPES, STOP, USERS, YOU, Driver, shows, text_of
from .home import opens, says
from .home import shown as home_of
from .test_digests import DAY, until, wants

Change = Callable[[Driver], Awaitable[Any]]
DOWN: Final = "Slack does not let me post"


def key(message: Message) -> str:
    return str(((message.metadata or {}).get("event_payload") or {}).get("key", ""))


async def direct(it: Driver, user: str) -> dict[str, Message]:
    """Return our posts among somebody's direct messages, by key."""
    person = it.demo.person(user)
    found = [each for each in await person.messages((await person.dm()).id) if key(each)]
    assert len({key(each) for each in found}) == len(found)
    return {key(each): each for each in found}


async def thread(it: Driver) -> list[str]:
    return [key(each) for each in await it.everything(YOU) if key(each)]


async def commanded(it: Driver) -> None:
    await it.demo.person().slash(CHANNEL, "/towow", DEMAND)
    await it.demo.settle(QUIET)


async def restricted(it: Driver) -> None:
    await it.demo.workspace.admin.restrict(CHANNEL)


async def unrestricted(it: Driver) -> None:
    await it.demo.workspace.admin.restrict(CHANNEL, "")


async def left(it: Driver) -> None:
    """Take us out, where we may neither post to channels that we are not in nor join them."""
    needed = ("chat:write.public", "channels:join")
    await it.demo.workspace.admin.grant(*(each for each in SCOPES if each not in needed))
    await it.demo.workspace.admin.leave(CHANNEL, it.demo.workspace.bot_user_id)


async def invited(it: Driver) -> None:
    await it.demo.workspace.admin.join(CHANNEL, it.demo.workspace.bot_user_id)


async def lacking(it: Driver) -> None:
    """Let posts to the channel be refused for a scope, and those to people be taken."""
    await it.demo.workspace.admin.restrict(CHANNEL, "missing_scope")


@pytest.mark.parametrize(
    ("refuses", "helps"),
    [
        pytest.param(restricted, "Posting there is restricted", id="restricted"),
        pytest.param(left, "/invite @ToWow", id="not there"),
        pytest.param(lacking, "install ToWow again", id="without the scope"),
    ],
)
async def test_nobody_is_told_but_whoever_asked_and_they_hear_how_it_ends(
    driver: Begin, refuses: Change, helps: str
) -> None:
    it = await driver()
    await refuses(it)

    await commanded(it)

    told = await direct(it, YOU)
    assert list(told) == ["refused/requester", "root/requester"]
    assert DOWN in told["refused/requester"].text
    assert helps in told["refused/requester"].text
    assert shows(told["root/requester"], STOP)
    assert await thread(it) == []
    assert await direct(it, AYA) == await direct(it, BO) == {}

    while await it.demo.skip():
        await it.demo.settle(QUIET)

    told = await direct(it, YOU)
    assert "outcome/requester" in told
    assert await direct(it, AYA) == await direct(it, BO) == {}


async def test_the_thread_is_made_up_for_once_we_are_let_in(driver: Begin) -> None:
    it = await driver()
    await left(it)
    await commanded(it)
    assert await direct(it, BO) == {}

    await invited(it)
    await it.demo.settle(QUIET)

    assert await thread(it) == ["root", "offers", "round-1"]
    assert "part-1/user_agent_bo" in await direct(it, BO)
    told = await direct(it, YOU)
    assert {text_of(each) for each in told.values()} == {
        f"I may post again: everything about it is in the thread in <#{CHANNEL}>."
    }
    [tenant] = await it.demo.towow.store.tenants()
    assert await it.demo.towow.store.records(tenant, KIND) == {}


async def test_without_word_of_it_the_next_news_is_tried_in_the_channel(driver: Begin) -> None:
    it = await driver(twins={("aya", 1): "negotiate"})
    await restricted(it)
    await commanded(it)
    await unrestricted(it)

    while await it.demo.skip():
        await it.demo.settle(QUIET)

    assert (await thread(it))[0] == "root"
    assert "outcome" in await thread(it)


async def test_somebody_who_mentions_us_there_is_told_as_well(driver: Begin) -> None:
    it = await driver()
    await restricted(it)
    await it.demo.person().say(CHANNEL, f"<@U_TOWOW> {DEMAND}")
    await it.demo.settle(QUIET)

    assert DOWN in (await direct(it, YOU))["refused/requester"].text
    assert await direct(it, BO) == {}


async def test_who_has_been_told_already_goes_on_by_direct_message(driver: Begin) -> None:
    it = await (await driver()).asks()
    await restricted(it)
    person, card = it.demo.person(BO), (await direct(it, BO))["part-1/user_agent_bo"]

    await person.click(card.channel, card.ts, ACCEPT)
    await it.demo.settle(QUIET)
    await it.goes_on()

    assert "ending/user_agent_bo" in await direct(it, BO)
    assert await it.happened(PersonReached) == []


async def test_no_home_lists_it_before_the_thread_stands(driver: Begin) -> None:
    it = await driver()
    await left(it)
    await opens(it, BO)
    await commanded(it)
    assert DEMAND not in says(await home_of(it, BO))
    assert DEMAND in says(await opens(it, YOU))

    await invited(it)
    await it.demo.settle(QUIET)

    assert DEMAND in says(await home_of(it, BO))


async def test_what_was_agreed_where_no_thread_stands_is_in_no_home(driver: Begin) -> None:
    it = await driver(policy=ALONE)
    await restricted(it)
    await commanded(it)
    while await it.demo.skip():
        await it.demo.settle(QUIET)

    assert "outcome/requester" in await direct(it, YOU)
    assert DEMAND not in says(await opens(it, BO))


async def test_no_digest_lists_it_before_the_thread_stands(driver: Begin) -> None:
    it = await driver(policy=DAY)
    await wants(it, BO)
    await left(it)
    await commanded(it)
    await until(it, 3)
    assert await direct(it, BO) == {}

    await invited(it)
    await it.demo.settle(QUIET)
    await until(it, 6)

    assert [*await direct(it, BO)] == ["digest-1/U_BO"]


@pytest.mark.parametrize(
    ("refuses", "lets_in"),
    [
        pytest.param(restricted, unrestricted, id="restricted"),
        pytest.param(left, invited, id="not there any more"),
    ],
)
async def test_whoever_asked_hears_how_it_ends_where_the_thread_takes_no_more(
    driver: Begin, refuses: Change, lets_in: Change
) -> None:
    it = await (await driver()).asks()
    stood = await thread(it)
    await refuses(it)

    await it.goes_on()

    told = await direct(it, YOU)
    assert {*told} == {"refused/requester", "outcome/requester", "ending-asked"}
    assert "so the thread there stays as it is" in told["refused/requester"].text
    assert await thread(it) == stood

    await lets_in(it)
    it.demo.towow.posts.let_in(it.key.tenant, CHANNEL)  # no event says that a restriction was lifted
    await it.demo.settle(QUIET)

    assert await thread(it) == [*stood, "outcome"]
    told = await direct(it, YOU)
    told.pop("ending-asked")
    assert {text_of(each) for each in told.values()} == {
        f"I may post again: everything about it is in the thread in <#{CHANNEL}>."
    }


async def archived(it: Driver) -> None:
    await it.demo.workspace.admin.archive(CHANNEL)


async def unarchived(it: Driver) -> None:
    await it.demo.workspace.admin.unarchive(CHANNEL)


@pytest.mark.parametrize("is_private", [False, True], ids=["public", "private"])
async def test_a_channel_that_is_restored_has_its_thread_made_up_for(driver: Begin, is_private: bool) -> None:
    it = await driver()
    if is_private:
        members = [*(each.id for each in USERS), it.demo.workspace.bot_user_id]
        channel = Channel(id=CHANNEL, name="general", members=members, is_private=True)
        await it.demo.workspace.admin.put_channel(channel)
    it = await it.asks()
    stood = await thread(it)
    await archived(it)
    await it.goes_on()
    assert "It is archived: once it is restored" in (await direct(it, YOU))["refused/requester"].text

    await unarchived(it)
    await it.demo.settle(QUIET)

    assert await thread(it) == [*stood, "outcome"]


async def is_tried_again(it: Driver) -> None:
    """Let time pass until Slack is asked whether it takes by now what it has refused."""
    posts = (await it.demo.workspace.admin.calls())["chat.postMessage"]
    while (await it.demo.workspace.admin.calls())["chat.postMessage"] == posts:
        assert await it.demo.skip(), "nothing is tried again"
        await it.demo.settle(QUIET)


async def test_what_is_allowed_again_without_word_of_it_is_made_up_for(driver: Begin) -> None:
    it = await driver(policy=ALONE)
    await restricted(it)
    await commanded(it)
    await is_tried_again(it)
    assert await thread(it) == []

    await unrestricted(it)
    await is_tried_again(it)

    assert await thread(it) == ["root", "offers", "round-1", "outcome"]


async def test_what_stays_refused_is_tried_ever_more_seldom(driver: Begin) -> None:
    it = await driver(policy=ALONE)
    await restricted(it)
    await commanded(it)
    begun = it.demo.clock.now()
    before = (await it.demo.workspace.admin.calls())["chat.postMessage"]

    while await it.demo.skip():
        await it.demo.settle(QUIET)

    assert (await it.demo.workspace.admin.calls())["chat.postMessage"] - before == len(TRY_AGAIN)
    assert it.demo.clock.now() - begun == sum(TRY_AGAIN)


async def test_where_slack_took_nothing_for_a_while_everybody_is_told_afterwards(driver: Begin) -> None:
    """Whoever holds a workspace's keys can suspend posts in all of it."""
    it = await (await driver()).asks()
    stood, told = await thread(it), await direct(it, AYA)
    for method in ("chat.postMessage", "chat.update", "conversations.open"):
        await it.demo.workspace.admin.fault(method, "error", error="ekm_access_denied", times=None)
    await it.goes_on()
    assert (await direct(it, AYA)).keys() == told.keys()

    await it.demo.workspace.admin.clear_faults()
    await is_tried_again(it)

    assert await thread(it) == [*stood, "outcome"]
    assert not any(shows(each, ACCEPT) for each in await it.thread())
    assert [*await direct(it, AYA)] == [*told, "ending/user_agent_aya"]


async def test_nobody_is_told_that_everything_is_in_a_thread_that_takes_no_more(driver: Begin) -> None:
    it = await (await driver()).asks()
    everything = "Everything about it is in <"
    await restricted(it)

    await it.goes_on()
    told = {name: text_of(each) for name, each in (await direct(it, AYA)).items()}
    assert [name for name, text in told.items() if everything in text] == []
    assert f"Its thread is in <#{CHANNEL}>." in "".join(told.values())

    await unrestricted(it)
    it.demo.towow.posts.let_in(it.key.tenant, CHANNEL)
    await it.demo.settle(QUIET)
    assert everything in "".join(text_of(each) for each in (await direct(it, AYA)).values())


async def test_what_takes_no_replies_is_told_by_direct_message(driver: Begin) -> None:
    it = await driver()
    await it.demo.workspace.admin.restrict(CHANNEL, "restricted_action_non_threadable_channel")
    await commanded(it)
    while await it.demo.skip():
        await it.demo.settle(QUIET)

    assert await thread(it) == ["root"]
    assert {*await direct(it, YOU)} == {"refused/requester", "outcome/requester", "ending-asked"}


async def test_what_only_one_person_is_told_comes_by_direct_message_where_we_are_not(driver: Begin) -> None:
    it = await driver()
    person = it.demo.person()
    message = await person.say(CHANNEL, DEMAND)
    edited = await person.edit(message, f"<@U_TOWOW> {DEMAND}")
    await it.demo.settle(QUIET)
    [there] = await it.told(YOU)

    await left(it)
    event = {
        "type": "app_mention", "channel": CHANNEL, "user": YOU, "text": edited.text, "ts": edited.ts, "team": "T_LOCAL",
        "edited": {"user": YOU, "ts": "1.2"}, "event_ts": "1.2",
    }  # fmt: skip
    await it.demo.workspace.admin.announce(event)
    await it.demo.settle(QUIET)

    assert [each.text for each in await person.messages((await person.dm()).id)] == [there]
