"""Where the HTTP interface is served, and to whom, as the environment says it."""

import errno
import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from bot.api.tokens import Token, read_tokens
from bot.environment import API_HOST, API_PORT, is_address
from bot.story_links import DAYS, SHORTEST_KEY, PageAccess
from engine.errors import Misconfigured

API_RATE: Final = 600
"""Calls a minute."""
API_CONNECTIONS: Final = 1_000
HIGHEST_PORT: Final = 65_535
DRAIN: Final = 2.0
LONGEST_DRAIN: Final = 60.0
MOST_LINK_DAYS: Final = 365
ORIGIN: Final = re.compile(r"https?://[A-Za-z0-9.\-\[\]:]+")
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
HEALTH_FORMS: Final = ("yes", "no")
UNUSABLE: Final = {errno.EADDRINUSE: "taken already", errno.EACCES: "not yours to take"}
"""Why an address cannot be had, by the system's error; else it is none of this machine."""
SECONDS: Final = re.compile(r"\d+(\.\d+)?")


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """What may be held open without having shown a token or a signature, and for how long."""

    head_seconds: float = 10.0
    """In which the head of a request has to come, from its first byte on."""
    of_one_address: int = API_CONNECTIONS
    """Connections that have shown nothing so far."""
    unknown: int = 2 * API_CONNECTIONS
    """Those of all addresses together."""
    most: int = 8 * API_CONNECTIONS
    """All connections."""
    proxies: tuple[Network, ...] = ()
    """Addresses of proxies that are believed whom they ask for (X-Forwarded-For)."""


@dataclass(frozen=True, slots=True)
class ApiAccess:
    """Where the HTTP interface is served, and to whom."""

    tokens: tuple[Token, ...] = ()
    host: str = API_HOST
    port: int = API_PORT
    """0 takes any that is free."""
    origins: frozenset[str] = frozenset()
    """Of pages that may call it from a browser."""
    per_minute: int = API_RATE
    """Calls of one token."""
    patience: float = 15.0
    """Seconds that the answer to a demand waits for it to be understood."""
    drain_seconds: float = DRAIN
    """For which it goes on after it was told to end, so that whoever sends it calls has noticed."""
    body_seconds: float = 10.0
    """Seconds in which all of a body has to come."""
    connections: ConnectionLimits = ConnectionLimits()
    signing_secret: str = field(default="", repr=False)
    """Checks calls of Slack over HTTP; empty where Slack may not call."""
    pages: PageAccess | None = None
    """How people reach the pages of stories; None where there are none."""


def read_api(environ: Mapping[str, str]) -> ApiAccess | None:
    """Return where the HTTP interface is served; None where nobody may call anything."""
    faults: list[str] = []
    api = api_access(environ, faults)
    if faults:
        raise Misconfigured(faults)
    return api


def api_access(environ: Mapping[str, str], faults: list[str]) -> ApiAccess | None:
    said, secret = environ.get("TOWOW_API_TOKENS", "").strip(), environ.get("SLACK_SIGNING_SECRET", "").strip()
    pages = _pages(environ, faults)
    health = environ.get("TOWOW_API_HEALTH", "").strip()
    if health not in ("", *HEALTH_FORMS):
        faults.append(f"TOWOW_API_HEALTH is {health!r}; it can be {' or '.join(HEALTH_FORMS)}")
    tokens = read_tokens(said, faults)
    port, rate = environ.get("TOWOW_API_PORT") or str(API_PORT), environ.get("TOWOW_API_RATE") or str(API_RATE)
    if not (port.isdecimal() and int(port) <= HIGHEST_PORT):
        faults.append(f"TOWOW_API_PORT is {port!r}; it is a port, such as {API_PORT}")
    if not (rate.isdecimal() and int(rate) > 0):
        faults.append(f"TOWOW_API_RATE is {rate!r}; it is how many calls a token has in a minute, such as {API_RATE}")
    connections = environ.get("TOWOW_API_CONNECTIONS") or str(API_CONNECTIONS)
    if not (connections.isdecimal() and int(connections) > 0):
        faults.append(f"TOWOW_API_CONNECTIONS is {connections!r}; it is a number, such as {API_CONNECTIONS}")
    origins = frozenset(environ.get("CORS_ORIGINS", "").replace(",", " ").split())
    if strange := sorted(each for each in origins if each != "*" and not ORIGIN.fullmatch(each)):
        faults.append(f"CORS_ORIGINS names {', '.join(strange)}; origins look like https://towow.example:8443")
    proxies = _proxies(environ, faults)
    drain = environ.get("TOWOW_DRAIN") or f"{DRAIN:g}"
    if not (SECONDS.fullmatch(drain) and float(drain) <= LONGEST_DRAIN):
        faults.append(f"TOWOW_DRAIN is {drain!r}; it is a number of seconds up to {LONGEST_DRAIN:g}, such as {DRAIN:g}")
    if faults or not (tokens or secret or pages or health == "yes"):
        return None
    host = environ.get("TOWOW_API_HOST") or API_HOST
    most = int(connections)
    limits = ConnectionLimits(of_one_address=most, unknown=2 * most, most=8 * most, proxies=proxies)
    return ApiAccess(
        tokens, host, int(port), origins, int(rate), connections=limits, signing_secret=secret, pages=pages,
        drain_seconds=float(drain),
    )  # fmt: skip


def _proxies(environ: Mapping[str, str], faults: list[str]) -> tuple[Network, ...]:
    found: list[Network] = []
    for each in environ.get("TOWOW_API_PROXIES", "").replace(",", " ").split():
        try:
            found.append(ipaddress.ip_network(each, strict=False))
        except ValueError:
            faults.append(f"TOWOW_API_PROXIES names {each!r}, which is no address; it looks like 10.0.0.0/8")
    return tuple(found)


def _pages(environ: Mapping[str, str], faults: list[str]) -> PageAccess | None:
    url, key = environ.get("TOWOW_PUBLIC_URL", "").strip(), environ.get("TOWOW_LINK_KEY", "").strip()
    days = environ.get("TOWOW_LINK_DAYS") or str(DAYS)
    if not (days.isdecimal() and 0 < int(days) <= MOST_LINK_DAYS):
        faults.append(f"TOWOW_LINK_DAYS is {days!r}; it is a number of days up to {MOST_LINK_DAYS}, such as {DAYS}")
        days = str(DAYS)
    if not url:
        return None
    if not is_address(url) or "?" in url or "#" in url:
        faults.append(f"TOWOW_PUBLIC_URL is {url!r}, which is no address; it looks like https://towow.example")
    if len(key) < SHORTEST_KEY:
        faults.append(
            f"TOWOW_LINK_KEY is shorter than {SHORTEST_KEY} characters, and TOWOW_PUBLIC_URL takes one; "
            "openssl rand -hex 24 makes a good one"
        )
    return PageAccess(key.encode(), url.rstrip("/"), int(days))
