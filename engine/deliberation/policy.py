"""How a deliberation is led: frozen at its start and kept in its first event."""

from typing import Final, Literal

from pydantic import Field

from engine.kernel import Validated

PROTOCOL: Final = "deliberation"

PREFIX: Final = "plan-"
"""With which their names begin; then comes the stream that it goes on from, or letters and digits of its own."""


class Policy(Validated):
    """Durations are seconds, similarities are from 0 to 1. The figures are seed 001's, sections 5, 9 and 10."""

    name: str = "blind"
    start: Literal["blind", "sequential"] = "blind"
    """Whether Planner and Critic take their first positions in parallel, neither knowing the other's, or in turn."""
    max_rounds: int = Field(5, ge=1, le=5)
    converge_above: float = Field(0.90, ge=0, le=1)
    oppose_at: float = Field(0.70, ge=0, le=1)
    """Similarity up to which the opposite side is argued."""
    stall_below: float = Field(0.02, ge=0, le=1)
    """A change of similarity that counts as none."""
    stubborn_above: float = Field(0.98, ge=0, le=1)
    """Similarity to its own last position from which on an agent counts as not moving."""
    turn_timeout: float = Field(120, gt=0)
    """How long one agent is waited for; then its last output stands."""
    max_duration: float = Field(1800, gt=0)
    """How long the whole may take; then the Reporter says what there is."""
    host_speaks: bool = True
    """Whether a model words the Host's decisions, which code makes; else code words them."""


PRESETS: Final[dict[str, Policy]] = {
    each.name: each for each in (Policy(), Policy(name="sequential", start="sequential"))
}
DEFAULT: Final = PRESETS["blind"]
