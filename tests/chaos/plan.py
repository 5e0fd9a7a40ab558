"""What goes wrong in a siege, and when: all of it follows from the seed."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from bot.local_slack.faults import Fault

EVERY: Final = 2.5
"""Seconds between two steps, on average."""

TIME_PASSES: Final = 16.0
"""Seconds between two jumps of the clock by `HALF_A_MINUTE`: without them nothing but the windows that people are given
would fit into a siege."""
HALF_A_MINUTE: Final = 30
"""Seconds: less than what Slack's SDK takes for a connection that has died."""

BEFORE_THE_FIRST: Final = 4.0
"""Seconds."""

SLACK_METHODS: Final = (
    *("chat.postMessage",) * 4, *("chat.update",) * 2, "response_url", "conversations.open", "conversations.replies",
    "conversations.history", "users.info", "views.open", "chat.postEphemeral", "auth.test", "apps.connections.open",
    "agents.sessions.setStatus",
)  # fmt: skip
RESTRICTIONS: Final = (
    "restricted_action", "restricted_action_read_only_channel", "restricted_action_thread_only_channel",
    "restricted_action_non_threadable_channel", "missing_scope",
)  # fmt: skip
SCOPES: Final = (
    "channels:history", "channels:join", "channels:read", "chat:write.public", "reactions:write", "usergroups:read",
)  # fmt: skip
"""Without which something is left out. Without others, nobody can be told anything."""
ENVELOPES: Final = ("events_api", "interactive", "interactive", "interactive")


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that goes wrong."""

    number: int
    at: float
    """Seconds after the beginning."""
    kind: str
    """A name in `KINDS` or `SEVERAL`."""
    what: str = ""
    """Which of its kind."""
    given: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.kind}: {self.what}" if self.what else self.kind

    def __str__(self) -> str:
        given = " ".join(f"{name}={value}" for name, value in self.given.items())
        return f"{self.number} at {self.at:.1f} s, {self.name} {given}".rstrip()


Drawn = tuple[str, dict[str, Any]]


def _slack(rng: Random) -> Drawn:
    method, nth = rng.choice(SLACK_METHODS), rng.randint(1, 3)
    what: dict[str, dict[str, Any]] = {
        "429": {"do": "status", "status": 429, "retry_after": rng.randint(1, 3)},
        "5xx": {"do": "status", "status": rng.choice((500, 502, 503, 504))},
        "error": {"do": "error", "error": rng.choice(("internal_error", "fatal_error", "service_unavailable"))},
        "reset before": {"do": "drop_before"},
        "reset after": {"do": "drop_after"},
        "truncated": {"do": "truncate"},
        "slow": {"do": "delay", "seconds": rng.choice((0.5, 2.0, 12.0))},
        "late": {"do": "late", "seconds": round(rng.uniform(2.0, 14.0), 1)},
    }
    name = rng.choice([*what, "late"])
    # A late look, form or private message is one that nobody waits for any more; a late post is what has to be found.
    fault = what[name] | {"method": "chat.postMessage" if name == "late" else method, "nth": nth}
    return name, Fault(**fault, times=rng.randint(1, 2)).model_dump(exclude_defaults=True)


def _socket(rng: Random) -> Drawn:
    what: dict[str, dict[str, Any]] = {
        "sent, then cut": {"do": "drop_sent"},
        "ack lost": {"do": "lose_ack"},
        "doubled": {"do": "double"},
        "late": {"do": "delay", "seconds": round(rng.uniform(0.5, 6.0), 1)},
    }
    name = rng.choice([*what, "disconnected"])
    if name == "disconnected":
        return name, {"how": rng.choice(("refresh_requested", "close", "abort"))}
    return name, Fault(**what[name], method=rng.choice(ENVELOPES), times=rng.randint(1, 3)).model_dump(
        exclude_defaults=True
    )


def _model(rng: Random) -> Drawn:
    return rng.choice(("400", "429", "500", "529", "stall", "garbage", "truncated", "reset", "refusal")), {
        "times": rng.randint(1, 4)
    }


def _clock(rng: Random) -> Drawn:
    by = rng.choice((600, 3_700, -30, -600, -3_600))
    return "forward" if by > 0 else "back", {"by": by}


def _world(rng: Random) -> Drawn:
    seconds = rng.choice((3.0, 8.0, 20.0))
    what: dict[str, dict[str, Any]] = {
        "restricted": {"hall": rng.choice((1, 2)), "why": rng.choice(RESTRICTIONS), "seconds": seconds},
        "removed": {"seconds": seconds},
        "scope": {"scope": rng.choice(SCOPES), "seconds": seconds},
        "closed": {"who": rng.randint(0, 1), "is_told": rng.random() < 0.5},
        "shared": {"hall": 2, "is_private": False},
        "uninstalled": {"seconds": seconds},
        "reinstalled": {"seconds": seconds},
        "unshared": {"hall": rng.choice((2, 5))},
    }
    name = rng.choice([*what, "shared", "moved"])
    return ("shared", {"hall": 5, "is_private": True}) if name == "moved" else (name, what[name])


def _kill(rng: Random) -> Drawn:
    return "", {"down": rng.choice((0.0, 0.0, 0.5, 2.0))}


def _freeze(rng: Random) -> Drawn:
    return "", {"seconds": rng.choice((3.0, 12.0, 40.0, 60.0))}


def _postgres(rng: Random) -> Drawn:
    return rng.choice(("killed", "restarted")), {"seconds": rng.choice((0.0, 1.0, 3.0))}


def _disk(rng: Random) -> Drawn:
    return "full", {"seconds": rng.choice((1.0, 2.0, 4.0))}


KINDS: Final[dict[str, tuple[int, Callable[[Random], Drawn]]]] = {
    "kill": (9, _kill),
    "stop": (2, lambda _: ("", {})),
    "slack": (40, _slack),
    "model": (14, _model),
    "socket": (14, _socket),
    "disk": (4, _disk),
    "clock": (5, _clock),
    "world": (14, _world),
    "second": (2, lambda rng: (rng.choice(("same path", "symlink")), {})),
}
"""How often each kind comes, against the others, and how what it is in particular is drawn."""

SEVERAL: Final[dict[str, tuple[int, Callable[[Random], Drawn]]]] = {
    "kill": (40, _kill),
    "stop": (4, lambda _: ("", {})),
    "freeze": (5, _freeze),
    "postgres": (3, _postgres),
    "slack": (18, _slack),
    "model": (6, _model),
    "socket": (12, _socket),
    "clock": (2, _clock),
}
"""The same where several bots share a server of PostgreSQL."""


def plan(
    seed: int,
    seconds: float,
    without: Collection[str] = (),
    kinds: Mapping[str, tuple[int, Callable[[Random], Drawn]]] = KINDS,
) -> list[Step]:
    """Draw what goes wrong within so many seconds; the same for the same seed.

    Args:
        without: kinds that this machine cannot do. The others come when they would.
    """
    rng, drawn, at = Random(seed), list[tuple[float, str, Drawn]](), BEFORE_THE_FIRST
    while at < seconds:
        kind = rng.choices([*kinds], [often for often, _ in kinds.values()])[0]
        drawn.append((at, kind, kinds[kind][1](rng)))
        at += rng.expovariate(1 / EVERY)
    jumps = int(seconds / TIME_PASSES)
    drawn += [
        (TIME_PASSES * number, "clock", ("half a minute", {"by": HALF_A_MINUTE})) for number in range(1, jumps + 1)
    ]
    drawn.sort(key=lambda each: each[0])
    steps = [Step(number, at, kind, *of_it) for number, (at, kind, of_it) in enumerate(drawn, start=1)]
    return [step for step in steps if step.kind not in without]
