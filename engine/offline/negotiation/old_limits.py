"""Holds the limits of somebody's profile, which their twin must never break, against a demand and against a plan.

A model weighs; these are not weighed. Whatever it answers, an offer that breaks a limit is a decline, and no twin
accepts a plan that does.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from msgspec.structs import replace

from engine.directory.profile import Profile, Request
from engine.facts.language import Language, language_of
from engine.facts.quoting import letters
from engine.lexicon.constraint_texts import read_constraints
from engine.lexicon.constraints import GroupSize, hold, hold_reading
from engine.lexicon.mentions import topics_in, topics_of
from engine.lexicon.synonyms import saying
from engine.lexicon.topics import topic
from engine.negotiation.answers import (
    Assignment,
    FeedbackAnswer,
    FeedbackType,
    OfferAnswer,
    OfferDecision,
    ProposalDraft,
    Understanding,
)
from engine.offline.negotiation import assignment_notes
from engine.offline.negotiation.abilities import concerns
from engine.offline.negotiation.old_plan_facts import facts_of
from engine.offline.negotiation.phrasing import phrase

if TYPE_CHECKING:
    from engine.lexicon.reading.places import Place

_LEAD = re.compile(r"^\s*(?:from now on|in future|as of now|从现在起|从今以后|以后|今后)[,，:：]?\s*", re.IGNORECASE)
"""How people begin what they say for good."""

_FROM_AFAR = re.compile(r"\bremote|\bonline|\bby video|\bover video|远程|线上|视频", re.IGNORECASE)

SURE = 90
"""The confidence of a decision that no model made."""


@dataclass(frozen=True, slots=True)
class BrokenLimit:
    """A limit that would be broken; ``decline.<name>`` is what is said of it."""

    name: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def said(self, profile: Profile, language: Language) -> str:
        values = {name: _said(value, language) for name, value in self.values.items()}
        return phrase(f"decline.{self.name}", language, profile.agent_id, **values)


@runtime_checkable
class _Named(Protocol):
    """Words or a place, which have a form in either language."""

    def said_in(self, language: Language) -> str: ...


def _said(value: object, language: Language) -> object:
    return value.said_in(language) if isinstance(value, _Named) else value


# ── what a twin answers ───────────────────────────────────────────────────────────────────────────────────────────


def kept_offer(profile: Profile, demand: Understanding, raw_input: str, offer: OfferAnswer) -> OfferAnswer:
    """Return a friendly decline in place of an offer that breaks a limit."""
    if offer.decision is OfferDecision.DECLINE:
        return offer
    broken = first_broken_limit(profile, _abilities_used(profile, offer.contribution), demand, raw_input)
    if broken is None:
        return offer
    language = language_of(raw_input or demand.surface_demand)
    return OfferAnswer(
        decision=OfferDecision.DECLINE,
        reasoning=phrase("decline.reasoning", language, profile.agent_id),
        decline_reason=broken.said(profile, language),
        confidence=SURE,
    )


def kept_vote(
    profile: Profile,
    demand: Understanding,
    raw_input: str,
    plan: ProposalDraft,
    seat: Assignment | None,
    vote: FeedbackAnswer,
    *,
    is_last: bool,
) -> FeedbackAnswer:
    """Return a vote in place of an accept of a plan that breaks a limit, or that the person leaves by their profile.

    Of the first version, an accept also gives way to a wish that they would insist on or leave without: no twin is
    talked out of bringing it up. The twin leaves where the demand itself breaks a limit, and in the last round; else it
    asks for the plan to change.
    """
    if vote.feedback_type is not FeedbackType.ACCEPT:
        return vote
    language = language_of(raw_input or demand.surface_demand)
    leaving = _why_they_leave(profile, plan, seat, language)
    if leaving:
        return replace(
            vote, feedback_type=FeedbackType.WITHDRAW, reasoning=leaving, adjustment_request="", confidence=SURE
        )
    if plan.adjustment_summary is None and not is_last and (wish := _untold_wish(profile, seat)):
        return replace(
            vote,
            feedback_type=FeedbackType.NEGOTIATE,
            reasoning=phrase("vote.negotiate", language, profile.agent_id, because=wish.because.said_in(language)),
            adjustment_request=wish.change.said_in(language),
            confidence=SURE,
        )
    is_bound = bool(profile.limits.locations)  # else it does not matter what they do there
    topics = topics_in(f"{seat.role}\n{seat.responsibility}") if seat and is_bound else ()
    broken = first_broken_limit(profile, topics, demand, raw_input)
    word = (
        None
        if broken
        else forbidden_word(profile, _plan_texts(plan, seat)) or _refused_time(profile, demand, plan, seat)
    )
    line = None if broken or word is not None else _broken_line(profile, demand, plan, seat)
    if line is not None:
        reason = phrase("vote.told.reason", language, profile.agent_id, line=line)
        asked = "" if is_last else phrase("vote.told", language, profile.agent_id, line=line)
        kind = FeedbackType.WITHDRAW if is_last else FeedbackType.NEGOTIATE
        return replace(vote, feedback_type=kind, reasoning=reason, adjustment_request=asked, confidence=SURE)
    if word is not None and not is_last:
        return replace(
            vote,
            feedback_type=FeedbackType.NEGOTIATE,
            reasoning=phrase("vote.limit.reason", language, profile.agent_id, word=word),
            adjustment_request=phrase("vote.limit", language, profile.agent_id, word=word),
            confidence=SURE,
        )
    if word is not None:
        reason = phrase("vote.withdraw.never", language, profile.agent_id, word=word)
    elif broken is not None:
        reason = broken.said(profile, language)
    else:
        return vote
    return replace(vote, feedback_type=FeedbackType.WITHDRAW, reasoning=reason, adjustment_request="", confidence=SURE)


def _why_they_leave(profile: Profile, plan: ProposalDraft, seat: Assignment | None, language: Language) -> str:
    """Return why the profile says that they leave this plan; empty where it does not.

    Either the plan says something that makes them leave, or it declines what they said they would leave without.
    """
    texts = [*_plan_texts(plan, seat)] if profile.preferences.leaves_if else []
    for leave in profile.preferences.leaves_if:
        if any(saying(text, word) is not None for word in leave.plan_says for text in texts):
            return phrase("vote.withdraw.leaves", language, profile.agent_id, because=leave.because.said_in(language))
    musts = [each.text for each in profile.preferences.conditions if each.if_declined == "withdraw"]
    musts += [each.change for each in profile.preferences.asks if each.if_declined == "withdraw"]
    if not musts:
        return ""
    without = {letters(text) for each in musts for text in (each.zh, each.en) if text}
    summary = plan.adjustment_summary
    declined = [
        (each.condition, each.reason, each.agent_id) for each in plan.conditions if not each.met and each.reason
    ]
    declined += [(each.request, each.reason, each.agent_id) for each in (summary.requests_declined if summary else ())]
    for text, why, agent_id in declined:
        if agent_id == profile.agent_id and why and letters(text) in without:
            return phrase("vote.withdraw.declined", language, profile.agent_id, because=why)
    return ""


def _untold_wish(profile: Profile, seat: Assignment | None) -> Request | None:
    """Return the first wish for this seat that the person would not give up, and that the seat does not meet."""
    if seat is None:
        return None
    texts = (seat.role, seat.responsibility)
    told = (seat.responsibility, *assignment_notes.agreed_lines(seat.notes))
    for each in profile.preferences.asks:
        if each.if_declined == "accept" or not concerns(profile, each.about, topics_in("\n".join(texts)), texts):
            continue
        if not any(
            assignment_notes.any_mentions_request(told, text) for text in (each.change.zh, each.change.en) if text
        ):
            return each
    return None


def _abilities_used(profile: Profile, contribution: str) -> Sequence[str]:
    """The person's abilities that an offer names, else all of them; none where they would use them from afar, or are
    bound to no place.
    """
    if not profile.limits.locations or _FROM_AFAR.search(contribution):
        return ()
    named, own = topics_in(contribution), topics_of(profile.tags)
    return tuple(each for each in named if each in own) or own or named


# ── the limits ────────────────────────────────────────────────────────────────────────────────────────────────────


def first_broken_limit(
    profile: Profile, topics: Sequence[str], demand: Understanding, raw_input: str = ""
) -> BrokenLimit | None:
    """Return the first limit that taking part would break.

    Args:
        topics: the abilities that the person would use, as far as they are known.
        raw_input: the demand as it was written, where a model may have lost a word of it.
    """
    limits, context = profile.limits, demand.context
    if limits.never:
        texts = (demand.surface_demand, raw_input, *demand.capability_tags)
        word = forbidden_word(profile, texts) or _refused_time(profile, demand, _no_plan(demand), None)
        if word is not None:
            return BrokenLimit("never", {"word": word})
    if (line := _broken_line(profile, demand, _no_plan(demand), None)) is not None:
        return BrokenLimit("told", {"line": line})
    if limits.busy is not None:
        return BrokenLimit("busy", {"why": limits.busy})
    if topics and not can_be_there(profile, topics, demand):
        there = place_of(context.location or "")
        return BrokenLimit(
            "far", {"mine": place_of(profile.location) or profile.location, "place": there or context.location}
        )
    size = _too_many_or_few(profile, demand, raw_input)
    if size is not None:
        return size
    if limits.paid_only and facts_of(demand, _no_plan(demand), None, ()).money.none:
        return BrokenLimit("unpaid")
    return None


def _broken_line(profile: Profile, demand: Understanding, plan: ProposalDraft, seat: Assignment | None) -> str | None:
    """Return the first line that the person told their twin for good, and that this breaks.

    A line that can be read as a whole is held here ("not on Mondays", "at most 20 people"); any other is weighed by
    whoever answers for them.
    """
    facts = facts_of(demand, plan, seat, plan.assignments) if profile.from_now_on else None
    for line in profile.from_now_on:
        reading = read_constraints(_LEAD.sub("", line))
        if facts is not None and reading.complete and hold_reading(reading, facts).status == "broken":
            return line
    return None


def forbidden_word(profile: Profile, texts: Iterable[str]) -> str | None:
    """Return how these texts say something that the person never does."""
    said = [*texts] if profile.limits.never else []
    for never in profile.limits.never:
        for text in said:
            if (word := saying(text, never)) is not None:
                return word
    return None


def can_be_there(profile: Profile, topics: Sequence[str], demand: Understanding) -> bool:
    """Whether the person can use at least one of these abilities where the demand is."""
    return is_near(profile, demand) or any(not topic(key).on_site for key in topics)


def is_near(profile: Profile, demand: Understanding) -> bool:
    """Whether the person can be where the demand is, as far as both are known."""
    place = demand.context.location
    if place is None or not profile.limits.locations or _is_online(place):
        return True
    return any(same_place(place, each) for each in profile.limits.locations)


def is_free(profile: Profile, demand: Understanding, raw_input: str = "") -> bool:
    """Whether the person can be asked at all: they are not busy, and the number of people is within their limits.

    What they never do their twin says itself, where a demand names it.
    """
    return profile.limits.busy is None and _too_many_or_few(profile, demand, raw_input) is None


def _is_online(place: str) -> bool:
    from engine.lexicon.reading.places import ONLINE  # the first text loads it

    return place_of(place) == ONLINE


def place_of(text: str) -> "Place | None":
    """The first place that a text names."""
    from engine.lexicon.reading.places import places_in  # the first text loads it

    return next((each.value for each in places_in(text)), None)


def same_place(one: str, other: str) -> bool:
    """Whether two texts name the same place; unknown places are compared as they are written."""
    return (place_of(one) or one.strip().lower()) == (place_of(other) or other.strip().lower())


def _too_many_or_few(profile: Profile, demand: Understanding, raw_input: str) -> BrokenLimit | None:
    most, least = profile.limits.max_attendees or 0, profile.limits.min_attendees or 0
    if not most and not least:
        return None
    facts = facts_of(demand, _no_plan(demand), None, ())
    if raw_input and not (facts.people.at_least or facts.people.at_most):
        from engine.lexicon.reading.people import people_in  # the first text loads it

        found = people_in(raw_input)
        if len(found) != 1:
            return None
        facts = facts.with_people(found[0].value)
    if most and hold(GroupSize(at_most=most), facts).status == "broken":
        return BrokenLimit("too_many", {"limit": most, "wanted": facts.people.at_least})
    if least and hold(GroupSize(at_least=least), facts).status == "broken":
        return BrokenLimit("too_few", {"limit": least, "wanted": facts.people.at_most})
    return None


def _refused_time(profile: Profile, demand: Understanding, plan: ProposalDraft, seat: Assignment | None) -> str | None:
    """Return which of the words that the person refuses is a time or a place that this breaks: "overnight"."""
    if not profile.limits.never:
        return None
    facts = facts_of(demand, plan, seat, plan.assignments)
    for never in profile.limits.never:
        word = never.strip().lower()
        for refusal in (word, f"not {word}", f"不要{word}"):
            reading = read_constraints(refusal)
            is_refusal = reading.complete and (refusal != word or word.startswith(("no", "never", "不", "别")))
            if is_refusal and hold_reading(reading, facts).status == "broken":
                return never
    return None


def _no_plan(demand: Understanding) -> ProposalDraft:
    return ProposalDraft(summary=demand.surface_demand, assignments=())


def _plan_texts(plan: ProposalDraft, seat: Assignment | None) -> Iterator[str]:
    """The texts that concern a person: the plan as a whole and their seat, without the notes, which name what is
    refused too.
    """
    yield from (plan.summary, plan.objective)
    if seat is not None:
        yield from (seat.role, seat.responsibility)
    yield from plan.success_criteria
    for milestone in plan.timeline.milestones:
        yield from (milestone.name, milestone.date, milestone.deliverable)
