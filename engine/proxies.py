"""Says through which proxy an address is reached, by the environment, alike for every client of ours.

The libraries read ``HTTPS_PROXY`` and the like each in its own way: one ignores ``NO_PROXY``, and none leaves this
machine's own addresses alone. So a process takes these variables out of its environment, and every client asks here.
"""

import os
from collections.abc import Mapping, MutableMapping
from ipaddress import ip_address, ip_network
from typing import Final
from urllib.parse import urlsplit

from engine.errors import Misconfigured

NAMES: Final = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
"""Each also in small letters, which count before these."""
EXCEPT: Final = "NO_PROXY"

_BY_SCHEME: Final = {"http": "HTTP_PROXY", "ws": "HTTP_PROXY", "https": "HTTPS_PROXY", "wss": "HTTPS_PROXY"}
_PORTS: Final = {"http": 80, "ws": 80, "https": 443, "wss": 443}
_taken: Final[dict[str, str]] = {}


def take_over(environ: MutableMapping[str, str]) -> None:
    """Take the proxies out of an environment, so that no library reads them there; they replace those taken before."""
    _taken.clear()
    _taken.update(_said_in(environ))
    for name in NAMES:
        environ.pop(name, None)
        environ.pop(name.lower(), None)


def proxy_for(url: str) -> str | None:
    """Return the address of the proxy through which a URL is reached; None where it is reached without one.

    Raises:
        Misconfigured: what is said is no proxy of HTTP.
    """
    parts = urlsplit(url)
    said = _taken | _said_in(os.environ)
    name = _BY_SCHEME.get(parts.scheme, "")
    proxy = said.get(name) or said.get("ALL_PROXY", "")
    if not proxy or not parts.hostname or _is_excepted(parts.hostname, parts.port or _PORTS[parts.scheme], said):
        return None
    address = proxy if "://" in proxy else f"http://{proxy}"
    if not _is_of_http(address):
        raise Misconfigured([f"{name} or ALL_PROXY is no proxy of HTTP; it looks like http://proxy.example:3128"])
    return address


def _is_of_http(address: str) -> bool:
    try:
        parts = urlsplit(address)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # its port is no number
        return False


def for_children() -> Mapping[str, str]:
    """Return the variables as a program that we start is to have them."""
    said = _taken | _said_in(os.environ)
    return {each: value for name, value in said.items() for each in (name, name.lower())}


def _said_in(environ: Mapping[str, str]) -> dict[str, str]:
    found = {name: environ.get(name.lower()) or environ.get(name) or "" for name in (*NAMES, EXCEPT)}
    return {name: value.strip() for name, value in found.items() if value.strip()}


def _is_excepted(host: str, port: int, said: Mapping[str, str]) -> bool:
    if host == "localhost" or host.endswith(".localhost") or _is_within(host, "127.0.0.0/8") or _is_within(host, "::1"):
        return True
    return any(_names(each, host, port) for each in said.get(EXCEPT, "").replace(",", " ").split())


def _names(excepted: str, host: str, port: int) -> bool:
    """Whether an entry is of a host: ``*``, a name with what is below it, an address, a range; with a port or none."""
    if excepted == "*" or _is_within(host, excepted):
        return True
    name, _, said = excepted.strip("[]").rpartition(":") if excepted.count(":") == 1 else (excepted, "", "")
    if said and said != str(port):
        return False
    name = name.lower().removeprefix("*").removeprefix(".").rstrip(".")
    return bool(name) and (host == name or host.endswith(f".{name}"))


def _is_within(host: str, addresses: str) -> bool:
    try:
        return ip_address(host) in ip_network(addresses.strip("[]"), strict=False)
    except ValueError:
        return False
