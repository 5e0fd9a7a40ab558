"""What is not tested is said in the last lines, with the command that installs what is missing."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from .equipment import BROWSER, not_tested

ROOT = Path(__file__).parent.parent
SKIPS = """
import pytest
from tests.equipment import Equipment

UNKNOWN = Equipment("A thing", ("no-such-program-anywhere",), "thing")

@pytest.mark.parametrize("number", range(3))
def test_needs_it(number):
    UNKNOWN.needed()

def test_needs_nothing():
    pass
"""


def test_reasons_are_counted() -> None:
    assert not_tested(["Skipped: no b", "Skipped: no a", "Skipped: no b"]) == ["1 test: no a", "2 tests: no b"]


@pytest.mark.parametrize("workers", [pytest.param("0", marks=pytest.mark.exhaustive), "2"])
def test_the_last_lines_say_what_was_skipped_and_how_to_have_it(tmp_path: Path, workers: str) -> None:
    """In a process of its own, as `make test` runs it, with and without workers."""
    (tmp_path / "test_skips.py").write_text(SKIPS, "utf-8")
    (tmp_path / "conftest.py").write_text("from tests.conftest import pytest_terminal_summary\n", "utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment.pop("CI", None)
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", workers, "-p", "no:cacheprovider", str(tmp_path)],
        capture_output=True, text=True, cwd=tmp_path, env=environment, check=False,
    )  # fmt: skip

    *_, said, last = ran.stdout.strip().splitlines()
    assert said == "3 tests: A thing is not installed: apt-get install thing"
    assert "1 passed, 3 skipped" in last


def _installing(tmp_path: Path, *, works: bool) -> subprocess.CompletedProcess[str]:
    """Run it on a machine without any browser, where ``apt-get`` brings one, or nothing."""
    programs = tmp_path / "bin"
    programs.mkdir()
    browser = programs / BROWSER.programs[0]
    brings = (
        f'for each in "$@"; do [ "$each" = chromium ] && printf "#!/bin/sh\\n" > {browser}; done; chmod +x {browser}'
    )
    _program(programs / "apt-get", brings if works else "exit 100")
    _program(programs / "sudo", 'shift; exec "$@"')
    environment = {
        "PATH": f"{programs}:{_without_browser(tmp_path)}",
        "PYTHONPATH": str(ROOT),
        # Playwright's own would be fetched from the network, which is not there.
        "PLAYWRIGHT_BROWSERS_PATH": str(tmp_path / "browsers"),
        "PLAYWRIGHT_DOWNLOAD_HOST": "http://127.0.0.1:9",
        "HOME": str(tmp_path),
    }
    return subprocess.run(
        [sys.executable, "-m", "tests.equipment"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environment,
        check=False,
    )


def _program(path: Path, script: str) -> None:
    path.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def _without_browser(tmp_path: Path) -> Path:
    """Return a folder with what the scripts above need, and no browser."""
    folder = tmp_path / "usual"
    folder.mkdir()
    for name in ("sh", "env", "chmod"):
        (folder / name).symlink_to(next(each for at in ("/bin", "/usr/bin") if (each := Path(at) / name).exists()))
    return folder


def test_a_browser_is_installed_where_that_works(tmp_path: Path) -> None:
    ran = _installing(tmp_path, works=True)

    assert (ran.returncode, ran.stdout.strip().splitlines()[-1]) == (0, "A browser is installed.")


@pytest.mark.exhaustive
def test_where_none_can_be_installed_it_is_said_how_and_nothing_fails(tmp_path: Path) -> None:
    ran = _installing(tmp_path, works=False)

    assert ran.returncode == 0
    assert ran.stdout.strip().splitlines()[-1].endswith(BROWSER.how)


@pytest.mark.exhaustive
def test_without_a_browser_its_tests_are_skipped_and_it_is_said_how_to_have_it(tmp_path: Path) -> None:
    environment = {"PATH": str(_without_browser(tmp_path)), "PLAYWRIGHT_BROWSERS_PATH": str(tmp_path / "browsers")}
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/browser/test_panel.py"],
        capture_output=True, text=True, cwd=ROOT, env=environment, check=False,
    )  # fmt: skip

    *_, last = lines = ran.stdout.strip().splitlines()
    assert any(each.endswith(f" tests: {BROWSER.how}") for each in lines)
    assert last.split()[1:2] == ["skipped"]
