"""Takes back, for a short time, that a negotiation was stopped or that its plan is carried out.

What was stopped goes on where it was: the time that had passed meanwhile is added to every deadline, and whatever a
model had not answered is asked again. Searches that the stop has ended stay ended.
"""

from typing import Final

from engine.errors import IllegalStep, NotAllowed
from engine.kernel import AlarmRang, Millis
from engine.negotiation.commands import TakeBack
from engine.negotiation.demand import clarification, gathering
from engine.negotiation.drafting import DURATION, NegotiationDraft
from engine.negotiation.events import ProceedingTakenBack, StopTakenBack, UndoEnded
from engine.negotiation.offers import collecting, offers
from engine.negotiation.search import substitutes
from engine.negotiation.state import Negotiation, Status, Wait
from engine.negotiation.voting import reminders, rounds

UNDO: Final = "undo"
"""The alarm after which nothing can be taken back any more."""
WINDOW: Final[Millis] = 600_000


def offer(draft: NegotiationDraft, until: Millis) -> None:
    """Let what was just decided be taken back until then."""
    draft.sets(UNDO, until)


def alarm_rang(draft: NegotiationDraft, alarm: AlarmRang) -> None:
    if 0 < draft.state.reversals.until <= alarm.at:
        draft.happens(UndoEnded(**draft.ids))


def take_back(draft: NegotiationDraft, command: TakeBack) -> None:
    """
    Raises:
        NotAllowed, IllegalStep
    """
    check_taking_back(draft.state, command.by, as_admin=command.as_admin, at=command.at)
    draft.clears(UNDO)
    if draft.state.status is not Status.CANCELLED:
        draft.happens(ProceedingTakenBack(**draft.ids, by=command.by, at=command.at))
        return
    stopped = draft.state.reversals
    paused = command.at - stopped.stopped_at
    draft.happens(StopTakenBack(**draft.ids, by=command.by, at=command.at, status=stopped.stopped_in, paused=paused))
    _goes_on(draft, command.at)


def check_taking_back(state: Negotiation, by: str, *, as_admin: bool, at: Millis) -> None:
    """
    Raises:
        NotAllowed, IllegalStep
    """
    if not state.is_owned_by(by, as_admin=as_admin):
        raise NotAllowed("Only the person who asked, or an admin, can take back what was decided about all of it.")
    if not state.reversals.until or at > state.reversals.until:
        raise IllegalStep("There is nothing that could be taken back any more.")


def _goes_on(draft: NegotiationDraft, at: Millis) -> None:
    """Set the alarms again, and ask again whatever was not answered."""
    state = draft.state
    draft.sets(DURATION, state.until)
    match state.status:
        case Status.CREATED if state.awaits_answer and state.unclear:
            draft.sets(clarification.QUESTION, state.unclear.deadline)
        case Status.CREATED:
            gathering.ask_again(draft)
        case Status.COLLECTING:
            _collects_again(draft)
        case Status.AGGREGATING:
            collecting.aggregate_again(draft)
        case Status.PROPOSAL_SENT:
            rounds.adjust_again(draft)
        case Status.NEGOTIATING if state.current:
            _votes_again(draft, at)
        case _:
            for each in substitutes.awaited(state):
                substitutes.ask_again(draft, each)


def _collects_again(draft: NegotiationDraft) -> None:
    state = draft.state
    if state.wait is Wait.TWINS:
        for agent_id in state.asked_twins or tuple(state.invited):
            if agent_id not in state.offers:
                gathering.ask_for_offer(draft, agent_id)
    if state.offers_due:
        draft.sets(offers.OFFERS, state.offers_due)


def _votes_again(draft: NegotiationDraft, at: Millis) -> None:
    opened = rounds.latest(draft.state)
    asked = [seat for seat in opened.seats.values() if seat.twin_asked]
    for seat in asked:
        rounds.ask_twin(draft, seat.agent_id)
    if asked:
        draft.sets(rounds.patience(opened.number), opened.twins_until)
    draft.sets(rounds.closing(opened.number), opened.deadline)
    if not opened.reminded:
        reminders.schedule(draft)
    rounds.settle(draft, at)
