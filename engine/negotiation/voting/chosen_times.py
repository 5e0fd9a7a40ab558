"""Somebody asks for one of the times that were found: a wish as data, that no model has to read.

Of somebody with a seat it is a vote for another time; of whoever asked, the change that they want in the next version.
"""

from engine.errors import IllegalStep, NotAllowed
from engine.facts.data import Datum, Days, Hours
from engine.negotiation.answers import words_of
from engine.negotiation.commands import RequestChange, TakeTime
from engine.negotiation.drafting import NegotiationDraft
from engine.negotiation.events import PreparedVote
from engine.negotiation.plan.times import key_of
from engine.negotiation.state import Negotiation
from engine.negotiation.voting import requests, votes
from engine.negotiation.voting.kinds import FeedbackType
from engine.times.feasible import PossibleTime


def take_time(draft: NegotiationDraft, command: TakeTime) -> None:
    """Take the vote, or the requester's change, for another time."""
    state, by, number, digest = draft.state, command.by, command.round, command.digest
    if command.agent_id:
        seat = votes.check_vote(state, by, command.agent_id, number, digest, command.at)
        time = _chosen(state, command.key)
        said = PreparedVote(
            feedback_type=FeedbackType.NEGOTIATE,
            reasoning=words_of(time.when),
            adjustment_request=words_of(time.when),
            change=_datum(state, time),
        )
        votes.give(draft, seat, said, command)
        return
    if by != state.requester_id:
        raise NotAllowed("You have no seat in this proposal, so there is no time for you to ask for.")
    requests.check_request(state, by, number, digest, command.at)
    time = _chosen(state, command.key)
    asked = RequestChange(
        command_id=command.command_id,
        at=command.at,
        by=by,
        text=words_of(time.when),
        round=number,
        digest=digest,
        change=_datum(state, time),
    )
    requests.request_change(draft, asked)


def _chosen(state: Negotiation, key: str) -> PossibleTime:
    """Return the time that a button names."""
    known = state.times.get(state.rounds[-1].version) if state.rounds else None
    found = known.found if known else None
    for each in (*found.times, *found.nearest) if found else ():
        if key_of(each.when) == key:
            return each
    raise IllegalStep("That is none of the times that were found for this version of the plan.")


def _datum(state: Negotiation, time: PossibleTime) -> Datum:
    """Return the day that is asked for, or the hours, where the version is on that day already."""
    when = time.when
    if state.proposals[-1].when.first != when.first:
        return Days(first=when.first, last=when.last)
    return Hours(start=when.start, end=when.end, time_zone=when.time_zone)
