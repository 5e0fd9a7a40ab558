"""Several processes on one store: what one of them holds is nobody else's, until its time is over."""

import itertools
from dataclasses import replace
from decimal import Decimal

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.errors import LeaseLost, WrongVersion
from engine.kernel import StreamKey, Tenant
from engine.store.memory_sharing import MemorySharing
from engine.store.port import Store
from engine.store.postgres import PostgresStore
from engine.store.sharing import FORGOTTEN_AFTER, Lacking, Purse, Sharing
from tests.examples import examples

from .words import ACME, BEES, MEETUP, PICNIC, said, step

LONG, OVER = 3_600_000, 0
"""Milliseconds that end after the test, and that have ended at once."""


@pytest.fixture
def sharing(shared: Store) -> Sharing:
    assert shared.sharing is not None
    return shared.sharing


async def test_a_store_of_one_process_has_nothing_to_share(alone: Store) -> None:
    assert alone.sharing is None


async def test_every_commit_moves_the_revision_of_its_stream(shared: Store) -> None:
    await shared.commit(step(version=0, events=[said()]))
    await shared.commit(step(version=1, command="late", refusal="IllegalStep: too late"))

    found = await shared.load(MEETUP)
    assert found is not None
    assert (found.version, found.revision) == (1, 2)
    assert (await shared.revision(MEETUP), await shared.revision(PICNIC)) == (2, 0)


async def test_what_was_decided_before_somebody_elses_refusal_is_not_kept(shared: Store) -> None:
    """The version is the same: only the revision tells that something is known that was not when it was decided."""
    await shared.commit(step(version=0, events=[said()]))
    await shared.commit(replace(step(version=1, command="late", refusal="IllegalStep: too late"), expected_revision=1))

    with pytest.raises(WrongVersion, match="meetup is at revision 2, not 1"):
        await shared.commit(replace(step(version=1, events=[said()], command="vote"), expected_revision=1))

    await shared.commit(replace(step(version=1, events=[said()], command="vote"), expected_revision=2))


async def test_a_store_of_one_process_counts_no_revisions(alone: Store) -> None:
    await alone.commit(step(version=0, events=[said()]))

    found = await alone.load(MEETUP)
    assert found is not None
    assert (found.revision, await alone.revision(MEETUP)) == (0, 0)


async def test_every_member_has_a_name_of_its_own(sharing: Sharing) -> None:
    assert len({await sharing.join(LONG) for _ in range(20)}) == 20


async def test_what_one_holds_no_other_can(sharing: Sharing) -> None:
    first, second = await sharing.join(LONG), await sharing.join(LONG)

    assert await sharing.hold(MEETUP, first)
    assert not await sharing.hold(MEETUP, second)
    assert await sharing.hold(MEETUP, first)
    assert await sharing.hold(PICNIC, second)


async def test_what_is_let_go_is_free(sharing: Sharing) -> None:
    first, second = await sharing.join(LONG), await sharing.join(LONG)
    await sharing.hold(MEETUP, first)

    assert await sharing.let_go(MEETUP, first)
    assert await sharing.hold(MEETUP, second)
    assert await sharing.let_go(MEETUP, first)
    assert not await sharing.hold(MEETUP, first)


async def test_a_member_is_told_once_what_others_asked_for(sharing: Sharing) -> None:
    first, second = await sharing.join(LONG), await sharing.join(LONG)
    for key in (MEETUP, PICNIC):
        await sharing.hold(key, first)
    await sharing.hold(MEETUP, second)

    assert await sharing.heartbeat(second, LONG) == []
    assert await sharing.heartbeat(first, LONG) == [MEETUP]
    assert await sharing.heartbeat(first, LONG) == []


async def test_what_was_asked_for_is_not_let_go_before_it_was_looked_at(sharing: Sharing) -> None:
    first, second = await sharing.join(LONG), await sharing.join(LONG)
    await sharing.hold(MEETUP, first)
    await sharing.hold(MEETUP, second)

    assert not await sharing.let_go(MEETUP, first)
    assert not await sharing.hold(MEETUP, second)
    await sharing.heartbeat(first, LONG)
    assert await sharing.let_go(MEETUP, first)


async def test_a_member_whose_time_is_over_stays_gone(sharing: Sharing, shared: Store) -> None:
    first, second = await sharing.join(LONG), await sharing.join(LONG)
    await sharing.hold(MEETUP, first)
    await shared.put_records(ACME, "post", {"root": "1"}, member=first)
    assert await sharing.heartbeat(first, OVER) == []

    assert await sharing.heartbeat(first, LONG) is None
    assert await sharing.hold(MEETUP, second)
    with pytest.raises(LeaseLost):
        await sharing.hold(PICNIC, first)
    with pytest.raises(LeaseLost):
        await shared.put_records(ACME, "post", {"root": "2"}, member=first)
    assert await shared.records(ACME, "post") == {"root": "1"}
    assert await sharing.let_go(MEETUP, first)
    assert not await sharing.hold(MEETUP, await sharing.join(LONG))


