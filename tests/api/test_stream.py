"""Events over HTTP: every event once and in order, for everybody who reads, however they come, go and come back."""

import asyncio
import random
import socket
from collections.abc import Sequence
from urllib.parse import urlsplit

import pytest

from bot.api.event_connections import HEARTBEAT, PATIENCE
from bot.api.feeds import PAUSE
from engine.errors import StoreUnavailable
from engine.kernel import StreamKey, Tenant
from engine.store.memory import MemoryStore
from engine.store.port import StoredEvent, Stream
from tests.store.conftest import STORES

from .api_harness import ALONE, AYA, DEMAND, YOU, ApiHarness, Told, comes_true, secret, standing
from .conftest import Begin

WHOLE = 15
"""Events of a negotiation that two twins agree on at once."""


class Watched(MemoryStore):
    """Counts reads, and fails them while it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.reads = 0
        self.is_unreadable = False

    async def load(self, key: StreamKey) -> Stream | None:
        self._read()
        return await super().load(key)

    async def events(self, tenant: Tenant, after: int, limit: int) -> Sequence[StoredEvent]:
        self._read()
        return await super().events(tenant, after, limit)

    def _read(self) -> None:
        self.reads += 1
        if self.is_unreadable:
            raise StoreUnavailable("The disk does not answer.")


@pytest.fixture
def store() -> Watched:
    return Watched()


def seqs(told: Sequence[Told]) -> list[int]:
    return [each.data["seq"] for each in told]


async def test_each_event_comes_in_the_seeds_envelope_with_its_place_in_the_order(begin: Begin) -> None:
    it = await begin(policy=ALONE)
    demand_id = await it.asks()
    await it.ends(demand_id)

    async with it.as_(YOU).stream(demand_id) as events:
        assert events.response.headers["Content-Type"] == "text/event-stream"
        assert events.response.headers["Cache-Control"] == "no-cache"
        told = await events.take(WHOLE)

    assert told[0].data.keys() == {"event_id", "seq", "event_type", "timestamp", "payload"}
    assert told[0].data["event_type"] == "towow.demand.submitted"
    assert told[-1].data["event_type"] == "towow.proposal.finalized"
    assert seqs(told) == list(range(1, WHOLE + 1))
    positions = [int(each.id) for each in told]
    assert positions == sorted(set(positions))
    assert all(each.data["payload"]["demand_id"] == demand_id for each in told)


WISH = "A wish of mine alone: a venue"


async def told_to(it: ApiHarness, name: str, demand_id: str) -> tuple[str, list[str], list[tuple[str, str]]]:
    """The demand's text, the offers' contributions and the votes with their reasons, as somebody is told them."""
    async with it.as_(name).stream(demand_id) as events:
        told = await events.take(WHOLE)
    recent = (await it.as_(name).get("/api/v1/events/recent?count=500")).body["events"]
    assert [each.data for each in told] == recent[:WHOLE]
    said = [(each.data["event_type"], each.data["payload"]) for each in told]
    offers = [payload["contribution"] for kind, payload in said if kind == "towow.offer.submitted"]
    votes = [payload for kind, payload in said if kind == "towow.proposal.feedback"]
    return said[0][1]["raw_input"], offers, [(each["feedback_type"], each["reasoning"]) for each in votes]


async def test_a_token_of_nobody_s_is_told_nobody_s_words(begin: Begin) -> None:
    it = await begin(policy=ALONE)
    demand_id = await it.asks(WISH)
    await it.ends(demand_id)

    assert await told_to(it, "program", demand_id) == ("", ["", ""], [("accept", "")] * 2)


async def test_whoever_asked_and_admins_are_told_what_was_offered_and_why(begin: Begin) -> None:
    it = await begin(policy=ALONE)
    demand_id = await it.asks(WISH)
    await it.ends(demand_id)

    for name in (YOU, "admin"):
        demand, offers, votes = await told_to(it, name, demand_id)
        assert demand == WISH
        assert all(offers)
        assert all(reason for _, reason in votes)


async def test_whoever_takes_part_is_told_their_own_words_and_no_others(begin: Begin) -> None:
    it = await begin(policy=ALONE)
    demand_id = await it.asks(WISH)
    await it.ends(demand_id)

    demand, offers, votes = await told_to(it, AYA, demand_id)

    assert demand == ""
    assert [bool(each) for each in offers] == [True, False]
    assert sorted(bool(reason) for _, reason in votes) == [False, True]


@pytest.mark.parametrize("seed", range(5))
async def test_ten_events_come_once_each_however_readers_come_back_while_they_happen(
    harness: ApiHarness, seed: int
) -> None:
    """Run thirty readers, who leave after at most five events and resume where they were."""
    dice = random.Random(seed)  # noqa: S311 - of the test
    demand_id = await harness.begins()

    async def reads() -> list[int]:
        found: list[Told] = []
        while len(found) < 10:
            by_header = dice.random() < 0.5
            last = found[-1].id if found else ""
            if found and dice.random() < 0.3:
                last = found[-1].data["event_id"]
            stops = min(10, len(found) + dice.choice([1, 2, 5]))
            async with harness.as_(YOU).stream(demand_id, **{"last" if by_header else "last_event_id": last}) as events:
                found += await events.take(stops - len(found))
        return seqs(found)

    async def writes() -> None:
        for at in range(1, 10):
            for _ in range(dice.randrange(60)):
                await asyncio.sleep(0)
            await harness.goes_on(at=at)

    *read, _ = await asyncio.gather(*(reads() for _ in range(30)), writes())

    assert read == [list(range(1, 11))] * 30


@pytest.mark.parametrize("kind", STORES)
async def test_what_happens_while_somebody_arrives_is_not_lost_on_any_store(
    begin: Begin, kind: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    async with standing(STORES[kind](tmp_path_factory.mktemp(kind)), policy=ALONE) as it:
        answer = await it.as_(YOU).post("/api/v1/demand/submit", {"raw_input": DEMAND})
        async with it.as_(YOU).stream(answer.body["demand_id"]) as events:  # while the twins answer
            assert seqs(await events.take(WHOLE)) == list(range(1, WHOLE + 1))


async def test_five_hundred_read_at_once_and_the_store_is_read_once_for_all(
    harness: ApiHarness, store: Watched
) -> None:
    demand_id = await harness.begins()
    ready = asyncio.Semaphore(0)

    async def reads() -> list[int]:
        async with harness.as_("program").stream(demand_id) as events:
            found = await events.take(1)
            ready.release()
            return seqs([*found, *await events.take(9)])

    reading = [asyncio.create_task(reads()) for _ in range(500)]
    for _ in reading:
        await ready.acquire()
    assert await harness.metric("sse_active_connections") == 500
    before = store.reads
    for at in range(1, 10):
        await harness.goes_on(at=at)

    assert await asyncio.gather(*reading) == [list(range(1, 11))] * 500
    assert store.reads - before <= 2 * 9
    assert await harness.metric("towow_sse_events_total") == 5_000


async def never_reads(harness: ApiHarness, demand_id: str) -> socket.socket:
    """Somebody who has asked, and takes nothing."""
    url = urlsplit(harness.server.url)
    taker = socket.socket()
    taker.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    taker.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(taker, (url.hostname, url.port))
    asked = (
        f"GET /api/v1/events/negotiations/{demand_id}/stream HTTP/1.1\r\nHost: {url.netloc}\r\n"
        f"Authorization: Bearer {secret(YOU)}\r\n\r\n"
    )
    await loop.sock_sendall(taker, asked.encode())
    return taker


async def what_it_got(taker: socket.socket) -> bytes:
    """Until the connection ends."""
    loop, got = asyncio.get_running_loop(), b""
    try:
        while more := await loop.sock_recv(taker, 65_536):
            got += more
    except ConnectionResetError:
        pass
    return got


async def test_whoever_never_reads_is_dropped_holds_up_nobody_and_can_come_back(harness: ApiHarness) -> None:
    demand_id = await harness.begins()
    with await never_reads(harness, demand_id) as reader:
        async with harness.as_(YOU).stream(demand_id) as quick:
            assert seqs(await quick.take(1)) == [1]
            for at in range(1, 100):
                await harness.goes_on(at=at, words="long " * 4_000)  # two megabytes in all
            assert seqs(await quick.take(99)) == list(range(2, 101))
            [stuck] = [each for each in harness.server.context.readers if each.waits_since is not None]

            harness.pulse.jump(harness.pulse.now() + HEARTBEAT + PATIENCE)

            got = await what_it_got(reader)
            assert got.startswith(b"HTTP/1.1 200 OK")
            assert len(got) < 1_000_000
            assert stuck not in list(harness.server.context.readers)
            assert await harness.metric("towow_sse_dropped_total") == 1

            whole = [block for block in got.split(b"\n\n") if block.startswith(b"id: ") or b"\r\nid: " in block]
            last = whole[-2].split(b"id: ")[-1].split(b"\n")[0].decode()
            async with harness.as_(YOU).stream(demand_id, last) as again:
                rest = await again.take(100 - int(last))
            assert seqs(rest) == list(range(int(last) + 1, 101))


async def test_whoever_has_nothing_to_read_gets_a_sign_of_life(harness: ApiHarness) -> None:
    demand_id = await harness.begins()
    async with harness.as_(YOU).stream(demand_id) as events:
        await events.take(1)
        for step in (0, -3_600_000, 3_600_000):  # whatever the wall clock is set to
            harness.pulse.set_wall(harness.pulse.now() + step)
            async with asyncio.timeout(60):
                await comes_true(lambda: harness.pulse.next_wake is not None)
                harness.pulse.jump(harness.pulse.now() + HEARTBEAT)
                while not (await events.response.content.readline()).startswith(b": "):
                    pass


async def test_no_clock_is_waited_for_while_nobody_reads(harness: ApiHarness) -> None:
    demand_id = await harness.begins()
    assert harness.pulse.next_wake is None
    async with harness.as_(YOU).stream(demand_id) as events:
        await events.take(1)
        assert harness.pulse.next_wake is not None


@pytest.mark.parametrize(
    ("last", "follows"),
    [
        pytest.param("3", [4, 5], id="an id"),
        pytest.param("5", [6], id="the last one"),
        pytest.param("0", [1, 2], id="before the first"),
        pytest.param("999999999", [1, 2], id="of another database"),
        pytest.param("evt-000000000000", [1, 2], id="an event that is none"),
        pytest.param("; DROP TABLE events", [1, 2], id="no id at all"),
    ],
)
async def test_what_follows_the_event_that_is_named_comes_first(
    harness: ApiHarness, last: str, follows: list[int]
) -> None:
    demand_id = await harness.begins()
    for at in range(1, 5):
        await harness.goes_on(at=at)
    async with harness.as_(YOU).stream(demand_id, last) as events:
        if last == "5":
            await harness.goes_on(at=5)
        assert seqs(await events.take(len(follows))) == follows


async def test_the_header_of_a_browser_that_comes_back_goes_before_the_address_it_knew(harness: ApiHarness) -> None:
    demand_id = await harness.begins()
    for at in range(1, 5):
        await harness.goes_on(at=at)
    async with harness.as_(YOU).stream(demand_id, "4", last_event_id="1") as events:
        assert seqs(await events.take(1)) == [5]


async def test_whoever_goes_is_forgotten_at_once(harness: ApiHarness) -> None:
    demand_id = await harness.begins()
    async with harness.as_(YOU).stream(demand_id) as events:
        await events.take(1)
        assert len(harness.server.context.readers) == 1
        events.response.close()
    await comes_true(lambda: not len(harness.server.context.readers))
    assert await harness.metric("sse_active_connections") == 0


async def test_there_is_room_for_so_many(harness: ApiHarness) -> None:
    demand_id = await harness.begins()
    harness.server.context.readers.most = 1
    async with harness.as_(YOU).stream(demand_id) as events:
        await events.take(1)

        answer = await harness.as_(YOU).get(f"/api/v1/events/negotiations/{demand_id}/stream")

    assert (answer.status, answer.headers["Retry-After"], answer.code) == (503, "30", None)


async def test_events_that_cannot_be_read_are_the_seeds_error_nine(harness: ApiHarness, store: Watched) -> None:
    demand_id = await harness.begins()
    await harness.as_(YOU).get(f"/api/v1/demand/{demand_id}")  # known from here on, without the store
    store.is_unreadable = True

    for path in (f"/api/v1/events/negotiations/{demand_id}/stream", "/api/v1/events/recent"):
        answer = await harness.as_("admin").get(path)
        assert (answer.status, answer.code) == (500, "E009")
        assert "disk" not in str(answer.body)


async def test_readers_go_on_once_the_store_answers_again(harness: ApiHarness, store: Watched) -> None:
    demand_id = await harness.begins()
    async with harness.as_(YOU).stream(demand_id) as events:
        await events.take(1)
        store.is_unreadable = True
        await harness.goes_on(at=1)
        await comes_true(lambda: harness.pulse.next_wake == harness.pulse.now() + PAUSE)
        store.is_unreadable = False
        harness.pulse.jump(harness.pulse.now() + PAUSE)

        assert seqs(await events.take(1)) == [2]


async def test_the_latest_events_of_everything_come_oldest_first(harness: ApiHarness) -> None:
    for name in ("aaaabbbb", "ccccdddd"):
        await harness.begins(name)
        for at in range(1, 4):
            await harness.goes_on(name, at=at)

    answer = await harness.as_("program").get("/api/v1/events/recent?count=5")

    assert answer.body["count"] == 5
    told = [(each["payload"]["demand_id"], each["seq"]) for each in answer.body["events"]]
    assert told == [("d-aaaabbbb", 4), *(("d-ccccdddd", seq) for seq in range(1, 5))]
