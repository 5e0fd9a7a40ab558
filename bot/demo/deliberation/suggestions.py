"""Goals to begin with."""

from typing import Final

SUGGESTIONS: Final = (
    "plan: A half-day workshop on data privacy for 30 colleagues in Berlin in six weeks; the room holds 40; the "
    "trainer is away on Fridays",
)
