"""Which audit records the commands of people in the directory leave. They hold nobody's words."""

from functools import partial

from engine.directory.messages import (
    AboutProfile,
    BeAway,
    ChangeSettings,
    ChooseNotifications,
    ChooseReach,
    ConfirmLimit,
    DisableProfile,
    PauseTwin,
    PersonsCommand,
    ResetProfile,
    SaveProfile,
    TellTwin,
)
from engine.directory.state import Directory
from engine.kernel import Handled, Record
from engine.projections.audit_records import AuditRecord, audit_rows


def trail(handled: Handled[Directory]) -> tuple[Record, ...]:
    """Return the records of what a person did; loading files leaves none."""
    if not isinstance(handled.command, PersonsCommand):
        return ()
    return audit_rows(_audit_record(handled.command, handled), handled.turn)


def _audit_record(command: PersonsCommand, handled: Handled[Directory]) -> AuditRecord:
    did = partial(
        AuditRecord,
        at=command.at,
        by=command.by,
        as_admin=command.as_admin,
        stream=handled.stream,
        agent_id=command.agent_id if isinstance(command, AboutProfile) else "",
        refused=type(handled.refusal).__name__ if handled.refusal else "",
        changed=bool(handled.events),
    )
    match command:
        case SaveProfile():
            return did(act="save_profile", choice=command.profile.slack_user or "")
        case TellTwin():
            return did(act="tell_twin")
        case BeAway():
            return did(act="be_away")
        case ConfirmLimit():
            return did(act="confirm_limit", choice=command.state)
        case PauseTwin():
            return did(act="pause_twin" if command.paused else "resume_twin")
        case ChooseReach():
            return did(act="choose_reach", choice=command.twin)
        case DisableProfile():
            return did(act="disable_profile" if command.disabled else "enable_profile")
        case ResetProfile():
            return did(act="reset_profile")
        case ChooseNotifications():
            return did(act="choose_notifications")
        case ChangeSettings():
            return did(act="change_settings")
        case _:
            raise TypeError(f"no act is called {type(command).__name__}")
