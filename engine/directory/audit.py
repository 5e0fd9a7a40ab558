"""Which audit records the commands of people in the directory leave. They hold nobody's words."""

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
from engine.projections.audit_records import did


def trail(handled: Handled[Directory]) -> tuple[Record, ...]:
    """Return the records of what a person did; loading files leaves none."""
    command = handled.command
    if not isinstance(command, PersonsCommand):
        return ()
    agent_id = command.agent_id if isinstance(command, AboutProfile) else ""
    return did(handled, *_act(command), agent_id=agent_id)


def _act(command: PersonsCommand) -> tuple[str, str]:
    """Return what was done, and what was chosen."""
    match command:
        case SaveProfile():
            return "save_profile", command.profile.slack_user or ""
        case TellTwin():
            return "tell_twin", ""
        case BeAway():
            return "be_away", ""
        case ConfirmLimit():
            return "confirm_limit", command.state
        case PauseTwin():
            return "pause_twin" if command.paused else "resume_twin", ""
        case ChooseReach():
            return "choose_reach", command.twin
        case DisableProfile():
            return "disable_profile" if command.disabled else "enable_profile", ""
        case ResetProfile():
            return "reset_profile", ""
        case ChooseNotifications():
            return "choose_notifications", ""
        case ChangeSettings():
            return "change_settings", ""
        case _:
            raise TypeError(f"no act is called {type(command).__name__}")
