"""What takes long to import is imported only where it is used."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
NOT_FOR_EVERYBODY = {"anthropic", "opentelemetry", "prometheus_client"}
"""A model behind a key, traces, and the HTTP interface."""


def test_without_a_key_or_an_interface_their_libraries_are_not_imported() -> None:
    modules = "bot.command_line, bot.demo.page, bot.demo.negotiation.terminal_seat"
    listing = f"import {modules}, sys; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", listing], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not NOT_FOR_EVERYBODY & {*loaded.stdout.split()}
