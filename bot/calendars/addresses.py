"""Which addresses of calendars may be asked: only https, and only what everybody on the internet can reach."""

import re
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

from yarl import URL

LONGEST: Final = 2_000
"""Characters."""
SCHEMES: Final = {"https", "webcal", "webcals"}
WRITTEN_OUT: Final = re.compile("[!-~]+")
HOST: Final = re.compile(r"[A-Za-z0-9._:\-]+")
NAT64: Final = IPv6Network("64:ff9b::/96")

Network = IPv4Network | IPv6Network


class NoAddress(Exception):
    """What somebody gave is not the address of a calendar that may be asked."""


def calendar_url(said: str) -> URL:
    """Return the address as it is asked; ``webcal:`` is https.

    Raises:
        NoAddress: it is none, is of another scheme, or has a password in it.
    """
    scheme, _, rest = said.strip().partition("://")
    if len(said) > LONGEST or scheme.lower() not in SCHEMES:
        raise NoAddress
    try:
        # A secret is sent as it was given: written in another way, some servers do not know it.
        url = URL(f"https://{rest}", encoded=WRITTEN_OUT.fullmatch(rest) is not None)
        if not HOST.fullmatch(url.raw_host or "") or url.user or url.password or not url.port:
            raise NoAddress
        return url.with_fragment(None)
    except ValueError as error:
        raise NoAddress from error


def may_be_asked(address: str, networks: Sequence[Network]) -> bool:
    """Whether calendars are read at an IP address.

    Args:
        networks: which are not public, and are allowed nevertheless.
    """
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    meant = _meant(found)
    return _is_public(meant) or any(each in network for network in networks for each in (found, meant))


def networks_in(said: str) -> tuple[Network, ...]:
    """Read addresses and ranges.

    Raises:
        ValueError: one of them is neither an address nor a range.
    """
    return tuple(ip_network(each) for each in said.replace(",", " ").split())


def _meant(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """Return the address that is reached by another one which only wraps it."""
    if isinstance(address, IPv4Address):
        return address
    wrapped = address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
    if wrapped is None and address in NAT64:
        wrapped = IPv4Address(int(address) & 0xFFFFFFFF)
    return wrapped or address


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    return address.is_global and not (
        address.is_multicast or address.is_reserved or address.is_unspecified or address.is_loopback
    )
