"""Asking with a form: *Turn into a demand* on a message, and *New demand* from anywhere."""

import asyncio
import json
from typing import Any, Final

import pytest
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_sdk.web.async_client import AsyncWebClient

from bot.demo.demo import CHANNEL
from bot.local_slack import Channel, Message, Outcome, User, View
from bot.registry import PROTOCOLS
from bot.slack.bolt import bolt_app
from bot.views.negotiation.demand.demand_form import FROM_MESSAGE, NEW, WHAT, WHERE
from engine.kernel import Place
from engine.negotiation.state import Status

from .conftest import Begin
from .driver import ALONE, AYA, BO, EVE, QUIET, YOU, Driver, text_of

SAID: Final = "Does anybody know a venue for 50 people in Berlin?"
OUTSIDER: Final = "I only take demands from people of this workspace"
PARTNER: Final = User(id=EVE, name="guest", real_name="A Guest", team_id="T_PARTNER")


async def pointed_at(it: Driver, message: Message, user: str = YOU) -> View:
    """Open the form behind the shortcut of a message."""
    outcome = await it.demo.person(user).shortcut(FROM_MESSAGE, message)
    assert outcome.modal is not None, outcome
    return outcome.modal


async def new(it: Driver, user: str = YOU) -> View:
    outcome = await it.demo.person(user).shortcut(NEW)
    assert outcome.modal is not None, outcome
    return outcome.modal


async def sends(it: Driver, form: View, what: str | None = None, where: str = "", user: str = YOU) -> Outcome:
    """Send the form with what stands in it already."""
    values = {WHAT: {WHAT: what}} if what is not None else {}
    outcome = await it.demo.person(user).submit(form, values | ({WHERE: {WHERE: where}} if where else {}))
    await it.demo.settle(QUIET)
    return outcome


def prefilled(form: View) -> str:
    [field] = [each for each in form.blocks if each.get("block_id") == WHAT]
    return str(field["element"].get("initial_value", ""))


async def said_by_bo(it: Driver, text: str = SAID, thread_ts: str | None = None) -> Message:
    return await it.demo.person(BO).say(CHANNEL, text, thread_ts=thread_ts)


async def streams(it: Driver) -> int:
    return await it.begun()


# ── of a message ──────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_message_becomes_the_demand_of_whoever_turned_it_into_one(driver: Begin) -> None:
    it = await driver(policy=ALONE)
    message = await said_by_bo(it)
    form = await pointed_at(it, message, AYA)
    assert prefilled(form) == SAID
    assert await streams(it) == 0

    outcome = await sends(it, form, user=AYA)

    assert (outcome.acked, outcome.errors, outcome.modal) == (True, {}, None)
    [state] = await it.negotiations()
    assert (state.requester_id, state.raw_input, state.status) == (AYA, SAID, Status.FINALIZED)
    assert state.place == Place(channel=CHANNEL, thread=message.ts, message_ts=message.ts)
    [root] = await it.demo.person().messages(CHANNEL)
    assert root.ts == message.ts
    assert root.reply_count == 4


async def test_the_words_can_be_changed_before_they_are_sent(driver: Begin) -> None:
    it = await driver(policy=ALONE)

    await sends(it, await pointed_at(it, await said_by_bo(it)), "A venue & a <band>")

    [state] = await it.negotiations()
    assert state.raw_input == "A venue & a <band>"


async def test_a_reply_has_the_plan_in_its_own_thread(driver: Begin) -> None:
    it = await driver(policy=ALONE)
    start = await said_by_bo(it, "Who knows a room?")
    reply = await said_by_bo(it, "For fifty people", thread_ts=start.ts)

    await sends(it, await pointed_at(it, reply))

    [state] = await it.negotiations()
    assert state.place.thread == start.ts


async def test_what_stands_in_the_form_is_what_was_typed(driver: Begin) -> None:
    it = await driver()

    form = await pointed_at(it, await said_by_bo(it, "<@U_TOWOW> bread & <butter>, see https://example.org"))

    assert prefilled(form) == "bread & <butter>, see https://example.org"


async def test_a_message_that_is_too_long_for_a_form_is_cut_and_the_form_says_so(driver: Begin) -> None:
    it = await driver(policy=ALONE)
    form = await pointed_at(it, await said_by_bo(it, "a venue " * 1_000))

    assert prefilled(form) == ("a venue " * 375).strip() or len(prefilled(form)) == 3_000
    assert "its first 3000 characters" in json.dumps(form.blocks)
    await sends(it, form)

    [state] = await it.negotiations()
    assert state.status is Status.FINALIZED


