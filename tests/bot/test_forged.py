"""Payloads that no client of Slack's would send: never the end of the process, never acknowledged as done; whoever sent
it is told where that can be, the log says what came, and nothing changes."""

import json
from collections.abc import Mapping
from typing import Any, Final

import pytest
from pytest import LogCaptureFixture  # noqa: PT013 - a type, not a mark
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_sdk.socket_mode.request import SocketModeRequest
from slack_sdk.web.async_client import AsyncWebClient

from bot.demo.demo import CHANNEL
from bot.registry import PROTOCOLS
from bot.slack.bolt import bolt_app
from bot.slack.connection import Connection
from bot.views.kit.button_values import SHOW_ALL
from bot.views.negotiation.button_values import (
    ASK_HELPER,
    CLOSE,
    CORRECT,
    DECLINE_HELPER,
    DELEGATE,
    GIVE_UP,
    PROCEED,
    REOPEN,
)
from bot.views.negotiation.button_values import WHY as WHY_ME
from bot.views.negotiation.voting.accept_all import ACCEPT_ALL
from bot.views.negotiation.voting.vote_forms import WHY
from bot.views.negotiation.voting.wish_fields import ABOUT, CHANGE
from engine.negotiation.events import ProposalFeedback

from .conftest import Given
from .driver import ACCEPT, AYA, NEGOTIATE, QUIET, STOP, WITHDRAW, Driver
from .script import AGENT

WENT_WRONG: Final = "Something went wrong on our side. Nothing was lost; please try again in a moment."
SAY_MORE: Final = "Please say in a few words what should change, or why you are leaving."
NO_SUCH_SEAT: Final = (
    "There is no such part in this proposal, so nothing was changed. The newest message has the parts that there are."
)
NOT_ACKNOWLEDGED: Final = (400, 404, 500)
"""A payload that carries nothing of ours, one that nobody listens to, and one that we stumble over."""
HALF: Final = "\ud83d"
"""Half of a character."""


