"""The words the store's tests are told in."""

from collections.abc import Sequence

from engine.kernel import Record, StreamKey, Tenant
from engine.store.port import Alarm, Commit, NewEvent, PendingEffect, Store

ACME = Tenant("T_ACME", "E_GROUP")
BEES = Tenant("T_BEES", "E_GROUP")
MEETUP = StreamKey(ACME, "meetup")
PICNIC = StreamKey(ACME, "picnic")


def said(public: str = '{"by":"U_AYA"}', private: str | None = None, at: int = 1_000) -> NewEvent:
    return NewEvent("towow.offer.submitted", at, public, private)


def step(
    key: StreamKey = MEETUP,
    version: int = 0,
    events: Sequence[NewEvent] = (),
    *,
    command: str | None = None,
    refusal: str | None = None,
    add: Sequence[PendingEffect] = (),
    drop: Sequence[str] = (),
    alarms: Sequence[Alarm] = (),
    clear: Sequence[str] = (),
    erase: Sequence[int] = (),
    records: Sequence[Record] = (),
    is_open: bool = True,
    stalled_at: int | None = None,
) -> Commit:
    """A commit at ``version``, whose command is named after it unless told otherwise."""
    return Commit(
        key,
        "negotiation",
        version,
        ((command or f"command-at-{version}", refusal),),
        tuple(events),
        tuple(add),
        tuple(drop),
        tuple(alarms),
        tuple(clear),
        is_open,
        tuple(erase),
        tuple(records),
        stalled_at,
    )


def effect(effect_id: str, key: StreamKey = MEETUP, scope: str = "round-1") -> PendingEffect:
    return PendingEffect(key, effect_id, "ask", scope, body=f'{{"name":"{effect_id}"}}')


def alarm(name: str, due: int, key: StreamKey = MEETUP, generation: int = 1) -> Alarm:
    return Alarm(key, name, generation, due)


def row(key: str, value: str | None = "{}", kind: str = "vote") -> Record:
    return Record(kind, key, value)


async def pending_ids(store: Store) -> list[str]:
    page, _ = await store.pending_effects(after=0, limit=100)
    return [each.effect_id for each in page]
