"""A demand over HTTP beside Slack: its thread stands where it is told to, and nowhere when it is told nothing."""

import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest
from slack_sdk.signature import SignatureVerifier

from bot.api.tokens import Scope
from bot.api_config import ApiAccess
from bot.demo.demo import CHANNEL
from bot.local_slack import Channel, User
from bot.workspace_settings import directory_key
from engine.directory.messages import ChangeSettings, Settings
from engine.directory.rules import RULEBOOK as DIRECTORY
from engine.negotiation.policy import Policy
from engine.store.memory import MemoryStore
from tests.bot.driver import ACCEPT, ADMIN, ALONE, AYA, DEMAND, EVE, QUIET, YOU, Driver, playing, shows, text_of

from .api_harness import Answer, Caller, token

HOUR = Policy(human_window=3_600, override_window=0)
SUBMIT = "/api/v1/demand/submit"
TOKENS = tuple(token(each, Scope.SUBMIT, Scope.READ, Scope.VOTE, user=each) for each in (YOU, AYA, EVE))


@asynccontextmanager
async def both(
    *, signing_secret: str = "", **circumstances: Any
) -> AsyncIterator[tuple[Driver, aiohttp.ClientSession]]:
    """ToWow in a workspace and over HTTP."""
    api = ApiAccess(TOKENS, port=0, signing_secret=signing_secret)
    async with playing(MemoryStore(), api=api, **circumstances) as it, aiohttp.ClientSession() as session:
        yield it, session


def caller(it: Driver, session: aiohttp.ClientSession, name: str) -> Caller:
    assert it.demo.towow.api is not None
    return Caller(it.demo.towow.api.url, name, session)


async def asks(it: Driver, session: aiohttp.ClientSession, by: str = YOU, **more: str) -> Answer:
    answer = await caller(it, session, by).post(SUBMIT, {"raw_input": DEMAND, **more})
    await it.demo.settle(QUIET)
    return answer


async def test_a_demand_that_names_a_channel_has_its_thread_there_and_is_voted_on_in_both() -> None:
    async with both() as (it, session):
        answer = await asks(it, session, slack_channel=CHANNEL)

        [root] = [each for each in await it.demo.person(EVE).messages(CHANNEL) if each.metadata]
        thread = await it.demo.person(EVE).thread(CHANNEL, root.ts)
        assert "<@U_YOU>" in text_of(root)
        card = next(each for each in reversed(thread) if shows(each, ACCEPT))
        path = f"/api/v1/demand/{answer.body['demand_id']}"
        told = (await caller(it, session, AYA).get(path)).body
        vote = {
            "agent_id": "user_agent_aya", "round": 1, "digest": told["proposal"]["digest"],
            "text": "I am away",
        }  # fmt: skip

        assert (await caller(it, session, AYA).post(f"{path}/actions/vote.withdraw", vote)).status == 200

        await it.demo.settle(QUIET)
        [now] = [each for each in await it.demo.person(EVE).thread(CHANNEL, root.ts) if each.ts == card.ts]
        assert "I am away" in text_of(now)


async def test_without_a_place_there_is_no_thread_and_people_are_written_to_directly() -> None:
    async with both() as (it, session):
        answer = await asks(it, session)

        assert not [each for each in await it.demo.person(EVE).messages(CHANNEL) if each.metadata]
        person = it.demo.person(AYA)
        dm = (await person.dm()).id
        [card] = [each for each in await person.messages(dm) if shows(each, ACCEPT)]
        await person.click(dm, card.ts, ACCEPT)
        await it.demo.settle(QUIET)
        told = (await caller(it, session, YOU).get(f"/api/v1/demand/{answer.body['demand_id']}")).body
        votes = {each["agent_id"]: each["source"] for each in told["rounds"][-1]["votes"]}
        assert votes["user_agent_aya"] == "human"


async def test_without_a_place_nobody_is_waited_for_whom_nobody_could_tell() -> None:
    async with both(policy=HOUR) as (it, session):
        await it.demo.workspace.admin.fault("conversations.open", "error", error="cannot_dm_bot", times=None)
        answer = await asks(it, session)

        told = (await caller(it, session, YOU).get(f"/api/v1/demand/{answer.body['demand_id']}/status")).body
        assert told["status"] == "completed", "no hour has passed"


