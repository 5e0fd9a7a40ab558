"""The files that were made are put into the thread of a delivery that has ended: once, below the report."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.delivery import artifacts
from bot.listeners.export_notes import KIND
from bot.posts.slack_calls import always
from bot.views.delivery.button_values import APPROVE
from engine.delivery.inbox import RESULTS
from engine.delivery.state import Status
from engine.delivery.terms import Artifact

from .conftest import Begin
from .driver import YOU, text_of
from .leading import AGENT, Led, led
from .ticketing import task

CONTENT = b"# The page\n"


def made(content: bytes = CONTENT, name: str = "page.md", **fields: Any) -> Artifact:
    digest = f"sha256:{hashlib.sha256(content).hexdigest()}"
    told: dict[str, Any] = {"content_type": "text/markdown", "size_bytes": len(content), "digest": digest}
    return Artifact(label="Result", **{"uri": f"artifacts/T-1/{name}"} | told | fields)


async def done(begin: Begin, *results: Artifact, kept: bytes | None = CONTENT, **circumstances: Any) -> Led:
    """An agent has made something, and it waits for the last approval."""
    it = await led(begin, task(owner=AGENT), outcomes=[{"artifacts": results or (made(),)}], **circumstances)
    folder: Path = it.it.demo.towow.services.workers.access.sessions / it.key.stream / "artifacts" / "T-1"
    keep(folder, kept)
    return it


def keep(folder: Path, content: bytes | None) -> None:
    folder.mkdir(parents=True)
    if content is not None:
        (folder / "page.md").write_bytes(content)


async def files(it: Led) -> list[str]:
    """Return the names of the files that are in the channel and its threads."""
    named = {each.id: each.name for each in await it.it.demo.person(YOU).files()}
    return [named[file] for each in await it.it.everything(YOU) for file in each.files]


async def ends(it: Led) -> None:
    await it.acts(YOU, APPROVE)
    assert (await it.state()).status is Status.COMPLETED
    while await it.it.demo.skip():
        await it.it.settles()


async def records(it: Led, kind: str) -> dict[str, str]:
    return dict(await it.it.demo.towow.store.records(it.key.tenant, kind))


async def test_what_was_made_is_put_below_the_report_once(driver: Begin) -> None:
    it = await done(driver)

    await ends(it)

    messages = await it.it.everything(YOU)
    [last] = [each for each in messages if each.files]
    assert last.ts > (await it.posts())["report"].ts
    assert last.thread_ts == (await it.posts())["report"].thread_ts
    assert await files(it) == ["T-1-page.md"]
    assert "📎 *What was made*" in text_of(last)
    assert await records(it, RESULTS) == await records(it, KIND) == {}
    await artifacts.share(it.it.demo.towow.services, always(client(it)), it.key)
    assert len(await files(it)) == 1


def client(it: Led) -> AsyncWebClient:
    workspace = it.it.demo.workspace
    return AsyncWebClient(workspace.bot_token, workspace.api_url)


@pytest.mark.parametrize("kept", [pytest.param(None, id="gone"), pytest.param(b"# Another one\n", id="changed")])
async def test_what_is_not_there_any_more_or_another_one_is_not_shared_and_the_requester_is_told(
    driver: Begin, kept: bytes | None
) -> None:
    it = await done(driver, kept=kept)

    await ends(it)

    assert await files(it) == []
    assert any("could not be put into the thread" in each for each in await it.private(YOU))


async def test_links_are_no_files(driver: Begin) -> None:
    it = await done(driver, made(is_link=True, uri="https://example.org/page"))

    await ends(it)

    assert await files(it) == []
    assert await records(it, RESULTS) == {}
    assert "<https://example.org/page|Result> (a link, which ToWow does not open)" in text_of(
        (await it.posts())["report"]
    )


async def test_an_upload_that_fails_is_not_repeated_and_the_requester_is_told(driver: Begin) -> None:
    it = await done(driver)
    await it.it.demo.workspace.admin.fault("files.completeUploadExternal", "error", times=None)

    await ends(it)

    assert await files(it) == []
    assert any("could not be put into the thread" in each for each in await it.private(YOU))
    assert await records(it, RESULTS) == await records(it, KIND) == {}


async def test_an_upload_that_had_begun_before_a_kill_is_not_begun_again(driver: Begin) -> None:
    it = await done(driver)
    await ends(it)
    store, stream = it.it.demo.towow.store, it.key.stream
    await store.put_records(it.key.tenant, RESULTS, {stream: "{}"})
    await store.put_records(it.key.tenant, KIND, {f"results:{stream}": "{}"})

    await artifacts.share(it.it.demo.towow.services, always(client(it)), it.key)

    assert len(await files(it)) == 1
    assert await records(it, RESULTS) == {}
