"""The ``towow`` command, as a process of its own."""

import gc
import io
import os
import sys
from pathlib import Path


def run() -> None:
    _hold_open()
    # Hardly anything that is made while modules are read becomes garbage, and they stay: to look through them again and
    # again is an eighth of a start.
    gc.disable()
    _have_a_home()
    from bot.time_zones import settle

    settle(os.environ)
    from bot.command_line import main

    gc.freeze()
    gc.enable()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # what the terminal's encoding lacks is no reason to die
    sys.exit(main(sys.argv[1:]))


def _have_a_home() -> None:
    """Set HOME for a user whom the machine does not know, as a container's may be: Slack's SDK asks where it is."""
    try:
        Path.home()
    except RuntimeError:
        os.environ["HOME"] = os.sep


def _hold_open() -> None:
    """Put something in the place of standard streams that were closed: the next file that is opened, such as the
    database, would take their place, and what is printed would go there.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free, which is this one
    sys.stdin = sys.stdin or open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - for good
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - for good
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - for good


if __name__ == "__main__":
    run()
