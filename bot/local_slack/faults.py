"""Faults that a test or an admin sets: what goes wrong, at which call, how often."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from pydantic import BaseModel, ConfigDict

from .limits import NotPossible

FaultKind = Literal[
    "status", "error", "delay", "drop_before", "drop_after", "truncate", "late", "hold", "drop_sent", "lose_ack",
    "double", "hurry",
]  # fmt: skip


class Fault(BaseModel):
    """A rule. `method` is a Web API method, "response_url", "*", or for sockets the envelope's type.

    - `status`: answer with this HTTP status and `{"ok": false, "error": ...}`, nothing done.
    - `error`: the same with the status that such a refusal has (200; at a response_url 404 or 500), nothing done.
    - `delay`: wait `seconds`, then go on as usual: with a call, or with sending an envelope.
    - `drop_before`: close the connection, nothing done.
    - `drop_after`: do it, then close the connection without an answer.
    - `truncate`: do it, answer with half of the body, then close the connection.
    - `late`: close the connection without an answer, and do it `seconds` later, or when released.
    - `hold`: do it, answer when released.
    - `drop_sent`: send the envelope ("events_api", "interactive", "slash_commands"), then cut the socket.
    - `lose_ack`: send it, and cut the socket as its ack arrives, unread.
    - `double`: send it twice.
    - `hurry`: send it, and wait no longer than `seconds` for its ack.
    """

    model_config = ConfigDict(frozen=True)

    method: str
    do: FaultKind
    nth: int = 1  # the first call that is hit, counted from when the fault was set
    times: int | None = 1  # how many calls from there on; None: all
    status: int = 500
    error: str = "internal_error"  # a 429 says "ratelimited" whatever stands here
    seconds: float = 0.0
    retry_after: int | str | None = None  # sent as a Retry-After header with `status` and `error`; seconds, as a rule


@dataclass
class ActiveFault:
    """A fault that was set, with the calls it has seen and hit so far."""

    id: str
    fault: Fault
    seen: int = 0
    hits: int = 0
    reached: asyncio.Event = field(default_factory=asyncio.Event)
    released: asyncio.Event = field(default_factory=asyncio.Event)

    def strikes_next_call(self) -> bool:
        """Count one more call, and say whether the fault hits it."""
        self.seen += 1
        late = self.fault.times is not None and self.seen >= self.fault.nth + self.fault.times
        if self.seen < self.fault.nth or late:
            return False
        self.hits += 1
        if self.fault.do != "hold":
            self.reached.set()  # a hold is reached when its effect is done
        return True


class Faults:
    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self._rules: dict[str, ActiveFault] = {}
        self._set = 0

    def add(self, fault: Fault) -> ActiveFault:
        self._set += 1
        rule = self._rules[f"fault-{self._set}"] = ActiveFault(f"fault-{self._set}", fault)
        return rule

    def rule(self, rule_id: str) -> ActiveFault:
        if rule_id not in self._rules:
            raise NotPossible(f"There is no fault {rule_id}; it may have been cleared.")
        return self._rules[rule_id]

    def clear(self) -> None:
        for rule in self._rules.values():
            rule.reached.set()
            rule.released.set()
        self._rules.clear()

    def record_call(self, method: str) -> list[ActiveFault]:
        """Count a call of this method, and return the faults that hit it."""
        self.calls[method] += 1
        return [
            rule for rule in self._rules.values() if rule.fault.method in (method, "*") and rule.strikes_next_call()
        ]
