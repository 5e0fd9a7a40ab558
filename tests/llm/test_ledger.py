"""The ledger of calls, and what they cost."""

import json
from decimal import Decimal
from pathlib import Path

import pytest
from msgspec.structs import replace

from engine.errors import ModelError
from engine.kernel import Tenant
from engine.llm.asker import Asker, for_every_tenant
from engine.llm.claude import ClaudeModel
from engine.llm.ledger import Call, MemoryLedger, Outcome, StoreLedger
from engine.llm.spending import PRICES, Tokens, cost
from engine.store.memory import MemoryStore
from tests.anthropic_server import KEY as API_KEY
from tests.anthropic_server import Drops, Garbled, LocalAnthropic, Refuses, Says, Status, Step, Truncated
from tests.negotiation.prompts import PROMPTS
from tests.store.conftest import STORES

from .leaping_clock import NOON, LeapingClock
from .ledger_rows import rows
from .prompt_cases import ASKS, KEY, case_for

MILLION = 1_000_000
HAIKU, SONNET = "claude-haiku-5-5", "claude-sonnet-5-5"


@pytest.mark.parametrize(
    ("model", "tokens", "dollars"),
    [
        pytest.param(SONNET, Tokens(input=MILLION), "2", id="Sonnet reads"),
        pytest.param(SONNET, Tokens(output=MILLION), "10", id="Sonnet writes"),
        pytest.param(SONNET, Tokens(cache_write=MILLION), "2.50", id="Sonnet keeps"),
        pytest.param(SONNET, Tokens(cache_read=MILLION), "0.10", id="Sonnet remembers"),
        pytest.param(HAIKU, Tokens(input=100_000), "0.01", id="Haiku reads"),
        pytest.param(HAIKU, Tokens(output=MILLION), "0.50", id="Haiku writes"),
        pytest.param(HAIKU, Tokens(cache_write=100_000), "0.0125", id="Haiku keeps"),
        pytest.param(HAIKU, Tokens(cache_read=100_000), "0.001", id="Haiku remembers"),
        pytest.param(HAIKU, Tokens(input=100_001), "0.0500005", id="Haiku reads more than 100,000: five times"),
        pytest.param(HAIKU, Tokens(cache_read=100_001), "0.00500005", id="what it remembers is part of the prompt"),
        pytest.param(HAIKU, Tokens(input=100_000, output=MILLION), "0.51", id="what it writes is not"),
        pytest.param(SONNET, Tokens(input=MILLION, output=1), "2.00001", id="Sonnet's price stays"),
        pytest.param(f"{HAIKU}-20261001", Tokens(input=10), "0.000001", id="a dated name"),
        pytest.param(HAIKU, Tokens(), "0", id="nothing"),
    ],
)
def test_the_price_is_exact(model: str, tokens: Tokens, dollars: str) -> None:
    assert cost(model, tokens) == Decimal(dollars)


@pytest.mark.parametrize("model", ["claude-opus-5-5", "claude-haiku-5-55", "claude-haiku-5", ""])
def test_a_model_without_a_price_has_none(model: str) -> None:
    assert cost(model, Tokens(input=1)) is None


def test_every_model_that_a_prompt_names_has_a_price() -> None:
    assert {each.model for each in PROMPTS.values()} <= PRICES.keys()


ASKED = case_for("respond")
GOOD = Says(
    ASKED.good,
    model="claude-haiku-5-5-20261001",
    usage={
        "input_tokens": 1_000,
        "output_tokens": 200,
        "cache_creation_input_tokens": 3_000,
        "cache_read_input_tokens": 5_000,
    },
)

ROW = Call(at=NOON, prompt="p", content_hash="h", model="m", attempt=1, outcome=Outcome.TIMEOUT, latency_ms=10_000)


async def test_a_row_says_what_was_asked_what_it_took_and_what_became_of_it(
    server: LocalAnthropic, claude: ClaudeModel, ledger: MemoryLedger
) -> None:
    server.then(GOOD)
    await claude.answer(replace(ASKED.question, key=KEY))
    (row,) = ledger.calls
    assert row.latency_ms >= 0
    assert row == Call(
        at=NOON,
        tenant=KEY.tenant,
        stream=KEY.stream,
        prompt="negotiation/respond",
        content_hash=PROMPTS["negotiation/respond"].content_hash,
        model="claude-haiku-5-5-20261001",
        attempt=1,
        outcome=Outcome.ANSWERED,
        status=200,
        request_id="req_000001",
        latency_ms=row.latency_ms,
        input_tokens=1_000,
        output_tokens=200,
        cache_write_tokens=3_000,
        cache_read_tokens=5_000,
        cost_usd=Decimal("0.000625"),
    )


@pytest.mark.parametrize(
    ("step", "outcome", "status", "detail"),
    [
        pytest.param(Says("Well"), Outcome.INVALID, 200, "", id="unreadable"),
        pytest.param(Truncated("{"), Outcome.STOPPED, 200, "max_tokens", id="cut off"),
        pytest.param(Refuses(), Outcome.STOPPED, 200, "refusal", id="refused"),
        pytest.param(Status(400), Outcome.REFUSED, 400, "invalid_request_error", id="a bad request"),
        pytest.param(Status(429), Outcome.REFUSED, 429, "rate_limit_error", id="too many"),
        pytest.param(Garbled(), Outcome.GARBLED, 200, "", id="no message"),
        pytest.param(Drops("before"), Outcome.UNREACHABLE, None, "", id="dropped"),
    ],
)
async def test_a_call_without_an_answer_is_a_row_too(
    server: LocalAnthropic,
    claude: ClaudeModel,
    ledger: MemoryLedger,
    step: Step,
    outcome: Outcome,
    status: int | None,
    detail: str,
) -> None:
    server.always(step)
    with pytest.raises(ModelError):
        await claude.answer(ASKED.question)
    assert {(each.outcome, each.status, each.detail) for each in ledger.calls} == {(outcome, status, detail)}
    assert len(ledger.calls) == len(server.requests)
    said = [each.request_id for each in ledger.calls]
    assert said == ([each.request_id for each in server.requests] if status else [""] * 3)


