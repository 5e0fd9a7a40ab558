"""Somebody's account is closed: each stream that relies on them is told."""

from collections.abc import Sequence
from typing import Any, Protocol

from slack_bolt.async_app import AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext

from bot.listeners.actor import tenant_of
from bot.listeners.services import Services
from bot.presence import Accounts
from engine.kernel import Rulebook, StreamKey


class RelyingProtocol(Protocol):
    """What is used of a protocol's row, `bot/protocol_row.py`."""

    @property
    def rulebook(self) -> Rulebook[Any]: ...

    @property
    def accounts(self) -> Accounts | None: ...


def register(app: AsyncApp, services: Services, protocols: Sequence[RelyingProtocol]) -> None:
    async def changed(event: dict[str, Any], context: AsyncBoltContext) -> None:
        """Slack tells of every change to anybody; only that an account was closed is of interest."""
        told = event.get("user")
        if not isinstance(told, dict) or told.get("deleted") is not True or not told.get("id"):
            return
        tenant, user, cause = tenant_of(context), str(told["id"]), f"closed:{event.get('event_ts', '')}"
        if services.calendars is not None:
            await services.calendars.forget(tenant, user)
        for each in protocols:
            if each.accounts is None:
                continue
            for stream in dict.fromkeys(await each.accounts.streams(services.store, tenant, user)):
                key = StreamKey(tenant, stream)
                state = await services.gateway.read(key, each.rulebook)
                for command in each.accounts.closed(state, user, cause, services.now()):
                    await services.gateway.send(key, each.rulebook, command)

    app.event("user_change")(changed)
