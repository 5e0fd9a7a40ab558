"""``towow demo``: the whole product on this machine, in a browser or in the terminal."""

import asyncio
import os
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from bot.app import import_early
from bot.claude_config import read_claude
from bot.commands.subcommand import FINE, CommandFailed, Subcommand, port, text
from bot.config import DEFAULT_POLICY
from bot.demo.demo import DemoSettings
from bot.demo.page import has_desktop, only_pages, own_api, page
from bot.protocol_row import Protocol, policies
from bot.workers_config import SESSIONS
from engine.directory.profile import Profiles
from engine.files.profiles import load_profiles
from engine.workers.registry import WorkersAccess


def add_settings(parser: ArgumentParser) -> None:
    """Add the options of `DemoSettings`."""
    known = sorted(policies(parser.get_default("protocols")))
    parser.add_argument("--policy", default=DEFAULT_POLICY, choices=known, help="how much agreement is enough")
    parser.add_argument("--profiles", type=Path, metavar="PATH", help="a folder of people; ours when left out")
    parser.add_argument("--db", type=Path, metavar="FILE", help="keep everything here; in memory when left out")


def settings_of(options: Namespace, profiles: Profiles) -> DemoSettings:
    protocols: Sequence[Protocol] = options.protocols
    return DemoSettings(profiles, policies(protocols)[options.policy], protocols, options.db, read_claude(os.environ))


def without_workers(settings: DemoSettings) -> DemoSettings:
    """Let people alone work, so that no folder of workers is made beside the database."""
    if settings.database is None:
        return settings
    return replace(settings, workers=WorkersAccess(settings.database.parent / SESSIONS))


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "demand", metavar="DEMAND", nargs="?", type=text, help="asked at once; yours to type when left out"
    )
    parser.add_argument(
        "--no-browser", dest="browser", action="store_false", help="only say where the page is, do not open it"
    )
    parser.add_argument(
        "--empty", action="store_true", help="the page opens in an empty channel, and not in a demand of ours"
    )
    parser.add_argument("--port", metavar="N", type=port, default=0, help="of the page; any that is free when left out")
    parser.add_argument("--terminal", action="store_true", help="one demand in this terminal, without a page")
    parser.add_argument(
        "--api", action="store_true", help="over HTTP as well, for programs; says where, and with which token"
    )
    add_settings(parser)


def _run(options: Namespace) -> int:
    settings = replace(settings_of(options, load_profiles(options.profiles)), port=options.port)
    if options.terminal:
        return _in_terminal(options.demand, settings)
    opens = options.browser and os.isatty(1) and has_desktop(os.environ)
    import_early(settings.protocols, claude=False, api=True)
    api, secret = own_api(os.environ) if options.api else (only_pages(), "")
    first = not options.empty and settings.claude is None  # what a model is asked costs something
    asyncio.run(page(options.demand, replace(settings, api=api), first=first, opens=opens, secret=secret))
    return FINE


def _in_terminal(message: str | None, settings: DemoSettings) -> int:
    for each in settings.protocols:
        if each.demo is not None and (play := each.demo().in_terminal) is not None:
            return asyncio.run(play(message, settings))
    raise CommandFailed("Nothing here can be played in a terminal.")


COMMAND: Final = Subcommand(_run, _add_arguments)
