"""Health, metrics, and what browsers of other origins may do."""

import asyncio
import math
import socket
from collections.abc import Mapping

import pytest

from engine.errors import Misconfigured, ModelTimeout, StoreDamaged, StoreError, StoreFull, StoreUnavailable
from engine.kernel import Millis, Tenant
from engine.negotiation.answers import Shortlist
from engine.store.memory import MemoryStore

from .api_harness import ALONE, DEMAND, HERE, YOU, ApiHarness, comes_true
from .conftest import Begin

PAGE, OTHER = "https://towow.example", "https://evil.example"


class Broken(MemoryStore):
    is_broken = False
    ails: StoreError | None = None
    """What befalls each write."""

    async def next_due(self) -> Millis | None:
        if self.is_broken:
            raise StoreUnavailable("gone")
        return await super().next_due()

    async def counts(self) -> Mapping[str, int]:
        if self.is_broken:
            raise StoreUnavailable("gone")
        return await super().counts()

    async def put_records(
        self, tenant: Tenant, kind: str, records: Mapping[str, str | None], *, member: str = ""
    ) -> None:
        with self.health.watching(writes=True):
            self._ail()
            await super().put_records(tenant, kind, records, member=member)

    async def touch(self) -> None:
        with self.health.watching(writes=True):
            self._ail()

    def _ail(self) -> None:
        if self.ails is not None:
            raise self.ails


@pytest.fixture
def store() -> Broken:
    return Broken()


async def test_it_lives_and_can_serve_as_long_as_the_store_answers(harness: ApiHarness, store: Broken) -> None:
    assert (await harness.as_("").get("/healthz")).body == {"status": "ok"}
    assert (await harness.as_("").get("/readyz")).body == {"status": "ready", "store": True, "slack": True}

    store.is_broken = True

    answer = await harness.as_("").get("/readyz")
    assert (answer.status, answer.body) == (503, {"status": "not ready", "store": False, "slack": True})
    assert (await harness.as_("").get("/healthz")).status == 200
    store.is_broken = False


async def test_metrics_say_whether_the_store_answers(harness: ApiHarness, store: Broken) -> None:
    assert await harness.metric("towow_store_answers") == 1
    assert await harness.metric("towow_store_rows", kind="streams") is not None

    store.is_broken = True

    assert await harness.metric("towow_store_answers") == 0
    assert await harness.metric("towow_store_rows", kind="streams") is None
    store.is_broken = False


@pytest.mark.parametrize(
    ("ails", "trouble", "is_over"), [(StoreFull("full"), "full", True), (StoreDamaged("damaged"), "damaged", False)]
)
async def test_a_full_disk_and_a_damaged_page_are_told_until_they_are_over(
    harness: ApiHarness, store: Broken, ails: StoreError, trouble: str, is_over: bool
) -> None:
    it = harness
    store.ails = ails
    with pytest.raises(type(ails)):
        await store.put_records(HERE, "vote", {"a": "1"})

    answer = await it.as_("").get("/readyz")

    assert (answer.status, answer.body["store"], answer.body["trouble"]) == (503, False, trouble)
    assert await it.metric("towow_store_answers") == 0
    assert (await it.metric("towow_store_failures_total", cause=trouble) or 0) >= 1
    store.ails = None
    assert (await it.as_("").get("/readyz")).status == (200 if is_over else 503)


async def test_it_lives_before_slack_has_said_whose_workspace_it_is_and_serves_afterwards(begin: Begin) -> None:
    it = await begin(unreachable=2)
    asking = asyncio.create_task(it.as_(YOU).get("/api/v1/events/recent"))
    for _ in range(2):
        await comes_true(lambda: it.pulse.next_wake is not None)
        assert (await it.as_("").get("/healthz")).status == 200
        it.pulse.jump(it.pulse.next_wake or 0)
        await asyncio.sleep(0)

    assert (await asking).status == 200


async def test_an_address_that_is_taken_is_named(begin: Begin) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(Misconfigured, match=r"127\.0\.0\.1:\d+, which is taken already"):
            await begin(port=taken.getsockname()[1])


