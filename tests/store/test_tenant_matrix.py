"""Every method of every store, tried by a stranger: it shows nothing of another tenant, and changes nothing of theirs.

The methods are those of the port. A new one fails here until it says how a stranger would try it.
"""

from collections.abc import Awaitable, Callable, Sequence
from decimal import Decimal
from typing import Any, Final

import pytest

from engine.errors import WrongVersion
from engine.kernel import KeyRange, Record, StreamKey, Tenant
from engine.store.port import Store
from engine.store.sharing import Purse, Sharing

from .words import ACME, BEES, MEETUP, alarm, effect, row, said, step

CANARY: Final = "ACME-canary"
THEIRS: Final = StreamKey(BEES, MEETUP.stream)
ALL: Final = KeyRange("post", "", "\U0010ffff", 100)
FAR: Final = 10**15
"""Milliseconds: later than anything is due."""

Probe = Callable[[Store], Awaitable[Any]]


async def _commit(store: Store) -> Any:
    """Everything that a commit can do, to a stream of the same name."""
    await store.commit(
        step(
            THEIRS, 0, [said()], add=[effect("ask", THEIRS)], drop=["ask"], alarms=[alarm("close", 5, THEIRS)],
            clear=["close"], erase=[1], records=[Record("post", "root", None), row("root", '"theirs"', "post")],
        )
    )  # fmt: skip


async def _reschedule(store: Store) -> Any:
    await store.reschedule(effect("ask", THEIRS)._replace(attempts=9, parked=True))


async def _mark_shown(store: Store) -> Any:
    await store.mark_shown(THEIRS, 1)


async def _put_records(store: Store) -> Any:
    await store.put_records(BEES, "post", {"root": None})
    await store.put_records(BEES, "post", {"root": '"theirs"'})


async def _drop(store: Store) -> Any:
    with pytest.raises(WrongVersion):
        await store.drop(BEES, {MEETUP.stream: 1}, [Record("post", "root", None)])
    await store.drop(BEES, {}, [Record("post", "root", None)])


OWN: Final[dict[str, Probe]] = {
    "load": lambda store: store.load(THEIRS),
    "revision": lambda store: store.revision(THEIRS),
    "commit": _commit,
    "reschedule": _reschedule,
    "events": lambda store: store.events(BEES, 0, 100),
    "verify": lambda store: store.verify(THEIRS),
    "mark_shown": _mark_shown,
    "put_records": _put_records,
    "records": lambda store: store.records(BEES, "post"),
    "records_in": lambda store: store.records_in(BEES, [ALL]),
    "standings": lambda store: store.standings(BEES, "", 100),
    "record_places": lambda store: store.record_places(BEES, ("", ""), 100),
    "drop": _drop,
    "purge": lambda store: store.purge(BEES),
    "open_streams": lambda store: store.open_streams(BEES, 100),
}
"""What is asked or done for one tenant."""

ACROSS: Final[dict[str, Callable[[Store], Awaitable[Sequence[Any]]]]] = {
    "pending_effects": lambda store: _first(store.pending_effects(0, 100)),
    "due": lambda store: store.due(FAR, 100),
    "stalled": lambda store: store.stalled(FAR, 100),
    "lagging": lambda store: store.lagging(100),
}
"""What the runtime asks for all tenants: each row says whose it is."""

NOBODYS: Final = {
    "sharing": "see below", "health": "numbers", "touch": "no data",
    "open": "no data", "close": "no data", "lease": "no data", "release": "no data",
    "next_due": "a time", "last_position": "a number", "counts": "numbers",
    "tenants": "names of tenants, for those who look after all of them",
}  # fmt: skip


async def _first(page: Awaitable[tuple[Sequence[Any], int]]) -> Sequence[Any]:
    return (await page)[0]


@pytest.fixture
async def _ours(store: Store) -> None:
    """ACME has one of everything."""
    words = f'{{"said":"{CANARY}"}}'
    await store.commit(
        step(
            MEETUP, 0, [said(words, words)], add=[effect("ask")], alarms=[alarm("close", 100)], stalled_at=100,
            records=[row("root", f'"{CANARY}"', "post")],
        )
    )  # fmt: skip


