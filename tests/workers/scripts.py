"""Commands that stand in for workers: each a few lines of Python, run as a process of its own."""

import sys
from pathlib import Path
from textwrap import dedent

HEAD = """
import json, os, signal, subprocess, sys, time

def say(payload_type, **payload):
    envelope = {"session_id": order["session_id"], "timestamp": "2027-01-01T00:00:00Z", "source": "script",
                "target": "scheduler", "payload_type": payload_type, "version": "1.0", "payload": payload}
    print(json.dumps(envelope), flush=True)

def completed(**more):
    say("report", status="completed", summary="It is done.", **more)

order = json.loads(sys.stdin.readline())
"""


def script(folder: Path, body: str) -> tuple[str, ...]:
    """Return the command that runs a body; it has ``order``, ``say`` and ``completed``."""
    path = folder / f"script-{abs(hash(body))}.py"
    path.write_text(HEAD + dedent(body), "utf-8")
    return (sys.executable, "-I", str(path))
