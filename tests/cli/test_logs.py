"""The log: the lines that matter, their ids, and never a secret or anybody's words."""

import io
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from bot import logs
from bot.config import read_log_form
from bot.protocols import PROTOCOLS
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
