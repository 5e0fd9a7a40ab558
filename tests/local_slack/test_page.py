"""The page as it is served: nothing but its own files can run in it, and everybody can read it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import aiohttp
import pytest
import yaml

from bot.local_slack import App, LocalWorkspace, Person
from bot.local_slack.local_api.page import PAGE, POLICY

from .conftest import BO, GENERAL

SCRIPTS: Final = sorted(PAGE.glob("script/*.js"))
TOKENS: Final = (PAGE / "style" / "tokens.css").read_text("utf-8")
LIVE: Final = (
    *("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "createContextualFragment", "DOMParser"),
    *("eval(", "new Function", "srcdoc", "setHTML", "document.cookie"),
)
LEGIBLE: Final = 4.5
"""WCAG AA, for text of any size."""


async def fetched(url: str) -> tuple[int, dict[str, str], str]:
    async with aiohttp.ClientSession() as session, session.get(url) as response:
        return response.status, dict(response.headers), await response.text()


async def test_the_page_is_at_the_workspace_s_own_address(workspace: LocalWorkspace) -> None:
    status, headers, text = await fetched(workspace.url)
    assert status == 200
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert headers["Content-Security-Policy"] == POLICY
    assert "Set-Cookie" not in headers
    assert 'src="/script/main.js"' in text


async def test_every_file_that_the_page_names_is_served_as_what_it_is(workspace: LocalWorkspace) -> None:
    named = set(re.findall(r'(?:src|href)="(/[^"]+)"', (PAGE / "index.html").read_text("utf-8")))
    named |= {f"/script/{file}" for script in SCRIPTS for file in re.findall(r'from "\./([^"]+)"', script.read_text())}
    kinds = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
    for path in sorted(named):
        status, headers, _ = await fetched(workspace.url + path)
        assert (path, status) == (path, 200)
        assert headers["Content-Type"] == f"{kinds[Path(path).suffix]}; charset=utf-8"
        assert headers["X-Content-Type-Options"] == "nosniff"
    scripts = {path.removeprefix("/script/") for path in named if path.endswith(".js")}
    assert {each.name for each in SCRIPTS} - scripts == {"types.js"}  # for whoever reads and checks them


@pytest.mark.parametrize(
    "path",
    ["/script/nothing.js", "/script/../../server.py", "/script/..%2f..%2fserver.py", "/server.py", "/index.html"],
)
async def test_nothing_else_is(workspace: LocalWorkspace, path: str) -> None:
    status, _, _ = await fetched(workspace.url + path)
    assert status == 404


def test_nothing_inline_and_nothing_from_elsewhere_is_in_it() -> None:
    html = (PAGE / "index.html").read_text("utf-8")
    assert re.findall(r"<script(?![^>]*src=)|<style| on\w+=| style=|//[a-z]", html) == []
    assert "'unsafe" not in POLICY
    assert "http" not in POLICY


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_nothing_that_was_written_can_become_html(script: Path) -> None:
    assert [word for word in LIVE if word in script.read_text("utf-8")] == []


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize(
    ("text", "ground"),
    [
        *(("ink", ground) for ground in ("paper", "sunk", "raised", "private")),
        *(("soft", ground) for ground in ("paper", "sunk", "raised", "private", "line")),
        *(("link", ground) for ground in ("paper", "sunk", "raised", "private")),
        *(("danger", ground) for ground in ("paper", "sunk", "raised")),
        *((f"on-{ground}", ground) for ground in ("accent", "danger", "mention", "mine", "side", "side-here", "badge")),
        *((text, ground) for text in ("on-side", "side-strong") for ground in ("side", "side-hover")),
    ],
)
def test_every_text_is_legible_on_its_ground(mode: str, text: str, ground: str) -> None:
    light, dark = (dict(re.findall(r"--([\w-]+): (#\w{6});", part)) for part in TOKENS.split("prefers-color-scheme"))
    colours = light if mode == "light" else light | dark
    first, second = sorted((_luminance(colours[text]), _luminance(colours[ground])))
    assert (second + 0.05) / (first + 0.05) >= LEGIBLE


async def test_the_overview_tells_who_there_is_and_what_the_app_offers_but_no_token(workspace: LocalWorkspace) -> None:
    _, _, text = await fetched(f"{workspace.url}/local/overview")
    assert '"id":"U_AYA"' in text
    assert '"name":"ToWow"' in text
    assert workspace.bot_token not in text
    assert workspace.app_token not in text


def test_an_app_is_what_its_manifest_says() -> None:
    app = App.described_by(yaml.safe_load((Path(__file__).parents[2] / "manifest.yml").read_text("utf-8")))
    assert app.name == "ToWow"
    assert "app_mention" in app.subscriptions
    assert [each.command for each in app.commands] == ["/towow"]
    assert {each.type for each in app.shortcuts} == {"global", "message"}


async def test_what_others_said_is_new_until_it_was_read(aya: Person, bo: Person) -> None:
    first = await bo.say(GENERAL, "one")
    second = await bo.say(GENERAL, "two, @aya")
    assert await new_for(aya) == [(GENERAL, None, 2, 1)]
    assert await new_for(bo) == []
    await aya.read(GENERAL, first.ts)
    assert await new_for(aya) == [(GENERAL, None, 1, 1)]
    await aya.read(GENERAL, second.ts)
    await aya.read(GENERAL, first.ts)  # an older tab
    assert await new_for(aya) == []


async def test_a_thread_is_new_for_those_in_it_only(workspace: LocalWorkspace, aya: Person, bo: Person) -> None:
    chen = workspace.person("U_CHEN")
    await workspace.admin.join(GENERAL, "U_CHEN")
    root = await aya.say(GENERAL, "where shall we meet?")
    await aya.read(GENERAL, root.ts)
    await bo.say(GENERAL, "here", root.ts)
    assert await new_for(aya) == [(GENERAL, root.ts, 1, 0)]
    assert await new_for(chen) == [(GENERAL, None, 1, 0)]
    assert (await aya.messages(GENERAL))[0].reply_users == [BO]


async def new_for(person: Person) -> list[tuple[str, str | None, int, int]]:
    return [(each.channel, each.thread_ts, each.count, each.mentions) for each in await person.unread()]


def _luminance(colour: str) -> float:
    """Relative luminance, 0 to 1. Source: WCAG 2.2."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_everything_that_the_page_says_is_said_in_chinese_too() -> None:
    words = (PAGE / "script" / "words.js").read_text("utf-8")
    chinese = set(re.findall(r'^  "([^"]+)": "', words, re.MULTILINE))
    others = "".join(each.read_text("utf-8") for each in SCRIPTS if each.name != "words.js")
    asked = re.findall(r'\btell\(((?:[^()"]|"[^"]*")*)', others)
    said = {each for one in asked for each in re.findall(r'"([^"]+)"', one)}
    assert said - chinese == set()
    page = others + (PAGE / "index.html").read_text("utf-8")
    assert {each for each in chinese if each not in page} == set(), "nobody says it"
