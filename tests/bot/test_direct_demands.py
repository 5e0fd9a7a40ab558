"""Asking in one's direct messages with us: the thread is there, and everybody else has their own part."""

from typing import Literal

import pytest

from bot.demo.demo import CHANNEL
from bot.demo.negotiation.ask import read
from bot.listeners.negotiation.intake import stream_names
from bot.local_slack import Message, User
from bot.views.negotiation.presenter import posts
from engine.errors import UnknownStream
from engine.kernel import Place, StreamKey, Tenant
from engine.negotiation.events import DemandSubmitted
from engine.negotiation.state import Negotiation, Status

from .conftest import Begin
from .driver import ACCEPT, ALONE, AYA, BO, DEMAND, EVE, NEGOTIATE, QUIET, STOP, YOU, Driver, shows, text_of
from .test_bad_input import SAY_MORE, SHORTEN

USAGE = "*ToWow helps a group agree.*"
NOT_READ = "I do not read replies, so nothing was changed"


async def writes(it: Driver, text: str, thread_ts: str | None = None, user: str = YOU) -> Message:
    person = it.demo.person(user)
    said = await person.say((await person.dm()).id, text, thread_ts=thread_ts)
    await it.demo.settle(QUIET)
    return said


async def reads(it: Driver, user: str = YOU) -> list[Message]:
    """Return everything in their direct messages, oldest first."""
    person = it.demo.person(user)
    dm = (await person.dm()).id
    return [reply for each in await person.messages(dm) for reply in await person.thread(dm, each.ts)]


async def told(it: Driver, user: str = YOU) -> list[str]:
    return [each.text for each in await reads(it, user) if each.visible_to == user]


async def asked(it: Driver, message: Message) -> Negotiation | None:
    """Return the negotiation that this message began."""
    workspace = it.demo.workspace
    tenant = Tenant(workspace.team_id, workspace.enterprise_id or "")
    try:
        return await read(it.demo, StreamKey(tenant, next(stream_names(tenant, message.channel, message.ts))))
    except UnknownStream:
        return None


async def streams(it: Driver) -> int:
    return await it.begun()


async def test_what_is_written_to_us_is_a_demand_with_its_thread_below(driver: Begin) -> None:
    it = await driver(policy=ALONE)

    message = await writes(it, DEMAND)

    state = await asked(it, message)
    assert state is not None
    assert (state.requester_id, state.raw_input, state.status) == (YOU, DEMAND, Status.FINALIZED)
    assert state.place == Place(channel=message.channel, thread=message.ts, message_ts=message.ts)
    [_, root, offers, proposal, outcome] = await reads(it)
    assert {each.thread_ts for each in (root, offers, proposal, outcome)} == {message.ts}
    assert await it.demo.person().messages(CHANNEL) == []


async def test_whoever_takes_part_is_asked_in_their_own_direct_messages(driver: Begin) -> None:
    it = await driver(alone=("chen",))
    message = await writes(it, DEMAND)
    [card] = [each for each in await reads(it, AYA) if shows(each, ACCEPT)]

    await it.demo.person(AYA).click(card.channel, card.ts, ACCEPT)
    await it.demo.settle(QUIET)
    [round_card] = [each for each in await reads(it) if shows(each, ACCEPT)]
    await it.demo.person().click(round_card.channel, round_card.ts, ACCEPT)
    await it.demo.settle(QUIET)

    state = await asked(it, message)
    assert state is not None
    voted = {each.agent_id: each.human is not None for each in state.rounds[-1].seats.values()}
    assert voted == {"user_agent_aya": True, "user_agent_bo": False, "user_agent_chen": True}
    assert "Asked by <@U_YOU>" in text_of(card)
    while (await asked(it, message) or state).is_open:
        await it.passes()
    [*_, ending] = await reads(it, BO)
    assert "we have a plan" in text_of(ending)
    assert [await told(it, user) for user in (YOU, AYA, BO)] == [[], [], []]


async def test_nobody_is_sent_to_a_thread_that_they_cannot_see(driver: Begin) -> None:
    it = await driver()
    message = await writes(it, DEMAND)
    while (state := await asked(it, message)) is not None and state.is_open:
        await it.passes()

    assert state is not None
    assert [each for each in posts(state) if "<#" in each.text + str(each.blocks)] == []
    told = [text_of(each) for user in (AYA, BO) for each in await reads(it, user)]
    assert [each for each in told if "thread in" in each or "/archives/" in each] == []


async def test_the_requester_steers_from_there(driver: Begin) -> None:
    it = await driver()
    message = await writes(it, DEMAND)
    [root] = [each for each in await reads(it) if shows(each, STOP)]

    await it.demo.person().click(root.channel, root.ts, STOP)
    await it.demo.settle(QUIET)

    state = await asked(it, message)
    assert state is not None
    assert state.status is Status.CANCELLED


async def test_a_refused_click_is_told_in_the_thread_there(driver: Begin) -> None:
    it = await driver()
    await writes(it, DEMAND)
    [card] = [each for each in await reads(it) if shows(each, NEGOTIATE)]

    await it.demo.person().click(card.channel, card.ts, ACCEPT)
    await it.demo.settle(QUIET)

    [sentence] = await told(it)
    assert "You have no part in this proposal." in sentence


