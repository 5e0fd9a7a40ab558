"""``towow logs``: makes the log of a delivery anew from its events, as files."""

import os
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Final

from bot.commands.streams import found
from bot.commands.subcommand import FINE, CommandFailed, Subcommand, add_database, text
from bot.config import read_workers
from bot.databases import archive_of
from engine.delivery.review.session_log import files_of
from engine.delivery.rules import RULEBOOK
from engine.files.kept_folder import keep_folder
from engine.runtime.streams import opened


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="SESSION", type=text, help="deliver-…")
    parser.add_argument("--into", type=Path, metavar="FOLDER", help="its folder is made there; else in TOWOW_LOGS")
    parser.add_argument("--team", default="", metavar="ID", help="whose it is, where several workspaces have one")
    add_database(parser)


def _run(options: Namespace) -> int:
    stored = found(archive_of(options.db), options.protocols, options.name, options.team)
    if stored.protocol != RULEBOOK.protocol:
        raise CommandFailed(f"{stored.key.stream} is no delivery; `towow export` prints its events.")
    files = files_of([opened(each, RULEBOOK.events) for each in stored.events])
    logs = options.into or read_workers(os.environ, options.db).logs
    folder = (logs or Path()) / stored.key.stream
    try:
        changed = keep_folder(folder, files)
    except OSError as error:
        raise CommandFailed(f"{error.filename or folder} cannot be written: {error.strerror}") from error
    print(f"{folder}: {len(files)} files, {changed} of them changed.")
    return FINE


HELP: Final = "make the log of a delivery anew from its events: a file for each envelope, and a line for each event"
COMMAND: Final = Subcommand("logs", HELP, _run, _add_arguments)
