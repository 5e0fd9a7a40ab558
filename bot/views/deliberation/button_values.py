"""The buttons of a deliberation: each carries its stream, and *Decide…* also what it was shown with."""

from typing import Final

from bot.views.kit.button_values import ButtonValue

STOP: Final = "plan.stop"
POINT: Final = "plan.point"
ASK: Final = "plan.ask_critic"
ARGUMENTS: Final = "plan.arguments"
DECIDE: Final = "plan.decide"
EXPORT: Final = "plan.export"


class DecideButton(ButtonValue):
    """The value of *Decide…*, and what its form remembers."""

    stream: str
    round: int
    """The round whose positions are chosen between."""
