"""Prompt 9: say what is still possible after a negotiation without agreement."""

from collections.abc import Sequence

from engine.facts.language import Language
from engine.facts.shortening import shorten
from engine.lexicon.mentions import topics_in
from engine.lexicon.topics import topic
from engine.negotiation.answers import (
    Assignment,
    Compromise,
    FailureFacts,
    FeedbackType,
    OfferDecision,
    OfferMade,
    RefusalReason,
    Resolution,
    Understanding,
    VoteMade,
)
from engine.negotiation.reading import Today
from engine.offline.negotiation.needs import needs_of
from engine.offline.negotiation.phrasing import in_third_person, join_list, phrase
from engine.offline.negotiation.seats import part_about

MOST = 3
"""Alternatives, and wishes among them."""
LONGEST = 80
"""Characters of what somebody said."""


def propose_compromise(
    demand: Understanding,
    failure: FailureFacts,
    available_resources: Sequence[OfferMade] = (),
    gaps: Sequence[str] = (),
    feedbacks: Sequence[VoteMade] = (),
    refusals: Sequence[RefusalReason] = (),
    today: Today | None = None,
) -> Compromise:
    """Say what is possible without repeating people's reasons, which may be private."""
    language = needs_of(demand).language
    offers = [each for each in available_resources if each.decision is not OfferDecision.DECLINE]
    names = join_list([each.display_name for each in offers], language)
    # Where nobody gave feedback, nobody has said what is in the way.
    alternatives = [] if offers and failure.outcome == "no_feedback" else _alternatives(feedbacks, gaps, language)
    return Compromise(
        summary=phrase("compromise.smaller", language, names=names)
        if offers
        else phrase("compromise.nobody" if failure.asked else "compromise.unfound", language),
        facts=tuple(
            phrase("compromise.stands", language, name=each.display_name, what=shorten(_told(each, language), LONGEST))
            for each in offers
            if each.contribution
        ),
        assignments=tuple(
            Assignment(agent_id=each.agent_id, display_name=each.display_name, responsibility=_told(each, language))
            for each in offers
        ),
        compromises=tuple(alternatives),
        unresolved=tuple(gaps),
        suggestions=(phrase(f"compromise.next.{failure.outcome}", language),),
        confidence="medium" if offers else "low",
    )


def _told(offer: OfferMade, language: Language) -> str:
    """What somebody offers, without the words in which they speak of themselves."""
    topics = topics_in(offer.contribution)
    if not topics:
        return offer.contribution
    parts = [in_third_person(part_about(offer.contribution, key)) or topic(key).tag.said_in(language) for key in topics]
    whole = [each for each in dict.fromkeys(parts) if not any(each != other and each in other for other in parts)]
    return ("；" if language == "zh" else "; ").join(whole)


def _alternatives(feedbacks: Sequence[VoteMade], gaps: Sequence[str], language: Language) -> list[Resolution]:
    """Grant what people asked for, or do without what nobody offers."""
    wishes = [each for each in feedbacks if each.feedback_type is FeedbackType.NEGOTIATE and each.adjustment_request]
    alternatives = [
        Resolution(
            issue=shorten(each.adjustment_request, LONGEST),
            resolution=phrase("compromise.grant", language, request=shorten(each.adjustment_request, LONGEST)),
            rationale=phrase("compromise.grant.why", language),
        )
        for each in wishes[:MOST]
    ]
    missing = join_list([shorten(each, LONGEST) for each in gaps[:MOST]], language)
    if missing and len(alternatives) < MOST:
        alternatives.append(
            Resolution(
                issue=missing,
                resolution=phrase("compromise.without", language, missing=missing),
                rationale=phrase("compromise.without.why", language),
            )
        )
    return alternatives
