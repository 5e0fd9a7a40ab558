"""In which browser somebody acts. What an app opens for them stays where they acted, as in Slack's own clients."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

HEADER: Final = "X-Local-Browser"
"""Names one tab of the page in each of its requests; other clients of the local API send none."""

_ACTING_IN: ContextVar[str] = ContextVar("acting_in", default="")


@contextmanager
def acting_in(browser: str) -> Iterator[None]:
    before = _ACTING_IN.set(browser)
    try:
        yield
    finally:
        _ACTING_IN.reset(before)


def here() -> str:
    """Return the browser in which somebody acts just now; empty where it is none."""
    return _ACTING_IN.get()


def is_seen_in(browser: str, opened_in: str) -> bool:
    """Whether what was opened in one browser is seen in another: a client that is no browser sees everything."""
    return not browser or not opened_in or browser == opened_in
