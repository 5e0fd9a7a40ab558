"""Trigger ids: the app may open one modal with each, within three seconds."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from .browsers import here
from .clock import Now
from .refusals import Refusal

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
