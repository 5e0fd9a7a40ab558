"""What the voting's phase answers."""

from typing import Final

from engine.negotiation.commands import (
    CastPrepared,
    CastVote,
    CloseRound,
    CorrectRequest,
    Delegate,
    HandBack,
    RecordDelivery,
    RecordFeedback,
    RecordOpinion,
    RecordProposal,
    RecordReading,
    RequestChange,
)
from engine.negotiation.drafting import Rows
from engine.negotiation.voting import between_rounds, requests, rounds, votes, wishes_read

ROWS: Final = Rows(
    handlers={
        RecordProposal: rounds.proposed,
        RecordFeedback: votes.twin_feedback,
        RecordOpinion: votes.opinion_given,
        RecordReading: wishes_read.understood,
        CorrectRequest: votes.request_corrected,
        CastVote: votes.cast_vote,
        CastPrepared: votes.cast_prepared,
        HandBack: votes.hand_back,
        RequestChange: requests.request_change,
        Delegate: votes.delegate,
        RecordDelivery: votes.delivery_recorded,
        CloseRound: votes.close_round,
    },
    alarms={
        rounds.PATIENCE: votes.twins_are_late,
        rounds.CLOSING: votes.time_is_up,
        votes.HALF_TIME: votes.half_time_is_over,
        between_rounds.DECIDE: between_rounds.alarm_rang,
    },
)
