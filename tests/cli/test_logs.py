"""The log: the lines that matter, their ids, and never a secret or anybody's words."""

import io
import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import aiohttp
import pytest
from pydantic import TypeAdapter, ValidationError

from bot import logs
from bot.config import read_log_form
from bot.local_slack import LocalWorkspace
from bot.registry import PROTOCOLS
from engine.errors import Misconfigured, ModelTimeout
from engine.kernel import StreamKey, Tenant
from engine.runtime.log_context import about
from engine.store.memory import MemoryStore
from tests.bot.driver import ALONE, AYA, NEGOTIATE, YOU, playing

KEY = StreamKey(Tenant("T_ONE"), "collab-abcdefgh")
CANARY = "Schnabeltier"


@contextmanager
def written(**settings: Any) -> Iterator[io.StringIO]:
    """What is logged inside of it; afterwards all is as before."""
    root, out = logging.getLogger(), io.StringIO()
    before = (
        root.handlers[:],
        root.level,
        {name: logging.getLogger(name).level for name in (*logs.OURS, logs.__name__)},
    )
    descriptions = [each.descriptions for each in PROTOCOLS]
    logs.configure(**{"level": logging.INFO, "as_json": True, "descriptions": descriptions, **settings}, to=out)
    try:
        yield out
    finally:
        root.handlers[:], level, levels = before
        root.setLevel(level)
        for name, each in levels.items():
            logging.getLogger(name).setLevel(each)


