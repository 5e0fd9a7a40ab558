"""The second opinion: beside the votes on a version, another reader than its drafter says what it thinks of it.

It is asked once a version: about the claims that are no data, and, apart from them, whether limits in words are kept.
It decides nothing. A doubt about a claim is a mark, which the next drafter is given; where the reader says that a limit
is broken, or is not sure, and the twin says that it is kept, two readings differ: the twin's accept waits for its
person.

A round waits for it where its verdict would end the negotiation: `SECONDS` once nothing else is waited for, and for a
twin whose person has limits, as long as twins may take.
"""

from collections.abc import Mapping
from functools import cache
from typing import Final

from engine.kernel import Millis, later
from engine.negotiation.commands import RecordOpinion
from engine.negotiation.drafting import NegotiationDraft
from engine.negotiation.events import LimitDoubt, LimitsWeighed, SecondOpinionAsked, SecondOpinionGiven, Subject
from engine.negotiation.state import Negotiation, Round
from engine.negotiation.voting.claims import claims_of

SECONDS: Final = 3.0
"""How long it is waited for once nothing else is."""


@cache
def scope(number: int) -> str:
    """Return the scope of what is asked about the version of a round: the twins' votes, and the second opinion."""
    return f"round/{number}"


def ask(draft: NegotiationDraft) -> None:
    """Have asked what is to be asked about the version that was just sent out, unless it was answered before."""
    state = draft.state
    opened = state.rounds[-1]
    proposal = state.proposals[opened.version - 1]
    about: list[Subject] = []
    is_wanted = state.policy.second_opinion and proposal.version not in state.opinions
    if is_wanted and claims_of(state, proposal):
        about.append("claims")
    if any(seat.is_limited and not seat.was_read and seat.human is None for seat in opened.seats.values()):
        about.append("limits")
    _ask(draft, opened, *about)


def ask_about_limits(draft: NegotiationDraft, agent_id: str) -> None:
    """Have limits asked about where nobody knew of any when the version went out."""
    opened = draft.state.rounds[-1]
    if opened.seats[agent_id].is_unread and "limits" not in opened.opinions_due:
        _ask(draft, opened, "limits")


def _ask(draft: NegotiationDraft, opened: Round, *about: Subject) -> None:
    if about:
        draft.happens(SecondOpinionAsked(**draft.ids, round=opened.number, version=opened.version, about=about))


def name(version: int, about: Subject) -> str:
    return f"verify/{version}" if about == "claims" else f"verify/{version}/{about}"


def given(draft: NegotiationDraft, command: RecordOpinion) -> bool:
    """Record what the second reader says. Return whether it was waited for: else it comes too late, or twice."""
    opened = draft.state.current
    if opened is None or opened.version != command.version or command.about not in opened.opinions_due:
        return False
    draft.degrade("verify", command)
    if command.about == "limits":
        _weigh(draft, opened, command.limits)
    _give(draft, opened, command)
    return True


def _weigh(draft: NegotiationDraft, opened: Round, limits: Mapping[str, tuple[LimitDoubt, ...]]) -> None:
    for agent_id, doubts in limits.items():
        if agent_id in opened.seats:
            draft.happens(
                LimitsWeighed(
                    **draft.ids,
                    agent_id=agent_id,
                    round=opened.number,
                    version=opened.version,
                    blind=draft.state.policy.blind_votes,
                    by="reader",
                    waits=bool(doubts),
                    doubts=doubts,
                )
            )


def _give(draft: NegotiationDraft, opened: Round, command: RecordOpinion) -> None:
    draft.happens(
        SecondOpinionGiven(
            **draft.ids,
            round=opened.number,
            version=opened.version,
            about=command.about,
            opinions=command.opinions,
            failed=command.degraded is not None,
            model=command.model,
            prompt_hash=command.prompt_hash,
        )
    )


def give_up(draft: NegotiationDraft) -> None:
    """Stop waiting: what was not answered is not doubted."""
    opened = draft.state.rounds[-1]
    for each in opened.opinions_due:
        draft.gave_up("verify", "E004")
        draft.happens(
            SecondOpinionGiven(**draft.ids, round=opened.number, version=opened.version, about=each, failed=True)
        )


def waits_until(state: Negotiation, at: Millis, *, would_end: bool) -> Millis:
    """Return until when the round waits for the second reader, where nothing else is waited for; 0 where it does not.

    Args:
        would_end: whether the negotiation would end with the votes as they are.
    """
    opened = state.rounds[-1]
    if not opened.opinions_due:
        return 0
    if any(seat.is_unread for seat in opened.seats.values()):
        return opened.window.twins_until
    if not would_end:
        return 0
    soon, window = later(at, SECONDS), opened.window
    return min(soon, window.deadline) if window.for_reader else soon