async def test_what_a_member_left_is_found_until_somebody_goes_on_with_it(sharing: Sharing) -> None:
    first, second = await sharing.join(LONG), await sharing.join(LONG)
    for key in (MEETUP, PICNIC):
        await sharing.hold(key, first)
    assert await sharing.orphans(10) == []
    await sharing.heartbeat(first, OVER)

    assert sorted(await sharing.orphans(10)) == sorted([MEETUP, PICNIC])
    assert len(await sharing.orphans(1)) == 1
    await sharing.hold(MEETUP, second)
    assert await sharing.orphans(10) == [PICNIC]


async def test_tenants_hold_and_book_apart(sharing: Sharing) -> None:
    first, second = await sharing.join(LONG), await sharing.join(LONG)

    assert await sharing.hold(MEETUP, first)
    assert await sharing.hold(StreamKey(BEES, MEETUP.stream), second)
    await sharing.book(ACME, "chat.update", each=LONG, count=1)
    assert await sharing.book(BEES, "chat.update", each=LONG, count=1) == 0


async def test_turns_follow_each_other(sharing: Sharing) -> None:
    assert await sharing.book(ACME, "chat.update", each=LONG, count=2) == 0
    second = await sharing.book(ACME, "chat.update", each=LONG, count=1)
    third = await sharing.book(ACME, "chat.update", each=LONG, count=1)

    assert 2 * LONG - 60_000 < second <= 2 * LONG
    assert 3 * LONG - 60_000 < third <= 3 * LONG
    assert await sharing.book(ACME, "chat.postMessage", each=LONG, count=1) == 0


async def test_a_line_that_stands_still_moves_on_later(sharing: Sharing) -> None:
    await sharing.book(ACME, "chat.update", each=LONG, count=0, after=LONG)

    assert LONG - 60_000 < await sharing.book(ACME, "chat.update", each=LONG, count=1) <= LONG
    assert await sharing.book(ACME, "chat.update", each=LONG, count=1, after=LONG) > LONG


async def test_what_was_committed_is_read_once(sharing: Sharing, shared: Store) -> None:
    await shared.commit(step(MEETUP, 0, [said()]))
    nothing, at = await sharing.news(-1, 10)
    assert nothing == []
    await shared.commit(step(MEETUP, 1, [said(), said()]))
    await shared.commit(step(PICNIC, 0, [said()]))
    await shared.commit(step(MEETUP, 3, command="no event"))

    found, end = await sharing.news(at, 10)
    assert sorted(found) == sorted([MEETUP, PICNIC])
    assert await sharing.news(end, 10) == ([], end)
    first, after = await sharing.news(at, 1)
    assert first == [MEETUP]
    assert at < after < end


DAY, OWN = Purse(Tenant(""), "day", Decimal(10)), Purse(ACME, "demand", Decimal(4))


async def test_what_one_has_reserved_no_other_can(sharing: Sharing) -> None:
    first, second = await sharing.join(LONG), await sharing.join(LONG)

    assert await sharing.reserve([DAY, OWN], Decimal(3), first) is None
    assert await sharing.reserve([DAY, OWN], Decimal(3), second) == Lacking(1, may_come=True)
    assert await sharing.reserve([DAY], Decimal(7), second) is None
    assert await sharing.reserve([DAY], Decimal("0.01"), first) == Lacking(0, may_come=True)


async def test_what_is_paid_stays_spent_and_what_was_reserved_for_it_is_free(sharing: Sharing) -> None:
    first, second = await sharing.join(LONG), await sharing.join(LONG)
    await sharing.reserve([DAY, OWN], Decimal(3), first)
    await sharing.pay([DAY, OWN], Decimal(3), Decimal(2), first)

    assert await sharing.reserve([OWN], Decimal(2), second) is None
    assert await sharing.reserve([OWN], Decimal(1), second) == Lacking(0, may_come=True)
    assert await sharing.reserve([OWN], Decimal(3), second) == Lacking(0, may_come=False)


async def test_what_a_member_had_reserved_is_free_once_its_time_is_over(sharing: Sharing) -> None:
    first, second = await sharing.join(LONG), await sharing.join(LONG)
    await sharing.reserve([OWN], Decimal(4), first)
    assert await sharing.reserve([OWN], Decimal(1), second) is not None
    await sharing.heartbeat(first, OVER)

    assert await sharing.reserve([OWN], Decimal(4), second) is None
    with pytest.raises(LeaseLost):
        await sharing.reserve([DAY], Decimal(1), first)


async def test_what_was_spent_before_is_filled_in_once(sharing: Sharing) -> None:
    member = await sharing.join(LONG)
    await sharing.fill_in(ACME, OWN.name, Decimal(3))
    await sharing.fill_in(ACME, OWN.name, Decimal(1))

    assert await sharing.reserve([OWN], Decimal(2), member) == Lacking(0, may_come=False)
    assert await sharing.reserve([OWN], Decimal(1), member) is None
    assert await sharing.reserve([OWN._replace(tenant=BEES)], Decimal(4), member) is None


