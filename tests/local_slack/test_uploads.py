"""A person gives a file to a form, and the app reads it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
from slack_bolt.app.async_app import AsyncApp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import LocalWorkspace, NotPossible, Person, View

from .conftest import GENERAL, running

FORM: dict[str, Any] = {
    "type": "modal",
    "callback_id": "give",
    "title": {"type": "plain_text", "text": "Give a file"},
    "submit": {"type": "plain_text", "text": "Send"},
    "blocks": [
        {
            "type": "input",
            "block_id": "proof",
            "label": {"type": "plain_text", "text": "Proof"},
            "element": {"type": "file_input", "action_id": "proof", "max_files": 1},
        }
    ],
}


@pytest.fixture
async def sent(app: AsyncApp, workspace: LocalWorkspace) -> AsyncIterator[list[dict[str, Any]]]:
    """What the app was sent of each form."""
    views: list[dict[str, Any]] = []

    @app.command("/towow")
    async def opened(ack: Any, body: dict[str, Any], client: AsyncWebClient) -> None:
        await ack()
        await client.views_open(trigger_id=body["trigger_id"], view=FORM)

    @app.view("give")
    async def taken(ack: Any, view: dict[str, Any]) -> None:
        views.append(view)
        await ack()

    async with running(app, workspace):
        yield views


async def opened(person: Person) -> View:
    await person.slash(GENERAL, "/towow")
    return await person.until_modal()


async def test_a_form_names_the_file_and_the_app_reads_it(
    workspace: LocalWorkspace, client: AsyncWebClient, aya: Person, sent: list[dict[str, Any]]
) -> None:
    form = await opened(aya)
    file_id = await aya.upload("票据 1.pdf", b"%PDF-1.7 proof")

    outcome = await aya.submit(form, {"proof": {"proof": [file_id]}})

    assert outcome.acked
    [file] = sent[0]["state"]["values"]["proof"]["proof"]["files"]
    told = (await client.files_info(file=file_id))["file"]
    assert (told["id"], told["name"], told["size"], told["user"]) == (file["id"], "票据 1.pdf", 14, aya.id)
    assert told["mimetype"] == "application/pdf"
    async with aiohttp.ClientSession() as session:
        url, token = told["url_private"], {"Authorization": f"Bearer {workspace.bot_token}"}
        assert await (await session.get(url, headers=token)).read() == b"%PDF-1.7 proof"
        assert (await session.get(url)).status == 404


async def test_a_form_that_asks_for_a_file_is_not_sent_without_one(aya: Person, sent: list[dict[str, Any]]) -> None:
    outcome = await aya.submit(await opened(aya), {})
    assert (outcome.sent, [*outcome.errors], sent) == (False, ["proof"], [])


async def test_nobody_gives_somebody_elses_file(aya: Person, bo: Person, sent: list[dict[str, Any]]) -> None:
    form = await opened(aya)
    with pytest.raises(NotPossible, match="has not uploaded"):
        await aya.submit(form, {"proof": {"proof": [await bo.upload("mine.txt", b"secret")]}})
    assert sent == []


@pytest.mark.parametrize(
    ("name", "content"), [pytest.param("", b"x", id="no name"), pytest.param("a", b"", id="empty")]
)
async def test_a_file_has_a_name_and_something_in_it(aya: Person, name: str, content: bytes) -> None:
    with pytest.raises(NotPossible, match="A file has a name"):
        await aya.upload(name, content)


async def test_the_app_is_told_that_there_is_no_such_file(client: AsyncWebClient) -> None:
    with pytest.raises(SlackApiError, match="file_not_found"):
        await client.files_info(file="F_GONE")
