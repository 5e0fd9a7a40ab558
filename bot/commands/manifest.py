"""``towow manifest``: prints the manifest of a Slack app, as api.slack.com takes it."""

import os
from argparse import ArgumentParser, Namespace
from typing import Final

import yaml

from bot.commands.subcommand import FINE, CommandFailed, Subcommand
from bot.environment import is_address
from bot.slack.manifest import manifest, manifest_for_many, without_step


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--no-step", action="store_true", help="without the step for Workflow Builder")
    parser.add_argument("--many", action="store_true", help="of an app that any workspace can install")


def _run(options: Namespace) -> int:
    made = without_step() if options.no_step else manifest()
    if options.many:
        url = os.environ.get("TOWOW_PUBLIC_URL", "").rstrip("/")
        if not is_address(url):
            raise CommandFailed(
                "TOWOW_PUBLIC_URL is not set; Slack leads people back there, such as https://towow.example"
            )
        made = manifest_for_many(url)
    print(yaml.safe_dump(made, sort_keys=False, allow_unicode=True, width=120), end="")
    return FINE


COMMAND: Final = Subcommand(_run, _add_arguments)
