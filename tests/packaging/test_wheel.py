"""What people install, outside of the checkout: everything that is read at run time has come along."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
LONGEST: Final = 60
"""Seconds."""


def run(*command: str | Path, cwd: Path, path: Path | None = None) -> str:
    """Python with these arguments; what it printed. ``path``: where packages come from before all others."""
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if path is not None:
        environ["PYTHONPATH"] = str(path)
    done = subprocess.run(
        [sys.executable, *map(str, command)], cwd=cwd, env=environ, capture_output=True, text=True, timeout=LONGEST
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the wheel was installed into, offline."""
    folder = tmp_path_factory.mktemp("wheel")
    run("-m", "hatchling", "build", "--target", "wheel", "--directory", folder, cwd=ROOT)
    [wheel] = folder.glob("towow-*.whl")
    site = folder / "site"
    offline = ("--no-deps", "--no-index", "--no-compile", "--quiet", "--disable-pip-version-check")
    run("-m", "pip", "install", *offline, "--target", site, wheel, cwd=folder)
    return site


@pytest.mark.exhaustive
def test_an_installed_towow_finds_its_prompts_and_people(installed: Path, tmp_path: Path) -> None:
    demand = "我想在北京办一场50人的AI主题聚会，需要场地和嘉宾"

    where = run("-c", "import bot, engine; print(bot.__file__, engine.__file__)", cwd=tmp_path, path=installed)
    said = run("-m", "bot", "ask", demand, "--json", cwd=tmp_path, path=installed)

    assert where.split() == [str(installed / package / "__init__.py") for package in ("bot", "engine")]
    report = json.loads(said)
    assert report["channel_status"] == "finalized"
    assert len(report["confirmed_participants"]) > 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("folder", "place"),
    [
        pytest.param("bot", "bot", id="the bot"),
        pytest.param("engine", "engine", id="the engine"),
        pytest.param("prompts", "engine/_files/prompts", id="prompts"),
        pytest.param("profiles", "engine/_files/profiles", id="profiles"),
    ],
)
def test_no_file_is_left_behind(installed: Path, folder: str, place: str) -> None:
    ours = {path.relative_to(ROOT / folder) for path in (ROOT / folder).rglob("*") if path.is_file()}

    missing = {path for path in ours if not (installed / place / path).is_file()}

    assert ours
    assert {path for path in missing if "__pycache__" not in path.parts} == set()


def test_an_installed_workspace_serves_its_page(installed: Path, tmp_path: Path) -> None:
    code = """
import asyncio, aiohttp, bot.local_slack

async def main():
    async with bot.local_slack.LocalWorkspace() as workspace, aiohttp.ClientSession(workspace.url) as session:
        for path in ("/", "/script/main.js", "/style/tokens.css", "/mark.svg"):
            async with session.get(path) as response:
                print(response.status)

asyncio.run(main())
"""
    assert run("-c", code, cwd=tmp_path, path=installed).split() == ["200"] * 4


def test_those_who_build_on_it_get_its_types(installed: Path) -> None:
    assert (installed / "bot" / "py.typed").is_file()
    assert (installed / "engine" / "py.typed").is_file()
