"""Reads single variables of the environment; what is wrong with one is added to the faults of all."""

from collections.abc import Iterable, Mapping, MutableMapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from engine.errors import Misconfigured
from engine.proxies import proxy_for

API_HOST: Final = "127.0.0.1"
API_PORT: Final = 8000
IN_FILE: Final = "_FILE"
"""Behind the name of a variable: names a file that has its value."""


@dataclass(frozen=True, slots=True)
class Variable:
    """One variable of the environment; the table in docs/configuration.md is made of these."""

    name: str
    purpose: str
    default: str
    """What holds without it, in words."""
    example: str
    is_secret: bool = False
    """Whether nobody may see its value."""


def from_files(environ: Mapping[str, str], names: Iterable[str], faults: list[str]) -> dict[str, str]:
    """Return the variables whose values are in files, as containers and service managers hand secrets over.

    Args:
        names: of the variables that may be in a file, each by a variable whose name ends with ``_FILE``.
    """
    found: dict[str, str] = {}
    for name in names:
        said = environ.get(f"{name}{IN_FILE}", "").strip()
        if not said:
            continue
        if environ.get(name, "").strip():
            faults.append(f"{name} and {name}{IN_FILE} are both set; leave one of them out")
            continue
        try:
            found[name] = Path(said).read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) else "it is no text"
            faults.append(f"{name}{IN_FILE} is {said!r}, which cannot be read: {why}")
        else:
            if not found[name]:
                faults.append(f"{name}{IN_FILE} is {said!r}, which is empty")
    return found


def secret(environ: Mapping[str, str], name: str, faults: list[str]) -> str:
    """Read a secret that is one word: with a line break in it, no request could be written that carries it."""
    said = environ.get(name, "").strip()
    if any(each.isspace() or not each.isprintable() for each in said):
        faults.append(f"{name} has a space or a line break within it; copy it anew")
    return said


def trim(environ: MutableMapping[str, str], names: Iterable[str]) -> None:
    """Take off what surrounds values, as the ends of lines of a file that was written on Windows."""
    for name in names:
        if (said := environ.get(name)) is not None:
            environ[name] = said.strip()


def is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname)


def check_proxy(url: str, faults: list[str]) -> None:
    """Note what is wrong with the proxy by which an address is reached, if it is reached by one."""
    try:
        proxy_for(url)
    except Misconfigured as error:
        faults += (each for each in error.faults if each not in faults)


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
