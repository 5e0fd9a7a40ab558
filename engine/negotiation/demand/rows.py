"""What the demand's phase answers."""

from typing import Final

from engine.negotiation.commands import RecordEarlyShortlist, RecordShortlist, RecordUnderstanding, SubmitDemand
from engine.negotiation.demand import clarification, gathering
from engine.negotiation.drafting import Rows

ROWS: Final = Rows(
    handlers={
        SubmitDemand: gathering.submit,
        RecordUnderstanding: gathering.understand,
        RecordEarlyShortlist: gathering.early_shortlist,
        RecordShortlist: gathering.shortlist,
    },
    alarms={clarification.QUESTION: clarification.alarm_rang},
)
