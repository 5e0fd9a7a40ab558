"""Asks Slack, before silence counts as consent, whether somebody still has an account, and whether anybody there can
answer at all.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from slack_sdk.web.async_client import AsyncWebClient

from bot.posts.failures import GONE, CallFailed, Shut
from bot.posts.languages import settings_of
from bot.posts.slack_calls import Clients
from engine.kernel import Command, Millis, StreamKey, Tenant
from engine.runtime.clock import Clock
from engine.runtime.ports import NotYet
from engine.store.port import Store

log = logging.getLogger(__name__)

LONGEST_CALL: Final = 5.0
"""Seconds. Whoever waits for the end of a round waits so much longer, at most."""


@dataclass(frozen=True, slots=True)
class Accounts:
    """Of one protocol."""

    relied_on: Callable[[Any, str], Collection[str]]
    """Returns, by the state and the name of an alarm, the users whose silence means something once it has rung."""
    closed: Callable[[Any, str, str, Millis], Sequence[Command]]
    """Returns, by the state, a user, what told of it and when, what a stream is told where the account is closed."""
    streams: Callable[[Store, Tenant, str], Awaitable[Sequence[str]]]
    """Returns the streams that may have to be told of it."""


class Presence:
    """
    Args:
        accounts: by protocol.
        shut_out: told where Slack takes our token no more, and why.
    """

    def __init__(
        self,
        clients: Clients,
        accounts: Mapping[str, Accounts],
        clock: Clock,
        shut_out: Callable[[Tenant, str], None] = lambda _tenant, _why: None,
    ) -> None:
        self._shut_out = shut_out
        self._clients = clients
        self._accounts = accounts
        self._clock = clock

    async def before_ring(self, key: StreamKey, protocol: str, state: Any, alarm: str) -> Sequence[Command]:
        """Return what a stream is told before an alarm rings: whose account was closed since they were asked.

        What Slack does not say in time is taken for as it was when they were asked.

        Raises:
            NotYet: the app is taken out: no click reaches us, so no time is over.
        """
        accounts = self._accounts.get(protocol)
        users = sorted(accounts.relied_on(state, alarm)) if accounts is not None else []
        if accounts is None or not users:
            return ()
        try:
            async with asyncio.timeout(LONGEST_CALL):
                client = await self._clients(key.tenant)
                closed = await asyncio.gather(*(_is_closed(client, each) for each in users))
        except Shut as shut:
            self._shut_out(key.tenant, shut.why)
            raise NotYet from shut
        except (CallFailed, TimeoutError) as error:
            log.warning("Slack does not say who of %s still has an account: %r", key.stream, error)
            return ()
        gone = [user for user, is_closed in zip(users, closed, strict=True) if is_closed]
        at = self._clock.now()
        return [each for user in gone for each in accounts.closed(state, user, f"closed:{alarm}", at)]


async def _is_closed(client: AsyncWebClient, user: str) -> bool:
    """Return whether Slack says that the account is closed."""
    try:
        return (await settings_of(client, user)).is_closed
    except CallFailed as failed:
        if failed.why in GONE:
            return True
        raise
