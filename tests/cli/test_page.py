"""``towow demo --page``: the product in a browser, until it is ended."""

import re
import signal
import socket
from pathlib import Path
from urllib.request import urlopen

import pytest

from bot.page import COLLEAGUES, MET_FIRST, PREFIX, colleagues
from engine.directory.profile import Profiles
from engine.profiles import load_profiles

from .conftest import ended, process


def test_it_says_where_it_is_and_an_interrupt_ends_it(tmp_path: Path) -> None:
    running = process("demo", "--page", "--db", "towow.db", cwd=tmp_path)
    assert running.stdout is not None
    told = re.search(r"http://127\.0\.0\.1:\d+", running.stdout.readline())
    assert told is not None

    with urlopen(told[0]) as answer:  # noqa: S310 - it is http
        assert answer.status == 200
    running.send_signal(signal.SIGINT)

    done = ended(running)
    assert (done.code, done.err) == (0, "")


def test_a_port_that_is_taken_is_told_in_a_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = ended(process("demo", "--page", "--port", str(port), cwd=tmp_path))

    assert (done.code, done.out) == (2, "")
    assert done.complaints == [f"towow: Port {port} is taken already; choose another one, or 0 for any that is free."]


@pytest.mark.parametrize("known", [30, 3])
def test_a_few_colleagues_are_people_here_with_their_twins(known: int) -> None:
    everybody = load_profiles()
    profiles = Profiles({agent_id: everybody[agent_id] for agent_id in list(everybody)[:known]})

    linked, people = colleagues(profiles)

    assert len(people) == min(known, COLLEAGUES)
    assert set(linked) == set(profiles)
    for person in people:
        twin = linked.of_user(person.id)
        assert twin is not None
        assert twin.user_name == person.real_name


def test_those_whom_one_meets_first_exist() -> None:
    assert {f"{PREFIX}{name}" for name in MET_FIRST} <= set(load_profiles())
