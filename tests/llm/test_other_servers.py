"""Servers that speak the Messages API and know less of it than Anthropic: what they refuse is left out from then on."""

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager

import pytest

from bot.claude_config import read_claude
from engine.errors import ModelUnavailable
from engine.llm.claude import ClaudeModel
from engine.llm.ledger import MemoryLedger
from tests.anthropic_server import Fits, LocalAnthropic, Says, Status
from tests.anthropic_server.server import names_in
from tests.negotiation.prompts import PROMPTS

from .leaping_clock import LeapingClock
from .prompt_cases import case_for

FIELDS = ("effort", "cache_control", "output_config", "stream")


@asynccontextmanager
async def asked(server: LocalAnthropic) -> AsyncIterator[ClaudeModel]:
    claude = ClaudeModel("", PROMPTS.values(), MemoryLedger(), LeapingClock(), base_url=server.url)
    yield claude
    await claude.close()


@pytest.mark.parametrize("names", [True, False], ids=["says which field", "does not say which"])
@pytest.mark.parametrize(
    "lacks", [("effort",), ("cache_control",), ("output_config",), ("stream",), FIELDS], ids=" ".join
)
async def test_what_a_server_does_not_know_is_refused_once_and_left_out_from_then_on(
    lacks: Collection[str], names: bool
) -> None:
    async with LocalAnthropic(key="", lacks=lacks, names=names) as server, asked(server) as claude:
        at = case_for("adjust")
        server.always(Says(at.good))
        first = await claude.answer(at.question)
        refused = len(server.requests) - 1
        second = await claude.answer(at.question)

        assert first.value == second.value == at.question.returns.checked(at.good)
        assert 0 < refused <= len(FIELDS)
        assert len(server.requests) == refused + 2, "the second question was taken at once"
        assert not names_in(server.requests[-1].body) & {*lacks}


async def test_where_no_schema_is_taken_the_form_is_told_in_the_question() -> None:
    async with LocalAnthropic(key="", lacks=["output_config"]) as server, asked(server) as claude:
        at = case_for("feedback")
        server.always(Says(at.good))
        await claude.answer(at.question)

        assert '"feedback_type"' in server.requests[-1].said()
        assert '"additionalProperties"' in server.requests[-1].said()


async def test_a_server_that_takes_a_schema_and_does_not_hold_to_it_is_told_the_form_from_then_on() -> None:
    async with LocalAnthropic(key="") as server, asked(server) as claude:
        at = case_for("feedback")
        server.then(Says("Sounds good to me."), Says(at.good), Says(at.good))
        await claude.answer(at.question)
        await claude.answer(at.question)

        assert '"additionalProperties"' not in server.requests[0].said()
        assert '"additionalProperties"' in server.requests[-1].said()


async def test_one_slip_of_a_server_that_holds_to_the_form_changes_nothing() -> None:
    async with LocalAnthropic(key="") as server, asked(server) as claude:
        at = case_for("feedback")
        server.then(Says(at.good), Says("Sounds good to me."), Says(at.good), Says(at.good))
        for _ in range(3):
            await claude.answer(at.question)

        assert '"additionalProperties"' not in server.requests[-1].said()


async def test_no_key_is_sent_where_there_is_none() -> None:
    async with LocalAnthropic(key="") as server, asked(server) as claude:
        await claude.answer(case_for("feedback").question)

        headers = {name.lower() for name in server.requests[0].headers}
        assert not headers & {"x-api-key", "authorization"}


async def test_a_refusal_of_a_question_that_is_about_no_field_teaches_nothing() -> None:
    async with LocalAnthropic(key="") as server, asked(server) as claude:
        at = case_for("feedback")
        server.then(Says(at.good), Status(400, message="the prompt is too long"))
        await claude.answer(at.question)
        with pytest.raises(ModelUnavailable):
            await claude.answer(at.question)
        server.always(Fits())
        await claude.answer(at.question)

        assert len(server.requests) == 3
        assert {"effort", "output_config", "cache_control"} <= names_in(server.requests[-1].body)


@pytest.mark.parametrize(
    ("environ", "is_asked"),
    [
        pytest.param({}, False, id="nothing is set"),
        pytest.param({"LLM_MODEL": "qwen3"}, False, id="only a name"),
        pytest.param({"ANTHROPIC_BASE_URL": "http://127.0.0.1:11434", "LLM_MODEL": "qwen3"}, True, id="an address"),
        pytest.param({"ANTHROPIC_API_KEY": "sk-ant-x"}, True, id="a key"),
    ],
)
def test_an_address_alone_suffices(environ: dict[str, str], is_asked: bool) -> None:
    access = read_claude(environ)

    assert (access is not None) is is_asked
    if access is not None:
        assert access.api_key == environ.get("ANTHROPIC_API_KEY", "")
