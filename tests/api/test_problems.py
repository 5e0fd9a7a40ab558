"""Every refusal has one shape, says what would work, and shows nothing internal."""

import asyncio
import logging

import pytest

from bot.api.problems import TITLES, problem_of
from bot.posts.failures import Undone
from engine.errors import (
    REFUSALS,
    BudgetSpent,
    InvalidAnswer,
    ModelTimeout,
    ModelUnavailable,
    Refusal,
    StoreUnavailable,
)
from engine.store.memory import MemoryStore
from engine.store.port import Commit

from .api_harness import DEMAND, YOU, ApiHarness, secret
from .conftest import Begin

SUBMIT = "/api/v1/demand/submit"


class Full(MemoryStore):
    is_full = False

    async def commit(self, commit: Commit, *, urgent: bool = False) -> None:
        if self.is_full:
            raise StoreUnavailable("disk /var/secret is full")
        await super().commit(commit, urgent=urgent)


@pytest.fixture
def store() -> Full:
    return Full()


@pytest.mark.parametrize("kind", REFUSALS.values(), ids=lambda each: each.__name__)
def test_each_refusal_of_the_engine_keeps_its_code_and_status(kind: type[Refusal]) -> None:
    response = problem_of(kind("Because."), "somewhere")

    assert response.status == kind.http_status
    assert f'"error_code":"{kind.code}"' in str(response.text)
    assert '"detail":"Because."' in str(response.text)
    assert response.content_type == "application/problem+json"


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        pytest.param(ModelUnavailable("key sk-1 refused"), 503, '"E003"', id="no model"),
        pytest.param(InvalidAnswer("it said sk-1"), 503, '"E013"', id="an unusable answer"),
        pytest.param(BudgetSpent("sk-1 is spent"), 503, '"E014"', id="no money"),
        pytest.param(ModelTimeout("sk-1"), 504, '"E004"', id="a model too slow"),
        pytest.param(StoreUnavailable("/home/sk-1.db"), 503, "null", id="no disk"),
        pytest.param(TimeoutError("sk-1"), 503, "null", id="too slow"),
        pytest.param(Undone("sk-1"), 503, "null", id="no Slack"),
        pytest.param(RuntimeError("sk-1"), 500, "null", id="a fault of ours"),
    ],
)
def test_what_went_wrong_here_goes_to_the_log_and_not_to_the_caller(error: Exception, status: int, code: str) -> None:
    logging.disable()
    try:
        response = problem_of(error, "somewhere")
    finally:
        logging.disable(logging.NOTSET)

    assert response.status == status
    assert f'"error_code":{code}' in str(response.text)
    assert "sk-1" not in str(response.text)


def test_each_code_has_a_title() -> None:
    assert list(TITLES) == [f"E{number:03}" for number in range(1, 16)]


