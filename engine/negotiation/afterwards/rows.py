"""What the phase after an end answers, and how it begins another negotiation."""

from typing import Final

from engine.kernel import ChangePlace, HandoverTaken
from engine.negotiation import forgetting
from engine.negotiation.afterwards import check_ins, proceeding, reopening, stopping, undoing
from engine.negotiation.commands import EraseWords, Recall
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
        HandoverTaken: proceeding.taken_up,
    },
    alarms={undoing.UNDO: undoing.alarm_rang, check_ins.CHECK_IN: check_ins.alarm_rang},
    outcomes={reopening.REOPEN: reopening.delivered},
    sends={reopening.REOPEN: reopening.compose_command},
)
