"""The buttons of a deliberation: each carries its stream, and *Decide…* also what it was shown with."""

from typing import Final

from engine.kernel import Validated

STOP: Final = "plan.stop"
POINT: Final = "plan.point"
ASK: Final = "plan.ask_critic"
ARGUMENTS: Final = "plan.arguments"
DECIDE: Final = "plan.decide"
EXPORT: Final = "plan.export"


class DecideButton(Validated):
    """The value of *Decide…*, and what its form remembers."""

    stream: str
    round: int
    """The round whose positions are chosen between."""

    def value(self) -> str:
        return self.model_dump_json()


def read_decide_button(value: str) -> DecideButton:
    """Read the value of a button."""
    return DecideButton.model_validate_json(value)