@pytest.mark.parametrize(
    ("path", "code"),
    [
        pytest.param("/api/v1/demand/d-zzzzzzzz", "E002", id="an unknown demand"),
        pytest.param("/api/v1/demand/collab-zzzzzzzz", "E007", id="an unknown channel"),
        pytest.param("/api/v1/demand/directory", "E002", id="another stream"),
        pytest.param("/api/v1/demand/d-%2e%2e%2fetc", "E002", id="something else"),
        pytest.param("/api/v1/events/negotiations/d-zzzzzzzz/stream", "E002", id="its events"),
        pytest.param("/api/v1/admin/profiles/user_agent_nobody", "E008", id="an unknown agent"),
        pytest.param("/api/v1/nothing", None, id="an unknown path"),
    ],
)
async def test_what_is_not_there_is_told_with_its_code(harness: ApiHarness, path: str, code: str | None) -> None:
    answer = await harness.as_("admin").get(path)

    assert (answer.status, answer.code) == (404, code)
    assert answer.body.keys() == {"type", "title", "status", "detail", "error_code", "errors", "demand_id"}


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        pytest.param("/api/v1/admin/profiles", "GET,POST", id="several"),
        pytest.param("/api/v1/admin/profiles/user_agent_aya", "GET,PUT", id="an id"),
        pytest.param(SUBMIT, "POST", id="a path of its own, which is no id"),
    ],
)
async def test_a_method_that_is_none_names_those_that_are(harness: ApiHarness, path: str, allowed: str) -> None:
    answer = await harness.as_("admin").calls("DELETE", path)

    assert (answer.status, answer.headers["Allow"], answer.code) == (405, allowed, None)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        pytest.param(b"", "", id="nothing"),
        pytest.param(b"{", "", id="half"),
        pytest.param(b"\xff\xfe", "", id="no text"),
        pytest.param(b"[" * 20_000, "", id="deep"),
        pytest.param(b'{"raw_input": 7}', "raw_input", id="a number"),
        pytest.param(b'{"raw_input": "' + b"x" * 20_001 + b'"}', "raw_input", id="far too long"),
    ],
)
async def test_a_body_that_cannot_be_read_is_said_field_by_field(harness: ApiHarness, body: bytes, field: str) -> None:
    async with harness.session.post(
        harness.server.url + SUBMIT,
        data=body,
        headers={**harness.as_(YOU).authorization, "Content-Type": "application/json"},
    ) as response:
        told = await response.json()

    assert (response.status, told["error_code"], told["errors"][0]["field"]) == (400, "E001", field)
    assert len(str(told)) < 500


async def test_a_body_too_large_is_not_read(harness: ApiHarness) -> None:
    answer = await harness.as_(YOU).post(SUBMIT, {"raw_input": "x" * 100_000})

    assert (answer.status, answer.code) == (413, None)


async def test_a_body_of_another_kind_is_named(harness: ApiHarness) -> None:
    answer = await harness.as_(YOU).calls("POST", SUBMIT, headers={"Content-Type": "text/plain"}, data="hello")

    assert (answer.status, answer.code) == (415, None)


@pytest.mark.parametrize("key", ["", "x" * 201, "a b", "schlüssel"])
async def test_a_key_that_cannot_be_kept_is_named(harness: ApiHarness, key: str) -> None:
    answer = await harness.as_(YOU).post(SUBMIT, {"raw_input": DEMAND}, headers={"Idempotency-Key": key})

    assert (answer.status, answer.code) == (400, "E001")


async def test_a_token_that_calls_too_often_is_told_when_it_may_again(begin: Begin) -> None:
    it = await begin(per_minute=3)

    statuses = [(await it.as_(YOU).get("/api/v1/events/recent")).status for _ in range(4)]
    assert statuses == [200, 200, 200, 429]
    assert (await it.as_("program").get("/api/v1/events/recent")).status == 200  # each has its own

    late = await it.as_(YOU).get("/api/v1/events/recent")
    assert late.headers["Retry-After"] == "20"
    it.pulse.set_wall(it.pulse.now() - 3_600_000)
    it.pulse.jump(it.pulse.now() + 20_000)
    assert (await it.as_(YOU).get("/api/v1/events/recent")).status == 200


async def test_what_could_not_be_written_is_no_success_and_can_be_sent_again(harness: ApiHarness, store: Full) -> None:
    await harness.as_("admin").get("/api/v1/admin/profiles")
    named = {"Idempotency-Key": "mine"}
    store.is_full = True
    answer = await harness.as_(YOU).post(SUBMIT, {"raw_input": DEMAND}, headers=named)
    store.is_full = False

    assert (answer.status, answer.headers["Retry-After"]) == (503, "2")
    assert "secret" not in str(answer.body)
    assert (await harness.as_(YOU).post(SUBMIT, {"raw_input": DEMAND}, headers=named)).status == 200


async def test_a_body_that_never_comes_is_not_waited_for(begin: Begin) -> None:
    it = await begin(body_seconds=0.05)
    reader, writer = await asyncio.open_connection("127.0.0.1", int(it.server.url.rpartition(":")[2]))
    writer.write(
        f"POST {SUBMIT} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {secret(YOU)}\r\n"
        "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n".encode()
    )
    assert b"408" in await asyncio.wait_for(reader.readline(), 60)
    writer.close()
    await writer.wait_closed()
