"""What the plan's phase answers, and what it tells other plans."""

from typing import Final

from engine.negotiation.commands import RecordBookings, TellClash
from engine.negotiation.drafting import Rows
from engine.negotiation.plan import clashes

ROWS: Final = Rows(
    handlers={
        RecordBookings: clashes.record,
        TellClash: clashes.heed,
    },
    outcomes=dict.fromkeys((clashes.TELL, clashes.ANSWER), clashes.delivered),
    sends=dict.fromkeys((clashes.TELL, clashes.ANSWER), clashes.compose_command),
)