async def test_a_demand_without_a_place_or_linked_people_is_shown_nowhere_and_comes_to_its_plan() -> None:
    async with both(policy=ALONE, linked=(), alone=("chen",)) as (it, session):
        answer = await asks(it, session)

        path = f"/api/v1/demand/{answer.body['demand_id']}/status"
        assert (await caller(it, session, YOU).get(path)).body["status"] == "completed"
        assert [each for user in (YOU, AYA) for each in await it.everything(user)] == []
        calls = await it.demo.workspace.admin.calls()
        assert not [each for each in calls if each.startswith(("chat.", "conversations."))]
        assert await it.demo.towow.store.lagging(10) == []


@pytest.mark.parametrize(
    ("by", "channel"),
    [
        pytest.param(YOU, "C_NOWHERE", id="a channel that is none"),
        pytest.param(EVE, "C_SECRET", id="a channel they are not in"),
    ],
)
async def test_where_nobody_may_begin_it_is_refused(by: str, channel: str) -> None:
    secret = Channel(id="C_SECRET", name="secret", members=[YOU, "U_TOWOW"], is_private=True)
    async with both() as (it, session):
        await it.demo.workspace.admin.put_channel(secret)

        answer = await asks(it, session, by, slack_channel=channel)

        assert (answer.status, answer.code) == (404, "E007"), "and nobody learns whether it is there"
        assert await it.begun() == 0


async def let_demands_begin_elsewhere(it: Driver) -> None:
    tenant = it.demo.tenant
    await it.demo.towow.services.settings.directory(tenant)
    only = ChangeSettings(
        command_id="only", at=it.demo.towow.services.now(), by=ADMIN, as_admin=True, revision=0, always_admins=True,
        settings=Settings(channels=("C_ELSEWHERE",)),
    )  # fmt: skip
    await it.demo.towow.runtime.handle(directory_key(tenant), DIRECTORY.protocol, only)


async def test_admins_say_where_demands_begin_over_http_too() -> None:
    async with both() as (it, session):
        await let_demands_begin_elsewhere(it)

        answer = await asks(it, session, slack_channel=CHANNEL)

        assert (answer.status, answer.code) == (403, "E012")
        assert "C_ELSEWHERE" in answer.body["detail"]


async def test_what_failed_is_taken_up_again_where_demands_may_begin_alone() -> None:
    wishes = {("aya", 1): "negotiate", ("bo", 1): "negotiate"}
    async with both(policy=ALONE, twins=wishes) as (it, session):
        asked = await asks(it, session, slack_channel=CHANNEL)
        path, you = f"/api/v1/demand/{asked.body['demand_id']}", caller(it, session, YOU)
        assert (await you.get(f"{path}/status")).body["channel_status"] == "failed"
        await let_demands_begin_elsewhere(it)

        refused = await you.post(f"{path}/actions/demand.reopen", {"raw_input": DEMAND})
        stranger = await caller(it, session, EVE).post(f"{path}/actions/demand.reopen", {"raw_input": DEMAND})

        assert (refused.status, refused.code) == (403, "E012")
        assert "C_ELSEWHERE" in refused.body["detail"]
        assert (stranger.status, stranger.code) == (403, "E012")
        assert "C_ELSEWHERE" not in stranger.body["detail"]
        assert (await you.get(f"{path}/status")).body["reopened_as"] is None


async def test_a_delegate_over_http_is_a_colleague_as_in_slack() -> None:
    async with both(policy=HOUR) as (it, session):
        admin = it.demo.workspace.admin
        await admin.put_user(User(id="U_BOT", name="helper", real_name="Helper", is_bot=True))
        await admin.put_user(User(id="U_OUT", name="guest", real_name="A Guest", team_id="T_PARTNER"))
        asked = await asks(it, session, slack_channel=CHANNEL)
        path = f"/api/v1/demand/{asked.body['demand_id']}/actions/seat.delegate"
        part = {"agent_id": "user_agent_aya"}

        for nobody in ("U_BOT", "U_OUT", "U_NOT_THERE", AYA):
            answer = await caller(it, session, AYA).post(path, part | {"to": nobody})
            assert (answer.status, answer.code) == (400, "E001"), nobody
        assert (await caller(it, session, EVE).post(path, part | {"to": "U_BOT"})).status == 403

        assert (await caller(it, session, AYA).post(path, part | {"to": EVE})).body["error_code"] is None
        assert (await caller(it, session, AYA).post(path, part)).body["error_code"] is None  # taken back


