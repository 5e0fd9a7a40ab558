"""``towow demo``: the product in a browser, until it is ended."""

import json
import os
import re
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.request import Request, urlopen

import pytest

from bot.demo.demo import CHANNEL, REQUESTER
from bot.demo.negotiation.part import FIRST
from bot.demo.page import COLLEAGUES, MET_FIRST, PREFIX, colleagues, has_desktop
from bot.local_slack import Message, Person
from engine.directory.profile import Profiles
from tests.profiles.people import shipped

from .conftest import MEETUP, ROOT, Towow, ended, process

ADDRESS: Final = re.compile(r"http://127\.0\.0\.1:\d+")
HALF: Final = 150
"""Seconds of a round in the demo, until half time and from then on."""


@contextmanager
def demo(*arguments: str, cwd: Path, end: signal.Signals = signal.SIGINT) -> Iterator[str]:
    """Its address; ended in good order."""
    running = process("demo", "--empty", *arguments, cwd=cwd)
    try:
        assert running.stdout is not None
        told = ADDRESS.search(running.stdout.readline())
        assert told is not None
        yield told[0]
    finally:
        running.send_signal(end)
        done = ended(running)
    assert (done.code, done.out, done.err) == (0, "", "")


def panel(url: str) -> Any:
    with urlopen(f"{url}/local/panel") as answer:  # noqa: S310 - it is http
        return json.load(answer)


def skip(url: str) -> None:
    due = json.dumps({"due": panel(url)["wait"]["due"]}).encode()
    with urlopen(url) as page:  # noqa: S310
        token = re.search(r'name="token" content="([^"]+)"', page.read().decode())
    assert token is not None
    headers = {"Content-Type": "application/json", "X-Local-Token": token[1]}
    request = Request(f"{url}/local/panel/skip", due, headers)  # noqa: S310
    with urlopen(request) as answer:  # noqa: S310
        assert answer.status == 200


def is_about_round(number: int, message: Message) -> bool:
    payload = (message.metadata or {}).get("event_payload") or {}
    return bool(payload.get("key") == f"round-{number}" and any(each["type"] == "actions" for each in message.blocks))


def test_it_says_where_it_is_until_it_is_ended(tmp_path: Path) -> None:
    with demo(cwd=tmp_path, end=signal.SIGTERM) as url, urlopen(url) as answer:  # noqa: S310
        assert answer.status == 200


async def test_it_opens_in_a_thread_that_is_under_way_and_says_what_it_does(tmp_path: Path) -> None:
    running = process("demo", "--no-browser", cwd=tmp_path, LANG="zh_CN.UTF-8", LC_ALL="", PYTHONPATH=str(ROOT))
    try:
        assert running.stdout is not None
        rules, asked, told = (running.stdout.readline() for _ in range(3))
        assert "simple rules answer" in rules
        assert f"opens in a thread that is under way: {FIRST['zh']}" in asked
        url = ADDRESS.search(told)
        assert url is not None
        you = Person(url[0], REQUESTER)
        (posted,) = await you.messages(CHANNEL)
        assert FIRST["zh"] in posted.text
        assert any(is_about_round(1, each) for each in await you.thread(CHANNEL, posted.ts))
    finally:
        running.send_signal(signal.SIGINT)
        done = ended(running)
    assert (done.code, done.err) == (0, "")


async def test_after_a_restart_everything_is_as_it_was_and_goes_on(tmp_path: Path) -> None:
    with demo(MEETUP, "--db", "towow.db", cwd=tmp_path) as url:
        you = Person(url, REQUESTER)
        posted = await you.until_message(CHANNEL, lambda each: MEETUP in each.text)
        await you.until_message(CHANNEL, lambda each: "回应已收齐" in each.text, posted.ts)
        skip(url)
        await you.until_message(CHANNEL, lambda each: is_about_round(1, each), posted.ts)
        skip(url)
        before = await you.messages(CHANNEL), panel(url)["entries"]
    assert before[1][0]["name"] == "feedback.reminded"

    with demo("--db", "towow.db", cwd=tmp_path) as url:
        you, shown = Person(url, REQUESTER), panel(url)
        assert (await you.messages(CHANNEL), shown["entries"]) == before
        assert shown["wait"]["what"] == "Round 1 closes"
        assert shown["wait"]["due"] - shown["now"] <= HALF  # what was skipped is not waited for again
        skip(url)
        await you.until_message(CHANNEL, lambda each: is_about_round(2, each), posted.ts)


def test_a_port_that_is_taken_is_told_in_a_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = ended(process("demo", "--port", str(port), cwd=tmp_path))

    assert (done.code, done.out) == (2, "")
    assert done.complaints == [f"towow: Port {port} is taken already; choose another one, or 0 for any that is free."]


