"""Compares two positions in the rules, slot by slot: whether they agree, and in what they differ."""

from typing import Any

from engine.deliberation.events import Analysis, Difference
from engine.deliberation.moves import unexplained_by
from engine.deliberation.slots import standing_of
from engine.deliberation.state import Deliberation
from engine.deliberation.terms import DEBATERS


def analysed(state: Deliberation, level: float | None, **measured: Any) -> tuple[Analysis, tuple[Difference, ...]]:
    """Return the analysis of a round and in what the positions differ.

    Args:
        level: how near the texts are in meaning; None where nothing could tell, so that the share of equal slots
            stands for it.
        measured: whatever else of the analysis was measured beside the rules.
    """
    found = standing_of(state)
    assert found is not None, "one of both has taken no position"  # noqa: S101 - only positions are compared
    near = round(found.share if level is None else level, 4)
    analysis = Analysis(
        consensus_level=near,
        matrix=((1.0, near), (near, 1.0)),
        agreed=found.is_agreed,
        unexplained=tuple(each for each in DEBATERS if unexplained_by(state, each)),
        by_keywords=level is None,
        **measured,
    )
    return analysis, found.differences


def by_slots(state: Deliberation) -> tuple[Analysis, tuple[Difference, ...]]:
    """Return the same where nothing beside the rules could compare (`compare` failed for good)."""
    return analysed(state, None)