async def test_it_is_ready_while_slack_reaches_it() -> None:
    async with both() as (it, session):
        answer = await caller(it, session, "").get("/readyz")

        assert answer.body == {"status": "ready", "store": True, "slack": True}


# ── Slack itself, over HTTP ───────────────────────────────────────────────────────────────────────────────────────

SECRET = "8f742231b10e8888abcd99yyyzzz85a5"
MINUTES_5 = 300


def mention(it: Driver, event_id: str = "Ev1") -> bytes:
    """As the Events API delivers it."""
    said = {
        "type": "app_mention", "user": YOU, "text": f"<@U_TOWOW> {DEMAND}", "channel": CHANNEL,
        "ts": "1800000000.000100", "event_ts": "1800000000.000100", "team": it.demo.tenant.team_id,
    }  # fmt: skip
    body = {
        "type": "event_callback", "event_id": event_id, "team_id": it.demo.tenant.team_id, "event": said,
        "authorizations": [{"team_id": it.demo.tenant.team_id, "user_id": "U_TOWOW", "is_bot": True}],
    }  # fmt: skip
    return json.dumps(body).encode()


async def delivers(
    it: Driver, session: aiohttp.ClientSession, body: bytes, *, secret: str = SECRET, age: float = 0
) -> tuple[int, str]:
    """What Slack is told; ``age``: seconds since it signed."""
    assert it.demo.towow.api is not None
    stamp = str(int(time.time() - age))
    headers = {
        "Content-Type": "application/json",
        "X-Slack-Request-Timestamp": stamp,
        "X-Slack-Signature": SignatureVerifier(secret).generate_signature(timestamp=stamp, body=body) or "",
    }
    async with session.post(f"{it.demo.towow.api.url}/slack/events", data=body, headers=headers) as answer:
        told = answer.status, await answer.text()
    await it.demo.towow.idle()
    return told


@pytest.mark.parametrize("is_called", [True, False], ids=["instead of Socket Mode", "beside Socket Mode"])
async def test_what_slack_delivers_over_http_is_one_demand_however_often_it_comes(is_called: bool) -> None:
    async with both(signing_secret=SECRET, is_called=is_called) as (it, session):
        assert (await caller(it, session, "").get("/readyz")).status == 200
        assert await delivers(it, session, mention(it)) == (200, "")
        assert await delivers(it, session, mention(it), age=MINUTES_5 - 20) == (200, "")

        assert await it.begun() == 1


@pytest.mark.parametrize(
    ("secret", "age"),
    [
        pytest.param("another secret", 0, id="somebody else's signature"),
        pytest.param(SECRET, MINUTES_5 + 20, id="an old one"),
        pytest.param(SECRET, -MINUTES_5 - 20, id="one of the future"),
    ],
)
async def test_what_slack_has_not_just_signed_begins_nothing(secret: str, age: float) -> None:
    async with both(signing_secret=SECRET) as (it, session):
        status, _ = await delivers(it, session, mention(it), secret=secret, age=age)

        assert status == 401
        assert await it.begun() == 0


async def test_slack_s_own_check_of_the_address_is_answered() -> None:
    async with both(signing_secret=SECRET) as (it, session):
        body = json.dumps({"type": "url_verification", "challenge": "are you there"}).encode()

        status, said = await delivers(it, session, body)

        assert (status, json.loads(said)) == (200, {"challenge": "are you there"})


async def test_without_a_signing_secret_slack_is_not_served() -> None:
    async with both() as (it, session):
        status, _ = await delivers(it, session, mention(it))

        assert status == 404
        assert await it.begun() == 0
