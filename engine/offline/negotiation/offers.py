"""Prompt 3: answer a demand with what a profile says of itself, and nothing else."""

from collections.abc import Sequence
from typing import Any, Final

from engine.directory.profile import Condition, HeldLimit, Profile, Request
from engine.facts.asked import Asked
from engine.facts.holding import PAID, holds
from engine.facts.language import Language
from engine.facts.places import same_city, time_zone_of
from engine.llm.encoder import meaning
from engine.negotiation import answers as shapes
from engine.offline.model import phrase
from engine.offline.negotiation import limits as bounds
from engine.offline.negotiation.nearness import SAME_TAG, Near, is_sure, nearness
from engine.offline.negotiation.shortlist import capacity_in, is_too_small, need_told, needs_of
from engine.offline.reading.circumstances import asked_on
from engine.offline.reading.grammar import rule
from engine.offline.reading.numbers import money_in
from engine.offline.reading.places import ONLINE
from engine.offline.reading.script import language_of_tag
from engine.offline.reading.wishes import datum_in

AS_WELL: Final = 0.8  # who is so much nearer to one need covers none besides: others are asked for these


def make_offer(
    demand: shapes.Understanding,
    profile: Profile,
    today: dict[str, str],
    seat: shapes.VacantSeat | None = None,
    limits: Sequence[HeldLimit] | None = None,
    filter_reason: str = "",
    **_: Any,
) -> shapes.OfferAnswer:
    """What ``filter_reason`` names is asked for: everybody was compared. ``limits``, in words, are numbered from 1."""
    language = language_of_tag(demand.language, demand.surface_demand)
    worded = profile.worded_limits if limits is None else limits
    texts = (demand.surface_demand, *(each.what for each in demand.needs))
    held = bounds.limit_answers(worded, texts, demand, asked_on(today))
    found = [(each, nearness(each, profile, language)) for each in (seat.needs if seat else needs_of(demand))]
    found.sort(key=lambda each: -each[1].score)
    near = [each for each in found if need_told(each[0], language) in filter_reason]
    is_named = bool(near)
    near = near or [each for at, each in enumerate(found) if is_sure(each[1], demand.language, is_first=at > 0)]
    if reason := bounds.declined_for(profile, demand, language):
        return _declined(reason, held, 90)
    if not near:
        return _declined(phrase("decline.unfit", language), held, 50)
    when, most = demand.context.when, profile.limits.max_attendees or 0
    if not bounds.is_free_then(profile, when, time_zone_of(profile.location) or "", asked_on(today)):
        near = [
            each for each in near if each[0].deadline or rule("asking_before").search(f"{each[0].what} {each[1].words}")
        ]
    if not near:
        return _declined(bounds.no_time(profile, when.said or when.first, language), held, 90)
    if all(is_too_small(each[1].words, demand) for each in near):
        return _declined(bounds.unfit_size(capacity_in(near[0][1].words), 0, demand.context.people, language), held, 80)
    if not is_named:
        near = [each for each in near if each[1].score >= near[0][1].score - AS_WELL or each[0].what in each[1].words]
    asked, words = asked_on(today), [each[1] for each in near]
    wishes = [each.change.said_in(language) for each in profile.preferences.asks if is_about(each, profile, words)]
    part = bounds.part_of(demand)
    met = [each for each in wishes if (datum := datum_in(each, asked)[0]) and holds(datum, part).status == "met"]
    conditions = _conditions(profile, words, met, asked, language)
    told = [*(each.text for each in conditions), *wishes]
    said = [each.words for each in words]
    sums = [money for each in (*said, *told) for money, *_ in money_in(each) if money.currency]
    is_afar = any(map(ONLINE.search, (*said, profile.availability)))
    is_there = same_city(profile.location, demand.context.place.city)
    return shapes.OfferAnswer(
        decision=shapes.OfferDecision.CONDITIONAL if conditions else shapes.OfferDecision.PARTICIPATE,
        contribution="; ".join(dict.fromkeys(said)),
        conditions=conditions,
        reasoning=phrase("offer.reason", language),
        covers=tuple(shapes.Covering(need_id=need.need_id, quote=each.words, source="profile") for need, each in near),
        cost=sum(each.amount for each in sums if each.currency == sums[0].currency),
        currency=sums[0].currency if sums else "",
        per_head=max((each.per_head for each in sums if each.currency == sums[0].currency), default=0),
        free=all(map(rule("free_of_charge").search, said)),
        hours=bounds.hours_of(profile, demand, asked),
        capacity=max(capacity_in(each, demand.context.people.at_least) for each in said) or most,
        city=profile.location if is_there or (is_there is False and not is_afar) else "",
        online=is_afar and not is_there,
        notice=bounds.notice_of(profile, [*said, *told]),
        limits=held,
        confidence=60,
    )


def _declined(reason: str, held: tuple[shapes.LimitAnswer, ...], confidence: int) -> shapes.OfferAnswer:
    return shapes.OfferAnswer(
        decision=shapes.OfferDecision.DECLINE, decline_reason=reason, limits=held, confidence=confidence
    )


def _conditions(
    profile: Profile, near: Sequence[Near], met: Sequence[str], asked: Asked, language: Language
) -> tuple[shapes.StatedCondition, ...]:
    """Return what they take part on, and those of their wishes that the demand, as data, meets already."""
    found = [each.text.said_in(language) for each in profile.preferences.conditions if is_about(each, profile, near)]
    read = [(each, *datum_in(each, asked)) for each in (*found, *met)]
    stated = [shapes.StatedCondition(text=text, data=datum, scope=scope) for text, datum, scope in read]
    if profile.limits.paid_only:
        stated.append(shapes.StatedCondition(text=phrase("offer.paid", language), data=PAID))
    return tuple(stated)


def is_about(wish: Condition | Request, profile: Profile, near: Sequence[Near]) -> bool:
    """Whether a wish is about something for which the person takes part; one that names no tag is about all."""
    tags = [each.tag for each in near]
    if wish.about is None or wish.about in tags or not any(each.isascii() == wish.about.isascii() for each in tags):
        return True  # what stands there in two languages is not compared
    return any(each >= SAME_TAG for each in meaning().nearness(wish.about, tags))
