"""What people did, whether or not it was allowed: one form for every protocol, filed in the commit of the act itself.

Every act is filed twice, so that both of an admin's questions are one read of neighbouring records:

| question | kind | key |
| --- | --- | --- |
| what happened here? | ``act_in`` | stream / the command's number in it |
| what did this person do, ever or in a month? | ``act_by`` | user / time / stream / the command's number in it |

`engine/projections/audit.py` reads both.
"""

from typing import Any, Final

from engine.kernel import Handled, Message, Millis, Record, encode, iso

IN_STREAM: Final = "act_in"
BY_PERSON: Final = "act_by"


class Replaced(Message):
    """What counted for the seat until this act."""

    choice: str
    source: str
    by: str = ""
    """The user whose vote it was; empty for a twin's, and for an offer: who corrected it is an act of its own."""


class AuditRecord(Message, kw_only=True):
    """One act of a person: who did what, for whom, what it replaced, and what became of it.

    It answers who overruled which twin, who was turned away and why, who closed a round or stopped a negotiation, and
    whether they did so as an admin. It does not say in which words: those can be erased, and this stays.
    """

    at: Millis
    by: str
    """Slack user id, from the signed payload."""
    as_admin: bool = False
    """Whether they were an admin of the tenant, where that may matter."""
    act: str
    """A word of its protocol's audit: ``vote``, ``stop``, ``pause_twin``."""
    stream: str
    demand_id: str = ""
    """The stream's, also where the command named another; empty where it is about none."""
    agent_id: str = ""
    """For whom; empty where it is for nobody."""
    round: int = 0
    """The round that the command named; 0 where it is about none."""
    choice: str = ""
    """How they voted, what they offered, or whom they let decide for them."""
    replaced: Replaced | None = None
    """None where nothing was there before, or nothing changed."""
    refused: str = ""
    """The class of the refusal (engine/errors.py); empty where it was allowed."""
    changed: bool
    """Whether anything happened: a refused act and the same vote once more change nothing."""


def audit_rows(act: AuditRecord, turn: int) -> tuple[Record, Record]:
    """
    Args:
        turn: the command's number in its stream.
    """
    row = encode(act)
    place = f"{act.stream}/{turn:08}"
    return Record(IN_STREAM, place, row), Record(BY_PERSON, f"{act.by}/{iso(act.at)}/{place}", row)


def did(handled: Handled[Any], act: str, choice: str = "", **more: Any) -> tuple[Record, Record]:
    """Return the rows of what somebody did with a command; what the command does not say is given besides."""
    command = handled.command
    told: dict[str, Any] = {
        "by": getattr(command, "by", ""),
        "as_admin": getattr(command, "as_admin", False),
        "agent_id": getattr(command, "agent_id", ""),
        "stream": handled.stream,
        "refused": type(handled.refusal).__name__ if handled.refusal else "",
        "changed": bool(handled.events),
    }
    return audit_rows(AuditRecord(at=command.at, act=act, choice=choice, **told | more), handled.turn)
