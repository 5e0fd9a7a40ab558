"""``towow purge``: shows who has taken ToWow out, and has all data of one of them deleted before its time."""

import asyncio
import os
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from bot.commands.subcommand import FAILED, FINE, CommandFailed, Subcommand, add_database, text
from bot.commands.waiting import asking
from bot.databases import Database
from bot.oauth_config import oauth_keys
from engine.errors import Misconfigured
from engine.kernel import Millis

if TYPE_CHECKING:
    from bot.slack.oauth.departures import Departure

NOBODY: Final = "Nobody has taken ToWow out."
NEXT: Final = (
    "All data of {place} is deleted within seconds by the ToWow that runs, or as soon as one does. Meanwhile ToWow "
    "cannot be installed there."
)


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "place", metavar="ID", type=text, nargs="?", default="",
        help="a workspace (T…) or an organisation (E…) that has taken ToWow out; without it, all of them are shown",
    )  # fmt: skip
    parser.add_argument("--yes", action="store_true", help="do not ask before it")
    add_database(parser)


def _run(options: Namespace) -> int:
    """List who has left, or delete all of one workspace."""
    faults: list[str] = []
    client_id, _ = oauth_keys(os.environ, faults)
    if faults:
        raise Misconfigured(faults)
    return asyncio.run(_purge(options.db, client_id, options.place, is_sure=options.yes))


async def _purge(database: Database, client_id: str, name: str, *, is_sure: bool) -> int:
    from bot.slack.oauth.database import InstallationDatabase, opened
    from bot.slack.oauth.departures import Departures

    async with opened(InstallationDatabase(database, client_id)) as kept:
        departures = Departures(kept, purge_days=0)
        await departures.read()
        if not name:
            shown = [_line(each) for each in departures.all()]
            print("\n".join(shown or [NOBODY]))
            return FINE
        departure = _named(departures.all(), name)
        if not (is_sure or _is_meant(departure)):
            print("Nothing was changed.")
            return FAILED
        if not await departures.purge_now(departure, round(time.time() * 1_000)):
            raise CommandFailed(f"{name} has installed ToWow again meanwhile; nothing was changed.")
        print(NEXT.format(place=name))
    return FINE


def _named(departures: "Sequence[Departure]", name: str) -> "Departure":
    """Return the departure of the workspace that was named."""
    for each in departures:
        if name == (each.place.team_id or each.place.enterprise_id):
            if each.purge_at is None:
                raise CommandFailed(
                    f"{name} is only paused, as Slack refuses its token; nobody has taken ToWow out there, so its data "
                    "stays."
                )
            return each
    raise CommandFailed(
        f"{name} has not taken ToWow out, or was deleted already; `towow purge` shows who has. Have the app removed "
        "from the workspace first."
    )


def _line(departure: "Departure") -> str:
    place = departure.place
    name = place.team_id or f"{place.enterprise_id} (organisation)"
    if departure.purge_at is None:
        return f"{name}: paused since {_day(departure.since)}; Slack refuses its token, and its data stays"
    return f"{name}: taken out on {_day(departure.since)}; all data is deleted from {_day(departure.purge_at)} on"


def _day(at: Millis) -> str:
    return f"{datetime.fromtimestamp(at / 1_000, UTC):%Y-%m-%d %H:%M} UTC"


def _is_meant(departure: "Departure") -> bool:
    """Ask whether to delete it, and return whether the answer was yes."""
    print(_line(departure))
    if not sys.stdin.isatty():
        raise CommandFailed("Nobody can be asked here; say --yes, or give no id to see only what would be deleted.")
    with asking():
        return input("This cannot be undone. Type yes to delete all of it now: ").strip() == "yes"


COMMAND: Final = Subcommand(_run, _add_arguments)
