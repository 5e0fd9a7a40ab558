"""The SDK's installation store, whose every token is encrypted before it gets there."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

from slack_sdk.oauth.installation_store import Bot, Installation
from slack_sdk.oauth.installation_store.async_installation_store import AsyncInstallationStore
from sqlalchemy import Table, and_, func, select

from bot.slack.oauth.database import SEALED, InstallationDatabase, reaching
from bot.slack.oauth.token_keys import PREFIX, TokenKeys, id_in
from engine.errors import Misconfigured, StoreUnusable

OF_BOTS: Final = tuple(each for each in SEALED if each.startswith("bot_"))

Stored = TypeVar("Stored", Bot, Installation)


class SealedStore(AsyncInstallationStore):
    """Every method raises `StoreUnavailable`, and what reads raises `StoreUnusable` where no key opens a token."""

    def __init__(self, database: InstallationDatabase, keys: TokenKeys) -> None:
        self._database = database
        self._inner = database.installations
        self._keys = keys

    async def async_save(self, installation: Installation) -> None:
        """Keep an installation, instead of those that were of the same place before."""
        with reaching():
            await self._inner.async_save(self._changed(installation, self._keys.seal))
            await self._drop_older(installation)

    async def async_save_bot(self, bot: Bot) -> None:
        with reaching():
            await self._inner.async_save_bot(self._changed(bot, self._keys.seal))

    async def async_find_bot(
        self, *, enterprise_id: str | None, team_id: str | None, is_enterprise_install: bool | None = False
    ) -> Bot | None:
        with reaching():
            found = await self._inner.async_find_bot(
                enterprise_id=enterprise_id, team_id=team_id, is_enterprise_install=is_enterprise_install
            )
        return None if found is None else self._changed(found, self._keys.open)

    async def async_find_installation(
        self,
        *,
        enterprise_id: str | None,
        team_id: str | None,
        user_id: str | None = None,
        is_enterprise_install: bool | None = False,
    ) -> Installation | None:
        with reaching():
            found = await self._inner.async_find_installation(
                enterprise_id=enterprise_id,
                team_id=team_id,
                user_id=user_id,
                is_enterprise_install=is_enterprise_install,
            )
        return None if found is None else self._changed(found, self._keys.open)

    async def async_delete_bot(self, *, enterprise_id: str | None, team_id: str | None) -> None:
        with reaching():
            await self._inner.async_delete_bot(enterprise_id=enterprise_id, team_id=team_id)

    async def async_delete_installation(
        self, *, enterprise_id: str | None, team_id: str | None, user_id: str | None = None
    ) -> None:
        with reaching():
            await self._inner.async_delete_installation(enterprise_id=enterprise_id, team_id=team_id, user_id=user_id)

    async def enterprise_of(self, team_id: str) -> str | None:
        """Return the organisation of a workspace that has installed the app itself; None where none has."""
        bots = self._inner.bots
        with reaching():
            async with self._database.engine.connect() as connection:
                rows = await connection.execute(select(bots.c.enterprise_id).where(bots.c.team_id == team_id).limit(1))
                row = rows.first()
        return None if row is None else str(row[0] or "")

    async def check_keys(self) -> None:
        """Check that a key decrypts what is stored."""
        faults: list[str] = []
        table = self._inner.bots
        used = func.substr(table.c.bot_token, 1, PREFIX)
        with reaching():
            async with self._database.engine.connect() as connection:
                prefixes = [str(each) for (each,) in await connection.execute(select(used).distinct())]
                samples = [
                    (await connection.execute(table.select().where(used == each).limit(1))).mappings().one()
                    for each in prefixes
                ]
        for row in samples:
            try:
                self._keys.open(row["bot_token"], _whose(row["enterprise_id"], row["team_id"], "bot_token"))
            except StoreUnusable as error:
                faults.append(f"TOWOW_TOKEN_KEYS does not open what is stored. {error}")
        if faults:
            raise Misconfigured(faults)

    async def reseal(self) -> int:
        """Encrypt every token under the newest key, and return how many were not before.

        A token that is refreshed meanwhile is under the newest key already, and is left as it is.
        """
        changed = 0
        for table, columns in ((self._inner.bots, OF_BOTS), (self._inner.installations, SEALED)):
            for column in columns:
                changed += await self._reseal(table, column)
        return changed

    async def _reseal(self, table: Table, column: str) -> int:
        changed, stored = 0, table.c[column]
        with reaching():
            async with self._database.engine.begin() as connection:
                wanted = select(table.c.id, table.c.enterprise_id, table.c.team_id, stored).where(stored.is_not(None))
                for row_id, enterprise_id, team_id, sealed in (await connection.execute(wanted)).all():
                    if id_in(sealed) == self._keys.newest:
                        continue
                    whose = _whose(enterprise_id, team_id, column)
                    anew = self._keys.seal(self._keys.open(sealed, whose), whose)
                    same = and_(table.c.id == row_id, stored == sealed)
                    changed += (await connection.execute(table.update().where(same).values({column: anew}))).rowcount
        return changed

    async def _drop_older(self, installation: Installation) -> None:
        async with self._database.engine.begin() as connection:
            for table in (self._inner.bots, self._inner.installations):
                same = and_(
                    table.c.enterprise_id.is_not_distinct_from(installation.enterprise_id),
                    table.c.team_id.is_not_distinct_from(installation.team_id),
                    table.c.client_id == self._inner.client_id,
                )
                newest = select(func.max(table.c.id)).where(same).scalar_subquery()
                await connection.execute(table.delete().where(same, table.c.id < newest))

    def _changed(self, stored: Stored, change: Callable[[str, str], str]) -> Stored:
        """Return a copy whose tokens are sealed, or opened."""
        copied: Any = type(stored)(**stored.to_dict_for_copying())
        for column in SEALED:
            if token := getattr(stored, column, None):
                setattr(copied, column, change(token, _whose(stored.enterprise_id, stored.team_id, column)))
        result: Stored = copied
        return result


def _whose(enterprise_id: str | None, team_id: str | None, column: str) -> str:
    return f"{enterprise_id or ''}|{team_id or ''}|{column}"
