"""What the phase after an end answers, and how it begins another negotiation."""

from typing import Final

from engine.kernel import ChangePlace, HandoverTaken
from engine.negotiation import forgetting
from engine.negotiation.afterwards import check_ins, conflicts, proceeding, reopening, rescheduling, stopping, undoing
from engine.negotiation.commands import EraseWords, Recall, RecordAvailability
from engine.negotiation.drafting import NegotiationDraft, Rows
from engine.negotiation.events import PlaceChanged


def change_place(draft: NegotiationDraft, command: ChangePlace) -> None:
    """Go on in the channel as it is by now."""
    if command.changes(draft.state.place):
        draft.happens(PlaceChanged(**draft.ids, channel=command.channel, shared=command.shared))


ROWS: Final = Rows(
    handlers={
        Recall: stopping.recall,
        EraseWords: forgetting.erase_words,
        ChangePlace: change_place,
        RecordAvailability: conflicts.record,
        HandoverTaken: proceeding.taken_up,
    },
    alarms={
        undoing.UNDO: undoing.alarm_rang,
        check_ins.CHECK_IN: check_ins.alarm_rang,
        rescheduling.RESCHEDULING: rescheduling.alarm_rang,
    },
    outcomes={reopening.REOPEN: reopening.delivered},
    sends={reopening.REOPEN: reopening.compose_command},
)