async def test_what_a_useless_answer_cost_is_counted(
    server: LocalAnthropic, claude: ClaudeModel, ledger: MemoryLedger
) -> None:
    server.then(Says("Well, yes", usage={"input_tokens": 1_000_000, "output_tokens": 0}))
    await claude.answer(case_for("understand").question)
    assert ledger.calls[0].cost_usd == 2


async def test_the_calls_of_one_question_are_numbered_and_the_repair_says_so(
    server: LocalAnthropic, claude: ClaudeModel, ledger: MemoryLedger
) -> None:
    server.then(Status(529), Says("Well"), Status(529), GOOD)
    await claude.answer(ASKED.question)
    assert [(each.attempt, each.is_repair, each.outcome) for each in ledger.calls] == [
        (1, False, Outcome.REFUSED),
        (2, False, Outcome.INVALID),
        (3, True, Outcome.REFUSED),
        (4, True, Outcome.ANSWERED),
    ]


async def test_whose_question_it_was_comes_from_the_effect(
    server: LocalAnthropic, claude: ClaudeModel, ledger: MemoryLedger, clock: LeapingClock
) -> None:
    server.then(GOOD)
    await Asker(claude, {"negotiation": for_every_tenant(ASKS)}, clock)(ASKED.effect_run)
    assert [(each.tenant, each.stream) for each in ledger.calls] == [(KEY.tenant, KEY.stream)]


# ── kept by the store ─────────────────────────────────────────────────────────────────────────────────────────────


def claude_with(ledger: StoreLedger, clock: LeapingClock, server: LocalAnthropic) -> ClaudeModel:
    return ClaudeModel(API_KEY, PROMPTS.values(), ledger, clock, base_url=server.url)


@pytest.mark.parametrize("kind", STORES)
async def test_the_rows_are_in_the_store_in_the_order_of_time(
    server: LocalAnthropic, clock: LeapingClock, tmp_path: Path, kind: str
) -> None:
    store = STORES[kind](tmp_path)
    await store.open()
    ledger = StoreLedger(store)
    claude = claude_with(ledger, clock, server)
    server.then(Status(529), Says("Well"), GOOD)
    await claude.answer(replace(ASKED.question, key=KEY))
    await claude.answer(ASKED.question)
    await claude.close()
    await ledger.close()
    kept = await rows(store)
    assert [each.outcome for each in kept] == [Outcome.REFUSED, Outcome.INVALID, Outcome.ANSWERED]
    assert kept[2].cost_usd == Decimal("0.000625")
    assert [each.stream for each in await rows(store, Tenant(""))] == [""]
    await store.close()


async def test_a_store_that_takes_no_rows_costs_no_answer_and_gets_them_later(
    server: LocalAnthropic, clock: LeapingClock, caplog: pytest.LogCaptureFixture
) -> None:
    store = MemoryStore()  # not open yet
    ledger = StoreLedger(store)
    claude = claude_with(ledger, clock, server)
    for _ in range(2):
        await claude.answer(replace(ASKED.question, key=KEY))
    await store.open()
    await claude.answer(replace(ASKED.question, key=KEY))
    await claude.close()
    await ledger.close()
    assert len(await rows(store)) == 3
    assert "are not in the ledger yet" in caplog.text
    await store.close()


async def test_what_the_store_did_not_take_is_offered_once_more_in_the_end(
    server: LocalAnthropic, clock: LeapingClock
) -> None:
    store = MemoryStore()
    ledger = StoreLedger(store)
    claude = claude_with(ledger, clock, server)
    await claude.answer(replace(ASKED.question, key=KEY))
    await claude.close()
    await store.open()
    await ledger.close()
    assert len(await rows(store)) == 1
    await store.close()


async def test_rows_that_are_lost_in_the_end_are_counted_in_the_log(
    server: LocalAnthropic, clock: LeapingClock, caplog: pytest.LogCaptureFixture
) -> None:
    ledger = StoreLedger(MemoryStore())
    claude = claude_with(ledger, clock, server)
    await claude.answer(ASKED.question)
    await claude.close()
    await ledger.close()
    assert "the ledger loses 1 calls" in caplog.text


async def test_there_is_room_for_only_so_many_rows(caplog: pytest.LogCaptureFixture) -> None:
    store = MemoryStore()
    ledger = StoreLedger(store, most_waiting=2)
    for _ in range(3):
        ledger.record(ROW)
    await store.open()
    await ledger.close()
    assert len(await rows(store, ROW.tenant)) == 2
    assert "no room" in caplog.text
    await store.close()


async def test_a_row_is_plain_json() -> None:
    read = json.loads(ROW.model_dump_json())
    assert (read["outcome"], read["tenant"], read["cost_usd"]) == ("timeout", ["", ""], None)
    assert Call.model_validate_json(ROW.model_dump_json()) == ROW
