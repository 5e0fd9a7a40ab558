"""Reminds people who have not decided themselves, once a round, when half of their time is over."""

from typing import Final

from engine.kernel import AlarmRang, Millis
from engine.negotiation.drafting import NegotiationDraft, later
from engine.negotiation.events import FeedbackReminded
from engine.negotiation.state import Negotiation, Round

HALF_TIME: Final = "remind"
"""The alarms in the middle of the people's window."""


def half_time(number: int) -> str:
    """Return the name of the alarm in the middle of the people's window."""
    return f"{HALF_TIME}/{number}"


def alarm_rang(draft: NegotiationDraft, alarm: AlarmRang) -> None:
    """Remind people, unless it is not yet half time or their window is over."""
    opened = draft.state.current
    if opened is None or alarm.name != half_time(opened.number) or opened.reminded:
        return
    if not half_time_of(draft.state, opened) <= alarm.at < opened.people_until:
        return
    undecided = tuple(
        seat.agent_id
        for seat in opened.seats.values()
        if seat.user_id and not seat.handed_back and seat.human is None and (seat.delegate or not seat.gone)
    )
    if undecided:
        draft.happens(FeedbackReminded(**draft.ids, round=opened.number, agent_ids=undecided))


def half_time_of(state: Negotiation, opened: Round) -> Millis:
    """Return when half of the people's window is over."""
    return later(opened.people_until, -state.policy.human_window / 2)
