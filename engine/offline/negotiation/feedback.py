"""Prompt 5: vote as a profile says: accept, but for limits that are broken and for wishes of the person's own."""

from collections.abc import Sequence
from typing import Any, NamedTuple, get_args

from engine.directory.profile import HeldLimit, Profile, Reaction
from engine.facts.language import Language
from engine.facts.quoting import stands_in
from engine.negotiation.answers import Assignment, FeedbackAnswer, Understanding
from engine.negotiation.voting.kinds import FeedbackType
from engine.negotiation.voting.twins_view import OwnAnswers, SharedPlan
from engine.offline.model import phrase
from engine.offline.negotiation.conditions import is_left_open
from engine.offline.negotiation.limits import broken_datum, limit_answers
from engine.offline.negotiation.nearness import nearness
from engine.offline.negotiation.offers import is_about
from engine.offline.negotiation.shortlist import needs_of
from engine.offline.reading.circumstances import asked_on
from engine.offline.reading.script import language_of_tag
from engine.offline.reading.wishes import datum_in


class _Wish(NamedTuple):
    text: str
    if_declined: Reaction
    was_asked: bool
    is_refused: bool  # by somebody, and not only left to whoever asked
    is_ask: bool = False


def give_feedback(
    demand: Understanding,
    profile: Profile,
    proposal: SharedPlan,
    assignment: Assignment | None,
    today: dict[str, str],
    answers: OwnAnswers = OwnAnswers(),  # noqa: B008 - it is frozen
    granted: Sequence[str] = (),
    limits: Sequence[HeldLimit] | None = None,
    round: int = 1,  # noqa: A002 - the prompt's own name for it
    max_rounds: int = 5,
    **_: Any,
) -> FeedbackAnswer:
    language = language_of_tag(demand.language, demand.surface_demand)
    asked = asked_on(today)
    worded = profile.worded_limits if limits is None else limits
    texts = (demand.surface_demand, proposal.summary, proposal.objective, *proposal.gaps, *proposal.success_criteria)
    held = limit_answers(worded, (*texts, *([assignment.role] if assignment else ())), demand, asked, proposal.when)
    if assignment is None:
        reason = phrase("vote.no_seat", language)
        return FeedbackAnswer(feedback_type=FeedbackType.WITHDRAW, reasoning=reason, limits=held)
    broken = broken_datum(profile.data_limits, demand, proposal.when, is_own_time=assignment.attends)
    if broken is not None:
        is_last = round >= max_rounds
        return FeedbackAnswer(
            feedback_type=FeedbackType.WITHDRAW if is_last else FeedbackType.NEGOTIATE,
            reasoning=phrase("vote.limit", language),
            adjustment_request="" if is_last else phrase("vote.limit.ask", language),
            change=None if is_last else broken,
            limits=held,
            confidence=90,
        )
    wishes = _wishes(profile, assignment, demand, answers, granted, language)
    for each in wishes:
        if each.is_refused and each.if_declined == "withdraw":
            reason = phrase("vote.refused", language, text=each.text)
            return FeedbackAnswer(feedback_type=FeedbackType.WITHDRAW, reasoning=reason, limits=held)
    due = [each for each in wishes if not each.was_asked or (each.is_refused and each.if_declined == "negotiate")]
    if due and round < max_rounds:
        data = [datum_in(each.text, asked)[0] for each in due]
        return FeedbackAnswer(
            feedback_type=FeedbackType.NEGOTIATE,
            reasoning=phrase("vote.wish", language),
            adjustment_request="; ".join(each.text for each in due),
            change=data[0] if len(due) == 1 else None,
            limits=held,
            confidence=70,
        )
    return FeedbackAnswer(
        feedback_type=FeedbackType.ACCEPT,
        reasoning=phrase("vote.accept.open" if wishes else "vote.accept", language),
        adjustment_request="; ".join(each.text for each in wishes if each.is_ask),
        concerns=tuple(phrase("vote.concern", language, text=each.text) for each in wishes),
        limits=held,
        confidence=60,
    )


def _wishes(
    profile: Profile,
    assignment: Assignment,
    demand: Understanding,
    answers: OwnAnswers,
    granted: Sequence[str],
    language: Language,
) -> list[_Wish]:
    """Return the conditions and wishes that the plan does not meet, each once."""
    near = [nearness(each, profile, language) for each in needs_of(demand) if each.need_id in assignment.covers]
    given = (*granted, *answers.requests_addressed, *(each.condition for each in answers.conditions if each.met))
    conditions = profile.preferences.conditions
    reactions = {each.text.said_in(tongue): each.if_declined for each in conditions for tongue in get_args(Language)}
    found: list[_Wish] = []
    for answer in answers.conditions:
        if not answer.met:
            reaction = reactions.get(answer.condition, "accept")
            declined = [each.request for each in answers.requests_declined]
            was_asked = reaction == "accept" or any(stands_in(answer.condition, each) for each in declined)
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
