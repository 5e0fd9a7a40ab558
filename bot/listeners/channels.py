"""Something happens to a channel that threads of ours stand in, or were to stand in."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from slack_bolt.async_app import AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.actor import tenant_of
from bot.listeners.intake import place_of
from bot.listeners.services import Services
from bot.posts.post_records import streams_of_channel
from bot.posts.stream_reconciler import refused_in
from engine.errors import Refusal, UnknownStream
from engine.kernel import ChangePlace, Rulebook, Tenant


class PlacedProtocol(Protocol):
    """What is used of a protocol's row, `bot/protocol_row.py`."""

    @property
    def name(self) -> str: ...

    @property
    def rulebook(self) -> Rulebook[Any]: ...


def register(app: AsyncApp, services: Services, protocols: Sequence[PlacedProtocol]) -> None:
    channels = Channels(services, {each.name: each.rulebook for each in protocols})
    app.event("member_joined_channel")(channels.joined)
    app.event("channel_unarchive")(channels.restored)
    app.event("group_unarchive")(channels.restored)
    app.event("channel_shared")(channels.shared)
    app.event("channel_unshared")(channels.unshared)
    app.event("channel_id_changed")(channels.moved)


class Channels:
    def __init__(self, services: Services, rulebooks: Mapping[str, Rulebook[Any]]) -> None:
        self._services = services
        self._rulebooks = rulebooks

    async def joined(self, event: dict[str, Any], context: AsyncBoltContext) -> None:
        """Make up for what was refused, where it was us who were let in."""
        if event.get("user") == context.bot_user_id and event.get("channel"):
            self._services.let_in(tenant_of(context), str(event["channel"]))

    async def restored(self, event: dict[str, Any], context: AsyncBoltContext) -> None:
        """Make up for what was refused while the channel was archived."""
        if event.get("channel"):
            self._services.let_in(tenant_of(context), str(event["channel"]))

    async def shared(self, event: dict[str, Any], context: AsyncBoltContext) -> None:
        """Show nothing internal any more where another company reads along."""
        if channel := str(event.get("channel") or ""):
            await self._change(tenant_of(context), channel, channel, str(event.get("event_ts", "")))

    async def unshared(self, event: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        """Show what is internal again where no other company reads along any more. An event may come late, after it was
        shared anew, so Slack is asked as well; what it does not say stays hidden.
        """
        channel = str(event.get("channel") or "")
        if not channel or event.get("is_ext_shared") is not False:
            return
        if await _may_be_shared(client, channel):
            return
        cause = str(event.get("event_ts", ""))
        await self._change(tenant_of(context), channel, channel, cause, shared=False)
        if await _may_be_shared(client, channel):  # it was shared anew meanwhile, and that was told before
            await self._change(tenant_of(context), channel, channel, f"{cause}:anew")

    async def moved(self, event: dict[str, Any], context: AsyncBoltContext) -> None:
        """Go on in a channel under its new id. Slack gives it one where it is about to be shared."""
        old, new = str(event.get("old_channel_id") or ""), str(event.get("new_channel_id") or "")
        if old and new:
            await self._change(tenant_of(context), old, new, str(event.get("event_ts", "")))

    async def _change(self, tenant: Tenant, channel: str, to: str, cause: str, *, shared: bool = True) -> None:
        store, gateway = self._services.store, self._services.gateway
        for each in dict.fromkeys((channel, to)):  # also what is to be shown there, and stands nowhere yet
            self._services.readers_changed(tenant, each)
        found = (
            *await streams_of_channel(store, tenant, channel),
            *await refused_in(store, tenant, channel),
        )
        for key in dict.fromkeys(found):
            try:
                protocol = (await gateway.look_up(key)).protocol
            except UnknownStream:
                continue  # a store that was restored may know a thread, and not its stream any more
            if (rulebook := self._rulebooks.get(protocol)) is not None:
                command = ChangePlace(
                    command_id=f"place:{to}:{cause}",
                    at=self._services.now(),
                    old_channel=channel,
                    channel=to,
                    shared=shared,
                )
                await gateway.send(key, rulebook, command)


async def _may_be_shared(client: AsyncWebClient, channel: str) -> bool:
    """Return whether people of other companies may read a channel. Where Slack refuses to say anything of it, since it
    is archived, has another id or we are not in there, they may.
    """
    try:
        return (await place_of(client, channel)).shared
    except Refusal:
        return True