async def test_two_messages_are_two_demands(driver: Begin) -> None:
    it = await driver(policy=ALONE)

    await writes(it, DEMAND)
    await writes(it, DEMAND)

    assert await streams(it) == 2


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        pytest.param("help", USAGE, id="help"),
        pytest.param("?", USAGE, id="a question mark"),
        pytest.param("帮助", USAGE, id="help in Chinese"),
        pytest.param("👍", SAY_MORE, id="emoji"),
        pytest.param("50", SAY_MORE, id="a number"),
        pytest.param("<@U_TOWOW>", SAY_MORE, id="our name"),
        pytest.param("x" * 4_001, SHORTEN.format(4001), id="4,001 characters"),
    ],
)
async def test_what_is_no_demand_is_answered_there(driver: Begin, text: str, sentence: str) -> None:
    it = await driver()

    await writes(it, text)

    [answer] = await told(it)
    assert answer.startswith(sentence)
    assert await streams(it) == 0


async def test_a_reply_is_no_new_demand_and_whoever_writes_it_is_told_each_time(driver: Begin) -> None:
    it = await driver()
    first, second = await writes(it, DEMAND), await writes(it, "A band for the evening")

    for text in ("For sixty people, please", "And on a Friday", "thanks"):
        await writes(it, text, first.ts)
    await writes(it, "Jazz, if possible", second.ts)

    assert [each.startswith(NOT_READ) for each in await told(it)] == [True] * 4
    assert {each.thread_ts for each in await reads(it) if each.visible_to} == {first.ts, second.ts}
    assert await streams(it) == 2
    state = await asked(it, first)
    assert state is not None
    assert state.raw_input == DEMAND


async def test_a_reply_to_ones_part_is_no_demand(driver: Begin) -> None:
    it = await driver()
    await writes(it, DEMAND)
    [card] = [each for each in await reads(it, AYA) if shows(each, ACCEPT)]

    await writes(it, "Only until ten", card.ts, user=AYA)

    [sentence] = await told(it, AYA)
    assert sentence.startswith(NOT_READ)
    assert await streams(it) == 1


async def test_whoever_is_of_another_company_is_refused_there_too(driver: Begin) -> None:
    it = await driver()
    await it.demo.workspace.admin.put_user(User(id=EVE, name="guest", real_name="A Guest", team_id="T_PARTNER"))

    await writes(it, DEMAND, user=EVE)

    [sentence] = await told(it, EVE)
    assert sentence.startswith("I only take demands from people of this workspace")
    assert await streams(it) == 0


@pytest.mark.parametrize("fault", ["lose_ack", "drop_sent"])
async def test_a_message_that_is_delivered_again_is_one_demand(
    driver: Begin, fault: Literal["lose_ack", "drop_sent"]
) -> None:
    it = await driver(policy=ALONE)
    struck = await it.demo.workspace.admin.fault("events_api", fault)

    message = await writes(it, DEMAND)

    await struck.reached()
    assert await streams(it) == 1
    assert len(await reads(it)) == 5
    tenant = Tenant(it.demo.workspace.team_id, "")
    stored = await it.demo.towow.store.load(StreamKey(tenant, next(stream_names(tenant, message.channel, message.ts))))
    assert stored is not None
    assert [each.event_type for each in stored.events].count(DemandSubmitted.event_type) == 1


@pytest.mark.parametrize(
    ("more", "begins"),
    [
        pytest.param({"subtype": "file_share"}, True, id="with a file"),
        pytest.param({"edited": {"user": YOU, "ts": "1.2"}}, False, id="an edit"),
        pytest.param({"bot_id": "B_OTHER"}, False, id="another bot"),
        pytest.param({"subtype": "channel_join"}, False, id="a notice of Slack's"),
        pytest.param({"channel_type": "channel"}, False, id="in a channel"),
        pytest.param({"channel_type": "mpim"}, False, id="in a group"),
        pytest.param({"user": None, "subtype": "message_changed", "message": {}}, False, id="a changed message"),
    ],
)
async def test_only_what_a_person_says_there_begins_anything(
    driver: Begin, more: dict[str, object], begins: bool
) -> None:
    it = await driver(policy=ALONE)
    dm = await it.demo.person().dm()
    event = {"type": "message", "channel": dm.id, "channel_type": "im", "user": YOU, "ts": "1.1", "text": "a venue"}

    await it.demo.workspace.admin.announce(event | {"event_ts": "1.1"} | more)
    await it.demo.settle(QUIET)

    assert await streams(it) == int(begins)


async def test_the_command_works_there_as_well(driver: Begin) -> None:
    it = await driver(policy=ALONE)
    dm = await it.demo.person().dm()

    outcome = await it.demo.person().slash(dm.id, "/towow", DEMAND)
    await it.demo.settle(QUIET)

    assert outcome.acked
    assert await streams(it) == 1
    [root] = await it.demo.person().messages(dm.id)
    assert root.reply_count == 3
    assert "*Aya* agreed (twin)" in "\n".join(text_of(each) for each in await reads(it))
