"""What is left out of every answer of a model, whatever it says: secrets."""

import logging
from typing import Any, Final

from engine.facts.masking import without_secrets
from engine.negotiation.conditions import language
from engine.negotiation.state import Negotiation

log: Final = logging.getLogger(__name__)


def cleaned(state: Negotiation, value: Any) -> Any:
    """Return an answer without secrets that do not stand in the demand; what is masked is logged."""
    value, masked = without_secrets(value, state.raw_input, language(state))
    if masked:
        log.warning("an answer for %s held a secret in %d texts, and it is masked", state.channel_id, masked)
    return value
