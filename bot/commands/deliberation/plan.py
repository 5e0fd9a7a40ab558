"""``towow plan``: one goal, argued out by Planner and Critic to the Reporter's plan, without questions."""

import asyncio
import os
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Final

from bot.claude_config import read_claude
from bot.commands.demo import without_workers
from bot.commands.doctor_models import tell_troubles
from bot.commands.subcommand import Subcommand, print_json, text
from bot.config import DEFAULT_POLICY
from bot.demo.deliberation.plan import GivenBrief, exit_code, plan, read_brief_file, read_points, with_options
from bot.demo.demo import DemoSettings
from bot.demo.thread_text import print_thread
from bot.protocol_row import policies
from bot.terminal import Terminal
from engine.deliberation.policy import PRESETS
from engine.files.profiles import load_profiles


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("goal", metavar="GOAL", nargs="?", type=text, help="left out where the brief has one")
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    parser.add_argument(
        "--fact", action="append", default=[], type=text, metavar="TEXT", help="what is known of it; may be repeated"
    )
    parser.add_argument(
        "--option", action="append", default=[], type=text, metavar="TEXT",
        help="what there is to choose from; at least two",
    )  # fmt: skip
    parser.add_argument(
        "--brief", type=Path, metavar="FILE", help="JSON or YAML: goal, facts, options, people, starts, ends"
    )
    parser.add_argument(
        "--point", action="append", default=[], type=text, metavar="TEXT[@ROUND]",
        help="an objection of yours, which both have to address; in round 1 when left out; may be repeated",
    )  # fmt: skip
    parser.add_argument("--sequential", action="store_true", help="the Critic starts from the Planner's plan")
    parser.add_argument("--db", type=Path, metavar="FILE", help="keep everything here; in memory when left out")


def _run(options: Namespace) -> int:
    given = with_options(
        read_brief_file(options.brief) if options.brief else GivenBrief(), options.goal, options.fact, options.option
    )
    points = read_points(options.point)
    policy = policies(options.protocols)[DEFAULT_POLICY]
    settings = DemoSettings(load_profiles(), policy, options.protocols, options.db, read_claude(os.environ))
    settings = without_workers(settings)
    planned = asyncio.run(plan(given, settings, PRESETS["sequential" if options.sequential else "blind"], points))
    if options.json:
        print_json(planned.report.model_dump(mode="json"))
    else:
        print_thread(Terminal(), planned.thread, planned.names)
    for warning in planned.warnings:
        print(f"towow: {warning}", file=sys.stderr)
    if planned.is_degraded and settings.claude is not None:
        tell_troubles(settings.claude, settings.protocols)
    return exit_code(planned.report.status)


COMMAND: Final = Subcommand(_run, _add_arguments)