def lines(out: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_a_line_says_what_it_is_about() -> None:
    with written() as out:
        with about(KEY):
            logging.getLogger("engine.runtime.outbox").warning("%s failed", "offer/aya")
        logging.getLogger("engine.runtime.outbox").warning("something else")

    inside, outside = lines(out)
    assert (inside["event"], inside["level"], inside["logger"]) == (
        "offer/aya failed",
        "warning",
        "engine.runtime.outbox",
    )
    assert (inside["team_id"], inside["channel_id"], inside["demand_id"]) == (
        "T_ONE",
        "collab-abcdefgh",
        "d-abcdefgh",
    )
    assert "channel_id" not in outside


@pytest.mark.parametrize("as_json", [True, False])
def test_no_secret_is_seen(as_json: bool) -> None:
    log = logging.getLogger("bot.test")
    with written(as_json=as_json, secrets=["hunter-2"]) as out:
        deep = {"tokens": ["sk-ant-api03-hushhush"]}
        log.error("with %s and Bearer abc.def", "xoxb-1-hushhush", extra={"deep": deep})
        try:
            raise OSError("xapp-1-hushhush went to hunter-2")
        except OSError:
            log.exception("it failed")

    assert "hushhush" not in out.getvalue()
    assert "hunter-2" not in out.getvalue()
    assert "abc.def" not in out.getvalue()
    assert "OSError" in out.getvalue()


def test_what_could_not_be_read_is_not_quoted() -> None:
    with written() as out:
        try:
            TypeAdapter(dict[str, int]).validate_python({"wish": CANARY})
        except ValidationError:
            logging.getLogger("bot.test").exception("a payload could not be read")

    assert CANARY not in out.getvalue()
    assert "ValidationError" in out.getvalue()


def test_libraries_are_told_from_warnings_on() -> None:
    with written() as out:
        logging.getLogger("slack_sdk.web").info("a call")
        logging.getLogger("slack_sdk.web").warning("a slow call")

    assert [each["event"] for each in lines(out)] == ["a slow call"]


async def test_a_negotiation_is_told_in_its_key_lines_and_in_nobodys_words() -> None:
    with written() as out:
        async with playing(MemoryStore(), fails={"feedback/bo": ModelTimeout("late")}) as driver:
            it = await driver.asks(f"I need a venue for 50 people in Berlin, and a {CANARY}")
            await it.says(AYA, NEGOTIATE, f"Without a {CANARY}")
            await it.stops(YOU)

    told = lines(out)
    assert [each["event"] for each in told if each["logger"] == "bot.logs"] == [
        "a demand is taken up",
        "candidates are found",
        "a round begins",
        "a model did not answer in time; what stands in for it is used",
        "a negotiation is stopped",
    ]
    assert {each["demand_id"] for each in told if each["logger"] == "bot.logs"} == {
        it.key.stream.replace("collab", "d")
    }
    assert CANARY not in out.getvalue()


async def test_a_failure_is_an_error_with_its_reason() -> None:
    with written() as out:
        async with playing(MemoryStore(), policy=ALONE, fails={"respond": ModelTimeout("late")}) as driver:
            await driver.asks()

    [failed] = [each for each in lines(out) if each["level"] == "error"]
    assert (failed["event"], failed["reason"]) == ("a negotiation failed", "model_unavailable")


def test_the_form_is_one_that_there_is() -> None:
    assert [read_log_form({"TOWOW_LOG": each}) for each in ("", "text", "json")] == ["text", "text", "json"]
    with pytest.raises(Misconfigured):
        read_log_form({"TOWOW_LOG": "xml"})


def test_a_command_that_shows_it_anyway_does_not_tell_how_it_goes() -> None:
    with written(tells_all=False) as out:
        logging.getLogger(logs.__name__).error("a negotiation failed")
        logging.getLogger("bot.demo.negotiation.ask").error("something else")

    assert [each["event"] for each in lines(out)] == ["something else"]


# ── what a line may hold ──────────────────────────────────────────────────────────────────────────────────────────────

URLS = [
    "wss://wss-primary.slack.com/link/?ticket={0}&app_id=A1",
    "http://127.0.0.1:3900/link/?app_id=A1&ticket={0}",
    "https://hooks.slack.com/actions/T1/2/{0}",
    "https://hooks.slack-gov.com/actions/T1/2/{0}",
    "http://127.0.0.1:3900/response/{0}",
    "https://me:{0}@proxy.example/api/",
    "https://slack.com/api/auth.test?token={0}",
    "Authorization: Bearer {0}",
    "authorization: basic {0}",
    "X-Slack-Signature: v0={1}",
    '{{"ticket": "{0}", "access_token": "{0}"}}',
    "client_secret={0};",
    "https://towow.example/n/collab-abcd2345?for=U012AB3CD&until=1800000000&lang=en&signature={0}",
]
HEX = "0f" * 32


@pytest.mark.parametrize("url", URLS)
@pytest.mark.parametrize("as_json", [True, False], ids=["json", "text"])
def test_what_opens_a_door_is_masked_wherever_it_stands(url: str, as_json: bool) -> None:
    secret = "Zm9vYmFyYmF6cXV4"
    written_url = url.format(secret, HEX)
    with written(as_json=as_json) as out:
        log = logging.getLogger("slack_sdk.socket_mode")
        log.warning("could not connect to %s", written_url)
        log.warning("could not connect", extra={"url": written_url, "more": [{"url": written_url}]})
        try:
            raise RuntimeError(f"Invalid response status, url='{written_url}'")
        except RuntimeError as error:
            log.exception("Failed to connect (error: %s); Retrying...", error)

    assert secret not in out.getvalue()
    assert HEX not in out.getvalue()
    assert out.getvalue().count(logs.HIDDEN) >= 4


async def test_a_connection_that_is_refused_keeps_its_ticket_to_itself() -> None:
    ticket = "Zm9vYmFyYmF6cXV4"
    with written(as_json=False) as out:
        async with LocalWorkspace() as workspace, aiohttp.ClientSession() as session:
            try:
                await session.ws_connect(f"{workspace.url}/link/?ticket={ticket}")
            except aiohttp.WSServerHandshakeError as error:
                logging.getLogger("slack_sdk").exception("Failed to connect (error: %s); Retrying...", error)
                logging.getLogger("slack_sdk").error("%r", error)

    assert "Failed to connect" in out.getvalue()
    assert ticket not in out.getvalue()


@pytest.mark.parametrize("as_json", [True, False], ids=["json", "text"])
def test_nobody_writes_a_line_of_their_own_or_to_the_terminal(as_json: bool) -> None:
    attack = "\x1b[2J\x9b31m\x07\x08\r\n2026-01-01 [info] all is well \u2028 \u202e"
    with written(as_json=as_json) as out:
        logging.getLogger("bot.x").warning("%s could not be told", attack, extra={"user": attack})

    assert len(out.getvalue().splitlines()) == 1
    assert not {*out.getvalue()} & {*"\x1b\x9b\x07\x08\r\u202e"}


def test_a_thousand_broken_connections_are_one_line() -> None:
    with written(as_json=False) as out:
        for _ in range(1_000):
            try:
                raise aiohttp.ClientConnectionResetError("Cannot write to closing transport")
            except aiohttp.ClientConnectionResetError:
                logging.getLogger("bot.slack.connection").exception("a click could not be handled")

    [line] = out.getvalue().splitlines()
    assert "Cannot write to closing transport" in line
    assert "Traceback" not in line


def test_a_fault_of_ours_is_told_in_full_once_and_named_each_time() -> None:
    with written(as_json=False) as out:
        for number in range(50):
            try:
                raise KeyError(number)
            except KeyError:
                logging.getLogger("bot.x").exception("number %d", number)

    assert out.getvalue().count("Traceback") == 1
    assert all(f"number {number}" in out.getvalue() for number in range(50))


def test_how_often_it_happened_is_told_the_next_time() -> None:
    out = io.StringIO()
    handler = logs.SparingHandler(out)

    def happens(at: float) -> None:
        try:
            raise ConnectionResetError("gone")
        except ConnectionResetError:
            record = logging.LogRecord("bot.x", logging.ERROR, __file__, 1, "it broke", (), sys.exc_info())
        record.created = at
        handler.handle(record)

    for second in range(10):
        happens(1_000.0 + second)
    happens(1_000.0 + logs.SPARED)

    first, second_line = out.getvalue().splitlines()
    assert "times more" not in first
    assert "9 times more" in second_line
