"""Goes on where something does not come: answers that are late or fail, comparisons that fail, and time that is over.

| what | then |
| --- | --- |
| an agent does not answer in its turn, or fails | it is skipped: its last output stands |
| the Host does not lay two drafts side by side | only slots of equal names are the same thing |
| the positions cannot be compared | they are compared in the rules, slot by slot |
| nobody has made a plan in the first round | the report says so |
| an agent states nothing at the end | what its positions say counts |
| the Reporter does not answer | code writes the report |
| the whole has lasted as long as it may | the report says what there is |

Time in which ToWow was not there is nobody's: whoever was waited for then has their time again.
"""

from typing import Final

from engine.deliberation.closing import closing, reporting
from engine.deliberation.drafting import END, DeliberationDraft, later
from engine.deliberation.events import TimeGiven
from engine.deliberation.rounds import people, rounds
from engine.deliberation.rounds.turns import (
    close_scope,
    compare_scope,
    layout_scope,
    position_scope,
    report_scope,
    speaking,
)
from engine.deliberation.state import Deliberation, Status
from engine.deliberation.terms import DEBATERS, Error, ErrorCode, Reason
from engine.kernel import EffectFailed, Millis, Recover

GRACE: Final = 60.0
"""Seconds after which a turn that nobody has ended has stalled, or ToWow was away."""
EXTENSIONS: Final = 3
"""How often a deliberation is given time again."""


def stalled_at(state: Deliberation, since: Millis) -> Millis | None:
    """Return when it counts as stalled, if nothing has happened since then."""
    return later(max(since, state.turn_due), GRACE) if state.is_open else None


def recover(draft: DeliberationDraft, command: Recover) -> None:
    """End the turn that nobody has ended. What has moved by itself since is left alone."""
    if draft.state.is_open and command.at >= later(draft.state.turn_due, GRACE):
        _end_turn(draft, command.at)


def make_up_for_absence(draft: DeliberationDraft, at: Millis) -> None:
    """Give whoever is waited for their time again, if nobody was there to end their turn at its end.

    This comes before every command: what people do then comes on top of time that is still to come.
    """
    state = draft.state
    if not state.is_open or at <= later(state.turn_due, GRACE) or state.extensions >= EXTENSIONS:
        return
    until = max(state.until, later(at, state.policy.turn_timeout * 2)) if at > state.until else state.until
    draft.happens(TimeGiven(**draft.ids, at=at, until=until))
    draft.waits()
    draft.sets(END, until)


def turn_is_over(draft: DeliberationDraft, at: Millis) -> None:
    if draft.state.is_open and at >= draft.state.turn_due:
        _end_turn(draft, at)


def _end_turn(draft: DeliberationDraft, at: Millis) -> None:
    """Go on without whoever is waited for."""
    state = draft.state
    number = len(state.rounds)
    if rounds.is_comparing(state):
        rounds.not_compared(draft, at)
        return
    for agent in speaking(state):
        rounds.skip(draft, agent, Error(error="agent_timeout", agent=agent, round=number), at)
    if state.status is Status.CLOSING and state.closing is not None:
        for agent in state.closing.awaited:
            closing.skip(draft, agent, Error(error="agent_timeout", agent=agent, round=number), at)
    elif state.status is Status.REPORTING:
        _report_in_code(draft, "agent_timeout", at)


def _report_in_code(draft: DeliberationDraft, code: ErrorCode, at: Millis) -> None:
    closing.give_up(draft)
    error = Error(error=code, agent="reporter", round=len(draft.state.rounds))
    closing.write(draft, None, at, error=error)


def time_is_up(draft: DeliberationDraft, at: Millis) -> None:
    """Report what there is."""
    state = draft.state
    if at < state.until:
        return
    if state.status is Status.ARGUING:
        closing.begin(draft, Reason.TIME_IS_UP, at)
    elif state.status is Status.CLOSING:
        closing.hurry(draft, at)


def effect_failed(draft: DeliberationDraft, command: EffectFailed) -> None:
    """Take what was tried as often as it may be for what did not come."""
    state, name, at = draft.state, command.name, command.at
    number = len(state.rounds)
    for agent in DEBATERS:
        error = Error(error="agent_failed", agent=agent, round=number)
        if name == position_scope(agent, number) and agent in speaking(state):
            rounds.skip(draft, agent, error, at)
            return
        awaited = state.closing.awaited if state.closing and state.status is Status.CLOSING else ()
        if name == close_scope(agent) and agent in awaited:
            closing.skip(draft, agent, error, at)
            return
    if name == compare_scope(number) and rounds.is_comparing(state):
        rounds.not_compared(draft, at)
    elif name == layout_scope(number) and rounds.is_laying_out(state):
        rounds.not_laid_out(draft, None, at)
    elif name == report_scope(reporting.next_number(state)) and state.status is Status.REPORTING:
        _report_in_code(draft, "agent_failed", at)
    else:
        people.not_replied(draft, name)
