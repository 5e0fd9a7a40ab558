"""Prompt 5: a twin votes on a proposal, as its profile says the person would."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.directory.profile import Profile, Reaction
from engine.facts.language import Language
from engine.lexicon.mentions import topics_in
from engine.negotiation.answers import Assignment, FeedbackAnswer, FeedbackType, Understanding, VoteCounts
from engine.negotiation.reading import Today
from engine.negotiation.twins_view import OwnAnswers, SharedPlan
from engine.offline.negotiation import assignment_notes
from engine.offline.negotiation.abilities import concerns
from engine.offline.negotiation.needs import needs_of
from engine.offline.negotiation.old_limits import forbidden_word
from engine.offline.negotiation.phrasing import phrase

SMALL_TEAM = 3
"""Assignments. In so small a team, and in the last round, a small wish is mentioned but not negotiated."""


@dataclass(frozen=True, slots=True)
class _Wish:
    """Something the person wants, and whether the plan grants or declines it."""

    text: str
    because: str
    if_declined: Reaction
    granted: bool
    declined: bool
    condition: bool


def give_feedback(
    demand: Understanding,
    profile: Profile,
    proposal: SharedPlan,
    assignment: Assignment | None,
    conditions: Sequence[str] = (),
    answers: OwnAnswers = OwnAnswers(),  # noqa: B008 - it is frozen
    granted: Sequence[str] = (),
    counts: VoteCounts | None = None,
    round: int = 1,  # noqa: A002 - the prompt's own name for it
    max_rounds: int = 5,
    today: Today | None = None,
) -> FeedbackAnswer:
    language = needs_of(demand).language
    if assignment is None:
        return _withdraw("no_seat", profile, language)
    leaving = _forced_withdrawal(profile, proposal, assignment, language)
    if leaving is not None:
        return leaving
    wishes = [
        *_conditions(profile, answers, assignment, conditions, language),
        *_own_wishes(profile, answers, assignment, granted, language),
    ]
    for wish in wishes:
        if wish.declined and wish.if_declined == "withdraw":
            return _withdraw("declined", profile, language, because=wish.because or wish.text)
    small = len(proposal.seats) <= SMALL_TEAM or round >= max_rounds
    for wish in wishes:
        gives_in = assignment.core and round >= max_rounds  # the plan would fall with them; who would leave says so
        if wish.declined and wish.if_declined == "negotiate" and not gives_in:
            how = "insist.condition" if wish.condition else "insist"
            return _negotiate(how, wish, profile, language)
        if not wish.declined and not wish.granted and not (small and wish.if_declined == "accept"):
            return _negotiate("negotiate", wish, profile, language)
    return _accept(profile, assignment, wishes, demand, language)


def _forced_withdrawal(
    profile: Profile, proposal: SharedPlan, assignment: Assignment, language: Language
) -> FeedbackAnswer | None:
    """The withdrawal of a person whose limits or conditions the plan breaks; None if it breaks none."""
    texts = list(_plan_texts(proposal, assignment))
    word = forbidden_word(profile, texts)
    if word is not None:
        return _withdraw("never", profile, language, word=word)
    together = "\n".join(texts).lower()
    for each in profile.preferences.leaves_if:
        if any(word.lower() in together for word in each.plan_says):
            return _withdraw("leaves", profile, language, because=each.because.said_in(language))
    return None


def _plan_texts(proposal: SharedPlan, assignment: Assignment) -> Iterator[str]:
    """The texts that concern them: the plan as a whole and their assignment, without what was refused."""
    yield from (proposal.summary, proposal.objective, assignment.role, assignment.responsibility)
    yield from assignment_notes.agreed_lines(assignment.notes)
    yield from proposal.success_criteria
    for milestone in proposal.timeline.milestones:
        yield from (milestone.name, milestone.date, milestone.deliverable)


def _conditions(
    profile: Profile, told: OwnAnswers, assignment: Assignment, made: Sequence[str], language: Language
) -> list[_Wish]:
    """The conditions they made, each granted or declined by the plan, or left open."""
    answers = {each.condition: each for each in told.conditions}
    own = {each.text.said_in(language): each.if_declined for each in profile.preferences.conditions}
    reaction: Reaction = "withdraw" if profile.limits.paid_only else "accept"
    wishes = []
    for text in made:
        answer = answers.get(text)
        met = answer is not None and answer.met
        refused = (answer is not None and not answer.met) or assignment_notes.any_mentions_request(
            assignment_notes.declined_lines(assignment.notes), text
        )
        because = answer.reason if answer is not None else text
        wishes.append(_Wish(text, because, own.get(text, reaction), met, refused and not met, condition=True))
    return wishes


def _own_wishes(
    profile: Profile, told: OwnAnswers, assignment: Assignment, granted_before: Sequence[str], language: Language
) -> list[_Wish]:
    """The wishes of their profile that concern their assignment."""
    topics = topics_in(f"{assignment.role}\n{assignment.responsibility}")
    texts = (assignment.role, assignment.responsibility)
    granted = [
        *granted_before,
        assignment.responsibility,
        *assignment_notes.agreed_lines(assignment.notes),
        *told.requests_addressed,
    ]
    refused = [
        *assignment_notes.declined_lines(assignment.notes),
        *(each.request for each in told.requests_declined),
    ]
    wishes = []
    for each in profile.preferences.asks:
        if not concerns(profile, each.about, topics, texts):
            continue
        change, because = each.change.said_in(language), each.because.said_in(language)
        given = assignment_notes.any_mentions_request(granted, change)
        denied = not given and assignment_notes.any_mentions_request(refused, change)
        wishes.append(_Wish(change, because, each.if_declined, given, denied, condition=False))
    return wishes


def _accept(
    profile: Profile, assignment: Assignment, wishes: Sequence[_Wish], demand: Understanding, language: Language
) -> FeedbackAnswer:
    concerns = [
        phrase("vote.concern.condition", language, condition=wish.text)
        for wish in wishes
        if wish.condition and wish.declined
    ]
    concerns += [wish.text for wish in wishes if not wish.declined and not wish.granted]
    if assignment.core:
        concerns.append(phrase("vote.concern.core", language))
    elif demand.context.date is None:
        concerns.append(phrase("vote.concern.date", language))
    how = "vote.accept"
    if any(wish.declined for wish in wishes):
        how = "vote.accept.declined"
    elif any(wish.granted and not wish.condition for wish in wishes):
        how = "vote.accept.granted"
    reasoning = phrase(how, language, profile.agent_id, role=assignment.role)
    confidence = 90 - 10 * sum(wish.declined for wish in wishes)
    return FeedbackAnswer(
        feedback_type=FeedbackType.ACCEPT, reasoning=reasoning, concerns=tuple(concerns), confidence=confidence
    )


def _negotiate(how: str, wish: _Wish, profile: Profile, language: Language) -> FeedbackAnswer:
    return FeedbackAnswer(
        feedback_type=FeedbackType.NEGOTIATE,
        reasoning=phrase(f"vote.{how}", language, profile.agent_id, because=wish.because),
        adjustment_request=wish.text,
        confidence=80,
    )


def _withdraw(why: str, profile: Profile, language: Language, /, **values: object) -> FeedbackAnswer:
    return FeedbackAnswer(
        feedback_type=FeedbackType.WITHDRAW,
        reasoning=phrase(f"vote.withdraw.{why}", language, profile.agent_id, **values),
        confidence=85,
    )
