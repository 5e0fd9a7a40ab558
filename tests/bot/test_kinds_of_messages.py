"""In whichever way a person writes to us, it counts; what nobody says, and nobody listens to, is acknowledged."""

import json
from collections.abc import Callable
from typing import Any, Final

import pytest

from bot.demo.demo import CHANNEL
from bot.local_slack import Message
from tests.api.test_slack import SECRET, both, delivers, mention

from .conftest import Begin
from .driver import ALONE, QUIET, YOU, Driver
from .test_bad_input import SAY_MORE
from .test_direct_demands import told as told_directly

VENUE: Final = "a venue for 50 people"
KINDS: Final = ["with a file", "with /me", "also sent to the channel"]


async def writes(it: Driver, channel: str, kind: str, text: str) -> Message:
    person = it.demo.person(YOU)
    if kind == "also sent to the channel":
        root = await person.say(CHANNEL, "Who knows one?")
        return await person.say(CHANNEL, text, root.ts, broadcast=True)
    files = [await person.upload("brief.txt", b"brief")] if kind == "with a file" else []
    return await person.say(channel, text, files=files, me=kind == "with /me")


@pytest.mark.parametrize("kind", KINDS)
async def test_however_a_person_mentions_us_it_is_a_demand(driver: Begin, kind: str) -> None:
    it = await driver(policy=ALONE)

    await writes(it, CHANNEL, kind, f"<@U_TOWOW> {VENUE}")
    await it.settles()

    [state] = await it.negotiations()
    assert (state.raw_input, state.requester_id) == (VENUE, YOU)


@pytest.mark.parametrize("kind", KINDS[:2])
async def test_however_a_person_writes_to_us_directly_it_is_a_demand(driver: Begin, kind: str) -> None:
    it = await driver(policy=ALONE)

    await writes(it, (await it.demo.person(YOU).dm()).id, kind, VENUE)
    await it.settles()

    assert await it.begun() == 1


async def test_a_file_without_words_is_answered(driver: Begin) -> None:
    it = await driver(policy=ALONE)

    await writes(it, (await it.demo.person(YOU).dm()).id, "with a file", "")
    await it.settles()

    assert await it.begun() == 0
    [said] = await told_directly(it)
    assert SAY_MORE in said


async def test_in_the_thread_of_a_negotiation_each_kind_is_a_question_about_it(driver: Begin) -> None:
    it = await (await driver()).asks()
    root = (await it.thread())[0]
    person = it.demo.person(YOU)
    file = await person.upload("brief.txt", b"brief")

    await person.say(CHANNEL, "<@U_TOWOW> how is it going?", root.ts, broadcast=True)
    await person.say(CHANNEL, "<@U_TOWOW> and with this?", root.ts, files=[file])
    await it.settles()

    assert await it.begun() == 1
    assert len(await it.told(YOU)) == 2


@pytest.mark.parametrize("subtype", ["file_share", "me_message", "thread_broadcast", "of_tomorrow"])
async def test_over_http_they_count_as_well(subtype: str) -> None:
    async with both(signing_secret=SECRET, policy=ALONE) as (it, session):
        body = json.loads(mention(it))
        body["event"]["subtype"] = subtype

        assert (await delivers(it, session, json.dumps(body).encode()))[0] == 200

        assert await it.begun() == 1


# ── what nobody says ──────────────────────────────────────────────────────────────────────────────────────────────


async def test_what_a_workflow_says_begins_nothing_and_is_not_sent_again(driver: Begin) -> None:
    it = await driver(policy=ALONE)
    admin = it.demo.workspace.admin

    await admin.workflow_says(CHANNEL, f"<@U_TOWOW> {VENUE}")
    await admin.idle(QUIET)

    assert await it.begun() == 0
    assert (await admin.calls())["events_api"] == 1
    assert (await admin.status()).lost == []


def without_user(event: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in event.items() if name != "user"}


STRANGE: Final = [
    pytest.param(without_user, id="no user"),
    pytest.param(lambda event: event | {"user": None}, id="nobody as a user"),
    pytest.param(lambda event: event | {"subtype": "bot_message", "bot_id": "B_1", "user": "U_1"}, id="a bot's"),
    pytest.param(lambda event: event | {"user": "USLACKBOT"}, id="a reminder of Slackbot's"),
    pytest.param(lambda event: event | {"subtype": "slackbot_response"}, id="an answer of Slackbot's"),
    pytest.param(lambda event: event | {"type": "of_tomorrow"}, id="an event that nobody listens to"),
    pytest.param(lambda event: event | {"type": "message", "subtype": "channel_topic"}, id="a notice of Slack's"),
]


@pytest.mark.parametrize("made", STRANGE)
async def test_over_http_what_nobody_says_is_acknowledged(made: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    async with both(signing_secret=SECRET, policy=ALONE) as (it, session):
        body = json.loads(mention(it))
        body["event"] = made(body["event"])

        assert (await delivers(it, session, json.dumps(body).encode()))[0] == 200

        assert await it.begun() == 0


@pytest.mark.parametrize("made", STRANGE)
async def test_over_socket_mode_what_nobody_says_is_acknowledged(
    driver: Begin, made: Callable[[dict[str, Any]], dict[str, Any]]
) -> None:
    it = await driver(policy=ALONE)
    admin = it.demo.workspace.admin

    await admin.announce(made(json.loads(mention(it))["event"]))
    await admin.idle(QUIET)

    assert await it.begun() == 0
    assert (await admin.calls())["events_api"] == 1
