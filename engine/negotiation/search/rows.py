"""What the search's phase answers, and what a plan and its subnets tell each other."""

from typing import Final

from engine.negotiation.commands import RecordGaps, RecordRecursion
from engine.negotiation.drafting import Rows
from engine.negotiation.search import gaps, subnets, substitutes

SENT: Final = (subnets.BEGIN, subnets.RECALL, subnets.RESULT)

ROWS: Final = Rows(
    handlers={RecordGaps: gaps.identify, RecordRecursion: gaps.decide_recursion},
    alarms={substitutes.SUBSTITUTE: substitutes.alarm_rang, subnets.SUBNETS: subnets.alarm_rang},
    outcomes=dict.fromkeys(SENT, subnets.delivered),
    sends=dict.fromkeys(SENT, subnets.compose_command),
)
