"""The command as people start it: interrupted, piped, without a terminal, in other encodings, beside real tokens."""

import json
import signal
import socket
from pathlib import Path
from subprocess import PIPE

import pytest

from engine.store.sqlite.claim import Claim

from .conftest import MEETUP, PROTOTYPE, Towow, ended, process

SHOWN = [
    pytest.param((), id="the thread"),
    pytest.param(("--json",), id="JSON", marks=pytest.mark.exhaustive),
]


def test_without_a_terminal_the_thread_is_plain_text(towow: Towow) -> None:
    done = towow("ask", MEETUP)

    assert (done.code, done.err) == (0, "")
    assert "按简单规则拟的草案" in done.out
    assert "\x1b" not in done.out
    assert max(map(len, done.out.splitlines())) <= 80


def test_stdout_is_one_object_whatever_is_logged(towow: Towow) -> None:
    done = towow("--verbose", "ask", PROTOTYPE, "--json")

    assert done.report["channel_status"] == "finalized"
    assert done.out.count("\n") == 1
    assert "[info" in done.err


@pytest.mark.parametrize("more", SHOWN)
def test_a_reader_that_has_read_enough_changes_nothing(tmp_path: Path, more: tuple[str, ...]) -> None:
    running = process("ask", PROTOTYPE, *more, cwd=tmp_path)
    assert running.stdout is not None
    running.stdout.close()
    assert running.stderr is not None

    with running:
        complained = running.stderr.read()

    assert (running.returncode, complained) == (0, "")


@pytest.mark.parametrize("more", SHOWN)
def test_an_encoding_that_lacks_our_words_is_no_reason_to_die(tmp_path: Path, more: tuple[str, ...]) -> None:
    done = ended(process("ask", MEETUP, *more, cwd=tmp_path, PYTHONIOENCODING="latin-1"))

    assert (done.code, done.err) == (0, "")
    if more:
        assert MEETUP in json.dumps(done.report, ensure_ascii=False)


def test_an_interrupt_ends_it_without_a_traceback(tmp_path: Path) -> None:
    running = process("--verbose", "ask", MEETUP, "--db", "towow.db", cwd=tmp_path)
    assert running.stderr is not None
    while "session" not in running.stderr.readline():
        pass

    running.send_signal(signal.SIGINT)

    done = ended(running)
    assert (done.code, done.out) == (130, "")
    assert "Traceback" not in done.err
    assert not (tmp_path / "towow.db-wal").exists()


def test_it_does_not_start_beside_the_tokens_of_a_real_workspace(towow: Towow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLACK_BOT_TOKEN", "xoxb-secret")
    done = towow("ask", MEETUP)

    assert (done.code, done.out) == (2, "")
    [sentence] = done.complaints
    assert sentence.startswith("towow: SLACK_BOT_TOKEN holds a token of a real Slack workspace")
    assert "secret" not in sentence


@pytest.mark.exhaustive
def test_a_closed_stdout_is_no_reason_to_die(tmp_path: Path) -> None:
    done = ended(process("ask", MEETUP, cwd=tmp_path, through=("/bin/sh", "-c", 'exec "$@" >&-', "sh")))

    assert (done.code, done.err) == (0, "")


CLOSED = {"stdin": "<&-", "stdout": ">&-", "stderr": "2>&-", "all": "<&- >&- 2>&-"}


@pytest.mark.parametrize(
    "closed", [pytest.param(each, marks=[] if each in {"stdin", "all"} else pytest.mark.exhaustive) for each in CLOSED]
)
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        pytest.param(("deliver", "Write a checklist"), 1, id="deliver"),
        pytest.param(("forget", "U_YOU", "--db", "towow.db"), 2, id="forget", marks=pytest.mark.exhaustive),
        pytest.param(("profiles", "check"), 0, id="profiles", marks=pytest.mark.exhaustive),
        pytest.param(("costs", "--db", "towow.db"), 2, id="costs", marks=pytest.mark.exhaustive),
        pytest.param(("manifest",), 0, id="manifest", marks=pytest.mark.exhaustive),
    ],
)
def test_every_command_ends_as_it_would_where_a_stream_is_closed(
    tmp_path: Path, arguments: tuple[str, ...], code: int, closed: str
) -> None:
    done = ended(process(*arguments, cwd=tmp_path, through=("/bin/sh", "-c", f'exec "$@" {CLOSED[closed]}', "sh")))
    assert done.code == code, done
    assert "Traceback" not in done.err
    if arguments[0] == "deliver" and closed == "stdin":
        assert "Nobody can be asked here" in done.out


def test_no_file_takes_the_place_of_a_closed_stream(tmp_path: Path) -> None:
    """What is printed would go into the database."""
    closed = ("/bin/sh", "-c", f'exec "$@" {CLOSED["all"]}', "sh")
    assert ended(process("ask", MEETUP, "--db", "towow.db", cwd=tmp_path, through=closed)).code == 0
    assert ended(process("costs", "--db", "towow.db", cwd=tmp_path)).code == 0


TOKENS = {
    "SLACK_BOT_TOKEN": "xoxb-1", "SLACK_APP_TOKEN": "xapp-1", "SLACK_API_URL": "http://127.0.0.1:9/api/",
    "TOWOW_API_HEALTH": "yes", "TOWOW_API_PORT": "0",
}  # fmt: skip


@pytest.mark.parametrize(
    ("what", "code"),
    [
        ("settings", 2),
        ("a server that is down", 75),
        *(pytest.param(each, 75, marks=pytest.mark.exhaustive) for each in ("a port", "a file")),
    ],
)
def test_a_service_ends_for_good_where_settings_are_wrong_and_else_may_begin_again(
    tmp_path: Path, what: str, code: int
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = {
            "settings": {"TOWOW_POLICY": "none"},
            "a server that is down": {"TOWOW_DB": "postgresql://towow@127.0.0.1:9/towow"},
            "a port": {"TOWOW_API_PORT": str(port)},
            "a file": {"TOWOW_DB": "towow.db"},
        }[what]
        claim = Claim.take(tmp_path / "towow.db") if what == "a file" else None
        done = ended(process("run", cwd=tmp_path, through=(), screen=PIPE, **(TOKENS | said)))
        if claim is not None:
            claim.release()
    assert done.code == code
    assert done.complaints[-1].startswith("towow: ")
    assert "will be unused" not in done.err
