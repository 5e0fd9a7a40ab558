"""A client for the workspace's admin: people and channels, faults, limits, connections, waiting."""

from __future__ import annotations

import asyncio
from collections import Counter

import aiohttp
from pydantic import BaseModel

from .api_client import LocalApiClient
from .faults import Fault, FaultKind
from .installation import Surfaces
from .local_api.admin import FaultSet, Status, StepRuns
from .model import Channel, Json, Message, StepRun, User, UserGroup
from .requests import Disconnect, Membership, NewChannelId, RateLimits, RunWorkflow, SaidByWorkflow
from .sockets import Disconnection


class AnyObject(BaseModel):
    """Any JSON object."""

    model_config = {"extra": "allow"}


class FaultHandle:
    """A fault that was set: wait until it hits a call, release what it holds."""

    def __init__(self, client: LocalApiClient, fault_id: str) -> None:
        self.id = fault_id
        self._client = client

    async def reached(self, within: float = 30.0) -> None:
        """Returns once the fault hit a call; for a hold, once the effect is done and the reply is held back."""
        async with asyncio.timeout(within):
            await self._client.post("/local/admin/reached", query={"fault": self.id}, within=within)

    async def release(self) -> None:
        await self._client.post("/local/admin/release", query={"fault": self.id})


class Admin:
    """See `LocalApiClient` for ``session`` and ``token``."""

    def __init__(self, url: str, session: aiohttp.ClientSession | None = None, token: str | None = None) -> None:
        self._client = LocalApiClient(url, session, token)

    async def fault(
        self,
        method: str,
        do: FaultKind,
        *,
        nth: int = 1,
        times: int | None = 1,
        status: int = 500,
        error: str = "internal_error",
        seconds: float = 0.0,
        retry_after: int | None = None,
    ) -> FaultHandle:
        """Add a fault to those already set; `Fault` says what can go wrong."""
        rule = Fault(
            method=method,
            do=do,
            nth=nth,
            times=times,
            status=status,
            error=error,
            seconds=seconds,
            retry_after=retry_after,
        )
        answer = await self._client.post("/local/admin/fault", rule)
        return FaultHandle(self._client, FaultSet.model_validate_json(answer).id)

    async def clear_faults(self) -> None:
        await self._client.post("/local/admin/clear_faults")

    async def status(self) -> Status:
        return Status.model_validate_json(await self._client.post("/local/admin/status"))

    async def calls(self) -> Counter[str]:
        """How often each method was called (and each type of envelope sent), failed calls included."""
        return Counter((await self.status()).calls)

    async def idle(self, quiet: float = 0.05, within: float = 30.0) -> Counter[str]:
        """Returns once no API call ran and no envelope was unacknowledged for `quiet` seconds on end.

        Returns:
            `calls` until then.
        """
        limits = {"quiet": str(quiet), "timeout": str(within)}
        answer = await self._client.post("/local/admin/idle", query=limits, within=within + 5)
        return Counter(Status.model_validate_json(answer).calls)

    async def connected(self, within: float = 30.0, *, more_than: int = 0) -> None:
        """Returns once the app is connected; to see it reconnect, pass the `opened` of an earlier status."""
        query = {"more_than": str(more_than)}
        async with asyncio.timeout(within):
            await self._client.post("/local/admin/connected", query=query, within=within)

    async def rate_limits(self, on: bool, *, distributed: bool = False) -> None:
        """
        Args:
            distributed: whether the app is given to many without being in Slack's Marketplace: it may read a channel
                once a minute then, fifteen messages at a time.
        """
        await self._client.post("/local/admin/limits", RateLimits(on=on, distributed=distributed))

    async def surfaces(self, *, agents: bool = True, blocks: bool = True) -> None:
        """Have, or lack, what Slack has for agents: sessions with prompts, and plans, task cards and containers."""
        await self._client.post("/local/admin/surfaces", Surfaces(agents=agents, blocks=blocks))

    async def disconnect(self, how: Disconnection = "refresh_requested") -> None:
        """End every connection: ask the app to reconnect, close it, or cut it ("abort")."""
        await self._client.post("/local/admin/disconnect", Disconnect(how=how))

    async def put_user(self, user: User) -> User:
        """Add a user, or replace the one with this id."""
        return User.model_validate_json(await self._client.post("/local/admin/user", user))

    async def deactivate(self, user: str, *, is_told: bool = True) -> User:
        """The account stays, as deleted; the person can do nothing more.

        Args:
            is_told: whether the app hears of it; an event may be lost.
        """
        query = {"user": user} | ({} if is_told else {"untold": "1"})
        return User.model_validate_json(await self._client.post("/local/admin/deactivate", query=query))

    async def put_channel(self, channel: Channel) -> Channel:
        """Add a channel, or replace the one with this id."""
        return Channel.model_validate_json(await self._client.post("/local/admin/channel", channel))

    async def join(self, channel: str, user: str) -> Channel:
        """Add a member; the app too (by its bot user's id)."""
        answer = await self._client.post("/local/admin/join", Membership(channel=channel, user=user))
        return Channel.model_validate_json(answer)

    async def leave(self, channel: str, user: str) -> Channel:
        answer = await self._client.post("/local/admin/leave", Membership(channel=channel, user=user))
        return Channel.model_validate_json(answer)

    async def archive(self, channel: str) -> Channel:
        return Channel.model_validate_json(await self._client.post("/local/admin/archive", query={"channel": channel}))

    async def put_user_group(self, group: UserGroup) -> UserGroup:
        return UserGroup.model_validate_json(await self._client.post("/local/admin/user_group", group))

    async def workflow_says(self, channel: str, text: str) -> Message:
        """Have a workflow post something: a message without an author."""
        answer = await self._client.post("/local/admin/workflow", SaidByWorkflow(channel=channel, text=text))
        return Message.model_validate_json(answer)

    async def run_on_schedule(self, callback_id: str, **inputs: object) -> StepRun:
        request = RunWorkflow(callback_id=callback_id, inputs=inputs)
        return StepRun.model_validate_json(await self._client.post("/local/admin/schedule", request))

    async def step_runs(self) -> list[StepRun]:
        """The runs of the app's steps, the oldest first."""
        return StepRuns.model_validate_json(await self._client.post("/local/admin/step_runs")).runs

    async def share(self, channel: str, *, new_id: str = "") -> Channel:
        """Share it with another company.

        Args:
            new_id: what a private channel is known by from then on.
        """
        query = {"channel": channel} | ({"id": new_id} if new_id else {})
        return Channel.model_validate_json(await self._client.post("/local/admin/share", query=query))

    async def unshare(self, channel: str) -> Channel:
        return Channel.model_validate_json(await self._client.post("/local/admin/unshare", query={"channel": channel}))

    async def change_id(self, channel: str, new_id: str) -> Channel:
        answer = await self._client.post("/local/admin/change_id", NewChannelId(channel=channel, id=new_id))
        return Channel.model_validate_json(answer)

    async def restrict(self, channel: str, why: str = "restricted_action") -> Channel:
        """Have every post of the app there refused with this code; with an empty one, none any more."""
        query = {"channel": channel, "why": why}
        return Channel.model_validate_json(await self._client.post("/local/admin/restrict", query=query))

    async def grant(self, *scopes: str) -> None:
        """Let the app have these scopes and no others."""
        await self._client.post("/local/admin/grant", query={"scopes": " ".join(scopes)})

    async def uninstall(self) -> None:
        await self._client.post("/local/admin/uninstall")

    async def reinstall(self, token: str = "") -> None:
        """Put it back; it is in no channel. Slack makes another token for it; without one here, the old one is good
        again, as where a workspace was suspended for a while.
        """
        await self._client.post("/local/admin/reinstall", query={"token": token})

    async def announce(self, event: Json) -> None:
        """Send the app any event."""
        await self._client.post("/local/admin/event", AnyObject.model_validate(event))
