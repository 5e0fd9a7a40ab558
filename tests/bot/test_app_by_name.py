"""Who listens to a button or a form is found by its name."""

import json
from typing import Any

import pytest
from slack_bolt.async_app import AsyncAck, AsyncBoltRequest
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot.slack.app_by_name import AppByName

CLICK = {"type": "block_actions", "actions": [{"action_id": "accept", "block_id": "b", "value": "1"}]}
SENT = {"type": "view_submission", "view": {"type": "modal", "callback_id": "accept"}}


@pytest.fixture
def app() -> AppByName:
    async def authorize() -> AuthorizeResult:
        return AuthorizeResult(enterprise_id=None, team_id="T", bot_token="xoxb-1", bot_user_id="U_BOT")

    return AppByName(name="towow", request_verification_enabled=False, authorize=authorize)


async def status_of(app: AppByName, payload: dict[str, Any]) -> int:
    body = payload | {"user": {"id": "U_AYA"}, "team": {"id": "T"}}
    return (await app.async_dispatch(AsyncBoltRequest(body=json.dumps(body), mode="socket_mode"))).status


async def test_a_button_and_a_form_of_one_name_are_told_apart(app: AppByName) -> None:
    heard = []

    async def clicked(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        heard.append(body["type"])
        await ack()

    async def sent(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        heard.append(body["type"])
        await ack()

    app.action("accept")(clicked)
    assert [await status_of(app, each) for each in (CLICK, SENT)] == [200, 404]
    app.view("accept")(sent)
    assert [await status_of(app, each) for each in (CLICK, SENT)] == [200, 200]
    assert heard == ["block_actions", "block_actions", "view_submission"]


async def test_nobody_hears_of_a_name_that_is_not_theirs(app: AppByName) -> None:
    async def clicked(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        raise AssertionError("it was meant for somebody else")

    app.action("accept_all")(clicked)
    app.view("acc")(clicked)
    assert [await status_of(app, each) for each in (CLICK, SENT)] == [404, 404]


def test_two_that_listen_to_one_button_are_a_mistake(app: AppByName) -> None:
    async def clicked() -> None: ...

    app.action("accept")(clicked)
    with pytest.raises(ValueError, match="Somebody listens to accept already"):
        app.action("accept")(clicked)
