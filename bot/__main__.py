"""The ``towow`` command."""

import argparse
import asyncio
import codecs
import io
import json
import logging
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from rich.console import Console

from bot import logs
from bot.config import DATABASE, SECRETS, read_claude, read_log_form
from bot.demo.ask import Asked, DemandRefused, ask, read_votes
from bot.demo.demo import DemoSettings
from bot.demo.thread_text import print_thread
from bot.local_slack import RealTokensPresent
from engine.directory.profile import Profiles
from engine.errors import Misconfigured, Refusal, StoreError
from engine.files.profiles import load_profiles
from engine.negotiation.policy import PRESETS
from engine.negotiation.state import Status
from engine.store.sqlite.archive import Archive

BAD_INPUT: Final = 2
HIGHEST_PORT: Final = 65535
EXITS: Final = {Status.FINALIZED: 0, Status.FORCE_FINALIZED: 0, Status.FAILED: 3, Status.CANCELLED: 4}
UNFINISHED: Final = 1


def run() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # what the terminal's encoding lacks is no reason to die
    sys.exit(main(sys.argv[1:]))


def main(arguments: Sequence[str]) -> int:
    """
    Returns:
        0 finalized or force-finalized, 2 bad input, 3 failed, 4 cancelled.
    """
    options = _parser().parse_args(arguments)
    try:
        _configure_logs(options)
        command = COMMANDS[options.command]
        return command(options)
    except Misconfigured as error:
        for fault in error.faults:
            print(f"towow: {fault}", file=sys.stderr)
    except (DemandRefused, Refusal, StoreError, RealTokensPresent) as error:
        print(f"towow: {error}", file=sys.stderr)
    except KeyboardInterrupt:
        return 130
    return BAD_INPUT


def _configure_logs(options: argparse.Namespace) -> None:
    """A service tells what happens; a command for people only what goes wrong, unless it is asked to."""
    form = read_log_form(os.environ)
    quiet = logging.INFO if options.command == "run" else logging.ERROR
    secrets = [os.environ.get(name, "") for name in SECRETS]
    logs.configure(
        level=logging.INFO if options.verbose else quiet,
        as_json=form == "json",
        secrets=secrets,
        tells_all=options.verbose or options.command == "run",
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="towow", description="A demand goes in, a plan everyone answered comes out.")
    parser.add_argument("-v", "--verbose", action="store_true", help="say on stderr what happens inside")
    commands = parser.add_subparsers(dest="command", required=True)

    asking = commands.add_parser("ask", help="run one demand to its end, without questions")
    asking.add_argument("demand", metavar="DEMAND", type=_text)
    asking.add_argument("--json", action="store_true", help="one JSON object on stdout")
    asking.add_argument(
        "--vote",
        action="append",
        default=[],
        type=_text,
        metavar="AGENT=VOTE[:TEXT][@ROUND]",
        help="a linked person who really clicks: accept, negotiate:TEXT or withdraw:TEXT; may be repeated",
    )
    demonstrating = commands.add_parser("demo", help="the whole product here, in a browser: no account, no key")
    demonstrating.add_argument(
        "demand", metavar="DEMAND", nargs="?", type=_text, help="asked at once; yours to type when left out"
    )
    demonstrating.add_argument(
        "--no-browser", dest="browser", action="store_false", help="only say where the page is, do not open it"
    )
    demonstrating.add_argument(
        "--port", metavar="N", type=_port, default=0, help="of the page; any that is free when left out"
    )
    demonstrating.add_argument("--terminal", action="store_true", help="one demand in this terminal, without a page")
    demonstrating.add_argument(
        "--api", action="store_true", help="over HTTP as well, for programs; says where, and with which token"
    )
    for each in (asking, demonstrating):
        each.add_argument("--policy", default="t05-v4", choices=sorted(PRESETS), help="how much agreement is enough")
        each.add_argument("--profiles", type=Path, metavar="PATH", help="a folder of people; ours when left out")
        each.add_argument("--db", type=Path, metavar="FILE", help="keep everything here; in memory when left out")
    backing_up = commands.add_parser("backup", help="copy the database into one file, also while ToWow runs on it")
    backing_up.add_argument("to", metavar="TO", type=Path, help="a file that is not there yet")
    exporting = commands.add_parser("export", help="every event of one negotiation, a line of JSON each")
    replaying = commands.add_parser("replay", help="go through one negotiation, event by event")
    replaying.add_argument("--pause", action="store_true", help="wait for Enter before each next event")
    for each in (exporting, replaying):
        each.add_argument("name", metavar="DEMAND_ID", type=_text, help="d-… or collab-…")
        each.add_argument("--team", default="", metavar="ID", help="whose it is, where several workspaces have one")
    for each in (backing_up, exporting, replaying):
        default = Path(os.environ.get("TOWOW_DB") or DATABASE)
        each.add_argument("--db", type=Path, metavar="FILE", default=default, help=f"{default} when left out")
    commands.add_parser("doctor", help="say whether everything is there for `towow run`, and what to do")
    commands.add_parser("run", help="a real Slack workspace, by Socket Mode; see docs/configuration.md")
    return parser


