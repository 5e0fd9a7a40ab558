"""Somebody's account is closed who has a ticket, or is to approve one: whoever leads chooses somebody else."""

from typing import Final

from bot.presence import Accounts
from engine.delivery.commands import CheckerUnreachable, OwnerUnreachable
from engine.delivery.inbox import OPEN_DELIVERY
from engine.delivery.state import Delivery
from engine.delivery.tickets.owners import checker_of
from engine.kernel import Command, Millis, Tenant
from engine.store.port import Store


def _account_closed(state: Delivery, user: str, cause: str, at: Millis) -> list[Command]:
    owned = [each.ticket_id for each in state.tickets.values() if each.is_open and each.owner.user_id == user]
    checked = [each.ticket_id for each in state.tickets.values() if each.is_open and checker_of(state, each) == user]
    owners: list[Command] = [
        OwnerUnreachable(command_id=f"owner:{each}:{cause}", at=at, ticket_id=each, user_id=user) for each in owned
    ]
    return owners + [
        CheckerUnreachable(command_id=f"checker:{each}:{cause}", at=at, ticket_id=each, user_id=user)
        for each in checked
    ]


def _nobody(state: Delivery, alarm: str) -> frozenset[str]:
    """No alarm of a delivery takes anybody's silence for consent."""
    return frozenset()


async def _streams(store: Store, tenant: Tenant, user: str) -> list[str]:
    return [*await store.records(tenant, OPEN_DELIVERY)]


ACCOUNTS: Final = Accounts(_nobody, _account_closed, _streams)
