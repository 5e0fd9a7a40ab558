"""Prompts 5 and beside it: votes as a profile says, accepting but for broken limits and wishes of the person's own."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from engine.directory.profile import HeldLimit, Profile, Reaction
from engine.facts.data import Datum
from engine.facts.language import Language
from engine.facts.quotes import stands_in
from engine.negotiation import answers as shapes
from engine.negotiation.voting.kinds import FeedbackType
from engine.negotiation.voting.twins_view import OwnAnswers, SharedPlan
from engine.offline.negotiation.conditions import is_left_open
from engine.offline.negotiation.limits import broken_datum, limit_answers
from engine.offline.negotiation.nearness import nearness
from engine.offline.negotiation.offers import is_about
from engine.offline.negotiation.shortlist import needs_of
from engine.offline.phrasing import phrase
from engine.offline.reading.circumstances import asked_on
from engine.offline.reading.script import language_of_tag
from engine.offline.reading.wishes import datum_in


class _Wish(NamedTuple):
    """A condition or a wish of the person that the plan does not meet."""

    text: str
    if_declined: Reaction
    was_asked: bool
    is_refused: bool  # declined by somebody, and not only left to whoever asked
    is_ask: bool = False


def give_feedback(
    demand: shapes.Understanding,
    profile: Profile,
    proposal: SharedPlan,
    assignment: shapes.Assignment | None,
    today: dict[str, str],
    answers: OwnAnswers = OwnAnswers(),  # noqa: B008 - it is frozen
    granted: Sequence[str] = (),
    limits: Sequence[HeldLimit] | None = None,
    round: int = 1,  # noqa: A002 - the prompt's own name for it
    max_rounds: int = 5,
    **_: Any,
) -> shapes.FeedbackAnswer:
    language = language_of_tag(demand.language, demand.surface_demand)
    asked = asked_on(today)
    worded = profile.worded_limits if limits is None else limits
    texts = (demand.surface_demand, proposal.summary, proposal.objective, *proposal.gaps, *proposal.success_criteria)
    if assignment is not None:
        texts = (*texts, assignment.role)
    held = limit_answers(worded, texts, demand, asked, proposal.when)
    if assignment is None:
        return shapes.FeedbackAnswer(
            feedback_type=FeedbackType.WITHDRAW, reasoning=phrase("vote.no_seat", language), limits=held
        )
    broken = broken_datum(profile.data_limits, demand, proposal.when, is_own_time=assignment.attends)
    if broken is not None:
        return _against(broken, held, language, is_last=round >= max_rounds)
    wishes = _wishes(profile, assignment, demand, answers, granted, language)
    for each in wishes:
        if each.is_refused and each.if_declined == "withdraw":
            reason = phrase("vote.refused", language, text=each.text)
            return shapes.FeedbackAnswer(feedback_type=FeedbackType.WITHDRAW, reasoning=reason, limits=held)
    due = [
        each
        for each in wishes
        if (not each.was_asked or (each.is_refused and each.if_declined == "negotiate")) and round < max_rounds
    ]
    if due:
        data = [datum_in(each.text, asked)[0] for each in due]
        return shapes.FeedbackAnswer(
            feedback_type=FeedbackType.NEGOTIATE,
            reasoning=phrase("vote.wish", language),
            adjustment_request="; ".join(each.text for each in due),
            change=data[0] if len(due) == 1 else None,
            limits=held,
            confidence=70,
        )
    return shapes.FeedbackAnswer(
        feedback_type=FeedbackType.ACCEPT,
        reasoning=phrase("vote.accept.open" if wishes else "vote.accept", language),
        adjustment_request="; ".join(each.text for each in wishes if each.is_ask),
        concerns=tuple(phrase("vote.concern", language, text=each.text) for each in wishes),
        limits=held,
        confidence=60,
    )


def _against(broken: Datum, held: Any, language: Language, *, is_last: bool) -> shapes.FeedbackAnswer:
    return shapes.FeedbackAnswer(
        feedback_type=FeedbackType.WITHDRAW if is_last else FeedbackType.NEGOTIATE,
        reasoning=phrase("vote.limit", language),
        adjustment_request="" if is_last else phrase("vote.limit.ask", language),
        change=None if is_last else broken,
        limits=held,
        confidence=90,
    )


def _wishes(
    profile: Profile,
    assignment: shapes.Assignment,
    demand: shapes.Understanding,
    answers: OwnAnswers,
    granted: Sequence[str],
    language: Language,
) -> list[_Wish]:
    """Return the conditions and wishes that the plan does not meet, each once."""
    near = [nearness(each, profile, language) for each in needs_of(demand) if each.need_id in assignment.covers]
    given = (*granted, *answers.requests_addressed, *(each.condition for each in answers.conditions if each.met))
    reactions: dict[str, Reaction] = {}
    for condition in profile.preferences.conditions:
        for text in {condition.text.said_in("en"), condition.text.said_in("zh")}:
            reactions[text] = condition.if_declined
    found: list[_Wish] = []
    for answer in answers.conditions:
        if not answer.met:
            reaction = reactions.get(answer.condition, "accept")
            was_asked = reaction == "accept" or any(
                stands_in(answer.condition, each.request) for each in answers.requests_declined
            )
            is_refused = bool(answer.reason) and not is_left_open(answer.reason)
            found.append(_Wish(answer.condition, reaction, was_asked, is_refused))
    for wish in profile.preferences.asks:
        text = wish.change.said_in(language)
        if not is_about(wish, profile, near) or any(stands_in(text, each) for each in given):
            continue
        refusals = [each for each in answers.requests_declined if stands_in(text, each.request)]
        is_refused = any(not is_left_open(each.reason) for each in refusals)
        found.append(_Wish(text, wish.if_declined, bool(refusals), is_refused, is_ask=True))
    return found


def verify(claims: Sequence[Any] = (), limits: Sequence[Any] = (), **_: Any) -> shapes.Verification:
    """Answer that nothing is known of a claim; of a limit, the twin's own answer stands, as rules made it."""
    return shapes.Verification(
        claims=tuple(shapes.Opinion(number=each.number) for each in claims),
        limits=tuple(shapes.LimitOpinion(number=each.number, verdict=shapes.LimitVerdict.KEPT) for each in limits),
    )


def read_request(today: dict[str, str], **given: Any) -> shapes.RequestRead:
    text = next((str(given[name]) for name in ("request", "text", "wish", "words") if given.get(name)), "")
    datum, scope = datum_in(text, asked_on(today))
    return shapes.RequestRead(understood=text.strip() if datum is not None else "", data=datum, scope=scope)
