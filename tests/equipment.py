"""What tests need besides Python: where it is found, how it is installed, and what is not tested without it.

``python -m tests.equipment`` installs a browser where it can, before the tests run; it never fails.
"""

import glob
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import pytest

PATIENCE: Final = 300
"""Seconds for each attempt to install something."""

WITHOUT_ENCODER: Final = os.pathsep.join(map(str, (Path(__file__).parent / "no_encoder", Path(__file__).parents[1])))
"""A ``PYTHONPATH`` for processes that need no encoder of sentences: to load it is half of what a short one does."""


@dataclass(frozen=True, slots=True)
class Equipment:
    name: str
    programs: tuple[str, ...]
    """Any of them will do."""
    package: str
    """Debian's."""
    folders: str = ""
    """Where they are besides, as a pattern of names; the last one that there is."""

    def found(self) -> str | None:
        """Return the program's path; None where there is none."""
        folders = sorted(glob.glob(self.folders), reverse=True) if self.folders else []
        path = os.pathsep.join([*folders, os.environ.get("PATH", os.defpath)])
        return next(filter(None, (shutil.which(each, path=path) for each in self.programs)), None)

    @property
    def how(self) -> str:
        """What a person does to have it."""
        return f"{self.name} is not installed: apt-get install {self.package}"

    def needed(self) -> str:
        """Return the program's path, or skip the test."""
        path = self.found()
        if path is None:
            pytest.skip(self.how)
        return path


SHELL: Final = "chromium-headless-shell"
"""Chromium without a window and all that belongs to one: it does the same with a third of the work."""
BROWSER: Final = Equipment("Chromium", (SHELL, "chromium", "chromium-browser", "google-chrome"), "chromium")
SANDBOX: Final = Equipment("Bubblewrap", ("bwrap",), "bubblewrap")
POSTGRES: Final = Equipment("PostgreSQL", ("initdb",), "postgresql", "/usr/lib/postgresql/*/bin")
PROMTOOL: Final = Equipment("Prometheus", ("promtool",), "prometheus")
PGBOUNCER: Final = Equipment("PgBouncer", ("pgbouncer",), "pgbouncer", "/usr/sbin")


def browser() -> str | None:
    """Return the path of a browser: the machine's, or Playwright's own."""
    return BROWSER.found() or _playwrights_own()


def _playwrights_own() -> str | None:
    if find_spec("playwright") is None:
        return None
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = Path(playwright.chromium.executable_path)
    shells = path.parents[2].glob("chromium_headless_shell-*/*/*headless*shell")
    return next((str(each) for each in (*sorted(shells, reverse=True), path) if each.is_file()), None)


def install_browser() -> str:
    """Install a browser by the first way that works, and return what is to be said; nothing where there is one."""
    if browser() is not None:
        return ""
    ways: list[Sequence[str]] = [(sys.executable, "-m", "playwright", "install", "chromium")]
    if shutil.which("apt-get") is not None:
        admin = () if os.geteuid() == 0 else ("sudo", "-n")
        quietly = (*admin, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq")
        install = (*quietly, "install", "-y", "--no-install-recommends")
        ways += [(*quietly, "update"), (*install, SHELL), (*install, BROWSER.package)]
    for way in ways:
        print(f"No browser is there for the page's tests. Trying: {' '.join(way)}", flush=True)
        try:
            subprocess.run(way, timeout=PATIENCE, check=False, capture_output=True)
        except (OSError, subprocess.TimeoutExpired):
            continue
        if browser() is not None:
            return "A browser is installed."
    return f"No browser could be installed; the page's tests are left out. {BROWSER.how}"


def not_tested(reasons: Iterable[str]) -> list[str]:
    """Say what was skipped, a line for each reason, with how many tests it was."""
    counted = Counter(reason.removeprefix("Skipped: ") for reason in reasons)
    return [f"{number} {'test' if number == 1 else 'tests'}: {reason}" for reason, number in sorted(counted.items())]


if __name__ == "__main__":
    if said := install_browser():
        print(said, flush=True)
