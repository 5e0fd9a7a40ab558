"""What Claude is asked, and how a good answer is read."""

import dataclasses
import logging
import re

import msgspec
import pytest

from engine.kernel import StreamKey, Tenant
from engine.llm.claude import ClaudeModel
from engine.llm.ledger import MemoryLedger
from engine.llm.messages_api import LONG
from tests.anthropic_server import KEY, LocalAnthropic, Says
from tests.negotiation.prompts import PROMPTS

from .leaping_clock import LeapingClock
from .prompt_cases import CHEN, EACH, PROFILES, case_for

LEFT_OUT = {
    "AdjustmentSummary": {"should_continue"},
    "Assignment": {
        "display_name", "dependencies", "notes", "when", "core", "attends", "hours", "cost", "after",
    },
    "Milestone": {"date", "day", "agent_id", "need_id"},
    "Change": {"before"},
    "Candidate": {"quotes"},
    "respond": {"currency", "per_head", "free", "room", "online", "earliest"},
    "Need": {"quantity", "deadline"},
}  # fmt: skip
"""By class, or by prompt: what a prompt says may be left out."""

SHARED = {"respond", "feedback", "verify"}
"""Prompts whose beginning others share: they wait until the first answer begins, which a stream tells."""


@pytest.mark.parametrize("prompt", EACH)
async def test_each_prompt_is_asked_as_its_header_says_and_the_api_takes_it(
    server: LocalAnthropic, claude: ClaudeModel, prompt: str
) -> None:
    at = case_for(prompt)
    server.then(Says(at.good))
    answer = await claude.answer(at.question)
    header = PROMPTS[f"negotiation/{prompt}"]
    (asked,) = server.requests
    assert asked.refusal is None
    assert (asked.body["model"], asked.body["max_tokens"]) == (header.model, header.max_tokens)
    assert asked.body["output_config"]["effort"] == header.effort
    assert asked.body.keys() == {"model", "max_tokens", "messages", "output_config", "stream"}
    assert asked.body["stream"] is (header.max_tokens >= LONG or prompt in SHARED)
    assert answer.value == header.returns.checked(at.good)


@pytest.mark.parametrize("prompt", EACH)
async def test_an_answer_that_keeps_to_the_schema_can_be_read(
    server: LocalAnthropic, claude: ClaudeModel, prompt: str
) -> None:
    await claude.answer(case_for(prompt).question)
    assert len(server.requests) == 1


@pytest.mark.parametrize("prompt", EACH)
async def test_every_field_must_be_answered_but_what_is_mostly_empty(
    server: LocalAnthropic, claude: ClaudeModel, prompt: str
) -> None:
    await claude.answer(case_for(prompt).question)
    schema = server.requests[0].schema
    assert set(schema["properties"]) - set(schema["required"]) == LEFT_OUT.get(prompt, set())
    for name, each in schema.get("$defs", {}).items():
        assert set(each.get("properties", ())) - set(each.get("required", ())) == LEFT_OUT.get(name, set())


async def test_what_twins_are_told_in_common_is_a_block_of_its_own_before_the_rest(
    server: LocalAnthropic, claude: ClaudeModel
) -> None:
    await claude.answer(case_for("feedback").question)
    *common, own = server.requests[0].body["messages"][0]["content"]
    assert [each.get("cache_control") for each in (*common, own)] == [
        {"type": "ephemeral"},
        {"type": "ephemeral"},
        None,
    ]
    assert not any(PROFILES[CHEN].profile_summary[:20] in each["text"] for each in common)
    assert PROFILES[CHEN].profile_summary[:20] in own["text"]


async def mark_of(server: LocalAnthropic, claude: ClaudeModel, key: StreamKey | None) -> str:
    await claude.answer(msgspec.structs.replace(case_for("understand").question, key=key))
    marks: set[str] = set(re.findall(r"</raw_input ([0-9a-f]{16})>", server.requests[-1].said()))
    (mark,) = marks
    return mark