def _port(argument: str) -> int:
    if not (argument.isdecimal() and int(argument) <= HIGHEST_PORT):
        raise argparse.ArgumentTypeError(f"{argument!r} is no port; take one from 1 to {HIGHEST_PORT}, or 0 for any")
    return int(argument)


def _text(argument: str) -> str:
    """Bytes that are no text come as half characters, which can be sent to nobody."""
    try:
        argument.encode()
    except UnicodeEncodeError:
        raise argparse.ArgumentTypeError("this is not text in the terminal's encoding") from None
    return argument


class _Terminal(Console):
    def on_broken_pipe(self) -> None:
        _stop_printing()


def _stop_printing() -> None:
    """Whoever reads along has read enough, as ``head`` does; how it ended is told all the same, by the exit code."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _print_report(asked: Asked) -> None:
    is_unicode = codecs.lookup(getattr(sys.stdout, "encoding", None) or "utf-8").name.startswith("utf")
    try:
        print(json.dumps(asked.report.model_dump(mode="json"), ensure_ascii=not is_unicode), flush=True)
    except BrokenPipeError:
        _stop_printing()


def _ask(options: argparse.Namespace) -> int:
    profiles = load_profiles(options.profiles)
    votes = read_votes(options.vote, profiles)
    asked = asyncio.run(ask(options.demand, _setting(options, profiles), votes))
    if options.json:
        _print_report(asked)
    else:
        print_thread(_Terminal(), asked.thread, asked.names)
    return _end(asked)


def _end(asked: Asked) -> int:
    for warning in asked.warnings:
        print(f"towow: {warning}", file=sys.stderr)
    return EXITS.get(asked.report.status, UNFINISHED)


def _setting(options: argparse.Namespace, profiles: Profiles) -> DemoSettings:
    return DemoSettings(profiles, PRESETS[options.policy], options.db, read_claude(os.environ))


def _demo(options: argparse.Namespace) -> int:
    from bot.demo.browser import has_desktop
    from bot.demo.page import own_api, page
    from bot.demo.terminal_seat import demo

    setting = replace(_setting(options, load_profiles(options.profiles)), port=options.port)
    if options.terminal:
        status = asyncio.run(demo(options.demand, setting))
        return EXITS.get(status, UNFINISHED)
    opens = options.browser and os.isatty(1) and has_desktop(os.environ)
    api, secret = own_api(os.environ) if options.api else (None, "")
    asyncio.run(page(options.demand, replace(setting, api=api), opens=opens, secret=secret))
    return 0


def _run(options: argparse.Namespace) -> int:
    from bot.commands.run import serve

    return serve(os.environ)


def _doctor(_: argparse.Namespace) -> int:
    from bot.commands.doctor import doctor

    return doctor(os.environ)


def _backup(options: argparse.Namespace) -> int:
    from bot.commands.records import back_up

    print(back_up(options.db, options.to))
    return 0


def _export(options: argparse.Namespace) -> int:
    from bot.commands.records import exported, found

    try:
        for line in exported(found(Archive(options.db), options.name, options.team)):
            print(line)
        sys.stdout.flush()
    except BrokenPipeError:
        _stop_printing()
    return 0


def _replay(options: argparse.Namespace) -> int:
    from bot.commands.records import found, print_replay

    archive = Archive(options.db)
    stored = found(archive, options.name, options.team)
    return 0 if print_replay(_Terminal(), archive, stored, pauses=options.pause) else UNFINISHED


COMMANDS: Final = {
    "ask": _ask,
    "backup": _backup,
    "demo": _demo,
    "doctor": _doctor,
    "export": _export,
    "replay": _replay,
    "run": _run,
}


if __name__ == "__main__":
    run()
