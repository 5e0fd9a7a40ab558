"""What of a negotiation a reader of its page may see: what the thread shows, where the thread is open to them."""

from collections.abc import Mapping

from msgspec.structs import replace

from bot.texts import Texts
from bot.views.negotiation.names import Agreement, with_marks
from engine.negotiation.events import ProposalFeedback
from engine.negotiation.secrecy import in_public
from engine.negotiation.state import CheckIn, Negotiation, Seat
from engine.negotiation.terms import Proposal

CHANNELS = ("C", "G")
"""What the ids of channels begin with; a direct message is between ToWow and one person."""


def is_open_thread(state: Negotiation) -> bool:
    """Whether its thread is in a channel, so that it is shown to more than one person."""
    return state.place.channel.startswith(CHANNELS)


def as_seen(state: Negotiation, user: str, texts: Texts) -> Negotiation:
    """Return the negotiation without what this user may not see.

    Without an open thread, what somebody has said is for them and for whoever asked. Blind votes are for nobody.
    """
    seen = in_public(with_marks(state, texts))
    if is_open_thread(state) or user == state.requester_id:
        return seen
    mine = own_seats(state, user)
    return replace(
        seen,
        proposals=tuple(_own(each, mine) for each in seen.proposals),
        agreed=_agreed(seen.agreed, mine),
        final=_agreed(seen.final, mine),
        raw_input="",
        candidates=tuple(replace(each, reason="") for each in seen.candidates),
        reserve=tuple(replace(each, reason="") for each in seen.reserve),
        invited={key: each if key in mine else replace(each, reason="") for key, each in seen.invited.items()},
        offers={
            key: each if key in mine else replace(each, contribution="", conditions=(), reasoning="", decline_reason="")
            for key, each in seen.offers.items()
        },
        rounds=tuple(replace(each, request=None, seats=_covered(each.seats, mine)) for each in seen.rounds),
        given_up={key: each if key in mine else replace(each, reason="") for key, each in seen.given_up.items()},
        check_ins={
            key: each if each.asked.agent_id in mine else _without_words(each) for key, each in seen.check_ins.items()
        },
        withdrawn={key: each if key in mine else replace(each, reason="") for key, each in seen.withdrawn.items()},
        questions=(),
        unclear=None,
        analysis="",
        cancel_reason="",
        compromise=None,
    )


def own_seats(state: Negotiation, user: str) -> frozenset[str]:
    """Return the agent ids of those whom this user is."""
    return frozenset(key for key, each in state.invited.items() if each.user_id == user)


def _own(proposal: Proposal, mine: frozenset[str]) -> Proposal:
    """A version without what others have asked for, and on which conditions."""
    summary = proposal.adjustment_summary
    return replace(
        proposal,
        conditions=tuple(each for each in proposal.conditions if each.agent_id in mine),
        adjustment_summary=summary
        and replace(
            summary,
            requests_addressed=tuple(each for each in summary.requests_addressed if each.agent_id in mine),
            requests_declined=tuple(each for each in summary.requests_declined if each.agent_id in mine),
        ),
    )


def _agreed(agreement: Agreement | None, mine: frozenset[str]) -> Agreement | None:
    return agreement and replace(
        agreement,
        final_proposal=_own(agreement.final_proposal, mine),
        open_requests=tuple(each for each in agreement.open_requests if each.agent_id in mine),
    )


def _covered(seats: Mapping[str, Seat], mine: frozenset[str]) -> dict[str, Seat]:
    return {
        key: each
        if key in mine
        else replace(each, twin=_mute(each.twin), human=_mute(each.human), assumed=_mute(each.assumed))
        for key, each in seats.items()
    }


def _without_words(each: CheckIn) -> CheckIn:
    """Keep how something stands, and nothing of what was said about it."""
    return replace(each, answer=replace(each.answer, text="")) if each.answer else each


def _mute(vote: ProposalFeedback | None) -> ProposalFeedback | None:
    """Keep how somebody voted, and nothing of what they said about it."""
    return vote and replace(vote, reasoning="", adjustment_request="", concerns=())