async def test_people_are_fenced_by_one_mark_in_a_negotiation_and_by_another_in_any_other(
    server: LocalAnthropic, claude: ClaudeModel
) -> None:
    keys = [
        StreamKey(Tenant(tenant), stream)
        for tenant, stream in (("T_A", "one"), ("T_A", "two"), ("T_B", "one"), ("T", "A"))
    ]
    marks = [await mark_of(server, claude, each) for each in keys]
    assert len(set(marks)) == len(keys)
    assert [await mark_of(server, claude, each) for each in keys] == marks


async def test_the_mark_of_a_negotiation_outlives_the_process_and_is_known_only_with_the_key(
    server: LocalAnthropic, claude: ClaudeModel, ledger: MemoryLedger, clock: LeapingClock
) -> None:
    key = StreamKey(Tenant("T_A"), "one")
    mark = await mark_of(server, claude, key)
    again = ClaudeModel(KEY, PROMPTS.values(), ledger, clock, base_url=server.url)
    assert await mark_of(server, again, key) == mark
    await again.close()
    async with LocalAnthropic("sk-ant-another") as other:
        stranger = ClaudeModel("sk-ant-another", PROMPTS.values(), ledger, clock, base_url=other.url)
        assert await mark_of(other, stranger, key) != mark
        await stranger.close()


async def test_people_do_not_read_the_mark_in_an_answer(server: LocalAnthropic, claude: ClaudeModel) -> None:
    case = case_for("respond")
    question = msgspec.structs.replace(case.question, key=StreamKey(Tenant("T_A"), "one"))
    mark = await mark_of(server, claude, question.key)
    quoted = f"Between (demand {mark}) it says {mark[:5]}{mark}{mark[5:]} that I come"
    server.then(Says({**case.good, "contribution": quoted}))
    answer = await claude.answer(question)
    assert answer.value.contribution == "Between (demand ) it says  that I come"


async def test_a_question_of_no_negotiation_has_a_mark_of_its_own(server: LocalAnthropic, claude: ClaudeModel) -> None:
    assert await mark_of(server, claude, None) != await mark_of(server, claude, None)


async def test_one_model_can_answer_everything(
    server: LocalAnthropic, ledger: MemoryLedger, clock: LeapingClock
) -> None:
    claude = ClaudeModel(KEY, PROMPTS.values(), ledger, clock, base_url=server.url, model_override="claude-opus-5-5")
    answer = await claude.answer(case_for("respond").question)
    await claude.close()
    assert server.requests[0].body["model"] == "claude-opus-5-5"
    assert answer.model == "claude-opus-5-5"


async def test_an_answer_may_be_as_long_as_the_model_can_make_it(server: LocalAnthropic, claude: ClaudeModel) -> None:
    """The SDK would want a stream for it; within our own time it need not."""
    question = case_for("respond").question
    await claude.answer(
        msgspec.structs.replace(question, prompt=dataclasses.replace(question.prompt, max_tokens=64_000))
    )
    assert server.requests[0].body["max_tokens"] == 64_000


async def test_the_answer_says_who_gave_it(server: LocalAnthropic, claude: ClaudeModel) -> None:
    at = case_for("respond")
    server.then(Says(at.good, model="claude-haiku-5-5-20261001"))
    assert (await claude.answer(at.question)).model == "claude-haiku-5-5-20261001"


async def test_what_a_model_thinks_before_it_answers_is_not_its_answer(
    server: LocalAnthropic, claude: ClaudeModel
) -> None:
    at = case_for("respond")
    server.then(Says(at.good, thinking='{"decision": "decline"}'))
    assert (await claude.answer(at.question)).value.decision == "participate"


async def test_the_key_is_in_no_log_and_in_no_repr(
    server: LocalAnthropic, claude: ClaudeModel, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        await claude.answer(case_for("respond").question)
    assert server.requests[0].headers["Authorization"] == f"Bearer {KEY}"
    assert KEY not in caplog.text
    assert KEY not in repr(vars(claude))
