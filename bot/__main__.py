"""The ``towow`` command, as a process of its own."""

import gc
import io
import os
import sys
from pathlib import Path


def run() -> None:
    # Hardly anything that is made while modules are read becomes garbage, and they stay: to look through them again and
    # again is an eighth of a start.
    gc.disable()
    _have_a_home()
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


if __name__ == "__main__":
    run()
