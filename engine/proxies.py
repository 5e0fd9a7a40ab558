"""Says through which proxy an address is reached, by the environment, alike for every client of ours.

The libraries read ``HTTPS_PROXY`` and the like each in its own way: one ignores ``NO_PROXY``, and none leaves this
machine's own addresses alone. So a process takes these variables out of its environment, and every client asks here.
"""

import os
import re
from collections.abc import Mapping, MutableMapping
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final, TypeAlias
from urllib.parse import urlsplit

from engine.errors import Misconfigured

NAMES: Final = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
"""Each also in small letters, which count before these."""
EXCEPT: Final = "NO_PROXY"

_BY_SCHEME: Final = {"http": "HTTP_PROXY", "ws": "HTTP_PROXY", "https": "HTTPS_PROXY", "wss": "HTTPS_PROXY"}
_PORTS: Final = {"http": 80, "ws": 80, "https": 443, "wss": 443}
_WITH_PORT: Final = re.compile(r"\A(?:\[(?P<six>[^\]]+)\]|(?P<bare>[^:]+)):(?P<port>\d{1,5})")
_taken: Final[dict[str, str]] = {}

_Address: TypeAlias = IPv4Address | IPv6Address


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
    host = host.rstrip(".")
    address = _address(host)
    if host == "localhost" or host.endswith(".localhost"):
        return True
    if address is not None and (address.is_loopback or address.is_unspecified):
        return True
    return any(_names(each, host, address, port) for each in said.get(EXCEPT, "").replace(",", " ").split())


def _names(excepted: str, host: str, address: _Address | None, port: int) -> bool:
    """Whether an entry is of a host: ``*``, a name with what is below it, an address, a range; with a port or none."""
    if excepted == "*" or _is_within(address, excepted.strip("[]")):
        return True
    found = _WITH_PORT.fullmatch(excepted)
    name = excepted
    if found:
        if int(found["port"]) != port:
            return False
        name = found["bare"] or found["six"]
    name = name.lower().removeprefix("*").removeprefix(".").rstrip(".")
    return _is_within(address, name) or (bool(name) and (host == name or host.endswith(f".{name}")))


def _address(host: str) -> _Address | None:
    """Return the address that a host is written as; one of IPv4 also where IPv6 carries it."""
    try:
        address = ip_address(host)
    except ValueError:
        return None
    return (address.ipv4_mapped or address) if isinstance(address, IPv6Address) else address


def _is_within(address: _Address | None, addresses: str) -> bool:
    try:
        return address is not None and address in ip_network(addresses, strict=False)
    except ValueError:
        return False
