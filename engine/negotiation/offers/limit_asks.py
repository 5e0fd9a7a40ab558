"""What the questions to twins are given of limits in words, and how the answers are read."""

from collections.abc import Sequence

from engine.directory.profile import Profile
from engine.facts.quotes import stands_in
from engine.negotiation.answers import FeedbackAnswer, LimitAnswer, OfferAnswer
from engine.negotiation.events import Weighed
from engine.negotiation.offers.limit_answers import by_data, demand_texts, plan_texts, weighed
from engine.negotiation.offers.limits import broken_limits
from engine.negotiation.search.substitutes import vacant_seat
from engine.negotiation.state import Negotiation


def asked_texts(state: Negotiation, agent_id: str) -> tuple[str, ...]:
    """Return what somebody's twin is asked to take part in: the demand, and the seat where it is a certain one."""
    seat = vacant_seat(state, agent_id)
    of_seat = (seat.role, *(each.what for each in seat.needs)) if seat else ()
    return (*demand_texts(state.raw_input, state.understanding), *of_seat)


def voted_texts(state: Negotiation) -> tuple[str, ...]:
    """Return what a twin votes on: the demand, and the version that is out."""
    version = state.proposal
    return (*demand_texts(state.raw_input, state.understanding), *(plan_texts(version) if version else ()))


def weighed_offer(state: Negotiation, profile: Profile | None, agent_id: str, said: OfferAnswer) -> Weighed:
    if profile is None:
        return Weighed()
    lifted = state.lifted.get(agent_id, ())
    return weighed(profile, said.limits, asked_texts(state, agent_id), lifted=lifted)


def weighed_vote(state: Negotiation, profile: Profile | None, agent_id: str, said: FeedbackAnswer | None) -> Weighed:
    """Hold what a twin says of its person's limits, and the data among these, against the version. No answer at all is
    unsure about every limit in words.
    """
    version = state.proposal
    if profile is None or version is None:
        return Weighed()
    answers = said.limits if said else ()
    found = weighed(profile, answers, voted_texts(state), lifted=state.lifted.get(agent_id, ()))
    return by_data(found, broken_limits(state, profile, version)) if said else found


def faults_of_quotes(answers: Sequence[LimitAnswer], texts: Sequence[str]) -> str:
    """Say which quotes do not stand where they are said to; empty where all do."""
    wrong = [str(each.number) for each in answers if each.quote and not stands_in(each.quote, *texts)]
    if not wrong:
        return ""
    return (
        f"limits: the quotes of number {', '.join(wrong)} stand neither in the demand nor in the plan. Quote exactly "
        "what stands there, or leave the quote empty."
    )
