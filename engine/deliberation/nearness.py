"""How near two conclusions are in meaning: by the calibrated cosine of their vectors, and by the words they share."""

from typing import Final

from engine.deliberation.calibration import Calibration, calibration
from engine.deliberation.contradictions import subjects
from engine.deliberation.slots import options_of, read_slots
from engine.facts.language import language_of
from engine.lexicon.stance_words import known_things
from engine.lexicon.stances import stances_in
from engine.lexicon.stems import content_words


def nearness(one: str, other: str, cosine: float | None, calibrated: Calibration | None = None) -> float:
    """Return how near two conclusions are in meaning, from 0 to 1.

    Args:
        cosine: between their vectors; None where there is no encoder, so that words stand in.
        calibrated: what a cosine says; by default what was fitted on the committed pairs.
    """
    if one.strip() == other.strip():
        return 1.0
    across = language_of(one) != language_of(other)
    return (calibrated or calibration()).nearness(cosine, words_in_common(one, other), across=across)


def words_in_common(one: str, other: str) -> float:
    """Return the share of what two texts are about that both name: things, axes on whichever side, and values.

    Between two languages only what is known in both can be compared. Within one, the words themselves count as well.
    """
    mine, theirs = _named(one), _named(other)
    if language_of(one) != language_of(other):
        known = known_things()
        mine, theirs = (frozenset(each for each in side if each in known or "=" in each) for side in (mine, theirs))
    whole = _weight(mine) + _weight(theirs) + _UNSURE
    found = 2 * _weight(mine & theirs) / whole
    if language_of(one) == language_of(other):
        left, right = set(content_words(one)), set(content_words(other))
        found = (found + 2 * len(left & right) / (len(left) + len(right) + _UNSURE)) / 2
    return found


def _named(text: str) -> frozenset[str]:
    slots = read_slots(text)
    values = {f"{each.name}={each.value.rpartition('/')[2]}=" for each in (*slots.dates, *slots.quantities)}
    return subjects(stances_in(text)) | values | {f"option={each}" for each in options_of(slots.decision)}


_UNSURE: Final = 1.0
"""Words that may be missing: two texts of one word each have less in common than two of many."""


def _weight(of: frozenset[str]) -> float:
    """An axis says less of what a text is about than a thing does."""
    return sum(0.5 if each.endswith("=") else 1.0 for each in of)
