"""Somebody's account is closed: nobody waits for them, nothing is assumed of their silence, and others are looked for
who do what they promised.
"""

from typing import Final

from bot.presence import Accounts
from engine.kernel import Tenant
from engine.negotiation.afterwards import check_ins
from engine.negotiation.state import Negotiation
from engine.negotiation.voting.rounds import relied_on
from engine.negotiation.voting.votes import account_closed
from engine.projections.inbox import open_streams, promised_streams
from engine.store.port import Store


def _relied_on(state: Negotiation, alarm: str) -> frozenset[str]:
    return relied_on(state, alarm) if state.final is None else check_ins.relied_on(state, alarm)


async def _streams(store: Store, tenant: Tenant, user: str) -> list[str]:
    return [*await open_streams(store, tenant), *await promised_streams(store, tenant, user)]


ACCOUNTS: Final = Accounts(_relied_on, account_closed, _streams)
