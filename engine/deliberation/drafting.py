"""The draft of a decision of a deliberation."""

from typing import Final, TypedDict

from engine.deliberation.state import Deliberation
from engine.kernel import Draft, Millis

TURN: Final = "turn"
"""The alarm that ends a turn: whoever has not answered is skipped."""
END: Final = "end"
"""The alarm that ends a deliberation which has lasted as long as it may."""


class Ids(TypedDict):
    """What every event of a deliberation carries."""

    session_id: str


class DeliberationDraft(Draft[Deliberation]):
    @property
    def ids(self) -> Ids:
        return {"session_id": self.state.session_id}

    def waits(self) -> None:
        """Wait for whoever has been asked, until their turn is over."""
        self.sets(TURN, self.state.turn_due)


def later(at: Millis, seconds: float) -> Millis:
    return at + round(seconds * 1000)
