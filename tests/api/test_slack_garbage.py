"""Whatever is sent to Slack's address is refused in one line with 4xx, before the signature is checked and after."""

import io
import json
import logging
import time
from collections.abc import AsyncIterator, Mapping
from typing import Any, Final
from urllib.parse import urlencode

import aiohttp
import pytest
from pytest import LogCaptureFixture  # noqa: PT013 - a type, not a mark
from slack_sdk.signature import SignatureVerifier

from tests.bot.driver import Driver

from .test_slack import SECRET, both

JSON: Final = "application/json"
FORM: Final = "application/x-www-form-urlencoded"


@pytest.fixture
async def served() -> AsyncIterator[tuple[Driver, aiohttp.ClientSession]]:
    async with both(signing_secret=SECRET) as both_:
        yield both_


def signed(body: bytes, *, stamp: str = "", **instead: str) -> dict[str, str]:
    stamp = stamp or str(int(time.time()))
    try:
        signature = SignatureVerifier(SECRET).generate_signature(timestamp=stamp, body=body) or ""
    except UnicodeDecodeError:
        signature = "v0=" + "0" * 64
    return {
        "Content-Type": JSON, "X-Slack-Request-Timestamp": stamp, "X-Slack-Signature": signature,
        **{name.replace("_", "-"): each for name, each in instead.items()},
    }  # fmt: skip


async def refused(
    served: tuple[Driver, aiohttp.ClientSession], caplog: LogCaptureFixture, body: bytes, headers: Any
) -> int:
    """Send it; check that it is refused in one line and changes nothing."""
    it, session = served
    assert it.demo.towow.api is not None
    caplog.clear()
    with caplog.at_level(logging.INFO, "bot"):
        async with session.post(
            f"{it.demo.towow.api.url}/slack/events", data=io.BytesIO(body), headers=headers
        ) as answer:
            told = await answer.json(content_type="application/problem+json")
    assert told["status"] == answer.status
    lines = [each for each in caplog.records if each.levelno >= logging.INFO]
    assert [each.exc_info for each in lines] == [None]
    assert "\n" not in lines[0].getMessage()
    assert len(lines[0].getMessage()) < 300
    assert await it.begun() == 0
    return answer.status


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        pytest.param(b"", {}, 401, id="nothing"),
        pytest.param(b"{}", {"Content-Type": JSON}, 401, id="no signature"),
        pytest.param(b"{}", {"X-Slack-Signature": "v0="}, 401, id="half a signature"),
        pytest.param(
            b"{}", lambda: signed(b"{}", X_Slack_Signature="v0=" + "z" * 64), 401, id="a signature that is none"
        ),
        pytest.param(
            b"{}", lambda: signed(b"{}", X_Slack_Signature="v0=" + "é" * 64), 401, id="a signature beyond ASCII"
        ),
        pytest.param(b"{}", lambda: signed(b"{}", stamp="soon"), 401, id="a time that is a word"),
        pytest.param(b"{}", lambda: signed(b"{}", stamp="9" * 5_000), 401, id="a time with 5,000 digits"),
        pytest.param(b"{}", lambda: signed(b"{}", stamp="-1"), 401, id="a time before all times"),
        pytest.param(b"{}", lambda: signed(b"{}", stamp="٣٤٥"), 401, id="a time in other digits"),
        pytest.param(b"{}", lambda: signed(b"{}", stamp="1e9"), 401, id="a time with an exponent"),
        pytest.param(
            b"{}", lambda: [*signed(b"{}").items(), ("X-Slack-Signature", "v0=" + "0" * 64)], 401, id="two signatures"
        ),
        pytest.param(b"{}", lambda: signed(b"{}", Content_Type="text/plain"), 415, id="text"),
        pytest.param(b"{}", lambda: signed(b"{}", Content_Type="multipart/form-data; boundary=x"), 415, id="parts"),
        pytest.param(b"{}", lambda: signed(b"{}", Content_Type="\\;;=/"), 415, id="a kind that is none"),
        pytest.param(b"\x1f\x8b\x08", lambda: signed(b"{}", Content_Encoding="gzip"), 415, id="compressed"),
        pytest.param(b"x", lambda: signed(b"x", Content_Encoding="deflate, gzip"), 415, id="compressed twice"),
        pytest.param(b"\xff\xfe{}", lambda: signed(b"\xff\xfe{}"), 400, id="not UTF-8"),
        pytest.param(b"x" * 2_000_000, lambda: signed(b"{}"), 413, id="two megabytes"),
        pytest.param(b"{}", lambda: signed(b"{ }"), 401, id="a signature of something else"),
        pytest.param(b"[" * 100_000, lambda: signed(b"{}"), 401, id="a deep body"),
    ],
)
async def test_what_slack_did_not_sign_is_refused_before_it_is_read(
    served: tuple[Driver, aiohttp.ClientSession], caplog: LogCaptureFixture, body: bytes, headers: Any, status: int
) -> None:
    """``headers`` are made only now: a signature is worth something for five minutes."""
    assert await refused(served, caplog, body, headers() if callable(headers) else headers) == status