async def test_a_message_without_words_opens_an_empty_form(driver: Begin) -> None:
    it = await driver()

    form = await pointed_at(it, await said_by_bo(it, "<@U_TOWOW>"))

    assert prefilled(form) == ""
    outcome = await it.demo.person().submit(form)
    assert (outcome.sent, list(outcome.errors)) == (False, [WHAT])


@pytest.mark.parametrize("what", ["   ", "🎉🎉", ":tada:", "50", "?!"])
async def test_what_is_no_demand_is_said_beside_its_field_and_can_be_mended(driver: Begin, what: str) -> None:
    it = await driver(policy=ALONE)
    form = await pointed_at(it, await said_by_bo(it))

    refused = await sends(it, form, what)

    assert "Tell me what you need in a sentence or two" in refused.errors[WHAT]
    assert await streams(it) == 0
    assert refused.modal is not None
    mended = await sends(it, refused.modal, "A venue")
    assert mended.errors == {}
    assert await streams(it) == 1


async def test_the_thread_of_a_chinese_message_is_in_chinese(driver: Begin) -> None:
    it = await driver(policy=ALONE)
    form = await pointed_at(it, await said_by_bo(it, "我想在北京办一场50人的聚会，需要场地"))
    assert form.title is not None
    assert form.title["text"] == "Turn into a demand", "nobody knows what they read"

    await sends(it, form)

    assert any("已达成一致" in text_of(each) for each in await it.everything(YOU))


# ── from anywhere ─────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_new_demand_starts_a_thread_of_its_own_where_it_was_wanted(driver: Begin) -> None:
    it = await driver(policy=ALONE)
    await it.demo.workspace.admin.put_channel(Channel(id="C_OTHER", name="other", members=[YOU]))

    outcome = await sends(it, await new(it), "A venue for 50 people", "C_OTHER")

    assert (outcome.acked, outcome.errors, outcome.modal) == (True, {}, None)
    [root] = await it.demo.person().messages("C_OTHER")
    assert root.reply_count == 3
    assert "A venue for 50 people" in text_of(root)
    assert await it.demo.person().messages(CHANNEL) == []


async def test_a_new_demand_in_a_private_channel_is_for_its_members(driver: Begin) -> None:
    it = await driver(policy=ALONE)
    members = [f"U_{number}" for number in range(1_200)]
    private = Channel(id="C_SECRET", name="secret", members=[*members, AYA], is_private=True)
    await it.demo.workspace.admin.put_channel(private)

    refused = await sends(it, await new(it), "A venue", "C_SECRET")
    assert "Invite me with `/invite @ToWow`" in refused.errors[WHERE]
    assert await streams(it) == 0

    assert (await sends(it, await new(it, AYA), "A venue", "C_SECRET", user=AYA)).errors == {}
    assert await streams(it) == 1


@pytest.mark.parametrize(
    ("channel", "sentence"),
    [
        pytest.param(Channel(id="C_FAR", name="far", members=[YOU], has_bot=False, is_private=True), "Invite me with",
                     id="we are not in it"),
        pytest.param(Channel(id="C_FAR", name="far", members=[YOU], is_archived=True), "This channel is archived",
                     id="archived"),
        pytest.param(Channel(id="D_FAR", is_im=True, user=AYA, members=[YOU, AYA], has_bot=False),
                     "I do not read what you two write here",
                     id="two people among themselves"),
        pytest.param(None, "Invite me with", id="unknown"),
    ],
)  # fmt: skip
async def test_where_no_thread_could_be_is_said_beside_its_field(
    driver: Begin, channel: Channel | None, sentence: str
) -> None:
    it = await driver()
    if channel is not None:
        await it.demo.workspace.admin.put_channel(channel)

    refused = await sends(it, await new(it), "A venue", channel.id if channel else "C_NOWHERE")

    assert list(refused.errors) == [WHERE]
    assert sentence in refused.errors[WHERE]
    assert await streams(it) == 0


async def test_a_channel_has_to_be_chosen(driver: Begin) -> None:
    it = await driver()

    outcome = await sends(it, await new(it), "A venue")

    assert (outcome.sent, list(outcome.errors)) == (False, [WHERE])


async def test_who_is_in_a_private_channel_must_be_known(driver: Begin) -> None:
    it = await driver()
    await it.demo.workspace.admin.put_channel(Channel(id="C_X", name="x", members=[YOU], is_private=True))
    await it.demo.workspace.admin.fault("conversations.members", "status")

    form = await new(it)
    refused = await sends(it, form, "A venue", "C_X")

    assert "Nothing was lost; please try again" in refused.errors[WHAT]
    assert await streams(it) == 0
    assert (await sends(it, form, "A venue", "C_X")).errors == {}


