"""``towow keys``: makes a key that encrypts tokens, and encrypts what is stored under the newest one."""

import asyncio
import os
from argparse import ArgumentParser, Namespace
from typing import Final

from bot.commands.subcommand import FINE, Subcommand
from bot.config import database_of
from bot.oauth_config import NOT_INSTALLED, is_installed, oauth_keys
from engine.errors import Misconfigured


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("what", choices=("new", "rotate"), help="print a new key; or encrypt all under the newest")


def _run(options: Namespace) -> int:
    """Print a new key, or encrypt all tokens with the newest one."""
    if options.what == "new":
        if not is_installed():
            raise Misconfigured([NOT_INSTALLED])
        from bot.slack.oauth.token_keys import new_key

        print(new_key())
        return FINE
    faults: list[str] = []
    client_id, keys = oauth_keys(os.environ, faults)
    if faults:
        raise Misconfigured(faults)
    changed = asyncio.run(_rotate(client_id, keys))
    print(f"{changed} tokens are encrypted anew, and all are under the newest key: the others can be left out.")
    print("Addresses of calendars follow where ToWow runs with both keys, within an hour: leave the others out then.")
    return FINE


async def _rotate(client_id: str, keys: tuple[bytes, ...]) -> int:
    from bot.slack.oauth.database import InstallationDatabase, opened
    from bot.slack.oauth.sealed_store import SealedStore
    from bot.slack.oauth.token_keys import TokenKeys

    async with opened(InstallationDatabase(database_of(os.environ), client_id)) as database:
        return await SealedStore(database, TokenKeys(keys)).reseal()


COMMAND: Final = Subcommand(_run, _add_arguments)