@pytest.mark.parametrize("port", ["-1", "65536", "http", ""])
def test_a_port_that_is_none_is_refused(towow: Towow, port: str) -> None:
    done = towow("demo", f"--port={port}")
    assert done.code == 2
    assert "take one from 1 to 65535, or 0 for any" in done.err


def test_the_demo_in_the_terminal_still_plays_one_demand(towow: Towow) -> None:
    done = towow("demo", "--terminal")
    assert (done.code, done.err) == (0, "")
    assert "按简单规则拟的草案" in done.out


@pytest.fixture
def browser(tmp_path: Path) -> Path:
    """One that writes down what it was to open."""
    browser = tmp_path / "browser"
    browser.write_text('#!/bin/sh\necho "$1" > opened\n')
    browser.chmod(0o755)
    return browser


def test_in_a_terminal_the_page_opens_by_itself(tmp_path: Path, browser: Path) -> None:
    os.mkfifo(tmp_path / "opened")
    with shown("demo", "--empty", cwd=tmp_path, BROWSER=str(browser)) as said:
        assert "it opens in your browser" in said
        assert (tmp_path / "opened").read_text().strip() in said


@pytest.mark.exhaustive
def test_it_does_not_where_somebody_said_so(tmp_path: Path, browser: Path) -> None:
    with shown("demo", "--empty", "--no-browser", cwd=tmp_path, BROWSER=str(browser)) as said:
        assert "open it in a browser" in said
    assert not (tmp_path / "opened").exists()


@contextmanager
def shown(*arguments: str, cwd: Path, **variables: str) -> Iterator[str]:
    """What stands in a terminal at first."""
    screen, line = os.openpty()
    with os.fdopen(screen, "rb", buffering=0) as looked_at:
        running = process(*arguments, cwd=cwd, screen=line, CI="", **variables)
        os.close(line)
        try:
            yield looked_at.read(1000).decode()
        finally:
            running.send_signal(signal.SIGINT)
            done = ended(running)
    assert (done.code, done.err) == (0, "")


@pytest.mark.parametrize(
    ("platform", "environ", "seen"),
    [
        pytest.param("linux", {"DISPLAY": ":0"}, True, id="a desktop"),
        pytest.param("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True, id="a newer desktop"),
        pytest.param("darwin", {}, True, id="a Mac"),
        pytest.param("win32", {}, True, id="Windows"),
        pytest.param("linux", {}, False, id="a server"),
        pytest.param("linux", {"DISPLAY": "localhost:10.0", "SSH_CONNECTION": "::1 1 ::1 22"}, False, id="through SSH"),
        pytest.param("darwin", {"SSH_CONNECTION": "::1 1 ::1 22"}, False, id="a Mac through SSH"),
        pytest.param("linux", {"BROWSER": "/opt/browser", "SSH_CONNECTION": "::1 1 ::1 22"}, True, id="somebody's own"),
        pytest.param("linux", {"DISPLAY": ":0", "BROWSER": "firefox", "CI": "true"}, False, id="CI"),
    ],
)
def test_the_browser_opens_where_somebody_would_see_it(platform: str, environ: dict[str, str], seen: bool) -> None:
    assert has_desktop(environ, platform) is seen


@pytest.mark.parametrize("known", [30, 3])
def test_a_few_colleagues_are_people_here_with_their_twins(known: int) -> None:
    everybody = shipped()
    profiles = Profiles({agent_id: everybody[agent_id] for agent_id in list(everybody)[:known]})

    linked, people = colleagues(profiles)

    assert len(people) == min(known, COLLEAGUES)
    assert set(linked) == set(profiles)
    for person in people:
        twin = linked.of_user(person.id)
        assert twin is not None
        assert twin.user_name == person.real_name


def test_those_whom_one_meets_first_exist() -> None:
    assert {f"{PREFIX}{name}" for name in MET_FIRST} <= set(shipped())


def test_with_an_option_programs_may_call_as_well_and_are_told_how(tmp_path: Path) -> None:
    running = process("demo", "--empty", "--api", cwd=tmp_path)
    try:
        assert running.stdout is not None
        running.stdout.readline()
        told = re.search(r"(http://127\.0\.0\.1:\d+/api/v1); .* token (\S+)\.$", running.stdout.readline())
        assert told is not None
        request = Request(f"{told[1]}/admin/profiles", headers={"Authorization": f"Bearer {told[2]}"})  # noqa: S310
        with urlopen(request) as answer:  # noqa: S310
            assert json.load(answer)["count"] >= COLLEAGUES
    finally:
        running.send_signal(signal.SIGINT)
        done = ended(running)
    assert (done.code, done.err) == (0, "")
