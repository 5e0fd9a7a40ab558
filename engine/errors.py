"""Everything the engine can say no with. A protocol adds its own refusals in a module of the same name.

    EngineError
    ├── Refusal                 a command that may not be; nothing moved
    │   ├── InvalidInput        E001  400  what was said cannot be used as it is
    │   │   └── NotAColleague   E001  400  somebody who was chosen is a bot, an outsider, or has gone
    │   ├── UnknownStream       E007  404
    │   │   └── WrongProtocol   E007  404  it is there, and another protocol rules it
    │   ├── UnknownAgent        E008  404
    │   ├── IllegalStep         E010  409  the right command at the wrong time
    │   │   ├── Outdated        E010  409  a form about what somebody else has changed meanwhile
    │   │   └── NothingToHandOver  E010  409  going on from what has come to nothing, or not to its end yet
    │   ├── Duplicate           E011  200  seen before; nothing more to do
    │   ├── NotAllowed          E012  403  somebody else's to do
    │   ├── TooMuchOpen         E015  429  as much is under way in this workspace as may be at a time
    │   └── Unanswered          E010  409  no rule for this: parked, where a person can see it
    ├── ModelError              a model gave no usable answer
    │   ├── ModelUnavailable    E003  503
    │   ├── ModelTimeout        E004  504
    │   ├── InvalidAnswer       E013  503  it answered, and nobody can read it
    │   └── BudgetSpent         E014  503  it may not be asked: what may be spent is spent
    ├── StoreError              the truth cannot be read or written just now
    │   ├── WrongVersion        somebody else wrote this stream first
    │   ├── LeaseLost           another runtime has taken over
    │   ├── StoreUnavailable    disk full, locked, closed
    │   └── StoreUnusable       corrupt, read-only, of a newer ToWow
    │       └── StoreInUse      another process has it
    └── Misconfigured           found at start: everything missing or wrong, at once
        └── AddressTaken        another process listens there

The codes E001 to E009 are seed 000's; E010 and E011 are the design's; E012 is added here, because a vote for
somebody else's seat is neither a malformed demand nor a step out of order. E013 is added too: a model that cannot be
reached comes back by itself, and one whose answers nobody can read does not. So is E014: a budget is somebody's
decision. E015 says to come back later: nothing is wrong with what was asked.
"""

from collections.abc import Sequence
from typing import ClassVar, Self


class EngineError(Exception):
    """Root of the tree."""


class Refusal(EngineError):
    """A command that may not be. The message is fit for people; nothing moved."""

    code: ClassVar[str] = "E010"
    http_status: ClassVar[int] = 409

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class InvalidInput(Refusal):
    """What was said cannot be used as it is."""

    code = "E001"
    http_status = 400


class NotAColleague(InvalidInput):
    """Somebody who was chosen is a bot, from outside, or has no account any more."""


class UnknownStream(Refusal):
    code = "E007"
    http_status = 404


class WrongProtocol(UnknownStream):
    """The stream exists, but another protocol rules it."""

    @classmethod
    def of(cls, stream: str, found: str, wanted: str) -> "WrongProtocol":
        return cls(f"{stream} is a stream of the protocol {found!r}; a stream of {wanted!r} is needed here.")


class UnknownAgent(Refusal):
    code = "E008"
    http_status = 404


class IllegalStep(Refusal):
    code = "E010"
    http_status = 409


class Outdated(IllegalStep):
    """A form about something that somebody else has changed since it was opened."""


class NothingToHandOver(IllegalStep):
    """A stream from which another one was to go on has come to nothing that it could hand over, or not yet."""


class Duplicate(Refusal):
    """The same command was handled before; its outcome stands."""

    code = "E011"
    http_status = 200


class NotAllowed(Refusal):
    code = "E012"
    http_status = 403


class TooMuchOpen(Refusal):
    """As much is under way in a workspace as may be at a time, so that nothing more begins there."""

    code = "E015"
    http_status = 429

    @classmethod
    def at_most(cls, most: int) -> Self:
        return cls(
            f"{most} demands, plans and deliveries are under way in this workspace, which is as many as may be at a "
            "time; nothing was begun. Try again in ten minutes, or once one of them has ended."
        )


class Unanswered(Refusal):
    """No rule says what to do; what asked is parked, where a person can see it."""


REFUSALS: dict[str, type[Refusal]] = {
    each.__name__: each
    for each in (
        InvalidInput, NotAColleague, UnknownStream, WrongProtocol, UnknownAgent, IllegalStep, Outdated,
        NothingToHandOver, Duplicate, NotAllowed, TooMuchOpen, Unanswered,
    )
}  # fmt: skip
"""The general ones, which every protocol may say."""


class ModelError(EngineError):
    """A model gave no usable answer; the step is degraded and says so."""

    code: ClassVar[str] = "E003"
    http_status: ClassVar[int] = 503


class ModelUnavailable(ModelError):
    code = "E003"


class ModelTimeout(ModelError):
    code = "E004"
    http_status = 504


class InvalidAnswer(ModelError):
    """The model answered, but not in the schema."""

    code = "E013"


class BudgetSpent(ModelError):
    """The model may not be asked: with what it could cost, more would be spent than is allowed."""

    code = "E014"


class StoreError(EngineError):
    """The truth cannot be read or written just now."""


class WrongVersion(StoreError):
    """Somebody else wrote this stream first: load it again."""


class LeaseLost(StoreError):
    """Another runtime has taken over this store: this one decides nothing more."""


class StoreUnavailable(StoreError):
    """Worth another try: disk full, locked, closed."""


class StoreFull(StoreUnavailable):
    """There is no room on its disk."""


class StoreUnusable(StoreError):
    """Not worth another try: corrupt, read-only, or written by a newer ToWow."""


class StoreDamaged(StoreUnusable):
    """What is read is not what was written."""


class StoreInUse(StoreUnusable):
    """Another process has it. It may be another one soon: a command that looks after it ends."""


class Misconfigured(EngineError):
    """Found at start-up. Names everything that is missing or wrong, at once."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = tuple(faults)


class AddressTaken(Misconfigured):
    """Another process listens where this one is to. It may be an earlier one that is about to end."""
