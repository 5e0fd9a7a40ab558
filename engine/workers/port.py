"""What a protocol asks of whoever runs workers, and what comes back. No protocol is known here."""

from typing import Any, Literal, Protocol

from engine.kernel import Command, Message, Millis, RegisterOutputs, RunWorker, StreamKey

Failure = Literal[
    "timeout", "stalled", "exit", "not_started", "protocol", "flood", "evidence_missing", "artifact_refused",
    "check_failed", "budget", "role_missing", "workers_off", "not_isolated", "misconfigured", "agent_error",
]  # fmt: skip


class WantedOutput(Message, kw_only=True):
    """Something that has to be there in the end."""

    label: str
    path: str
    """Relative to the directory of the work; made by code, of letters, digits, ``-``, ``_`` and one dot."""


class GivenOutput(Message, kw_only=True):
    """Something that somebody says that they have made. One of the three is given."""

    label: str
    path: str
    """Where it is to lie, relative to the session's artifacts; made by code."""
    text: str = ""
    link: str = ""
    file_id: str = ""
    """Of a file that they have uploaded; whoever runs workers is given a way to fetch it."""
    file_name: str = ""


class AnsweredPermission(Message, kw_only=True):
    digest: str
    is_allowed: bool
    expires: Millis = 0
    """0 where it holds once: for the first question with this digest."""


class Limits(Message, kw_only=True):
    """Seconds and bytes of one attempt."""

    total: float
    silence: float
    permission_wait: float
    output_bytes: int
    artifact_bytes: int
    tokens: int = 0
    """What it may still spend; 0 is without bound."""
    usd: float = 0.0


class WorkOrder(Message, kw_only=True):
    """One attempt of a worker."""

    session: str
    """Also the name of its directory."""
    ticket: str
    """Also the name of the directory of the work, within the session's."""
    attempt: int
    role_id: str
    purpose: str
    """``work``, or ``discuss``: to say something to a proposal."""
    text: str
    """The whole of what an agent is told, as data: it never becomes an argument."""
    envelope: dict[str, Any]
    """The same as one envelope of seed 002, for commands that speak it."""
    outputs: tuple[WantedOutput, ...] = ()
    check: str = ""
    """Name of the registry's check command that has to pass."""
    permissions: tuple[AnsweredPermission, ...] = ()
    agent_session: str = ""
    """To be resumed, where the agent can."""
    limits: Limits


class RegisterOrder(Message, kw_only=True):
    """What somebody says that they have made, to be registered and checked."""

    session: str
    ticket: str
    attempt: int
    outputs: tuple[GivenOutput, ...]
    check: str = ""
    limits: Limits


class Registered(Message, kw_only=True):
    """A file that was read, and read back from where it is kept; or a link."""

    label: str
    uri: str
    """Relative to the session's directory, such as ``artifacts/T-1/1/plan.md``; the address where it is a link."""
    digest: str
    """``sha256:`` and 64 hexadecimal digits."""
    content_type: str
    size_bytes: int
    description: str = ""
    is_link: bool = False
    beginning: str = ""
    """Of a text; empty of anything else, and of a link, which nothing of ours opens."""


class CheckResult(Message, kw_only=True):
    name: str
    has_passed: bool
    detail: str = ""


PermissionKind = Literal[
    "read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"
]
"""Of the Agent Client Protocol."""


class AskedPermission(Message, kw_only=True):
    digest: str
    kind: PermissionKind
    title: str
    detail: str = ""


class Fault(Message, kw_only=True):
    """An envelope that was none."""

    payload_type: str = ""
    message: str
    """Which field is wrong, and what it must be; nothing of its content."""


class WorkOutcome(Message, kw_only=True):
    """What became of an attempt."""

    failure: Failure | None = None
    """None where it says ``completed`` and everything is there, where it is blocked, or where it asks for leave."""
    detail: str = ""
    """What happened, in a sentence; nothing of what it printed."""
    summary: str = ""
    issues: tuple[str, ...] = ()
    """What it lacks, where it is blocked; to a proposal: its concerns."""
    next_actions: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    """To a proposal."""
    agrees: bool = False
    """To a proposal."""
    registered: tuple[Registered, ...] = ()
    checks: tuple[CheckResult, ...] = ()
    permission: AskedPermission | None = None
    agent_session: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    usd: float = 0.0
    worker: str = ""
    """Its name and version, as it says."""
    faults: tuple[Fault, ...] = ()


class WorkPort(Protocol):
    """One protocol's orders. Every method is pure."""

    def order(self, state: Any, effect: RunWorker, *, at: Millis) -> WorkOrder: ...

    def claim(self, state: Any, effect: RegisterOutputs) -> RegisterOrder: ...

    def outcome(
        self, state: Any, effect: RunWorker | RegisterOutputs, outcome: WorkOutcome, *, command_id: str, at: Millis
    ) -> Command: ...


class FileSource(Protocol):
    """Fetches a file that somebody has uploaded."""

    async def __call__(self, key: StreamKey, file_id: str, *, most_bytes: int) -> bytes:
        """Return the bytes of a file that somebody gave."""


class FileRefused(Exception):
    """A file cannot be taken; the message says why, for people."""
