"""What models are asked of a version that is out: twins for their votes, a second reader, and what a wish means."""

from functools import partial
from typing import Final

from msgspec.structs import replace

from engine.kernel import Millis
from engine.negotiation.answers import FeedbackAnswer, RequestRead, Verification
from engine.negotiation.ask_rows import Asking, AskRow, AskRows, Recorded, Texts
from engine.negotiation.commands import RecordFeedback, RecordOpinion, RecordReading
from engine.negotiation.events import Weighed
from engine.negotiation.given import FeedbackGiven, shared_by_twins
from engine.negotiation.offers.asks import faults_of_quotes
from engine.negotiation.offers.limit_answers import by_data, demand_texts, numbered, plan_texts, weighed
from engine.negotiation.offers.limits import broken_limits
from engine.negotiation.offers.screening import Screen
from engine.negotiation.voting.carrying import unswayed
from engine.negotiation.voting.opinion_asks import opinion_given, unquoted, verify_given
from engine.negotiation.voting.twins_view import own_answers
from engine.negotiation.voting.wish_asks import read_request_given
from engine.negotiation.voting.wishes_read import wish_of


def _to_vote(asking: Asking) -> FeedbackGiven:
    state, agent_id = asking.state, asking.about
    shared = shared_by_twins(state, asking.last, asking.public_words)
    own = asking.own_profile
    return FeedbackGiven(
        profile=own,
        limits=numbered(own.worded_limits),
        demand=asking.demand,
        proposal=shared.proposal,
        assignment=state.assignment(agent_id),
        conditions=state.offers[agent_id].conditions,
        answers=own_answers(asking.last, agent_id),
        granted=shared.granted.get(agent_id, ()),
        counts=shared.counts,
        round=state.round,
        max_rounds=state.most_rounds,
        today=shared.today,
    )


def _voted_on(asking: Asking) -> Texts:
    """Return what a twin votes on: the demand, and the version that is out."""
    state, version = asking.state, asking.state.proposal
    return (*demand_texts(state.raw_input, state.understanding), *(plan_texts(version) if version else ()))


def _fault_of_vote(texts: Texts, said: FeedbackAnswer) -> str:
    return faults_of_quotes(said.limits, texts)


def _vote(asking: Asking, answer: FeedbackAnswer | None, recorded: Recorded) -> RecordFeedback:
    vote = _kept(asking, answer) if answer else None
    limits = _weighed(asking, answer)
    number = int(asking.name.split("/")[1])  # the effect is called ``feedback/<round>/<agent>``
    return RecordFeedback(agent_id=asking.about, round=number, answer=vote, limits=limits, **recorded)


def _kept(asking: Asking, vote: FeedbackAnswer) -> FeedbackAnswer:
    """Let a vote stand whose part has not changed, and leave out what is for the twin alone."""
    state, profile = asking.state, asking.profile
    if profile is None or state.understanding is None or state.proposal is None:
        return vote
    seen = (state.understanding, state.raw_input, state.proposal)
    if vote.feedback_type.kind.agrees and (vote.adjustment_request or vote.change is not None):
        vote = replace(vote, adjustment_request="", change=None)  # whoever accepts asks for nothing
    return unswayed(state, asking.about, Screen(profile, seen).vote(vote))


def _weighed(asking: Asking, said: FeedbackAnswer | None) -> Weighed:
    """Hold what a twin says of its person's limits, and the data among these, against the version. No answer at all is
    unsure about every limit in words.
    """
    state, profile, version = asking.state, asking.profile, asking.state.proposal
    if profile is None or version is None:
        return Weighed()
    lifted = state.lifted.get(asking.about, ())
    found = weighed(profile, said.limits if said else (), _voted_on(asking), lifted=lifted)
    return by_data(found, broken_limits(state, profile, version)) if said else found


def _opinion(asking: Asking, answer: Verification | None, recorded: Recorded) -> RecordOpinion:
    return RecordOpinion(**opinion_given(asking.state, asking.about, asking.profiles, answer), **recorded)


def _wish(asking: Asking, answer: RequestRead | None, recorded: Recorded) -> RecordReading:
    by, text, number = wish_of(asking.state, asking.about)
    return RecordReading(agent_id=asking.about, asked_by=by, round=number, text=text, answer=answer, **recorded)


def _until(asking: Asking) -> Millis:
    return asking.state.current.window.twins_until if asking.state.current else 0


ASKS: Final[AskRows] = {
    "feedback": AskRow(
        returns=FeedbackAnswer,
        given=_to_vote,
        check=lambda asking: partial(_fault_of_vote, _voted_on(asking)),
        record=_vote,
        until=_until,
    ),
    "verify": AskRow(
        returns=Verification,
        given=lambda asking: verify_given(asking.state, asking.about, asking.profiles),
        check=lambda asking: partial(unquoted, asking.state),
        record=_opinion,
        until=_until,
    ),
    "read_request": AskRow(
        returns=RequestRead,
        given=lambda asking: read_request_given(asking.state, asking.about, asking.public_words),
        record=_wish,
    ),
}
