"""What is refused: to the app in Slack's codes, to a person in a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


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
