"""What ``towow doctor`` says of the address where the HTTP interface is to be served."""

import errno
import http.client
import os
import socket
from collections.abc import Callable, Iterator
from typing import Final

from bot.api_config import UNUSABLE, ApiAccess
from bot.commands.findings import Finding, Health
from bot.health_check import EVERYWHERE

PATIENCE: Final = 2.0
"""Seconds in which a ToWow says that it lives."""
LIVES: Final = b'"ok"'
"""In what it says."""


def http_interface(access: ApiAccess | None, is_used: Callable[[], bool]) -> Iterator[Finding]:
    """
    Args:
        is_used: whether a ToWow uses this database now; asked only where something has the port.
    """
    if access is None or not access.port:
        return
    where = f"{access.host}:{access.port}"
    error = _hindrance(access)
    if error is None:
        yield Finding("http", Health.FINE, f"{where} is free")
    elif error.errno == errno.EADDRINUSE and is_used() and _is_towow(access):
        yield Finding("http", Health.FINE, f"a ToWow is served at {where}")
    else:
        why = UNUSABLE.get(error.errno or 0, "no address of this machine")
        advice = "set another TOWOW_API_PORT, or stop what listens there (`ss -ltnp` names it)"
        if error.errno != errno.EADDRINUSE:
            advice = "set another TOWOW_API_HOST or TOWOW_API_PORT"
        yield Finding("http", Health.BROKEN, f"{where} is {why}", advice)


def _hindrance(access: ApiAccess) -> OSError | None:
    """Return what an attempt to take the address ends with; nothing is ever heard there."""
    try:
        found = socket.getaddrinfo(access.host or None, access.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, kind, protocol, _, address in found:
            with socket.socket(family, kind, protocol) as taken:
                if os.name == "posix":
                    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                if family == socket.AF_INET6:
                    taken.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                taken.bind(address)
    except OSError as error:
        return error
    return None


def _is_towow(access: ApiAccess) -> bool:
    connection = http.client.HTTPConnection(EVERYWHERE.get(access.host, access.host), access.port, timeout=PATIENCE)
    try:
        connection.request("GET", "/healthz")
        answer = connection.getresponse()
        return answer.status == http.client.OK and LIVES in answer.read(100)
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
