"""Triggers, view hashes, stacks of modals, Home."""

from __future__ import annotations

import asyncio
import itertools
from typing import Any

import pytest
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.context.ack.async_ack import AsyncAck
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import LocalWorkspace, Person, View

from .conftest import AYA, CHANNELS, GENERAL, USERS, client_of, running
from .raw_connections import raw_connection
from .test_conversation import FORM

ViewBody = dict[str, Any]
OPENED = itertools.count()


def form(**changes: object) -> ViewBody:
    return {**FORM, **changes}


async def opened(app: AsyncApp, workspace: LocalWorkspace, view: ViewBody) -> View:
    """`view`, opened for Aya by a slash command of the running app."""

    command = f"/open-{next(OPENED)}"

    @app.command(command)
    async def open_it(ack: AsyncAck, client: AsyncWebClient, body: dict[str, Any]) -> None:
        await client.views_open(trigger_id=body["trigger_id"], view=view)
        await ack()

    modal = (await workspace.person(AYA).slash(GENERAL, command)).modal
    assert modal is not None
    return modal


async def trigger(workspace: LocalWorkspace) -> str:
    """A fresh trigger of Aya's."""
    async with raw_connection(workspace) as tap:
        typing = asyncio.create_task(workspace.person(AYA).slash(GENERAL, "/towow"))
        trigger_id: str = (await tap.next())["payload"]["trigger_id"]
        await typing
    return trigger_id


async def test_a_trigger_opens_one_modal(workspace: LocalWorkspace, client: AsyncWebClient) -> None:
    trigger_id = await trigger(workspace)
    await client.views_open(trigger_id=trigger_id, view=FORM)
    with pytest.raises(SlackApiError, match="exchanged_trigger_id"):
        await client.views_open(trigger_id=trigger_id, view=FORM)
    with pytest.raises(SlackApiError, match="invalid_trigger_id"):
        await client.views_open(trigger_id="1.2.3", view=FORM)


async def test_a_trigger_lives_three_seconds() -> None:
    time = 1_700_000_000.0
    async with LocalWorkspace(users=USERS, channels=CHANNELS, now=lambda: time) as workspace:
        trigger_id = await trigger(workspace)
        time += 3.1
        with pytest.raises(SlackApiError, match="expired_trigger_id"):
            await client_of(workspace).views_open(trigger_id=trigger_id, view=FORM)


async def test_a_view_that_slack_would_refuse_leaves_the_trigger_unused(
    workspace: LocalWorkspace, client: AsyncWebClient
) -> None:
    trigger_id = await trigger(workspace)
    with pytest.raises(SlackApiError, match="invalid_arguments"):
        await client.views_open(trigger_id=trigger_id, view=form(private_metadata="x" * 3001))
    await client.views_open(trigger_id=trigger_id, view=FORM)


async def test_an_update_with_an_old_hash_is_a_conflict_and_entered_values_stay(
    workspace: LocalWorkspace, app: AsyncApp, client: AsyncWebClient, aya: Person
) -> None:
    async with running(app, workspace):
        modal = await opened(app, workspace, FORM)
        await aya.submit(modal, {"why": {"text": "ab"}})  # too short: it stays open, with what was typed
        title = {"type": "plain_text", "text": "Why not?"}
        await client.views_update(view_id=modal.id, hash=modal.hash, view=form(title=title))
        with pytest.raises(SlackApiError, match="hash_conflict"):
            await client.views_update(view_id=modal.id, hash=modal.hash, view=FORM)
        with pytest.raises(SlackApiError, match="not_found"):
            await client.views_update(view_id="V_NONE", view=FORM)
    [shown] = await aya.modals()
    assert shown.title is not None
    assert shown.title["text"] == "Why not?"
    assert shown.values["why"]["text"]["value"] == "ab"


async def test_an_answer_can_push_update_and_clear(workspace: LocalWorkspace, app: AsyncApp, aya: Person) -> None:
    answers: dict[str, ViewBody] = {
        "first": {"response_action": "push", "view": form(callback_id="second")},
        "second": {"response_action": "update", "view": form(callback_id="third")},
        "third": {"response_action": "clear"},
    }

    @app.view({"type": "view_submission", "callback_id": "first"})
    @app.view({"type": "view_submission", "callback_id": "second"})
    @app.view({"type": "view_submission", "callback_id": "third"})
    async def answer(ack: AsyncAck, view: dict[str, Any]) -> None:
        await ack(answers[view["callback_id"]])

    async with running(app, workspace):
        first = await opened(app, workspace, form(callback_id="first"))
        second = (await aya.submit(first, {"why": {"text": "one"}})).modal
        assert second is not None
        assert (second.callback_id, second.previous_view_id, second.root_view_id) == ("second", first.id, first.id)
        third = (await aya.submit(second, {"why": {"text": "two"}})).modal
        assert third is not None
        assert (third.callback_id, third.id) == ("third", second.id)
        assert (await aya.submit(third, {"why": {"text": "three"}})).modal is None
    assert await aya.modals() == []


async def test_errors_for_a_block_that_has_no_input_are_not_shown(
    workspace: LocalWorkspace, app: AsyncApp, aya: Person
) -> None:
    @app.view("form")
    async def answer(ack: AsyncAck) -> None:
        await ack(response_action="errors", errors={"elsewhere": "No."})

    async with running(app, workspace):
        outcome = await aya.submit(await opened(app, workspace, FORM), {"why": {"text": "because"}})
    assert outcome.error == "We had some trouble connecting. Try again?"
    assert outcome.modal is not None


async def test_closing_is_announced_only_to_apps_that_asked(
    workspace: LocalWorkspace, app: AsyncApp, aya: Person
) -> None:
    closed: list[str] = []

    @app.view_closed("form")
    async def on_close(ack: AsyncAck, view: dict[str, Any]) -> None:
        closed.append(view["private_metadata"])
        await ack()

    async with running(app, workspace):
        await aya.close(await opened(app, workspace, form(private_metadata="quiet")))
        outcome = await aya.close(await opened(app, workspace, form(private_metadata="told", notify_on_close=True)))
    assert outcome.acked
    assert closed == ["told"]


async def test_opening_home_lets_the_app_publish_it_and_its_buttons_work(
    workspace: LocalWorkspace, app: AsyncApp, aya: Person
) -> None:
    button = {"type": "button", "action_id": "pause", "text": {"type": "plain_text", "text": "Pause my twin"}}
    home = {"type": "home", "blocks": [{"type": "actions", "elements": [button]}]}

    @app.event("app_home_opened")
    async def on_home(event: dict[str, Any], client: AsyncWebClient) -> None:
        await client.views_publish(user_id=event["user"], view=home)

    @app.action("pause")
    async def paused(ack: AsyncAck, body: dict[str, Any], client: AsyncWebClient) -> None:
        done = {"type": "home", "blocks": [{"type": "header", "text": {"type": "plain_text", "text": "Paused"}}]}
        await client.views_publish(user_id=body["user"]["id"], view=done, hash=body["view"]["hash"])
        await ack()

    async with running(app, workspace):
        assert await aya.open_home() is None
        published = await aya.until_home()
        assert (await aya.act(published, "pause")).acked
        now = await aya.home()
    assert now is not None
    assert now.blocks[0]["text"]["text"] == "Paused"
