"""``python -m bot.health_check``: whether a ToWow that serves the HTTP interface here is well, by its exit status.

A container's health check runs it every few seconds. So it imports nothing that takes time, and needs no other program.
"""

import http.client
import os
import sys
from collections.abc import Mapping
from typing import Final

from bot.environment import API_HOST, API_PORT

WELL: Final = 0
UNWELL: Final = 1
PATIENCE: Final = 4.0
"""Seconds: the store alone may take two."""
EVERYWHERE: Final = {"": API_HOST, "0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - asked, and not served, there


def check(environ: Mapping[str, str], path: str) -> int:
    """Ask the HTTP interface, and print what it says; return the exit status."""
    said = environ.get("TOWOW_API_HOST", "").strip()
    host, port = EVERYWHERE.get(said, said), environ.get("TOWOW_API_PORT", "").strip() or str(API_PORT)
    connection = http.client.HTTPConnection(host, int(port) if port.isdecimal() else API_PORT, timeout=PATIENCE)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        told = answer.read().decode("utf-8", "replace")
    except (OSError, http.client.HTTPException) as error:
        print(f"{host}:{port} does not answer: {type(error).__name__}")
        return UNWELL
    finally:
        connection.close()
    print(told)
    return WELL if answer.status == http.client.OK else UNWELL


if __name__ == "__main__":
    sys.exit(check(os.environ, sys.argv[1] if len(sys.argv) > 1 else "/healthz"))