async def everything_of(store: Store, tenant: Tenant) -> Any:
    """Whatever can be read of a tenant."""
    across = [[each for each in await probe(store) if each.key.tenant == tenant] for probe in ACROSS.values()]
    own = StreamKey(tenant, MEETUP.stream)
    return (
        await store.load(own), await store.revision(own), await store.events(tenant, 0, 100), await store.verify(own),
        await store.records(tenant, "post"), await store.records_in(tenant, [ALL]),
        await store.standings(tenant, "", 100), await store.record_places(tenant, ("", ""), 100),
        await store.open_streams(tenant, 100), across,
    )  # fmt: skip


def methods_of(port: type) -> set[str]:
    return {name for name in vars(port) if not name.startswith("_")}


def test_every_method_of_the_port_is_tried() -> None:
    assert methods_of(Store) == OWN.keys() | ACROSS.keys() | NOBODYS.keys()


@pytest.mark.usefixtures("_ours")
@pytest.mark.parametrize("name", OWN)
@pytest.mark.parametrize("has_something", [False, True], ids=["nothing yet", "something of that name"])
async def test_a_stranger_sees_and_moves_nothing(store: Store, name: str, has_something: bool) -> None:
    if has_something:
        await _commit(store)
        await store.put_records(BEES, "vote", {"root": '"theirs"'})
    before = await everything_of(store, ACME)
    if not (name == "commit" and has_something):
        assert CANARY not in repr(await OWN[name](store))

    assert await everything_of(store, ACME) == before
    assert CANARY not in repr(await everything_of(store, BEES))


@pytest.mark.usefixtures("_ours")
@pytest.mark.parametrize("name", ACROSS)
async def test_what_is_read_for_all_says_whose_it_is(store: Store, name: str) -> None:
    await store.commit(
        step(THEIRS, 0, [said()], add=[effect("ask", THEIRS)], alarms=[alarm("close", 5, THEIRS)], stalled_at=50)
    )

    assert sorted(each.key for each in await ACROSS[name](store)) == sorted([MEETUP, THEIRS])


# ── what processes agree by ───────────────────────────────────────────────────────────────────────────────────────────

LONG: Final = 3_600_000
EACH: Final = 1_000_000.0
OUR_PURSE, THEIR_PURSE = (Purse(tenant, "demand", Decimal(4)) for tenant in (ACME, BEES))

SharingProbe = Callable[[Sharing, str], Awaitable[Any]]
SHARING: Final[dict[str, SharingProbe]] = {
    "hold": lambda sharing, member: sharing.hold(THEIRS, member),
    "let_go": lambda sharing, member: sharing.let_go(THEIRS, member),
    "book": lambda sharing, _: sharing.book(BEES, "chat.update", each=EACH, count=5, after=EACH),
    "reserve": lambda sharing, member: sharing.reserve([THEIR_PURSE], Decimal(4), member),
    "pay": lambda sharing, member: sharing.pay([THEIR_PURSE], Decimal(), Decimal(4), member),
    "fill_in": lambda sharing, _: sharing.fill_in(BEES, "demand", Decimal(4)),
    "forget_over": lambda sharing, _: sharing.forget_over("2026-11-24"),
}
MEMBERS: Final = {"join", "heartbeat", "orphans", "news"}
"""Of processes, which work for all tenants: what they are told says whose it is, as `StreamKey` does."""


def test_everything_that_is_shared_is_tried() -> None:
    assert methods_of(Sharing) == SHARING.keys() | MEMBERS


@pytest.mark.parametrize("name", SHARING)
async def test_what_a_stranger_shares_takes_nothing_from_others(shared: Store, name: str) -> None:
    sharing = shared.sharing
    assert sharing is not None
    ours, other = await sharing.join(LONG), await sharing.join(LONG)
    await sharing.hold(MEETUP, ours)
    await sharing.pay([OUR_PURSE], Decimal(), Decimal(1), ours)
    await SHARING[name](sharing, other)

    assert await sharing.heartbeat(ours, LONG) == []
    assert not await sharing.hold(MEETUP, other)
    assert await sharing.book(ACME, "chat.update", each=EACH, count=1) <= 0
    assert await sharing.reserve([OUR_PURSE], Decimal(3), ours) is None
    assert await sharing.reserve([OUR_PURSE], Decimal(1), ours) is not None
