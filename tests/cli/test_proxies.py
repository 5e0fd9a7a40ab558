"""Commands behind a proxy: what is elsewhere goes through it, and nothing of this machine's does."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from subprocess import PIPE

import pytest

from .conftest import PROTOTYPE, ended, process

DEAD = "http://127.0.0.1:9"
"""Nobody listens there: whatever goes through it fails."""


@contextmanager
def recording() -> Iterator[tuple[str, list[str]]]:
    """A proxy that keeps what it is asked for, and answers as Slack does."""
    asked: list[str] = []

    class Recorder(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append(self.path)
            body = json.dumps({"ok": True, "user": "towow", "team": "Acme", "user_id": "U_B", "url": "wss://none.test"})
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Recorder)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.mark.parametrize(
    "name",
    [
        "ALL_PROXY",
        *(pytest.param(each, marks=pytest.mark.exhaustive) for each in ("HTTP_PROXY", "HTTPS_PROXY")),
    ],
)
def test_what_runs_on_this_machine_alone_asks_no_proxy(tmp_path: Path, name: str) -> None:
    done = ended(process("ask", PROTOTYPE, "--json", cwd=tmp_path, through=(), screen=PIPE, **{name: DEAD}))
    assert (done.code, done.report["channel_status"]) == (0, "finalized")


def test_slack_and_the_model_are_asked_through_the_proxy_unless_they_are_excepted(tmp_path: Path) -> None:
    tokens = {
        "SLACK_BOT_TOKEN": "xoxb-1", "SLACK_APP_TOKEN": "xapp-1", "SLACK_API_URL": "http://slack.test/api/",
        "ANTHROPIC_API_KEY": "sk-ant-1", "ANTHROPIC_BASE_URL": "http://model.test",
    }  # fmt: skip
    with recording() as (proxy, asked):
        ended(process("doctor", cwd=tmp_path, through=(), screen=PIPE, HTTP_PROXY=proxy, **tokens))
        through = [*asked]
        ended(
            process(
                "doctor",
                cwd=tmp_path,
                through=(),
                screen=PIPE,
                HTTP_PROXY=proxy,
                NO_PROXY="slack.test,model.test",
                **tokens,
            )
        )
    assert {"http://slack.test/api/auth.test", "http://slack.test/api/apps.connections.open"} <= {*through}
    assert any(each.startswith("http://model.test/v1/messages") for each in through)
    assert asked == through
