"""People let ToWow into their workspaces, each by its own page, and nothing of one is seen in another."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import aiohttp
import pytest

from engine.store.memory import MemoryStore

from ..local_slack.several import ACME, BEES, NORTH, SOUTH
from .driver import Many, many, tenant


def _browser() -> aiohttp.ClientSession:
    return aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True))


async def test_two_workspaces_side_by_side(tmp_path: Path) -> None:
    store = MemoryStore()
    async with many(store, tmp_path / "towow.db", ACME, BEES) as it:
        assert "ToWow is in Acme" in await it.installs(ACME.id)
        assert "ToWow is in Bees" in await it.installs(BEES.id)

        ours, theirs = await it.asks(ACME), await it.asks(BEES, "I need two speakers in Paris")

        assert len(await it.thread(ACME, ours)) > 1
        assert len(await it.thread(BEES, theirs)) > 1
        assert "Paris" not in str([each.blocks for each in await it.thread(ACME, ours)])
        assert "Berlin" not in str([each.blocks for each in await it.thread(BEES, theirs)])
        assert set(await store.tenants()) == {tenant(ACME), tenant(BEES)}


async def test_where_it_is_not_installed_nothing_happens(tmp_path: Path) -> None:
    store = MemoryStore()
    async with many(store, tmp_path / "towow.db", ACME, BEES) as it:
        await it.installs(ACME.id)
        asked = await it.asks(BEES)
        assert len(await it.thread(BEES, asked)) == 1
        assert await store.tenants() == []


async def test_an_organisation_lets_it_into_all_its_workspaces(tmp_path: Path) -> None:
    store = MemoryStore()
    async with many(store, tmp_path / "towow.db", NORTH, SOUTH) as it:
        assert "ToWow is in Group" in await it.installs("E_GROUP")
        ours, theirs = await it.asks(NORTH), await it.asks(SOUTH)
        assert len(await it.thread(NORTH, ours)) > 1
        assert len(await it.thread(SOUTH, theirs)) > 1
        assert set(await store.tenants()) == {tenant(NORTH), tenant(SOUTH)}


@pytest.fixture
async def it(tmp_path: Path) -> object:
    async with many(MemoryStore(), tmp_path / "towow.db", ACME) as it:
        yield it


async def test_who_refuses_is_told_that_nothing_was_changed(it: Many) -> None:
    assert "ToWow was not added" in await it.installs("")


async def test_what_was_begun_in_one_browser_does_not_go_on_in_another(it: Many) -> None:
    async with _browser() as mine, _browser() as theirs:
        back = await it.slack.allows(await it.install_address(mine), ACME.id)
        async with theirs.get(back) as page:
            assert page.status == 400
            assert "This was begun elsewhere" in await page.text()
        assert it.slack.slack.itself.grants.of(ACME) is None


async def test_a_state_is_good_once(it: Many) -> None:
    async with _browser() as browser:
        back = await it.slack.allows(await it.install_address(browser), ACME.id)
        cookies = {each.key: each.value for each in browser.cookie_jar}
        async with browser.get(back) as page:
            assert page.status == 200
        async with aiohttp.ClientSession(cookies=cookies) as again, again.get(back) as page:
            assert page.status == 401
            assert "used already" in await page.text()


@pytest.mark.parametrize(
    ("change", "status", "says"),
    [
        pytest.param({"state": None}, 400, "begun elsewhere", id="no state"),
        pytest.param({"state": "guessed"}, 400, "begun elsewhere", id="a state that is guessed"),
        pytest.param({"code": None}, 401, "used already", id="no code"),
        pytest.param({"code": "guessed"}, 401, "did not confirm", id="a code that is guessed"),
        pytest.param({"error": "something"}, 200, "was not added", id="an error of any name"),
    ],
)
async def test_what_slack_did_not_send_installs_nothing(
    it: Many, change: dict[str, str | None], status: int, says: str
) -> None:
    async with _browser() as browser:
        back = await it.slack.allows(await it.install_address(browser), ACME.id)
        said = {name: values[0] for name, values in parse_qs(urlsplit(back).query).items()} | change
        query = {name: value for name, value in said.items() if value is not None}
        async with browser.get(back.partition("?")[0], params=query) as page:
            assert page.status == status
            assert says in await page.text()
    assert it.slack.slack.itself.grants.of(ACME) is None


async def test_the_pages_speak_chinese_too(it: Many) -> None:
    said = {"Accept-Language": "zh-CN,zh;q=0.9"}
    async with aiohttp.ClientSession(headers=said) as browser, browser.get(f"{it.url}/slack/install") as page:
        assert "添加" in await page.text()
        assert page.headers["Content-Security-Policy"].startswith("default-src 'none'")
        assert "HttpOnly" in page.headers["Set-Cookie"]
        assert "SameSite=Lax" in page.headers["Set-Cookie"]
