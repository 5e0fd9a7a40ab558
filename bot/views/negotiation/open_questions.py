"""What a demand leaves open, as questions to whoever asked."""

import re
from typing import Final

from engine.negotiation.state import Negotiation

_MARK: Final = re.compile(r"^\s*\[TBD\]\s*", re.IGNORECASE)
"""How models mark what is unknown. Where only questions stand, it says nothing."""


def open_questions(state: Negotiation) -> tuple[str, ...]:
    """As a model wrote them, without the mark; none before the demand was read."""
    if state.understanding is None:
        return ()
    questions = (_MARK.sub("", each) for each in state.understanding.uncertainties)
    return tuple(each for each in questions if each.strip())
