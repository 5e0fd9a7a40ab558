"""``towow costs``: what the ledger says, added up."""

import asyncio
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.kernel import Tenant
from engine.llm.ledger import Call, Outcome, StoreLedger
from engine.llm.spending import PRICED_ON, Tokens, by_group, cost, spending
from engine.store.sqlite import SqliteStore
from engine.store.sqlite.archive import Archive

from .conftest import MEETUP, Towow

DAY = 86_400_000
MONDAY = 1_795_392_000_000
"""2026-11-23 in UTC."""


def call(prompt: str = "negotiation/respond", model: str = "claude-haiku-5-5", **said: Any) -> Call:
    tokens = Tokens(said.pop("input", 600), said.pop("output", 100), said.pop("write", 0), said.pop("read", 0))
    fields: dict[str, Any] = {
        "at": MONDAY, "tenant": Tenant("T_ONE"), "stream": "", "prompt": prompt, "model": model,
        "content_hash": "0" * 16, "attempt": 1, "outcome": Outcome.ANSWERED, "latency_ms": 900,
        "input_tokens": tokens.input,
        "output_tokens": tokens.output, "cache_write_tokens": tokens.cache_write,
        "cache_read_tokens": tokens.cache_read, "cost_usd": cost(model, tokens), **said,
    }  # fmt: skip
    return Call(**fields)


CALLS = [
    call(input=600, write=1_000),
    call(input=600, read=1_000),
    call("negotiation/aggregate", "claude-sonnet-5-5", input=2_000, output=1_000, at=MONDAY + DAY),
    call("negotiation/understand", "our-own-model", tenant=Tenant("T_TWO"), at=MONDAY + 2 * DAY),
]


def kept(path: Path, calls: list[Call]) -> None:
    async def keeps() -> None:
        store = SqliteStore(path)
        await store.open()
        ledger = StoreLedger(store)
        for each in calls:
            ledger.record(each)
        await ledger.close()
        await store.close()

    asyncio.run(keeps())


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "my.db"
    kept(path, CALLS)
    return path


def told(towow: Towow, database: Path, *arguments: str) -> dict[str, Any]:
    said: dict[str, Any] = json.loads(towow("costs", "--json", *arguments, "--db", database).out)
    return said


def test_it_says_who_what_when_and_how_much_was_read_from_the_cache(towow: Towow, database: Path) -> None:
    found = told(towow, database)
    assert found["total"] == {
        "calls": 4,
        "input_tokens": 3_800,
        "cache_write_tokens": 1_000,
        "cache_read_tokens": 1_000,
        "output_tokens": 1_300,
        "cache_share": round(1_000 / 5_800, 4),
        "cost_usd": float(sum((each.cost_usd or Decimal() for each in CALLS), Decimal())),
        "calls_of_unknown_price": 1,
    }
    assert [*found["by_prompt"]] == ["negotiation/aggregate", "negotiation/respond", "negotiation/understand"]
    assert found["by_prompt"]["negotiation/respond"]["cache_share"] == round(1_000 / 3_200, 4)
    assert {day: each["calls"] for day, each in found["by_day"].items()} == {
        "2026-11-23": 2,
        "2026-11-24": 1,
        "2026-11-25": 1,
    }
    assert found["by_model"]["our-own-model"]["calls_of_unknown_price"] == 1
    assert found["priced_on"] == PRICED_ON.isoformat()


def test_whoever_asked_is_named_with_what_it_was_for(towow: Towow, database: Path) -> None:
    assert towow("ask", MEETUP, "--db", database).code == 0
    archive = Archive(database)
    key = next(each for each in archive.streams() if each.stream.startswith("collab-"))
    kept(database, [call(tenant=key.tenant, stream=key.stream, input=5)])
    stored = archive.load(key)
    assert stored is not None
    submitted = json.loads(stored.events[0].public)
    found = told(towow, database)
    assert found["by_demand"][key.stream]["input_tokens"] == 5
    assert found["by_person"][submitted["requester_id"]]["input_tokens"] == 5
    assert found["by_person"]["-"]["calls"] == found["by_demand"]["-"]["calls"] == len(CALLS)


@pytest.mark.parametrize(
    ("arguments", "calls"),
    [
        (("--team", "T_TWO"), 1),
        (("--team", "T_NOBODY"), 0),
        (("--since", "2026-11-24"), 2),
        (("--until", "2026-11-24"), 3),
        (("--since", "2026-11-24", "--until", "2026-11-24"), 1),
    ],
)
def test_a_part_can_be_asked_for(towow: Towow, database: Path, arguments: tuple[str, ...], calls: int) -> None:
    assert told(towow, database, *arguments)["total"]["calls"] == calls


def test_people_read_a_table_and_one_sentence(towow: Towow, database: Path) -> None:
    done = towow("costs", "--db", database)
    assert done.code == 0
    assert "negotiation/respond" in done.out
    assert "unknown" in done.out
    assert "17% of what was sent read from the cache" in done.out
    assert "What 1 of them cost is unknown" in done.out


def test_where_nobody_was_asked_it_says_so(towow: Towow, tmp_path: Path) -> None:
    path = tmp_path / "none.db"
    kept(path, [])
    done = towow("costs", "--db", path)
    assert (done.code, "No model was asked" in done.out) == (0, True)


@pytest.mark.parametrize("arguments", [("--since", "yesterday"), ("--until", "2026-13-01"), ("--db", "nowhere.db")])
def test_nonsense_is_refused(towow: Towow, arguments: tuple[str, ...]) -> None:
    done = towow("costs", *arguments)
    assert done.code == 2
    assert "Traceback" not in done.err


tokens = st.integers(0, 10**6)
calls = st.builds(
    call,
    prompt=st.sampled_from(["a", "b", "c"]),
    model=st.sampled_from(["claude-haiku-5-5", "claude-sonnet-5-5", "unknown"]),
    input=tokens,
    output=tokens,
    write=tokens,
    read=tokens,
)


@given(st.lists(calls, max_size=20))
def test_groups_add_up_to_the_whole_and_nothing_unknown_is_free(made: list[Call]) -> None:
    entries = [each.entry for each in made]
    total, groups = spending(entries), by_group(entries, lambda each: each.prompt)
    assert sum(each.calls for each in groups.values()) == total.calls == len(made)
    assert sum((each.usd for each in groups.values()), Decimal()) == total.usd
    assert sum(each.sent for each in groups.values()) == total.sent
    assert total.unpriced == sum(each.model == "unknown" for each in made)
    assert 0 <= total.cache_share <= 1
    assert [each.usd for each in groups.values()] == sorted((each.usd for each in groups.values()), reverse=True)