async def test_the_seeds_metrics_are_all_there_before_anything_has_happened(harness: ApiHarness) -> None:
    text: str = (await harness.as_("admin").get("/metrics")).body

    for name in (
        "llm_call_total", "llm_call_success_rate", "llm_call_latency_p95", "circuit_breaker_open",
        "negotiation_success_rate", "sse_active_connections",
    ):  # fmt: skip
        assert f"# TYPE {name} " in text
    assert math.isnan(await harness.metric("negotiation_success_rate") or 0)
    assert await harness.metric("circuit_breaker_open") == 0


async def test_what_happens_is_counted(begin: Begin) -> None:
    it = await begin(policy=ALONE)
    await it.ends(await it.asks())
    it.script.says["filter"] = Shortlist(definitely_related=())
    it.script.fails["understand"] = ModelTimeout("slow")
    await it.asks()

    assert await it.metric("towow_negotiations_ended_total", outcome="consensus") == 1
    assert await it.metric("towow_negotiations_ended_total", outcome="no_candidates") == 1
    assert await it.metric("negotiation_success_rate") == 0.5
    assert await it.metric("llm_call_total", outcome="answered", prompt="negotiation/understand") == 1
    assert await it.metric("llm_call_total", outcome="E004", prompt="negotiation/understand") == 1
    assert await it.metric("llm_call_success_rate") == pytest.approx(10 / 11)
    latency = await it.metric("llm_call_latency_p95")
    assert latency is not None
    assert 0 <= latency < 1
    assert await it.metric("towow_http_requests_total", route="/api/v1/demand/submit", status="200") == 2
    assert await it.metric("towow_store_rows", kind="streams") == 3


async def test_a_page_of_an_origin_that_is_named_may_call(begin: Begin) -> None:
    it = await begin(origins=frozenset({PAGE}))
    asks_first = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}

    asked = await it.as_("").calls("OPTIONS", "/api/v1/demand/submit", headers={"Origin": PAGE, **asks_first})
    answer = await it.as_(YOU).post("/api/v1/demand/submit", {"raw_input": DEMAND}, headers={"Origin": PAGE})
    refused = await it.as_("").get("/api/v1/events/recent", headers={"Origin": PAGE})

    assert (asked.status, asked.headers["Access-Control-Allow-Origin"]) == (204, PAGE)
    assert "Authorization" in asked.headers["Access-Control-Allow-Headers"]
    for each in (answer, refused):  # why it was refused, the page may read as well
        assert each.headers["Access-Control-Allow-Origin"] == PAGE
        assert each.headers["Vary"] == "Origin"
    async with it.session.get(
        f"{it.server.url}/api/v1/events/negotiations/{answer.body['demand_id']}/stream",
        headers={**it.as_(YOU).authorization, "Origin": PAGE},
    ) as events:
        assert events.headers["Access-Control-Allow-Origin"] == PAGE


@pytest.mark.parametrize("origins", [frozenset[str](), frozenset({PAGE})], ids=["no origin", "another origin"])
async def test_a_page_of_any_other_origin_may_not(begin: Begin, origins: frozenset[str]) -> None:
    it = await begin(origins=origins)
    headers = {"Origin": OTHER, "Access-Control-Request-Method": "POST"}

    asked = await it.as_("").calls("OPTIONS", "/api/v1/demand/submit", headers=headers)
    answer = await it.as_(YOU).get("/api/v1/events/recent", headers={"Origin": OTHER})

    assert not [each for each in (*asked.headers, *answer.headers) if each.startswith("Access-Control")]


async def test_while_it_drains_it_says_so_and_whoever_calls_is_sent_elsewhere(harness: ApiHarness) -> None:
    demand_id = await harness.begins()
    async with harness.as_(YOU).stream(demand_id) as events:
        await events.take(1)

        harness.server.context.drain()

        assert await events.take(1) == []
        assert "this ToWow ends; connect again" in events.comments
    ready = await harness.as_("").get("/readyz")
    assert (ready.status, ready.body) == (503, {"status": "draining", "store": True, "slack": True})
    assert (await harness.as_("").get("/healthz")).status == 200
    status = await harness.as_(YOU).get(f"/api/v1/demand/{demand_id}/status")
    assert (status.status, status.headers["Connection"]) == (200, "close")
    again = await harness.as_(YOU).get(f"/api/v1/events/negotiations/{demand_id}/stream")
    assert (again.status, again.headers["Retry-After"]) == (503, "1")
