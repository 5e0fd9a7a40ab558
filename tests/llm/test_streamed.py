"""Long answers are streamed: one that stalls is seen to, one that goes on is not cut off, and half of one is none."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace as changed
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.errors import ModelTimeout, ModelUnavailable
from engine.llm.claude import TRIES, ClaudeModel
from engine.llm.ledger import MemoryLedger, Outcome
from engine.llm.messages_api import LONG, CallFailed, MessagesApi, Request, user
from engine.llm.port import Question
from engine.llm.streamed import StreamedMessage
from tests.anthropic_server import KEY, Breaks, Drips, Drops, Garbled, LocalAnthropic, Says, Stalls, Step
from tests.anthropic_server.streaming import events
from tests.examples import examples
from tests.negotiation.prompts import PROMPTS

from .leaping_clock import LeapingClock
from .prompt_cases import case_for

ASKED = case_for("aggregate")
LONG_TEXT = {**ASKED.good, "summary": "An evening. " * 60}
CUT_OFF: Mapping[str, Any] = {
    "type": "message",
    "model": "claude-sonnet-5-5",
    "content": [{"type": "text", "text": json.dumps(ASKED.good)}],
    "usage": {"input_tokens": 7, "output_tokens": 9},
    "stop_reason": "end_turn",
    "stop_sequence": None,
}
HALF = b"".join([*events(CUT_OFF)][:-1]).decode()
"""All of an answer but the word that it is whole."""


def hasty(seconds: float) -> Question[Any]:
    """Return the question with so much time until its answer begins."""
    return replace(ASKED.question, prompt=changed(ASKED.question.prompt, timeout=seconds))


async def test_a_long_answer_is_streamed_and_read_like_any_other(
    server: LocalAnthropic, claude: ClaudeModel, ledger: MemoryLedger
) -> None:
    server.then(Says(LONG_TEXT, thinking="Well, well"))
    assert (await claude.answer(ASKED.question)).value.summary.strip() == LONG_TEXT["summary"].strip()
    assert server.requests[0].body["stream"] is True
    (call,) = ledger.calls
    assert (call.outcome, call.status, call.request_id) == (Outcome.ANSWERED, 200, "req_000001")
    assert call.output_tokens > 100
    assert call.input_tokens + call.cache_write_tokens > 100


async def test_a_long_answer_of_which_more_comes_all_the_time_is_not_cut_off(
    server: LocalAnthropic, claude: ClaudeModel, ledger: MemoryLedger
) -> None:
    server.always(Says(LONG_TEXT, every=0.06))
    assert (await claude.answer(hasty(0.6))).value.summary
    (call,) = ledger.calls
    assert call.latency_ms > 600


async def test_the_setting_holds_for_all_of_a_long_answer(ledger: MemoryLedger, server: LocalAnthropic) -> None:
    claude = ClaudeModel(KEY, PROMPTS.values(), ledger, LeapingClock(), base_url=server.url, timeout=0.2)
    server.always(Says(LONG_TEXT, every=0.02))
    with pytest.raises(ModelTimeout):
        await claude.answer(ASKED.question)
    await claude.close()
    assert [each.outcome for each in ledger.calls] == [Outcome.TIMEOUT] * TRIES


async def test_an_answer_that_stops_in_the_middle_is_seen_long_before_its_time_is_over(server: LocalAnthropic) -> None:
    api = MessagesApi(KEY, server.url, stalled=0.05)
    server.always(Stalls("after"))
    schema = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
    request = Request("claude-haiku-5-5", LONG, "low", schema, [user("Hello")])
    with pytest.raises(CallFailed, match=r"claude-haiku-5-5 stopped in the middle of its answer\.") as failed:
        async with asyncio.timeout(10):
            await api.send(request, 60, 300)
    await api.close()
    assert failed.value.outcome is Outcome.TIMEOUT
    assert failed.value.spent.input > 0


@pytest.mark.parametrize(
    ("step", "outcome"),
    [
        pytest.param(Drops("after"), Outcome.UNREACHABLE, id="cut off"),
        pytest.param(Stalls("after"), Outcome.TIMEOUT, id="stalls"),
        pytest.param(Breaks("overloaded_error"), Outcome.REFUSED, id="overloaded"),
        pytest.param(Breaks("api_error"), Outcome.REFUSED, id="an error"),
        pytest.param(Garbled(HALF, "text/event-stream"), Outcome.GARBLED, id="ends before it is whole"),
        pytest.param(Garbled("data: nonsense\n\n", "text/event-stream"), Outcome.GARBLED, id="no JSON"),
        pytest.param(
            Garbled('data: {"type": "message_delta"}\n\n', "text/event-stream"), Outcome.GARBLED, id="no start"
        ),
        pytest.param(Garbled('data: ["no"]\n\n', "text/event-stream"), Outcome.GARBLED, id="no event"),
        pytest.param(Garbled("", "text/event-stream"), Outcome.GARBLED, id="nothing"),
        pytest.param(Garbled("<html>Welcome", "text/html"), Outcome.GARBLED, id="a page"),
    ],
)
async def test_what_breaks_off_is_asked_for_again_and_half_of_it_is_never_read(
    server: LocalAnthropic, claude: ClaudeModel, ledger: MemoryLedger, step: Step, outcome: Outcome
) -> None:
    server.then(step, step).always(Says(ASKED.good))
    question = hasty(0.6) if outcome is Outcome.TIMEOUT else ASKED.question
    assert (await claude.answer(question)).value.assignments
    assert [each.outcome for each in ledger.calls] == [outcome, outcome, Outcome.ANSWERED]
    assert len(server.requests) == 3


async def test_a_pace_that_is_refused_within_a_stream_is_no_failure(
    server: LocalAnthropic, claude: ClaudeModel, ledger: MemoryLedger
) -> None:
    server.then(*[Breaks("rate_limit_error")] * (TRIES + 1)).always(Says(ASKED.good))
    assert (await claude.answer(ASKED.question)).value.assignments
    assert [each.status for each in ledger.calls] == [*[429] * (TRIES + 1), 200]


async def test_what_was_counted_before_it_broke_off_is_in_the_ledger(
    server: LocalAnthropic, claude: ClaudeModel, ledger: MemoryLedger
) -> None:
    server.always(Breaks("overloaded_error"))
    with pytest.raises(ModelUnavailable):
        await claude.answer(ASKED.question)
    assert all(each.cost_usd and each.input_tokens + each.cache_write_tokens > 100 for each in ledger.calls)


async def test_signs_of_life_alone_are_not_waited_for_beyond_the_window(
    server: LocalAnthropic, claude: ClaudeModel, clock: LeapingClock, ledger: MemoryLedger
) -> None:
    server.always(Drips())
    with pytest.raises(ModelTimeout):
        await claude.answer(replace(hasty(0.05), until=clock.now() + 1_300))
    assert {each.outcome for each in ledger.calls} == {Outcome.TIMEOUT}


async def test_who_gives_a_long_answer_up_leaves_nothing_behind(
    server: LocalAnthropic, claude: ClaudeModel, ledger: MemoryLedger
) -> None:
    server.then(Says(LONG_TEXT, every=0.05)).always(Says(ASKED.good))
    asking = asyncio.create_task(claude.answer(ASKED.question))
    await server.received(1)
    await asyncio.sleep(0)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert (claude.pace.under_way, claude.pace.waiting, claude.breaker.waiting) == (0, 0, 0)
    assert [each.outcome for each in ledger.calls] == [Outcome.CANCELLED]
    assert (await claude.answer(ASKED.question)).value.assignments


BLOCKS = st.one_of(
    st.builds(lambda text: {"type": "text", "text": text}, st.text()),
    st.builds(lambda text: {"type": "thinking", "thinking": text, "signature": "signed"}, st.text()),
    st.builds(
        lambda said: {"type": "tool_use", "id": "toolu_1", "name": "look", "input": said},
        st.dictionaries(st.text(max_size=8), st.one_of(st.text(), st.integers(), st.none()), max_size=3),
    ),
)


@settings(max_examples=examples(40), deadline=None)
@given(st.lists(BLOCKS, max_size=4), st.sampled_from(["end_turn", "max_tokens", "tool_use", "refusal"]))
def test_a_streamed_message_is_the_one_that_would_have_come_at_once(
    content: list[dict[str, Any]], stop_reason: str
) -> None:
    usage = {"input_tokens": 7, "output_tokens": 9, "cache_read_input_tokens": 3}
    whole = {"type": "message", "content": content, "stop_reason": stop_reason, "usage": usage, "stop_sequence": None}
    streamed = StreamedMessage()
    told = [each.decode().partition("data: ")[2] for each in events(whole)]
    for number, data in enumerate(told):
        assert not streamed.is_whole
        streamed.take(data)
        assert streamed.usage or number == len(told)
    assert streamed.is_whole
    assert _kept(streamed.message()) == _kept(whole)


def _kept(message: Mapping[str, Any]) -> object:
    return json.loads(json.dumps(message))
