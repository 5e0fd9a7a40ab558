"""Trigger ids: the app may open one modal with each, within three seconds, in the browser in which somebody acted."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final

from .limits import Refusal
from .model import Now

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


TRIGGER_LIFETIME = 3.0  # seconds


@dataclass
class Trigger:
    id: str
    user: str
    issued: float
    browser: str = ""  # in which the person acted
    from_view: str | None = None  # the modal in which the person acted
    opened: str | None = None  # the view it was exchanged for


class Triggers:
    def __init__(self, now: Now) -> None:
        self._now = now
        self._issued: dict[str, Trigger] = {}

    def issue(self, user: str, from_view: str | None = None) -> Trigger:
        # Kept for a while after they end: "expired" is a better answer than "unknown".
        old = [known.id for known in self._issued.values() if known.issued < self._now() - 600]
        for trigger_id in old:
            del self._issued[trigger_id]
        trigger = Trigger(f"{len(self._issued) + 1}.{secrets.token_hex(12)}", user, self._now(), here(), from_view)
        self._issued[trigger.id] = trigger
        return trigger

    def knows(self, trigger_id: str) -> bool:
        return trigger_id in self._issued

    def exchange(self, trigger_id: str) -> Trigger:
        """The trigger, now used up."""
        trigger = self._issued.get(trigger_id)
        if trigger is None:
            raise Refusal("invalid_trigger_id")
        if trigger.opened is not None:
            raise Refusal("exchanged_trigger_id")
        if self._now() - trigger.issued > TRIGGER_LIFETIME:
            raise Refusal("expired_trigger_id")
        trigger.opened = ""
        return trigger