def form(**fields: str) -> bytes:
    return urlencode(fields).encode()


def event(**fields: Any) -> bytes:
    return json.dumps({"type": "event_callback", "event_id": "Ev1", "team_id": "T", **fields}).encode()


def said(**fields: Any) -> dict[str, Any]:
    return {"type": "app_mention", "user": "U1", "channel": "C1", "ts": "1.1", "text": "hi", **fields}


def stopped(**fields: Any) -> dict[str, Any]:
    whole = {"type": "agent_session_stopped", "user": "U1", "channel": "C1", "thread_ts": "1.1", "event_ts": "2.2"}
    return whole | fields


def click(**instead: Any) -> bytes:
    whole = {
        "type": "block_actions", "user": {"id": "U1"}, "trigger_id": "1.1", "team": {"id": "T"},
        "container": {"type": "message", "channel_id": "C1", "message_ts": "1.1"},
        "actions": [{"type": "button", "action_id": "vote.accept", "action_ts": "1.1", "value": "{}"}],
        **instead,
    }  # fmt: skip
    return form(payload=json.dumps(whole))


JUNK: Final[tuple[Any, ...]] = (None, 7, "x", [], [7], {"id": 7}, {"id": None}, True)

SHAPES: Final[Mapping[str, tuple[str, bytes]]] = {
    "no JSON": (JSON, b"{"),
    "a list": (JSON, b"[]"),
    "a number": (JSON, b"7"),
    "nothing": (JSON, b"null"),
    "a word": (JSON, b'"x"'),
    "an empty body": (JSON, b""),
    "infinity": (JSON, b'{"type": Infinity}'),
    "a number without end": (JSON, b'{"type": ' + b"9" * 5_000 + b"}"),
    "a deep body": (JSON, b"[" * 100_000),
    "an empty object": (JSON, b"{}"),
    "an empty form": (FORM, b""),
    "a form of one word": (FORM, b"payload"),
    "a payload that is no JSON": (FORM, b"payload=%7B"),
    "a payload that is a list": (FORM, b"payload=%5B%5D"),
    "two payloads": (FORM, b"payload=%7B%7D&payload=%7B%7D"),
    "a payload that is not UTF-8": (FORM, b"payload=%ff"),
    "a thousand fields": (FORM, b"a=1&" * 1_000),
    "a command of nobody": (FORM, form(command="/towow", text="hi")),
    "a form sent as JSON": (JSON, form(command="/towow", user_id="U1")),
    "JSON sent as a form": (FORM, event(event=said())),
    "a type that is a number": (JSON, b'{"type": 7}'),
    "an event without an event": (JSON, event()),
    **{f"an event that is {each!r}": (JSON, event(event=each)) for each in JUNK},
    **{f"a {name} that is {each!r}": (JSON, event(event=said(**{name: each}))) for each in (*JUNK[:2], JUNK[3])
       for name in ("user", "channel", "ts") if (name, each) != ("user", None)},
    **{f"a stop with {name} {each!r}": (JSON, event(event=stopped(**{name: each}))) for each in JUNK[3:6:2]
       for name in ("user", "channel", "thread_ts", "event_ts")},
    "a stop by nobody": (JSON, event(event=stopped(user=None))),
    **{f"authorizations {each!r}": (JSON, event(event=said(), authorizations=each)) for each in JUNK[1:3]},
    **{f"a click with {name} {each!r}": (FORM, click(**{name: each})) for each in JUNK
       for name in ("user", "actions", "container", "trigger_id") if (name, each) != ("trigger_id", "x")},
    **{f"a click with {name} {each!r}": (FORM, click(**{name: each})) for each in JUNK[1:2]
       for name in ("team", "channel", "message", "view", "response_url", "enterprise")},
    **{f"a form with view {each!r}": (FORM, form(payload=json.dumps({"type": "view_submission", "user": {"id": "U1"},
       "view": each}))) for each in JUNK},
    "a button of nobody": (FORM, click(actions=[{"action_id": "none.of.ours", "action_ts": "1.1", "value": "x"}])),
    "a button with a value of nobody": (FORM, click()),
    "a kind of tomorrow": (FORM, form(payload='{"type": "of_tomorrow"}')),
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
async def test_what_slack_signed_and_no_slack_would_send_is_refused_too(
    served: tuple[Driver, aiohttp.ClientSession], caplog: LogCaptureFixture, shape: str
) -> None:
    kind, body = SHAPES[shape]
    it, session = served
    assert it.demo.towow.api is not None
    with caplog.at_level(logging.WARNING, "bot"):
        async with session.post(
            f"{it.demo.towow.api.url}/slack/events", data=body, headers=signed(body, Content_Type=kind)
        ) as answer:
            await answer.read()
    await it.demo.towow.idle()
    assert 400 <= answer.status < 500
    about = [each for each in caplog.records if each.name in {"bot.api.slack", "bot.slack.bolt", "bot.api.problems"}]
    assert [each.exc_info for each in about] == [None]
    assert await it.begun() == 0
