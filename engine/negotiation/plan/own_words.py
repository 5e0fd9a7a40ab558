"""Holds what a draft says of each person to their own words: nobody's seat is filled with what somebody else wrote.

A model that makes a plan reads what everybody has offered and asked for, and may be talked into writing it where it
does not belong. Whoever takes part is asked to agree to their own contribution, and to no one else's wish.
"""

from collections.abc import Callable
from functools import cache

from msgspec.structs import replace

from engine.facts.quoting import Quoted
from engine.negotiation.answers import AdjustmentSummary, Assignment, ProposalDraft
from engine.negotiation.state import Negotiation
from engine.negotiation.voting.twins_view import Texts, everybodys_words, others_words


def own_words(
    state: Negotiation, draft: ProposalDraft, public: Texts = (), of: Callable[[str], Texts] = lambda _: ()
) -> ProposalDraft:
    """Leave out of each seat, and of what is answered to its person, the sentences that repeat what others have offered
    or said, and that stand neither in the demand nor in the last version nor in public profiles. A sentence of a seat
    that is as a whole what another has offered is left out whatever that one's profile says: it is their part. Where
    nothing is left of what somebody does, their own contribution stands.

    The very same object where nothing is left out.

    Args:
        public: what the public profiles say, of everybody.
        of: what the public profile says of somebody with this id.
    """
    everybodys = everybodys_words(state, (), state.proposal)
    if not _repeats_any(draft, everybodys):
        return draft  # most drafts
    participants = {each.agent_id for each in state.participants}

    @cache
    def words(agent_id: str) -> Quoted:
        return others_words(state, agent_id, public, state.proposal)

    @cache
    def parts(agent_id: str) -> Quoted:
        return others_words(state, agent_id, of(agent_id), state.proposal)

    def kept(text: str, agent_id: str) -> str:
        # What repeats nobody's words repeats no other's: most texts are held against everybody's, which are made once.
        if not text or agent_id not in participants or everybodys.without(text) == text:
            return text
        return words(agent_id).without(text)

    def is_others(text: str, agent_id: str, *, short: bool = True) -> bool:
        return everybodys.is_in(text, short=short) and words(agent_id).is_in(text, short=short)

    def seat(drafted: Assignment) -> Assignment:
        who = drafted.agent_id
        if who not in participants:
            return drafted
        said = parts(who).without_whole(kept(drafted.responsibility, who))
        return replace(
            drafted,
            role="" if is_others(drafted.role, who, short=False) else drafted.role,
            responsibility=said or (drafted.responsibility and state.offers[who].contribution),
            dependencies=tuple(each for each in drafted.dependencies if not is_others(each, who)),
            notes=parts(who).without_whole(kept(drafted.notes, who)),
        )

    summary = draft.adjustment_summary
    own = replace(
        draft,
        assignments=tuple(map(seat, draft.assignments)),
        conditions=tuple(replace(each, reason=kept(each.reason, each.agent_id)) for each in draft.conditions),
        adjustment_summary=summary
        and replace(
            summary,
            changes_made=tuple(replace(each, reason=kept(each.reason, each.agent_id)) for each in summary.changes_made),
            requests_declined=tuple(
                replace(each, reason=kept(each.reason, each.agent_id)) for each in summary.requests_declined
            ),
        ),
    )
    return draft if own == draft else own


def _repeats_any(draft: ProposalDraft, words: Quoted) -> bool:
    """Whether something that a draft says of somebody repeats these words."""
    summary = draft.adjustment_summary or AdjustmentSummary()
    texts = [each.reason for each in draft.conditions]
    texts += [each.reason for each in summary.changes_made]
    texts += [each.reason for each in summary.requests_declined]
    for seat in draft.assignments:
        if words.is_in(seat.role, short=False) or any(map(words.is_in, seat.dependencies)):
            return True
        texts += (seat.responsibility, seat.notes)
    return any(words.without(text) != text for text in texts if text)
