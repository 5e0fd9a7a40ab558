"""What the demand's phase answers."""

from typing import Final

from engine.negotiation.commands import RecordShortlist, RecordUnderstanding, SubmitDemand
from engine.negotiation.demand import clarification, gathering
from engine.negotiation.drafting import Rows

ROWS: Final = Rows(
    handlers={
        SubmitDemand: gathering.submit,
        RecordUnderstanding: gathering.understand,
        RecordShortlist: gathering.shortlist,
    },
    alarms={clarification.QUESTION: clarification.alarm_rang},
)