async def test_what_was_spent_on_an_earlier_day_is_forgotten_and_nothing_else(sharing: Sharing) -> None:
    member = await sharing.join(LONG)
    kept = [Purse(ACME, name, Decimal(4)) for name in ("day/2026-11-24/", "person/2026-11-25/U1", "demand//meetup")]
    over = Purse(ACME, "day/2026-11-23/", Decimal(4))
    await sharing.pay([*kept, over], Decimal(), Decimal(4), member)
    assert await sharing.reserve([Purse(ACME, "demand//2026-11-23", Decimal(4))], Decimal(4), member) is None
    await sharing.book(ACME, "chat.update", each=LONG, count=1)
    await sharing.forget_over("2026-11-24")

    for each in kept:
        assert await sharing.reserve([each], Decimal(1), member) == Lacking(0, may_come=False)
    assert await sharing.reserve([Purse(ACME, "demand//2026-11-23", Decimal(4))], Decimal(1), member) is not None
    assert await sharing.book(ACME, "chat.update", each=LONG, count=1) > 0
    assert await sharing.reserve([over], Decimal(4), member) is None


async def test_turns_that_are_over_leave_no_row(postgres_url: str) -> None:
    store = PostgresStore(postgres_url)
    await store.open()
    try:
        await store.sharing.book(ACME, "chat.update", each=-2 * FORGOTTEN_AFTER, count=1)
        await store.sharing.book(BEES, "chat.update", each=LONG, count=1)
        await store.sharing.forget_over("2026-11-24")
    finally:
        await store.close()

    async with await psycopg.AsyncConnection.connect(postgres_url) as connection:
        assert await (await connection.execute("SELECT team_id FROM booked")).fetchall() == [(BEES.team_id,)]


async def test_what_streams_have_cost_that_ended_on_an_earlier_day_is_forgotten(postgres_url: str) -> None:
    store, late = PostgresStore(postgres_url), 1_796_000_000_000
    await store.open()
    try:
        sharing, member = store.sharing, await store.sharing.join(LONG)
        for name, at, is_open in (("ended", 1_000, False), ("open", 1_000, True), ("late", late, False)):
            await store.commit(
                replace(step(StreamKey(ACME, name), 0, [said(at=at)], is_open=is_open), expected_revision=0)
            )
        purses = {name: Purse(ACME, f"demand//{name}", Decimal(4)) for name in ("ended", "open", "late")}
        await sharing.pay([*purses.values()], Decimal(), Decimal(4), member)
        await sharing.forget_over("2026-11-24")

        left = [name for name, purse in purses.items() if await sharing.reserve([purse], Decimal(1), member) is None]
        assert left == ["ended"]
    finally:
        await store.close()


async def test_nothing_shared_is_left_of_a_tenant_that_was_purged(sharing: Sharing, shared: Store) -> None:
    first, second = await sharing.join(LONG), await sharing.join(LONG)
    theirs = StreamKey(BEES, MEETUP.stream)
    for key in (MEETUP, theirs):
        await sharing.hold(key, first)
        await sharing.book(key.tenant, "chat.update", each=LONG, count=1)
        await sharing.pay([OWN._replace(tenant=key.tenant)], Decimal(), Decimal(4), first)
    await shared.purge(ACME)

    assert await sharing.hold(MEETUP, second)
    assert not await sharing.hold(theirs, second)
    assert await sharing.book(ACME, "chat.update", each=LONG, count=1) == 0
    assert await sharing.book(BEES, "chat.update", each=LONG, count=1) > 0
    assert await sharing.reserve([OWN], Decimal(4), second) is None
    assert await sharing.reserve([OWN._replace(tenant=BEES)], Decimal(1), second) is not None


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    happenings=st.lists(
        st.one_of(
            st.tuples(st.sampled_from(("hold", "let go", "beat", "join")), st.integers(0, 2), st.integers(0, 1)),
            st.tuples(st.just("passes"), st.integers(1, 12), st.just(0)),
        ),
        max_size=40,
    )
)
async def test_nothing_is_ever_held_twice(happenings: list[tuple[str, int, int]]) -> None:
    """Whatever three processes do, by what each of them may believe."""
    time = 0
    sharing = MemorySharing(now=lambda: time)
    names = [await sharing.join(10) for _ in range(3)]
    until = [10] * 3
    believed: list[set[StreamKey]] = [set() for _ in names]
    keys = (StreamKey(Tenant("T"), "a"), StreamKey(Tenant("T"), "b"))
    for what, who, which in happenings:
        if what == "passes":
            time += who
            continue
        key = keys[which]
        match what:
            case "join":
                names[who], until[who], believed[who] = await sharing.join(10), time + 10, set()
            case "beat":
                is_there = await sharing.heartbeat(names[who], 10) is not None
                assert is_there == (until[who] > time)
                until[who] = time + 10 if is_there else until[who]
            case "hold" if until[who] > time:
                if await sharing.hold(key, names[who]):
                    believed[who].add(key)
            case "let go" if await sharing.let_go(key, names[who]):
                believed[who].discard(key)
        for one, other in itertools.combinations(range(3), 2):
            if until[one] > time and until[other] > time:
                assert not believed[one] & believed[other]
