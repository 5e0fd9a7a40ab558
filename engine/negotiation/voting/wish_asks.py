"""What a model is given to read somebody's wish, and what the next drafter is told of wishes that were read."""

from engine.facts.data import Datum
from engine.kernel import Message
from engine.negotiation.answers import Assignment
from engine.negotiation.demand.reading import Today, today
from engine.negotiation.given import Given
from engine.negotiation.state import Negotiation
from engine.negotiation.voting.requests import asked_in
from engine.negotiation.voting.twins_view import SharedPlan, Texts, everybodys_words, shared_plan
from engine.negotiation.voting.wishes_read import datum_of, wish_of


class ReadRequestGiven(Given, frozen=True):
    request: str
    proposal: SharedPlan
    seat: Assignment | None
    today: Today


class WishRead(Message, kw_only=True):
    """What somebody's request comes to as data."""

    agent_id: str
    data: Datum


def read_request_given(state: Negotiation, agent_id: str, public: Texts) -> ReadRequestGiven:
    """
    Args:
        agent_id: empty for the requester's own wish.
    """
    version = state.proposals[-1]
    _, text, _ = wish_of(state, agent_id)
    seat = state.assignment(agent_id) if agent_id else None
    return ReadRequestGiven(text, shared_plan(version, everybodys_words(state, public)), seat, today(state))


def wishes_as_data(state: Negotiation) -> tuple[WishRead, ...]:
    """Return what was asked for in the closed round, as far as it can be compared."""
    votes = {agent_id: seat.vote for agent_id, seat in state.rounds[-1].seats.items()}
    found = []
    for who, request in asked_in(state).items():
        vote = votes.get(who)
        datum = (vote.change if vote else None) or datum_of(state, who, request)
        if datum is not None:
            found.append(WishRead(agent_id=who, data=datum))
    return tuple(found)
