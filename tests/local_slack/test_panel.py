"""The panel beside the conversations: the process that starts the workspace provides it, and only its pages see it."""

from __future__ import annotations

from typing import Any

import aiohttp
import pytest

from bot.local_slack import App, LocalWorkspace, Person
from bot.local_slack.local_api.routes import TOKEN_HEADER

from .conftest import AYA, BO, CHANNELS, GENERAL, USERS, token_of
from .scripted_panel import NOON, ScriptedPanel


@pytest.fixture
def panel(workspace: LocalWorkspace) -> ScriptedPanel:
    panel = ScriptedPanel()
    workspace.show(panel)
    return panel


async def look(workspace: LocalWorkspace, after: str | None = None, **headers: str) -> tuple[int, Any]:
    query = {} if after is None else {"after": after}
    url = f"{workspace.url}/local/panel"
    async with aiohttp.ClientSession() as session, session.get(url, params=query, headers=headers) as response:
        return response.status, await response.json() if response.content_type == "application/json" else None


async def test_what_is_waited_for_is_told_in_the_language_of_the_page(
    workspace: LocalWorkspace, panel: ScriptedPanel
) -> None:
    url = f"{workspace.url}/local/panel"
    async with aiohttp.ClientSession() as session:
        told = [
            (await (await session.get(url, params={"language": each})).json())["wait"]["what"] for each in ("en", "zh")
        ]
    assert told == ["Tea is ready", "茶好了"]


async def seen(workspace: LocalWorkspace, after: str | None = None) -> tuple[list[int], str, bool]:
    """Positions, newest first; the cursor; whether these are all."""
    status, shown = await look(workspace, after)
    assert status == 200
    return [each["position"] for each in shown["entries"]], shown["cursor"], shown["whole"]


async def skip(workspace: LocalWorkspace, body: str, **headers: str) -> int:
    url = f"{workspace.url}/local/panel/skip"
    headers = {"Content-Type": "application/json", TOKEN_HEADER: await token_of(workspace.url)} | headers
    async with aiohttp.ClientSession() as session, session.post(url, data=body, headers=headers) as response:
        return response.status


async def test_the_overview_says_whether_there_is_one(workspace: LocalWorkspace) -> None:
    async def overview() -> Any:
        async with aiohttp.ClientSession() as session, session.get(f"{workspace.url}/local/overview") as response:
            return await response.json()

    assert (await overview())["panel"] is False
    status, refused = await look(workspace)
    assert (status, refused["error"].split(";")[0]) == (409, "This workspace has no panel")

    workspace.show(ScriptedPanel())

    assert (await overview())["panel"] is True


async def test_a_page_goes_on_where_it_was_without_gap_or_double(
    workspace: LocalWorkspace, panel: ScriptedPanel
) -> None:
    panel.happen(3)
    positions, cursor, whole = await seen(workspace)
    assert (positions, whole) == ([3, 2, 1], True)

    assert await seen(workspace, cursor) == ([], cursor, False)

    panel.happen(2)
    positions, cursor, whole = await seen(workspace, cursor)
    assert (positions, whole) == ([5, 4], False)
    assert (await seen(workspace, cursor))[0] == []


async def test_of_what_was_missed_the_newest_is_told(workspace: LocalWorkspace, panel: ScriptedPanel) -> None:
    panel.happen()
    _, cursor, _ = await seen(workspace)
    panel.happen(300)

    positions, cursor, _ = await seen(workspace, cursor)

    assert positions == list(range(301, 201, -1))
    assert (await seen(workspace, cursor))[0] == []


async def test_after_a_restart_everything_is_told_again(workspace: LocalWorkspace, panel: ScriptedPanel) -> None:
    panel.happen(2)
    _, cursor, _ = await seen(workspace)
    async with LocalWorkspace() as other:
        again = ScriptedPanel()
        other.show(again)
        again.happen(3)

        positions, _, whole = await seen(other, cursor)

    assert (positions, whole) == ([3, 2, 1], True)


@pytest.mark.parametrize("cursor", ["", "3", "abc-", "abc--1", "zz-1", "a-1 ", "a-" + "9" * 19, "a-٣"])
async def test_a_cursor_that_is_none_is_refused(workspace: LocalWorkspace, panel: ScriptedPanel, cursor: str) -> None:
    status, refused = await look(workspace, cursor)
    assert status == 409
    assert "leave `after` out" in refused["error"]


async def test_who_presses_twice_skips_once(workspace: LocalWorkspace, panel: ScriptedPanel) -> None:
    assert await skip(workspace, f'{{"due": {NOON + 30}}}') == 200
    assert await skip(workspace, f'{{"due": {NOON + 30}}}') == 200
    assert panel.now == NOON + 30


@pytest.mark.parametrize("body", ["", "{}", '{"due": "soon"}', '{"due": NaN}', '{"due": 1, "by": 2}', "[]"])
async def test_nobody_skips_to_a_time_that_is_none(workspace: LocalWorkspace, panel: ScriptedPanel, body: str) -> None:
    assert await skip(workspace, body) == 409
    assert panel.now == NOON


@pytest.mark.parametrize("origin", ["https://evil.example", "http://127.0.0.1:1", "null"])
async def test_other_pages_neither_see_it_nor_skip(
    workspace: LocalWorkspace, panel: ScriptedPanel, origin: str
) -> None:
    assert (await look(workspace, Origin=origin))[0] == 403
    assert await skip(workspace, f'{{"due": {NOON + 60}}}', Origin=origin) == 403
    assert await skip(workspace, f'{{"due": {NOON + 60}}}', **{"Content-Type": "text/plain"}) == 409
    assert panel.now == NOON


async def test_everybody_hears_that_there_is_something_to_see(
    workspace: LocalWorkspace, panel: ScriptedPanel, aya: Person, bo: Person
) -> None:
    async with aya.feed() as hers, bo.feed() as his:
        panel.happen()
        assert [(await anext(each)).kind for each in (hers, his)] == ["panel", "panel"]
        await skip(workspace, f'{{"due": {NOON + 1}}}')
        assert (await anext(hers)).kind == "panel"


async def test_its_time_is_the_workspace_s() -> None:
    panel = ScriptedPanel()
    async with LocalWorkspace(users=USERS, channels=CHANNELS, now=lambda: panel.now) as workspace:
        workspace.show(panel)
        await skip(workspace, f'{{"due": {NOON + 60}}}')
        _, shown = await look(workspace)
        said = await workspace.person(AYA).say(GENERAL, "tea?")
    assert shown["now"] == NOON + 60
    assert shown["wait"] == {"what": "Tea is ready", "due": NOON + 60}
    assert float(said.ts) == NOON + 60


async def test_what_one_may_say_first_comes_with_the_app() -> None:
    async with (
        LocalWorkspace(app=App(suggestions=("I need a room",), welcome={"en": "It finds rooms."})) as workspace,
        aiohttp.ClientSession() as session,
        session.get(f"{workspace.url}/local/overview") as response,
    ):
        app = (await response.json())["app"]
    assert app["suggestions"] == ["I need a room"]
    assert app["welcome"] == {"en": "It finds rooms."}


async def test_a_name_is_a_mention_however_it_is_capitalised(aya: Person) -> None:
    said = await aya.say(GENERAL, "@ToWow and @BO, not @Nobody")
    assert said.text == f"<@U_TOWOW> and <@{BO}>, not @Nobody"
