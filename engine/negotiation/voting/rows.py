"""What the voting's phase answers."""

from typing import Final

from engine.negotiation.commands import RecordDelivery, RecordFeedback, RecordOpinion, RecordProposal, RecordReading
from engine.negotiation.drafting import Rows
from engine.negotiation.voting import between_rounds, rounds, votes, wishes_read

ROWS: Final = Rows(
    handlers={
        RecordProposal: rounds.proposed,
        RecordFeedback: votes.twin_feedback,
        RecordOpinion: votes.opinion_given,
        RecordReading: wishes_read.understood,
        RecordDelivery: votes.delivery_recorded,
    },
    alarms={
        rounds.PATIENCE: votes.twins_are_late,
        rounds.CLOSING: votes.time_is_up,
        votes.HALF_TIME: votes.half_time_is_over,
        between_rounds.DECIDE: between_rounds.alarm_rang,
    },
)
