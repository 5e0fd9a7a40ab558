"""Somebody's agenda, read: what they were asked, where they could still vote, and what they asked for."""

from engine.kernel import Tenant, decode
from engine.negotiation.afterwards.commitments import PROMISE, Promise
from engine.negotiation.inbox import DEMAND, ENDED_DEMAND, OPEN_OFFER, OPEN_VOTE, OpenOffers, OpenVotes, OwnDemand
from engine.store.port import Store


async def open_votes_of(store: Store, tenant: Tenant, user_id: str) -> list[OpenVotes]:
    """The seats whose votes this person may still give, negotiation by negotiation."""
    rows = await store.records(tenant, OPEN_VOTE, f"{user_id}/")
    return [decode(row, OpenVotes) for row in rows.values()]


async def open_streams(store: Store, tenant: Tenant) -> list[str]:
    """The negotiations in which anybody can still answer: also those where somebody has, and others have not."""
    offers, votes = await store.records(tenant, OPEN_OFFER), await store.records(tenant, OPEN_VOTE)
    streams = [decode(row, OpenOffers).stream for row in offers.values()]
    return [*dict.fromkeys((*streams, *(decode(row, OpenVotes).stream for row in votes.values())))]


async def promised_streams(store: Store, tenant: Tenant, user_id: str) -> list[str]:
    """The negotiations in whose plans this person has promised something, or decides about what was."""
    rows = await store.records(tenant, PROMISE, f"{user_id}/")
    return [*dict.fromkeys(decode(row, Promise).stream for row in rows.values())]


async def demands_of(store: Store, tenant: Tenant, user_id: str, most: int | None = None) -> list[OwnDemand]:
    """What this person asked for; what moved last comes first.

    Args:
        most: how many are read at most; None reads all.
    """
    rows = await store.records(tenant, DEMAND, f"{user_id}/")
    ended = await store.records(tenant, ENDED_DEMAND, f"{user_id}/", limit=most, reverse=True)
    found = (decode(row, OwnDemand) for row in (*rows.values(), *ended.values()))
    return sorted(found, key=lambda each: -each.since)[:most]
