"""What takes long to import is imported only where it is used."""

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from bot.commands.subcommand import Subcommand
from bot.commands.table import COMMANDS

ROOT = Path(__file__).parents[2]
NOT_FOR_EVERYBODY = {"anthropic", "cryptography", "opentelemetry", "prometheus_client", "sqlalchemy"}
"""A model behind a key, many workspaces, traces, and the HTTP interface."""


EVERY_COMMAND = ", ".join(["bot.commands.carrying_out", *(each.module for each in COMMANDS.values())])
MOST_TO_SAY_WHAT_THERE_IS = 250
"""Modules; three quarters of them are Python's own."""


@pytest.mark.parametrize("arguments", [["--help"], [], ["no-such-command"]], ids=["help", "nothing", "a wrong one"])
def test_saying_what_there_is_imports_no_command(arguments: list[str]) -> None:
    code = f"""
import sys
sys.argv = ["towow", *{arguments!r}]
from bot.__main__ import run
try:
    run()
finally:
    print("imported", *sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    _, imported = done.stdout.rsplit("imported", 1)
    modules = {*imported.split()}
    assert "bot.registry" not in modules
    assert len(modules) <= MOST_TO_SAY_WHAT_THERE_IS


def test_every_command_is_where_the_table_says() -> None:
    for name, each in COMMANDS.items():
        assert isinstance(import_module(each.module).COMMAND, Subcommand), name


def test_without_a_key_or_an_interface_their_libraries_are_not_imported() -> None:
    modules = f"{EVERY_COMMAND}, bot.demo.page, bot.demo.negotiation.terminal_seat"
    listing = f"import {modules}, sys; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", listing], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not NOT_FOR_EVERYBODY & {*loaded.stdout.split()}


@pytest.mark.parametrize(
    ("given", "imported"), [("claude", "engine.llm.claude"), ("api", "bot.api.server")], ids=["Claude", "HTTP"]
)
def test_what_is_asked_for_is_imported_before_the_event_loop_runs(given: str, imported: str) -> None:
    code = f"""
import sys
from bot.app import import_early
import_early((), **({{"claude": False, "api": False}} | {{{given!r}: True}}))
print(*sys.modules)
"""
    loaded = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert imported in loaded.stdout.split()


@pytest.mark.parametrize(
    ("claude", "of_traces"),
    [(False, "opentelemetry"), (True, "opentelemetry.sdk"), (True, "opentelemetry.exporter")],
    ids=["without a model", "with Claude, whose library has the interface for traces", "with Claude, and an exporter"],
)
def test_what_everybody_runs_imports_nothing_of_the_extras(claude: bool, of_traces: str) -> None:
    """The default install has none of these libraries."""
    code = f"""
import sys
for extra in ("cryptography", {of_traces!r}, "procrastinate", "psycopg", "sqlalchemy"):
    sys.modules[extra] = None
from bot.app import import_early
from bot.registry import PROTOCOLS
import {EVERY_COMMAND}
import_early(PROTOCOLS, claude={claude}, api=True)
"""
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


@pytest.mark.parametrize(
    ("command", "environ"),
    [
        pytest.param("keys new", {}, id="a key"),
        pytest.param("purge", {"SLACK_CLIENT_ID": "1.2"}, id="who has gone"),
        pytest.param("run", {"SLACK_CLIENT_ID": "1.2"}, id="the bot"),
        pytest.param("doctor", {"SLACK_CLIENT_ID": "1.2"}, id="the doctor"),
    ],
)
def test_who_serves_many_workspaces_is_told_what_is_not_installed(
    command: str, environ: dict[str, str], tmp_path: Path
) -> None:
    hidden = "import sys; sys.modules.update(dict.fromkeys(('sqlalchemy', 'cryptography')))"
    code = f"{hidden}; from bot.command_line import main; sys.exit(main({command.split()!r}))"
    ours = {"PYTHONPATH": str(ROOT), "PATH": os.defpath, **environ}
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=ours, capture_output=True, text=True)

    assert done.returncode != 0
    assert "pip install 'towow[workspaces]'" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
