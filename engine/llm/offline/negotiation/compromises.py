"""Prompt 9: what would still be possible where there was no agreement."""

from collections.abc import Sequence

from engine.llm.offline.negotiation.needs import needs_of
from engine.llm.offline.negotiation.phrasing import cut, listed, say
from engine.negotiation.answers import (
    Assignment,
    CaseAtHand,
    Compromise,
    FeedbackType,
    OfferDecision,
    OfferMade,
    Resolution,
    Turned,
    Understanding,
    VoteMade,
)

MOST = 3
"""Alternatives, and wishes named."""
LONGEST = 80
"""Characters of what somebody said."""


def compromise(
    demand: Understanding,
    failure: CaseAtHand,
    available_resources: Sequence[OfferMade] = (),
    gaps: Sequence[str] = (),
    feedbacks: Sequence[VoteMade] = (),
    refusals: Sequence[Turned] = (),
) -> Compromise:
    """The reasons that people gave are not repeated: where they are not public, they are not ours to tell."""
    language = needs_of(demand).language
    offers = [each for each in available_resources if each.decision is not OfferDecision.DECLINE]
    names = listed([each.display_name for each in offers], language)
    wishes = [each for each in feedbacks if each.feedback_type is FeedbackType.NEGOTIATE and each.adjustment_request]
    alternatives = [
        Resolution(
            issue=cut(each.adjustment_request, LONGEST),
            resolution=say("compromise.grant", language, request=cut(each.adjustment_request, LONGEST)),
            rationale=say("compromise.grant.why", language),
        )
        for each in wishes[:MOST]
    ]
    missing = listed([cut(each, LONGEST) for each in gaps[:MOST]], language)
    if missing and len(alternatives) < MOST:
        alternatives.append(
            Resolution(
                issue=missing,
                resolution=say("compromise.without", language, missing=missing),
                rationale=say("compromise.without.why", language),
            )
        )
    if offers and failure.outcome == "no_feedback":
        alternatives = []  # they have not said what is in the way
    return Compromise(
        summary=say("compromise.smaller", language, names=names) if offers else say("compromise.nobody", language),
        facts=tuple(
            say("compromise.stands", language, name=each.display_name, what=cut(each.contribution, LONGEST))
            for each in offers
            if each.contribution
        ),
        assignments=tuple(
            Assignment(agent_id=each.agent_id, display_name=each.display_name, responsibility=each.contribution)
            for each in offers
        ),
        compromises=tuple(alternatives),
        unresolved=tuple(gaps),
        suggestions=(say(f"compromise.next.{failure.outcome}", language),),
        confidence="medium" if offers else "low",
    )
