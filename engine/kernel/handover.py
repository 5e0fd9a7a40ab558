"""What a stream hands to a protocol that goes on from it: what was agreed, by whom, and what they said, in words that
every protocol shares."""

from enum import StrEnum
from typing import Annotated, Final

from engine.kernel.message import PRIVATE, Message, Millis, Place, SendCommand


class FactKind(StrEnum):
    """What somebody's words are about."""

    NEED = "need"
    """What is asked for."""
    CONSTRAINT = "constraint"
    """What holds for the whole: a budget, a place, a number of guests."""
    DATE = "date"
    OFFER = "offer"
    """What somebody brings."""
    CONDITION = "condition"
    """Under which somebody takes part."""
    LIMIT = "limit"
    """What somebody cannot do, or when."""
    REQUEST = "request"
    """What somebody wanted changed."""
    GAP = "gap"
    """What nobody brings."""


class HandedFact(Message, kw_only=True):
    """One thing that was said, by itself."""

    fact_id: str
    """Unique in its handover; short, such as ``need-2``."""
    kind: FactKind
    text: Annotated[str, PRIVATE]
    by: str = ""
    """Who said it: a user's id, or the ``person_id`` of somebody whom no user is linked to; empty where nobody alone
    did."""


class HandedPerson(Message, kw_only=True):
    """Somebody who takes part."""

    person_id: str
    """Unique in its handover: an agent id, or a user's."""
    user_id: str = ""
    """Who acts for them; empty where nobody is linked."""
    name: Annotated[str, PRIVATE] = ""
    role: Annotated[str, PRIVATE] = ""
    brings: Annotated[str, PRIVATE] = ""
    hours: float | None = None
    """How many they have said they can give; None where they said nothing."""


class HandedTask(Message, kw_only=True):
    """Something that was agreed to be done."""

    task_id: str
    title: Annotated[str, PRIVATE]
    owner: str = ""
    """A ``person_id``; empty where nobody has taken it."""
    starts: str = ""
    """ISO date; empty where none was agreed."""
    deadline: str = ""
    """ISO date; empty where none was agreed."""
    hours: float | None = None
    depends_on: tuple[str, ...] = ()
    """Task ids."""
    expected_output: Annotated[str, PRIVATE] = ""
    acceptance: Annotated[tuple[str, ...], PRIVATE] = ()
    """By what one sees that it is done."""


class Handover(Message, kw_only=True):
    """What a stream hands over once it has come to its end."""

    origin: str
    """The stream."""
    protocol: str = ""
    """The stream's; empty where it is not to be told who has gone on from it."""
    requester_id: str
    """Whose it is: they, and admins, may go on from it."""
    title: Annotated[str, PRIVATE]
    goal: Annotated[str, PRIVATE]
    place: Place
    language: str = ""
    """BCP 47: in which it was said; empty where nobody has told it."""
    time_zone: str = ""
    """IANA: where the requester is."""
    at: Millis = 0
    """When it ended."""
    starts: str = ""
    """ISO date on which the whole begins; empty where none was agreed."""
    ends: str = ""
    """ISO date on which the whole ends, inclusive."""
    people: tuple[HandedPerson, ...] = ()
    facts: tuple[HandedFact, ...] = ()
    tasks: tuple[HandedTask, ...] = ()


TAKEN: Final = "taken"
"""The effect by which a stream is told who goes on from it."""


def tell_origin(origin: str, protocol: str) -> SendCommand:
    """Return what whoever goes on from a stream owes it: a `HandoverTaken`, so that it offers nothing any more that
    would be refused.

    Args:
        protocol: the origin's.
    """
    return SendCommand(name=TAKEN, scope=TAKEN, to=origin, protocol=protocol)
