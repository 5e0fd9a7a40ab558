"""The questions that a demand leaves open."""

import re
from typing import Final

from engine.negotiation.state import Negotiation

_MARK: Final = re.compile(r"^\s*\[TBD\]\s*", re.IGNORECASE)
"""How models mark unknown things; it is superfluous in a list of questions."""


def open_questions(state: Negotiation) -> tuple[str, ...]:
    """The model's questions without their mark, the one that has to be answered first; none before the demand was
    understood.
    """
    if state.understanding is None:
        return ()
    first = state.unclear.question if state.unclear else ""
    questions = (_MARK.sub("", each) for each in (first, *state.understanding.uncertainties))
    return tuple(dict.fromkeys(each for each in questions if each.strip()))
