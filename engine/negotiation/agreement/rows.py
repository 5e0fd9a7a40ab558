"""What the agreement's phase answers."""

from typing import Final

from engine.negotiation.agreement import compromise
from engine.negotiation.commands import RecordCompromise
from engine.negotiation.drafting import Rows

ROWS: Final = Rows(
    handlers={RecordCompromise: compromise.offered},
    outcomes={compromise.COMPROMISE: compromise.effect_failed},
)
