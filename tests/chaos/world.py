"""What changes in the workspace itself: who may post and read where, whose accounts and which scopes go; and
whether the app is there at all.
"""

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any, Final

from bot.local_slack import LocalWorkspace, User

from .town import HALLS, UNINVITED, hall

CLOSABLE: Final = 2
"""How many people, the last ones, may lose their accounts: the others go on."""


class World:
    """The halls and the people as they are by now."""

    def __init__(self, workspace: LocalWorkspace, users: Sequence[User], scopes: Sequence[str]) -> None:
        self._workspace = workspace
        self._closable = [each.id for each in users[-CLOSABLE:]]
        self._scopes = tuple(scopes)
        self._closed: set[str] = set()
        self._lifting: set[asyncio.Task[None]] = set()
        self._moves = 0
        self.has_us = asyncio.Event()
        """Whether the app is installed: nobody can ask it anything where it is not."""
        self.has_us.set()
        self.halls = {number: hall(number) for number in range(1, HALLS + 1)}
        """Number -> the id by which the channel is known now."""

    async def change(self, what: str, given: dict[str, Any]) -> None:
        admin = self._workspace.admin
        channel = self.halls[given.get("hall", 1)]
        match what:
            case "restricted":
                await admin.restrict(channel, given["why"])
                self._later(given["seconds"], admin.restrict(channel, ""))
            case "removed":
                await admin.leave(self.halls[UNINVITED], self._workspace.bot_user_id)
                self._later(given["seconds"], self._invite(UNINVITED))
            case "scope":
                await admin.grant(*(each for each in self._scopes if each != given["scope"]))
                self._later(given["seconds"], admin.grant(*self._scopes))
            case "closed" if (who := self._closable[given["who"]]) not in self._closed:
                self._closed.add(who)
                await admin.deactivate(who, is_told=given["is_told"])
            case "shared" if given["is_private"]:
                self._moves += 1
                self.halls[given["hall"]] = new = f"{hall(given['hall'])}_{self._moves}"
                await admin.share(channel, new_id=new)
            case "shared":
                await admin.share(channel)
            case "uninstalled" if self.has_us.is_set():
                await self.uninstall()
                self._later(given["seconds"], self.reinstall())
            case "unshared":
                await admin.unshare(channel)

    async def make_good(self) -> None:
        """Lift what is lifted again some time: channels are open, and scopes granted."""
        for each in self._lifting:
            each.cancel()
        await asyncio.gather(*self._lifting, return_exceptions=True)
        admin = self._workspace.admin
        await admin.grant(*self._scopes)
        await self.reinstall()
        await self._invite(UNINVITED)
        for number in (1, 2):
            await admin.restrict(self.halls[number], "")

    async def uninstall(self) -> None:
        self.has_us.clear()
        await self._workspace.admin.uninstall()

    async def reinstall(self, token: str = "") -> None:
        """Install the app again, if it was taken out; people invite it to where it was.

        Args:
            token: the one that is made for it; without, the old one is good again.
        """
        if self.has_us.is_set():
            return
        await self._workspace.admin.reinstall(token)
        for number in self.halls:
            if number != UNINVITED:
                await self._workspace.admin.join(self.halls[number], self._workspace.bot_user_id)
        self.has_us.set()

    async def _invite(self, number: int) -> None:
        await self.has_us.wait()
        await self._workspace.admin.join(self.halls[number], self._workspace.bot_user_id)

    def _later(self, seconds: float, lifts: Coroutine[Any, Any, Any]) -> None:
        async def lift() -> None:
            try:
                await asyncio.sleep(seconds)
            except asyncio.CancelledError:
                lifts.close()
                raise
            await lifts

        task = asyncio.create_task(lift())
        self._lifting.add(task)
        task.add_done_callback(self._lifting.discard)
