"""Reads single variables of the environment; what is wrong with one is added to the faults of all."""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from urllib.parse import urlsplit


def is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname)


def seconds(environ: Mapping[str, str], name: str, default: float, faults: list[str]) -> float:
    said = environ.get(name) or str(default)
    try:
        read = float(said)
    except ValueError:
        read = 0.0
    if not 0 < read < 3600:
        faults.append(f"{name} is {said!r}; it is a number of seconds, such as {default:g}")
    return read


def whole_number(environ: Mapping[str, str], name: str, default: int, what: str, faults: list[str]) -> int:
    """Read a number of at least 1; ``what`` it is a number of, in the words of a fault."""
    said = environ.get(name) or str(default)
    if said.isdecimal() and int(said) > 0:
        return int(said)
    faults.append(f"{name} is {said!r}; it is a number of {what}, such as {default}")
    return default


def dollars(environ: Mapping[str, str], name: str, faults: list[str]) -> Decimal | None:
    """Read an amount of US dollars; None where nothing is said."""
    said = environ.get(name, "").strip()
    if not said:
        return None
    try:
        read = Decimal(said)
    except InvalidOperation:
        read = Decimal(-1)
    if read.is_finite() and read > 0:
        return read
    faults.append(f"{name} is {said!r}; it is an amount of US dollars, such as 2.50; leave it out for no bound")
    return None
