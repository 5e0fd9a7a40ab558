"""Which audit records the commands of people in a deliberation leave."""

from functools import partial
from typing import assert_never

from engine.deliberation.commands import AskCritic, ChoosePosition, OpenDeliberation, RaisePoint, StopDeliberation
from engine.deliberation.state import Deliberation
from engine.kernel import Handled, Record
from engine.projections.audit_records import AuditRecord, audit_rows

PersonsCommand = OpenDeliberation | RaisePoint | AskCritic | ChoosePosition | StopDeliberation
"""What a person does, in contrast to a model's answer or an alarm."""


def trail(handled: Handled[Deliberation]) -> tuple[Record, ...]:
    """Return the records of what a person did; any other command leaves none."""
    if not isinstance(handled.command, PersonsCommand):
        return ()
    return audit_rows(_audit_record(handled.command, handled), handled.turn)


def _audit_record(command: PersonsCommand, handled: Handled[Deliberation]) -> AuditRecord:
    did = partial(
        AuditRecord,
        at=command.at,
        by=command.by,
        stream=handled.stream,
        refused=type(handled.refusal).__name__ if handled.refusal else "",
        changed=bool(handled.events),
    )
    match command:
        case OpenDeliberation():
            return did(act="plan")
        case RaisePoint():
            return did(act="raise_point")
        case AskCritic():
            return did(act="ask_critic")
        case ChoosePosition():
            return did(act="choose_position", as_admin=command.as_admin, choice=command.chosen)
        case StopDeliberation():
            return did(act="stop", as_admin=command.as_admin)
        case _:
            assert_never(command)
