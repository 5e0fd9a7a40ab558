"""Which audit records the commands of people in a deliberation leave."""

from typing import Final

from engine.deliberation.commands import AskCritic, ChoosePosition, OpenDeliberation, RaisePoint, StopDeliberation
from engine.deliberation.state import Deliberation
from engine.kernel import Command, Handled, Record
from engine.projections.audit_records import did

ACTS: Final[dict[type[Command], str]] = {
    OpenDeliberation: "plan",
    RaisePoint: "raise_point",
    AskCritic: "ask_critic",
    ChoosePosition: "choose_position",
    StopDeliberation: "stop",
}
"""What a person does, in contrast to a model's answer or an alarm."""


def trail(handled: Handled[Deliberation]) -> tuple[Record, ...]:
    """Return the records of what a person did; any other command leaves none."""
    command = handled.command
    act = ACTS.get(type(command))
    choice = command.chosen if isinstance(command, ChoosePosition) else ""
    return () if act is None else did(handled, act, choice)