async def sent(it: Driver, payload: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
    """Send a payload, and return what Slack is answered: only a status of 200 acknowledges."""
    workspace = it.demo.workspace
    body = {
        "team": {"id": workspace.team_id, "domain": "local"},
        "user": {"id": AYA, "name": "aya", "team_id": workspace.team_id},
        "api_app_id": "A_TOWOW",
        "token": "none",
        "trigger_id": "1.1",
        **payload,
    }
    app = bolt_app(
        AsyncWebClient(workspace.bot_token, workspace.api_url, retry_handlers=[]), it.demo.towow.services, PROTOCOLS
    )
    response = await app.async_dispatch(AsyncBoltRequest(body=body, mode="socket_mode"))
    return response.status, json.loads(response.body or "{}")


async def a_click(it: Driver, **instead: Any) -> dict[str, Any]:
    """Return a click on the newest round, but for what stands there instead."""
    card = await it.card()
    where = {"channel_id": CHANNEL, "message_ts": card.ts, "thread_ts": card.thread_ts, "is_ephemeral": False}
    return {
        "type": "block_actions",
        "container": {"type": "message", **where},
        "channel": {"id": CHANNEL, "name": "general"},
        "message": {"ts": card.ts, "thread_ts": card.thread_ts, "text": card.text},
        "actions": [an_action(await ballot(it))],
        **instead,
    }


def an_action(value: object, name: str = ACCEPT) -> dict[str, Any]:
    return {"type": "button", "action_id": name, "block_id": "b", "action_ts": "1.1", "value": value}


async def ballot(it: Driver, **instead: Any) -> str:
    round_ = (await it.state()).rounds[-1]
    return json.dumps({"stream": it.key.stream, "round": round_.number, "digest": round_.digest, **instead})


async def everything(it: Driver) -> tuple[Any, ...]:
    counted = await it.begun()
    return await it.events(), await it.thread(), counted, await it.refusals()


async def told_on(it: Driver, before: tuple[Any, ...], times: int = 0) -> None:
    """Check that nothing came of it but that one person was told, so often, and that all is well otherwise."""
    await it.demo.settle(QUIET)
    assert await everything(it) == before
    assert {user: told for user, told in (await it.whispers()).items() if told or user == AYA} == {
        AYA: [WENT_WRONG] * times
    }
    assert (await it.clicks(AYA, ACCEPT)).acked
    assert (await it.votes())["aya"] == "accept"
    assert [each.by for each in await it.happened(ProposalFeedback) if each.by] == [AYA]


NO_VALUES: Final = (
    "from another ToWow",
    "",
    "null",
    "[1, 2]",
    "7",
    "[" * 100_000,
    "x" * 100_000,
    '{"stream": 1, "round": "one", "digest": null}',
    '{"stream": "collab-a", "round": 1e999, "digest": ""}',
    '{"stream": "\ud83d", "round": 1, "digest": "", "post": "root"}',
    7,
    None,
)
"""Return values that are no JSON, JSON of another kind, huge, half a character, and no text at all."""


@pytest.mark.parametrize(
    "action",
    [
        *(ACCEPT, ACCEPT_ALL, NEGOTIATE, STOP, CLOSE, CORRECT, SHOW_ALL, DELEGATE, GIVE_UP, WHY_ME, PROCEED, REOPEN),
        *(ASK_HELPER, DECLINE_HELPER),
    ],
)
async def test_a_button_with_a_value_that_is_none_of_ours(given: Given, caplog: LogCaptureFixture, action: str) -> None:
    it = await given()
    before = await everything(it)

    for value in NO_VALUES:
        status, _ = await sent(it, await a_click(it, actions=[an_action(value, action)]))
        assert status == 400, value

    assert "Traceback" not in caplog.text
    assert caplog.text.count(f"block_actions {action} of {AYA} could not be handled") == len(NO_VALUES)
    await told_on(it, before, times=len(NO_VALUES))


async def test_a_click_that_lacks_what_every_click_has(given: Given, caplog: LogCaptureFixture) -> None:
    it = await given()
    before = await everything(it)
    cannot_be_told: list[dict[str, Any]] = [
        {"container": None}, {"container": {}}, {"container": {"channel_id": CHANNEL}, "user": None},
        {"container": "message"}, {"container": ["message"]}, {"container": {"type": "message", "is_ephemeral": False}},
        {"container": {"type": "view", "view_id": "V1"}}, {"user": None}, {"user": {}}, {"user": {"name": "aya"}},
        {"message": None}, {"message": "card"},
    ]  # fmt: skip
    can_be_told: list[dict[str, Any]] = [
        {"actions": [{}]}, {"actions": [{"type": "button", "action_id": ACCEPT}]},
        {"actions": [an_action("{}", "vote.maybe")]}, {"actions": [an_action(await ballot(it), "x" * 10_000)]},
    ]  # fmt: skip
    bad = await a_click(it, response_url="https://127.0.0.1:1/none", actions=[an_action("none of ours")])

    for instead in (*cannot_be_told, *can_be_told):
        status, _ = await sent(it, bad | instead)
        assert status in NOT_ACKNOWLEDGED, instead

    assert caplog.text.count("could not be handled") == len(cannot_be_told) + len(can_be_told)
    assert f"block_actions vote.maybe of {AYA} could not be handled" in caplog.text
    assert "x" * 1_000 not in "".join(each.message for each in caplog.records)
    await told_on(it, before, times=len(can_be_told))


async def test_a_vote_for_a_seat_that_there_is_not(given: Given) -> None:
    it = await given()
    before = await it.events()

    status, _ = await sent(it, await a_click(it, actions=[an_action(await ballot(it, agent_id=AGENT + "eve"))]))

    assert status == 200
    await it.demo.settle(QUIET)
    assert await it.told(AYA) == ["You have no part in this proposal. If you would like to help, say so in the thread."]
    assert await it.events() == before


# ── forms ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


async def a_form(it: Driver, action: str = NEGOTIATE, field: str = CHANGE, said: object = "Later") -> dict[str, Any]:
    form = (await it.clicks(AYA, action)).modal
    assert form is not None
    await it.demo.person(AYA).close(form)
    values = {field: {field: {"type": "plain_text_input", "value": said}}}
    return form.model_dump(mode="json") | {"state": {"values": values}}


def sent_in(view: object) -> dict[str, Any]:
    return {"type": "view_submission", "view": view, "response_urls": []}


async def test_a_form_that_is_none_of_ours_stays_open_and_says_so(given: Given, caplog: LogCaptureFixture) -> None:
    it = await given()
    form = await a_form(it)
    remembered = json.loads(form["private_metadata"])
    before = await everything(it)
    spoilt: list[dict[str, Any]] = [
        *({"private_metadata": each} for each in NO_VALUES),
        {"private_metadata": json.dumps(remembered | {"vote": "maybe"})},
        {"private_metadata": json.dumps(remembered | {"round": "one"})},
        {"callback_id": "vote.maybe"}, {"callback_id": None}, {"callback_id": CORRECT}, {"callback_id": ""},
        {"state": None}, {"state": {}}, {"state": {"values": None}}, {"state": {"values": [1]}},
        {"state": {"values": {CHANGE: None}}}, {"state": {"values": {CHANGE: {CHANGE: "Later"}}}},
        {"id": None, "state": {"values": {CHANGE: {CHANGE: 7}}}},
    ]  # fmt: skip

    for instead in spoilt:
        status, answer = await sent(it, sent_in(form | instead))
        assert (status, answer) == (
            200,
            {"response_action": "errors", "errors": {ABOUT: WENT_WRONG}},
        ), instead

    assert caplog.text.count("could not be handled") == len(spoilt)
    assert f"view_submission {NEGOTIATE} of {AYA} could not be handled" in caplog.text
    await told_on(it, before)


async def test_a_form_without_fields_is_not_acknowledged(given: Given, caplog: LogCaptureFixture) -> None:
    """A form without fields has nothing beside which anything could be said; Slack says that it failed."""
    it = await given()
    form = await a_form(it) | {"private_metadata": "{}"}
    before = await everything(it)
    bare = [
        form | {"blocks": each} for each in (None, [], "blocks", [None], [{"type": "input"}], [{"type": "section"}])
    ]
    views = [*bare, {key: each for key, each in form.items() if key != "blocks"}, {}]

    for view in views:
        status, answer = await sent(it, sent_in(view))
        assert (status in NOT_ACKNOWLEDGED, answer) == (True, {}), view

    assert caplog.text.count("could not be handled") == len(views)
    await told_on(it, before)


@pytest.mark.parametrize(
    ("action", "field", "said", "sentence"),
    [
        pytest.param(NEGOTIATE, CHANGE, " \n\t\u3000", SAY_MORE, id="blanks"),
        pytest.param(NEGOTIATE, CHANGE, None, SAY_MORE, id="nothing"),
        pytest.param(NEGOTIATE, CHANGE, "x" * 4_002, SAY_MORE, id="more than the form takes"),
        pytest.param(WITHDRAW, WHY, "x" * 100_000, SAY_MORE, id="100,000 characters"),
    ],
)
async def test_words_that_no_form_takes_are_not_counted(
    given: Given, action: str, field: str, said: str, sentence: str
) -> None:
    it = await given()
    form = await a_form(it, action, field, said)
    before = await it.events()

    status, answer = await sent(it, sent_in(form))

    assert status == 200
    [(beside, told)] = answer["errors"].items()
    assert (beside, told) == (field, sentence)
    assert await it.events() == before
    assert await it.refusals() == ["InvalidVote"]


async def test_as_much_as_a_form_takes_is_a_vote_and_half_a_character_does_not_spoil_it(given: Given) -> None:
    it = await given()
    form = await a_form(it)
    fields = {CHANGE: "c" * 2_000, WHY: "w" * 1_999 + HALF}
    values = {name: {name: {"type": "plain_text_input", "value": each}} for name, each in fields.items()}

    assert await sent(it, sent_in(form | {"state": {"values": values}})) == (200, {})

    [vote] = [each for each in await it.happened(ProposalFeedback) if each.by]
    assert (vote.adjustment_request, vote.reasoning) == ("c" * 2_000, "w" * 1_999 + "?")


async def test_a_form_for_a_seat_that_there_is_not_says_so(given: Given) -> None:
    it = await given()
    form = await a_form(it)
    elsewhere = json.loads(form["private_metadata"]) | {"agent_id": AGENT + "eve"}
    before = await it.events()

    _, answer = await sent(it, sent_in(form | {"private_metadata": json.dumps(elsewhere)}))

    assert answer["errors"] == {CHANGE: NO_SUCH_SEAT}
    assert await it.events() == before


@pytest.mark.parametrize(
    "payload",
    [
        pytest.param({"type": "shortcut", "callback_id": "none.of.ours"}, id="a shortcut"),
        pytest.param({"type": "message_action", "callback_id": "none.of.ours", "message": {}}, id="a message shortcut"),
        pytest.param({"command": "/none", "text": "of ours", "user_id": AYA}, id="a command"),
        pytest.param({"type": "view_closed", "view": {"callback_id": "none.of.ours"}}, id="a closed view"),
        pytest.param({"type": "of tomorrow"}, id="a kind of tomorrow"),
        pytest.param({}, id="nothing"),
        pytest.param({"type": "event_callback", "event": {"type": "app_mention"}}, id="a mention of nobody"),
        pytest.param({"type": "event_callback", "event": {"type": "agent_session_stopped"}}, id="a stop by nobody"),
    ],
)
async def test_what_is_not_known_is_not_acknowledged_unless_there_is_nothing_to_do(
    given: Given, caplog: LogCaptureFixture, payload: dict[str, Any]
) -> None:
    it = await given()
    before = await everything(it)

    status, _ = await sent(it, payload)

    harmless = "event" in payload
    assert status == (200 if harmless else 404)
    assert ("could not be handled" in caplog.text) is not harmless
    await told_on(it, before)


@pytest.mark.parametrize(
    "payload",
    [
        pytest.param({"type": "block_actions", "actions": []}, id="a click on nothing"),
        pytest.param({"type": "block_actions", "actions": None}, id="a click without an action"),
        pytest.param({"type": "block_actions", "actions": "vote.accept"}, id="a click that is a word"),
        pytest.param({"type": "event_callback", "event": None}, id="an event without an event"),
        pytest.param({"type": "view_submission", "view": None}, id="a form without a form"),
        pytest.param({"type": "view_submission", "view": "view", "user": "aya"}, id="a form that is a word"),
    ],
)
async def test_what_even_bolt_stumbles_over_is_in_the_log_and_not_acknowledged(
    given: Given, caplog: LogCaptureFixture, payload: dict[str, Any]
) -> None:
    it = await given()
    workspace = it.demo.workspace
    client = AsyncWebClient(workspace.bot_token, workspace.api_url, retry_handlers=[])
    connection = Connection(bolt_app(client, it.demo.towow.services, PROTOCOLS), workspace.app_token, client, 10)

    # It has no socket: an acknowledgement would raise.
    await connection.handle(connection.client, SocketModeRequest("interactive", "an-envelope", payload))

    await connection.close_async()
    assert f"{payload['type']} without a name of nobody could not be handled" in caplog.text
