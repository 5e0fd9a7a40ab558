"""Somebody presses the button *Stop* that Slack itself shows while we work in a thread: the same as ours."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from slack_bolt.async_app import AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.actor import actor_in, tenant_of
from bot.listeners.handing_over import ThreadStream, streams_of_thread
from bot.listeners.interaction import Wording
from bot.listeners.private_messages import tell
from bot.listeners.services import Services
from bot.views.kit import notices
from engine.errors import IllegalStep, Refusal
from engine.kernel import Command, Millis, Rulebook, StreamKey, Tenant


@dataclass(frozen=True, slots=True)
class StopRequest:
    """Who wants it to stop, and when."""

    command_id: str
    """The same however often Slack delivers the event."""
    by: str
    as_admin: bool
    at: Millis


@dataclass(frozen=True, slots=True)
class Stop:
    """What stops a stream."""

    command: Command
    """The one of the protocol's own button *Stop*."""
    is_open: bool
    """Whether the stream has not ended yet."""


MakeStop = Callable[[Any, StopRequest], Stop | None]
"""Makes what stops a stream of a protocol, by its state; None for a stream that nobody stops by itself."""


class StoppableProtocol(Protocol):
    """What is used of a protocol's row, `bot/protocol_row.py`."""

    @property
    def name(self) -> str: ...

    @property
    def rulebook(self) -> Rulebook[Any]: ...

    @property
    def stop(self) -> MakeStop | None: ...

    @property
    def refused(self) -> Wording: ...


def register(app: AsyncApp, services: Services, protocols: Sequence[StoppableProtocol]) -> None:
    app.event("agent_session_stopped")(NativeStop(services, protocols).stopped)


class NativeStop:
    """
    Args:
        protocols: the main one first: it words what is refused about a thread of which nobody knows anything.
    """

    def __init__(self, services: Services, protocols: Sequence[StoppableProtocol]) -> None:
        self._services = services
        self._protocols = {each.name: each for each in protocols}
        self._main = protocols[0]

    async def stopped(self, event: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        """Stop every stream of the thread that is open and that this person may stop; if there is none, say why.

        An event that names no person or no thread is about nothing of ours.
        """
        if not all(event.get(name) for name in ("user", "channel", "thread_ts", "event_ts")):
            return
        tenant, user = tenant_of(context), str(event["user"])
        channel, thread = str(event["channel"]), str(event["thread_ts"])
        refused, wording = await self._try(event, tenant, actor_in(context))
        if refused is not None:
            where = {"channel": channel, "user": user, "thread_ts": thread}
            texts = await self._services.texts.of(client, tenant, user, "")
            tell(self._services, client, where, wording(refused, texts))

    async def _try(self, event: Mapping[str, Any], tenant: Tenant, by: str) -> tuple[Refusal | None, Wording]:
        """Return the first refusal, with what words it, where nothing was stopped."""
        channel, thread = str(event["channel"]), str(event["thread_ts"])
        request = StopRequest(
            command_id=f"stopped:{channel}:{thread}:{by}:{event['event_ts']}",
            by=by,
            as_admin=await self._services.settings.is_admin(tenant, by),
            at=self._services.now(),
        )
        streams = await streams_of_thread(self._services, tenant, channel, thread)
        return await self._stop([*self._stops(streams, request)])

    def _stops(self, streams: Sequence[ThreadStream], request: StopRequest) -> Iterator["_OfStream"]:
        for stream in streams:
            protocol = self._protocols.get(stream.protocol)
            stop = protocol.stop(stream.state, request) if protocol and protocol.stop else None
            if protocol is not None and stop is not None:
                yield _OfStream(stream.key, protocol, stop)

    async def _stop(self, found: Sequence["_OfStream"]) -> tuple[Refusal | None, Wording]:
        """Stop what is open; where nothing is, send it to what ended last: it may be delivered again."""
        refusals: list[tuple[Refusal, Wording]] = []
        was_stopped = False
        is_any_open = any(each.stop.is_open for each in found)
        for each in found if is_any_open else reversed(found):
            if was_stopped and not is_any_open:
                break
            if each.stop.is_open or not is_any_open:
                try:
                    await self._services.gateway.send(each.key, each.protocol.rulebook, each.stop.command)
                    was_stopped = True
                except Refusal as refusal:
                    refusals.append((refusal, each.protocol.refused))
        if was_stopped:
            return None, notices.refused
        return refusals[0] if refusals else (IllegalStep("Nothing works in this thread."), self._main.refused)


class _OfStream(NamedTuple):
    key: StreamKey
    protocol: StoppableProtocol
    stop: Stop