# ── who, and how often ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("how", [FROM_MESSAGE, NEW])
async def test_whoever_is_of_another_company_gets_no_form(driver: Begin, how: str) -> None:
    it = await driver()
    message = await said_by_bo(it)
    await it.demo.workspace.admin.put_user(PARTNER)

    shown = await (new(it, EVE) if how == NEW else pointed_at(it, message, EVE))

    assert shown.submit is None
    assert OUTSIDER in json.dumps(shown.blocks)


@pytest.mark.parametrize("how", [FROM_MESSAGE, NEW])
@pytest.mark.parametrize(
    ("home", "tenant"),
    [
        pytest.param("T_PARTNER", "", id="of another company"),
        pytest.param("T_PARTNER", "T_PARTNER", id="of another tenant"),
    ],
)
async def test_a_form_is_taken_only_from_one_of_us(driver: Begin, how: str, home: str, tenant: str) -> None:
    it = await driver()
    message = await said_by_bo(it)
    form = await (new(it) if how == NEW else pointed_at(it, message))

    answer = await submitted_by(it, form, home, tenant or it.demo.workspace.team_id)

    assert OUTSIDER in answer["errors"][WHAT]
    assert await streams(it) == 0


@pytest.mark.parametrize("how", [FROM_MESSAGE, NEW])
async def test_a_form_that_is_delivered_twice_is_one_demand(driver: Begin, how: str) -> None:
    it = await driver(policy=ALONE)
    message = await said_by_bo(it)
    form = await (new(it) if how == NEW else pointed_at(it, message))
    team = it.demo.workspace.team_id

    answers = await asyncio.gather(*(submitted_by(it, form, team, team) for _ in range(3)))
    await it.demo.settle(QUIET)

    assert answers == [{}, {}, {}]
    [state] = await it.negotiations()
    assert state.status is Status.FINALIZED


async def test_a_form_whose_answer_was_lost_and_is_sent_again_is_one_demand(driver: Begin) -> None:
    it = await driver(policy=ALONE)
    form = await new(it)
    await it.demo.workspace.admin.fault("interactive", "lose_ack")

    lost = await sends(it, form, "A venue for 50 people", CHANNEL)
    assert not lost.acked
    again = await sends(it, form, "A venue for 50 people", CHANNEL)

    assert again.errors == {}
    assert await streams(it) == 1


async def test_two_forms_with_the_same_words_are_two_demands(driver: Begin) -> None:
    it = await driver(policy=ALONE)

    for _ in range(2):
        await sends(it, await new(it), "A venue for 50 people", CHANNEL)

    assert await streams(it) == 2


@pytest.mark.parametrize("how", [FROM_MESSAGE, NEW])
async def test_in_a_shared_channel_the_negotiation_knows_that_others_read(driver: Begin, how: str) -> None:
    it = await driver(policy=ALONE)
    shared = Channel(id=CHANNEL, name="general", members=[YOU, BO], is_ext_shared=True)
    message = await said_by_bo(it)
    await it.demo.workspace.admin.put_channel(shared)

    form = await (new(it) if how == NEW else pointed_at(it, message))
    await sends(it, form, "A venue", CHANNEL if how == NEW else "")

    [state] = await it.negotiations()
    assert state.place.shared


@pytest.mark.parametrize("how", [FROM_MESSAGE, NEW])
async def test_a_channel_of_which_slack_tells_nothing_is_taken_for_shared(driver: Begin, how: str) -> None:
    it = await driver(policy=ALONE)
    message = await said_by_bo(it)
    form = await (new(it) if how == NEW else pointed_at(it, message))
    await it.demo.workspace.admin.fault("conversations.info", "status")

    await sends(it, form, "A venue", CHANNEL if how == NEW else "")

    [state] = await it.negotiations()
    assert state.place.shared


async def submitted_by(it: Driver, form: View, home: str, team: str) -> dict[str, Any]:
    """Return the answer to a payload as no client would send it."""
    values = {
        WHAT: {WHAT: {"type": "plain_text_input", "value": "A venue for 50 people"}},
        WHERE: {WHERE: {"type": "conversations_select", "selected_conversation": CHANNEL}},
    }
    body = {
        "type": "view_submission",
        "team": {"id": team, "domain": "somewhere"},
        "user": {"id": YOU, "name": "you", "team_id": home},
        "api_app_id": "A_TOWOW",
        "token": "none",
        "trigger_id": "1.1",
        "view": form.model_dump(mode="json") | {"state": {"values": values}},
        "response_urls": [],
    }
    client = AsyncWebClient(it.demo.workspace.bot_token, it.demo.workspace.api_url)
    app = bolt_app(client, it.demo.towow.services, PROTOCOLS)
    response = await app.async_dispatch(AsyncBoltRequest(body=body, mode="socket_mode"))
    assert response.status == 200
    answer: dict[str, Any] = json.loads(response.body or "{}")
    return answer
