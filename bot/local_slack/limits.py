"""What is refused, to the app in Slack's codes, to a person in a sentence; and Slack's rate limits."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .model import Now


class Refusal(Exception):
    """The Web API answers `{"ok": false, "error": code}`; `details` go into response_metadata.messages."""

    def __init__(self, code: str, details: Sequence[str] = ()) -> None:
        super().__init__(code)
        self.code = code
        self.details = list(details)


class InvalidBlocks(Refusal):
    """blocks.validate says where each fault is."""

    def __init__(self, code: str, errors: Sequence[Mapping[str, object]]) -> None:
        super().__init__(code)
        self.errors = list(errors)


class TooMany(Refusal):
    """The call exceeds its rate limit; the next one may be made in `seconds`."""

    def __init__(self, seconds: int) -> None:
        super().__init__("ratelimited")
        self.seconds = seconds


class MissingScope(Refusal):
    """The app was not given what this call needs; Slack says both."""

    def __init__(self, needed: Sequence[str], provided: Sequence[str]) -> None:
        super().__init__("missing_scope")
        self.needed = ",".join(needed)
        self.provided = ",".join(provided)


class NotPossible(Exception):
    """A person tried what Slack's client would not let them do."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class PortTaken(Exception):
    """The port is in use, or this user may not open it."""

    def __init__(self, port: int, why: str) -> None:
        super().__init__(f"Port {port} is {why}; choose another one, or 0 for any that is free.")
        self.port = port


class RealTokensPresent(Exception):
    """The local workspace does not start beside tokens of a real one."""

    def __init__(self, variable: str) -> None:
        super().__init__(
            f"{variable} holds a token of a real Slack workspace, so the local workspace does not start; "
            f"unset {variable} to work locally, or run against Slack with `towow run`."
        )
        self.variable = variable


ROUNDING = 1e-5
"""Calls: an app that keeps the rate exactly must not be refused for the last digit of a float."""


@dataclass(frozen=True)
class Rate:
    """`burst` calls at once, then `per_minute` on average."""

    per_minute: float
    burst: int


TIER_2 = Rate(20, 20)
TIER_3 = Rate(50, 50)
TIER_4 = Rate(100, 100)
HUNDREDS = Rate(600, 600)
"""Where Slack allows "hundreds of requests per minute"; its own Java SDK reads that as 600."""

CHANNEL_POSTS = Rate(60, 4)
WORKSPACE_POSTS = Rate(300, 100)
"""Slack says one message per second per channel, with short bursts, and "several hundred" a minute in the workspace."""

RATES = {
    "agents.sessions.setStatus": TIER_3,
    "apps.connections.open": TIER_3,
    "assistant.threads.setSuggestedPrompts": TIER_4,
    "auth.test": HUNDREDS,
    "blocks.validate": TIER_3,
    "bots.info": TIER_3,
    "chat.delete": TIER_3,
    "chat.getPermalink": HUNDREDS,
    "chat.postEphemeral": TIER_4,
    "chat.postMessage": WORKSPACE_POSTS,
    "chat.update": TIER_3,
    "conversations.history": TIER_3,
    "conversations.info": TIER_3,
    "conversations.join": TIER_3,
    "conversations.list": TIER_2,
    "conversations.members": TIER_4,
    "conversations.open": TIER_3,
    "conversations.replies": TIER_3,
    "files.completeUploadExternal": TIER_4,
    "files.getUploadURLExternal": TIER_4,
    "files.info": TIER_4,
    "functions.completeError": TIER_3,
    "functions.completeSuccess": TIER_3,
    "reactions.add": TIER_3,
    "reactions.remove": TIER_2,
    "team.info": TIER_3,
    "dnd.teamInfo": TIER_2,
    "usergroups.list": TIER_2,
    "usergroups.users.list": TIER_2,
    "users.conversations": TIER_2,
    "users.info": TIER_4,
    "users.list": TIER_2,
    "views.open": TIER_4,
    "views.publish": TIER_4,
    "views.push": TIER_4,
    "views.update": TIER_4,
}
"""Each method's documented tier, per workspace. Methods that are not here are not limited."""


OF_MANY = frozenset({"conversations.history", "conversations.replies"})
ONCE_A_MINUTE = Rate(1, 1)
LONGEST_PAGE = 15
"""What Slack lets apps read of channels that are distributed without being in its Marketplace: how often, and how much
at a time."""


class Limits:
    """Token buckets: one for each method, and for chat.postMessage one more for each channel."""

    def __init__(self, now: Now) -> None:
        self._now = now
        self.on = False
        self.distributed = False  # is the app given to many, without being in Slack's Marketplace?
        self.throttled: Counter[str] = Counter()  # method -> calls answered with 429, those on order too
        self._buckets: dict[str, tuple[float, float]] = {}  # method (and channel) -> (calls left, when counted)

    def switch(self, on: bool, distributed: bool = False) -> None:
        self.on, self.distributed = on, distributed
        self._buckets.clear()

    def retry_after(self, method: str, channel: str | None) -> int | None:
        """Seconds until this call may be made; None if it may be made now, and it is then counted."""
        if not self.on:
            return None
        now = self._now()
        buckets = _buckets(method, channel)
        if self.distributed and method in OF_MANY:
            buckets[method] = ONCE_A_MINUTE
        left = {name: self._left(name, rate, now) for name, rate in buckets.items()}
        short = [_seconds(1 - left[name], rate) for name, rate in buckets.items() if left[name] < 1 - ROUNDING]
        if short:
            return max(1, math.ceil(max(short) - ROUNDING))
        for name in buckets:
            self._buckets[name] = (left[name] - 1, now)
        return None

    def _left(self, name: str, rate: Rate, now: float) -> float:
        """Calls that are left now; they do not become fewer when the clock jumps back."""
        left, since = self._buckets.get(name, (float(rate.burst), now))
        return min(float(rate.burst), left + max(0.0, now - since) * rate.per_minute / 60)


def _buckets(method: str, channel: str | None) -> dict[str, Rate]:
    buckets = {method: RATES[method]} if method in RATES else {}
    return buckets | ({f"{method} {channel}": CHANNEL_POSTS} if method == "chat.postMessage" else {})


def _seconds(calls: float, rate: Rate) -> float:
    return calls * 60 / rate.per_minute
