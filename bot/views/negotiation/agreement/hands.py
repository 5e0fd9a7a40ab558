"""By whose hand a plan is confirmed: people's own, another's for them, their twins', or simple rules' alone.

Where no model is connected, nobody who can read has looked at what rules have agreed to.
"""

from bot.texts import Texts
from engine.llm.port import OFFLINE
from engine.negotiation.agreement.hands import Hand, confirmations, hand_of
from engine.negotiation.answers import Assignment
from engine.negotiation.events import Agreed, ProposalFeedback
from engine.negotiation.state import Negotiation, Seat, filling
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


def confirmed_by(state: Negotiation, final: Agreed, who: str, texts: Texts) -> list[tuple[str, list[Assignment]]]:
    """Return the seats of whoever has confirmed, below a title that names the hand, in the order of the plan.

    Args:
        who: whoever asked, who may have voted for people who are linked to nobody.
    """
    by_rules, given = agreed_by_rules(state), confirmations(state)
    found: dict[str, list[Assignment]] = {}
    for each in final.final_proposal.assignments:
        if each.agent_id not in final.confirmed_participants:
            continue
        hand = given[each.agent_id].hand if each.agent_id in given else None
        title = _title(hand, who, texts, by_rules=each.agent_id in by_rules)
        found.setdefault(title, []).append(each)
    return [*found.items()]


def _title(hand: Hand | None, who: str, texts: Texts, *, by_rules: bool) -> str:
    match hand:
        case _ if by_rules:
            return texts.say("*Their twins would, by simple rules; ask them*")
        case Hand.PERSON:
            return texts.say("*Confirmed by themselves*")
        case Hand.DELEGATE:
            return texts.say("*Confirmed by a colleague, for them*")
        case Hand.REQUESTER:
            return texts.say("*Confirmed by {who}, for them*", who=who)
        case Hand.TWIN:
            return texts.say("*Confirmed by their twins*")
        case _:
            return texts.say("*Confirmed*")


def with_hand(text: str, state: Negotiation, seat: Seat, texts: Texts) -> str:
    """Say beside a vote that another hand gave it, without a mention: nobody is notified of a card that changes."""
    vote = seat.vote
    if vote is None or vote.source is not Source.HUMAN or hand_of(seat, vote) is Hand.PERSON:
        return text
    if vote.by == state.requester_id:
        return texts.say("{what} (by whoever asked, for them)", what=text)
    return texts.say("{what} (by a colleague, for them)", what=text)
