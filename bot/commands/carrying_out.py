"""Carries out the command that the arguments name, and says what stood in its way."""

import argparse
import logging
import os
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Final

from bot import logs
from bot.commands.findings import check_owner
from bot.commands.subcommand import BAD_INPUT, FAILED, CommandFailed, Subcommand
from bot.commands.table import COMMANDS, RUN
from bot.commands.waiting import telling_of
from bot.config import DATABASE, IN_FILES, SECRETS, VARIABLES, read_log_form
from bot.databases import Database, PostgresAddress, database_named
from bot.environment import from_files, trim
from bot.registry import PROTOCOLS
from bot.terminal import stop_printing
from engine.errors import AddressTaken, Misconfigured, Refusal, StoreError, StoreInUse, StoreUnavailable
from engine.facts.own_secrets import keep_secret
from engine.proxies import take_over
from engine.store.address import fault_in, password_in
from engine.store.sqlite.claim import NO_ROOM

log = logging.getLogger(__name__)

INTERRUPTED: Final = 130
OWN_FAULT: Final = "that is a fault of ToWow's own; say --verbose before the command to see where, and tell who made it"
MAY_PASS: Final = 75
"""A service is started again then: `EX_TEMPFAIL` of sysexits.h."""


def carry_out(
    arguments: Sequence[str], parser: argparse.ArgumentParser, own: argparse.ArgumentParser, name: str
) -> int:
    """
    Args:
        own: the part of the parser that is this command's, which knows no arguments so far.

    Returns:
        what the command returns; 2 where it could not begin, 75 where what stands in its way may pass by itself, 130
        where somebody interrupted it.
    """
    try:
        take_over(os.environ)
        _take_in_files()  # the parser's help says which database is meant
        command: Subcommand = import_module(COMMANDS[name].module).COMMAND
        own.set_defaults(protocols=PROTOCOLS, is_quiet=False)
        command.add_arguments(own)
        options = parser.parse_args(arguments)
        _configure_logs(command, is_verbose=options.verbose)
        databases = [*_databases_of(options)]
        for database in databases:
            check_owner(database, [sys.argv[0], *arguments])
        works_on = " and ".join(str(each) for each in databases) if options.is_quiet else ""
        with telling_of(lambda: works_on):
            return command.run(options)
    except (StoreUnavailable, StoreInUse, AddressTaken) as error:
        print(f"towow: {error}", file=sys.stderr)
        return MAY_PASS
    except Misconfigured as error:
        for fault in error.faults:
            print(f"towow: {fault}", file=sys.stderr)
    except (CommandFailed, Refusal, StoreError) as error:
        print(f"towow: {error}", file=sys.stderr)
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        return _stopped(error)
    except Exception as error:
        is_told = log.isEnabledFor(logging.INFO)  # of a service, or where somebody wants to see what happens inside
        log.error("a fault of ToWow's own ended it", exc_info=error if is_told else None)
        print(f"towow: {OWN_FAULT}", file=sys.stderr)
        return FAILED
    return BAD_INPUT


def _stopped(error: OSError) -> int:
    """Say what the system refused that no command has foreseen, and return the exit status."""
    log.info("the system refused something", exc_info=error)
    where = f"{error.filename}: " if error.filename else ""
    print(f"towow: {where}{error.strerror or type(error).__name__}", file=sys.stderr)
    if error.filename is None:
        stop_printing()  # perhaps nobody can be told any more: what is still to be printed would fail at the end again
    return MAY_PASS if error.errno in NO_ROOM else FAILED


def _databases_of(options: argparse.Namespace) -> Iterator[Database]:
    """Yield the databases that a command works on, where one is named."""
    named = (getattr(options, each, None) for each in ("db", "source", "target"))
    yield from (each for each in named if isinstance(each, Path | PostgresAddress))
    if options.command == RUN and not fault_in(said := os.environ.get("TOWOW_DB") or DATABASE):
        yield database_named(said)


def _take_in_files() -> None:
    """Put what files hold of the environment into it, before anything is read of it."""
    faults: list[str] = []
    trim(os.environ, (each.name for each in VARIABLES))
    found = from_files(os.environ, IN_FILES, faults)
    if faults:
        raise Misconfigured(faults)
    os.environ.update(found)


def _configure_logs(command: Subcommand, *, is_verbose: bool) -> None:
    tells_all = is_verbose or command.is_service
    secrets = [*(os.environ.get(name, "") for name in SECRETS), password_in(os.environ.get("TOWOW_DB", ""))]
    keep_secret(secrets)
    logs.configure(
        level=logging.INFO if tells_all else logging.ERROR,
        as_json=read_log_form(os.environ) == "json",
        secrets=secrets,
        tells_all=tells_all,
        descriptions=[each.descriptions for each in PROTOCOLS],
    )
