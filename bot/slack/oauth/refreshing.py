"""Exchanges a token before it expires: in one place, by one process at a time, since a refresh token is good once."""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from slack_sdk.oauth.installation_store import Installation
from slack_sdk.web.async_client import AsyncWebClient
from sqlalchemy import or_
from sqlalchemy.dialects import postgresql, sqlite

from bot.posts.failures import CALL_ERRORS, Refused, Shut, Undone, failure
from bot.slack.oauth.database import InstallationDatabase, reaching
from bot.slack.oauth.places import Installed, Place
from engine.kernel import Millis
from engine.runtime.clock import Clock

log = logging.getLogger(__name__)

MARGIN: Final[Millis] = 2 * 3_600_000
"""So long before its end a token is exchanged, of the twelve hours that it is good for."""
LEASE: Final[Millis] = 30_000
"""For so long one process may take to exchange a token; whoever dies meanwhile holds nobody up for longer."""
LOOK: Final = 0.2
"""Seconds between two looks whether the other process has done it."""
PATIENCE: Final = 10.0
"""Seconds that a call waits for another process."""
TRIES: Final = 3
"""Of an exchange whose answer was lost: within its time of grace, Slack answers the same refresh token once more."""


class Stranded(Exception):
    """The refresh token is good for nothing: the app has to be installed again."""


class Refreshing:
    """
    Args:
        slack: a client without a token.
    """

    def __init__(
        self, database: InstallationDatabase, slack: AsyncWebClient, client_id: str, client_secret: str, clock: Clock
    ) -> None:
        self._database = database
        self._slack = slack
        self._client_id = client_id
        self._client_secret = client_secret
        self._clock = clock
        self._holder = secrets.token_hex(16)
        self._locks: dict[Place, asyncio.Lock] = {}

    def is_due(self, installed: Installed) -> bool:
        return installed.expires_at is not None and installed.expires_at - MARGIN <= self._clock.now()

    def is_over(self, installed: Installed) -> bool:
        return installed.expires_at is not None and installed.expires_at <= self._clock.now()

    @asynccontextmanager
    async def turn(self, place: Place) -> AsyncIterator[None]:
        """Be the only one, here and in other processes, who exchanges the token of a place."""
        async with self._locks.setdefault(place, asyncio.Lock()):
            try:
                async with asyncio.timeout(PATIENCE):
                    while not await self._takes(place):  # noqa: ASYNC110 - another process tells nobody
                        await asyncio.sleep(LOOK)
            except TimeoutError:
                raise Undone("another process exchanges the token") from None
            try:
                yield
            finally:
                await self._gives_back(place)

    async def exchange(self, installed: Installed) -> Installation:
        """Return the installation with new tokens."""
        for number in range(1, TRIES + 1):
            try:
                answer: Any = await self._slack.oauth_v2_access(
                    client_id=self._client_id,
                    client_secret=self._client_secret,
                    grant_type="refresh_token",
                    refresh_token=installed.stored.bot_refresh_token,
                )
            except CALL_ERRORS as error:
                failed = failure(error)
                if isinstance(failed, Refused | Shut):
                    log.error("the token of %s cannot be exchanged: %s", installed.place, failed.why)
                    raise Stranded(failed.why) from None
                log.warning("the answer to an exchange of the token of %s is missing: %s", installed.place, failed.why)
                if number == TRIES:
                    raise failed from None
                continue
            return self._renewed(installed.stored, answer)
        raise AssertionError("unreachable")

    def _renewed(self, stored: Installation, answer: Any) -> Installation:
        renewed = Installation(**stored.to_dict_for_copying())
        renewed.bot_token = str(answer["access_token"])
        renewed.bot_refresh_token = str(answer["refresh_token"])
        renewed.bot_token_expires_at = self._clock.now() // 1000 + int(answer["expires_in"])
        return renewed

    async def _takes(self, place: Place) -> bool:
        table, now = self._database.leases, self._clock.now()
        row = {"enterprise_id": place.enterprise_id, "team_id": place.team_id}
        mine = {"holder": self._holder, "until": now + LEASE}
        dialect = postgresql if self._database.engine.dialect.name == "postgresql" else sqlite
        insert = dialect.insert(table).values(row | mine)
        free = insert.on_conflict_do_update(
            index_elements=[table.c.enterprise_id, table.c.team_id],
            set_=mine,
            where=or_(table.c.until <= now, table.c.holder == self._holder),
        ).returning(table.c.holder)
        with reaching():
            async with self._database.engine.begin() as connection:
                return (await connection.execute(free)).first() is not None

    async def _gives_back(self, place: Place) -> None:
        table = self._database.leases
        with contextlib.suppress(Exception), reaching():
            async with self._database.engine.begin() as connection:
                await connection.execute(
                    table.delete().where(
                        table.c.enterprise_id == place.enterprise_id,
                        table.c.team_id == place.team_id,
                        table.c.holder == self._holder,
                    )
                )
