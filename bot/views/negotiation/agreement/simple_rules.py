"""What simple rules alone have agreed to, where no model is connected: nobody who can read has looked at it."""

from engine.llm.port import OFFLINE
from engine.negotiation.events import ProposalFeedback
from engine.negotiation.state import Negotiation, filling
from engine.negotiation.terms import Source


def rules_speak(state: Negotiation) -> bool:
    """Whether the twins speak by simple rules."""
    return any(each.model == OFFLINE for each in state.offers.values())


def agreed_by_rules(state: Negotiation) -> frozenset[str]:
    """Return the seats of a settled plan whose consent is the rules' alone: no person has voted for them."""
    agreed = state.agreed or state.final
    voted = [each for each in state.rounds if agreed and each.version == agreed.final_proposal.version]
    if agreed is None or not voted:
        return frozenset()
    votes = {agent_id: seat.vote for agent_id, seat in voted[-1].seats.items()}
    confirmed = {*(state.final or agreed).confirmed_participants}
    confirmed -= {each.person.agent_id for each in filling(state.volunteers)}  # they have offered it themselves
    return frozenset(each for each in confirmed if _is_of_rules(state, votes.get(each)))


def _is_of_rules(state: Negotiation, vote: ProposalFeedback | None) -> bool:
    """Whoever joined without a vote was found by those who speak in all of the negotiation."""
    return rules_speak(state) if vote is None else vote.source is Source.AGENT and vote.model == OFFLINE
