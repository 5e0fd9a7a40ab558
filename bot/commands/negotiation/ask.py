"""``towow ask``: one demand, from the post to the final proposal, without questions."""

import asyncio
import sys
from argparse import ArgumentParser, Namespace
from typing import Final

from bot.commands.demo import add_settings, settings_of, without_workers
from bot.commands.doctor_models import tell_troubles
from bot.commands.subcommand import Subcommand, print_json, text
from bot.demo.negotiation.ask import ask, exit_code, read_votes
from bot.demo.thread_text import print_thread
from bot.terminal import Terminal
from engine.files.profiles import load_profiles
from engine.negotiation.public.seed import as_seed


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("demand", metavar="DEMAND", type=text)
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    parser.add_argument(
        "--shape", choices=("public", "seed"), default="public", help="of that object; seed: as seed 000 has it"
    )
    parser.add_argument(
        "--vote",
        action="append",
        default=[],
        type=text,
        metavar="AGENT=VOTE[:TEXT][@ROUND]",
        help="a linked person who really clicks: accept, negotiate:TEXT, withdraw:TEXT, or prepared, which is what "
        "their twin has prepared; may be repeated",
    )
    parser.add_argument(
        "--own-votes", action="store_true", help="people's own votes only: twins prepare theirs, and nobody's counts"
    )
    add_settings(parser)


def _run(options: Namespace) -> int:
    profiles = load_profiles(options.profiles)
    votes = read_votes(options.vote, profiles)
    settings = without_workers(settings_of(options, profiles))
    asked = asyncio.run(ask(options.demand, settings, votes, own_votes=options.own_votes))
    if options.json:
        told = as_seed(asked.report) if options.shape == "seed" else asked.report
        print_json(told.model_dump(mode="json"))
    else:
        print_thread(Terminal(), asked.thread, asked.names)
    for warning in asked.warnings:
        print(f"towow: {warning}", file=sys.stderr)
    if asked.report.degraded and settings.claude is not None:
        tell_troubles(settings.claude, settings.protocols)
    return exit_code(asked.report.channel_status)


COMMAND: Final = Subcommand(_run, _add_arguments)
