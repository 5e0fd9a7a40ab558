"""Prompt 4: weave the offers into one proposal."""

import re
from collections import Counter
from collections.abc import Sequence

from engine.errors import InvalidAnswer
from engine.facts.answer_fields import Level
from engine.facts.language import Language
from engine.facts.shortening import shorten
from engine.lexicon.counted import are_people
from engine.lexicon.topics import topic
from engine.negotiation.answers import (
    Assignment,
    ConditionAnswer,
    Need,
    OfferDecision,
    OfferMade,
    ProposalDraft,
    RefusalReason,
    SubstituteOffer,
    Understanding,
)
from engine.negotiation.reading import Today, asked_on
from engine.offline.negotiation import assignment_notes
from engine.offline.negotiation.needs import Needs, covered_needs, needs_beyond_topics, needs_of
from engine.offline.negotiation.phrasing import in_third_person, join_list, phrase
from engine.offline.negotiation.requests import decide_request
from engine.offline.negotiation.seats import Seat, Seating, part_about, parts_of, seat_everyone
from engine.offline.negotiation.timelines import timeline

LONGEST_TITLE = 90

_WANTED = re.compile(
    r"^(?:我们|我|大家)?(?:想要|打算|准备|计划|希望|需要|想)(?:能)?"
    r"|^(?:i|we)(?:'d| would)? (?:want|like|plan|need|hope) to ",
    re.IGNORECASE,
)
_NEEDING = re.compile(r"[，,；;。]\s*(?:需要|缺|还差|想找|求|(?:we |i )?need|looking for)", re.IGNORECASE)


def draft_proposal(
    demand: Understanding, offers: Sequence[OfferMade], today: Today, declined: Sequence[RefusalReason] = ()
) -> ProposalDraft:
    """
    Raises:
        InvalidAnswer: nobody takes part.
    """
    taking_part = [each for each in offers if each.decision is not OfferDecision.DECLINE]
    if not taking_part:
        raise InvalidAnswer("There is no offer to make a proposal of.")
    needs = needs_of(demand)
    seating = seat_everyone(taking_part, needs, demand.context.expected_attendees)
    seated = {seat.offer.agent_id for seat in seating.seats}
    conditions = tuple(
        answer for offer in taking_part if offer.agent_id in seated for answer in condition_answers(offer, demand)
    )
    assignments = tuple(_assignment(seat, seating, demand, conditions) for seat in seating.seats)
    gaps = uncovered_needs(demand, assignments)
    covered = {key for seat in seating.seats for key in seat.topics}
    return ProposalDraft(
        summary=summary(demand, assignments, gaps, needs.language),
        objective=phrase("plan.objective", needs.language, demand=demand.surface_demand),
        assignments=assignments,
        timeline=timeline(needs, demand.context, covered, asked_on(today), [each.condition for each in conditions]),
        rationale=_rationale(seating, needs.language),
        gaps=gaps,
        success_criteria=_success_criteria(demand, needs),
        risks=risks(demand, assignments, gaps, needs),
        conditions=conditions,
        confidence=confidence(assignments, gaps, conditions),
    )


def summary(demand: Understanding, seats: Sequence[Assignment], gaps: Sequence[str], language: Language) -> str:
    stop = "（{}）" if language == "zh" else " ({})"
    people = join_list([each.display_name + stop.format(each.role) for each in seats], language)
    text = phrase("plan.summary", language, demand=short_title(demand), people=people)
    essential = {each.what for each in demand.needs if each.essential}  # code says of every plan which of them it lacks
    if others := [short_gap(gap) for gap in gaps if gap not in essential]:
        open_ = phrase("plan.summary.open", language, gaps=join_list(others, language))
        text += open_ if language == "zh" else f" {open_}"
    return text


def uncovered_needs(demand: Understanding, seats: Sequence[Assignment]) -> tuple[str, ...]:
    """What nobody in these seats covers, in the words of the demand."""
    covering = Counter(need_id for each in seats for need_id in each.covers)
    return tuple(each.what for each in demand.needs if covering[each.need_id] < _wanted(each))


def _wanted(need: Need) -> int:
    return need.quantity if need.quantity > 1 and are_people(need.what, need.tags) else 1


def short_title(demand: Understanding) -> str:
    """The demand without its "I want to ..." and without the needs it lists."""
    core = _WANTED.sub("", demand.surface_demand.strip())
    core = _NEEDING.split(core, maxsplit=1)[0].rstrip("。.，, ") or demand.surface_demand
    return shorten(core[:1].upper() + core[1:], LONGEST_TITLE)


def short_gap(gap: str) -> str:
    return gap.replace("：", ":").partition(":")[0]


def risks(demand: Understanding, seats: Sequence[Assignment], gaps: Sequence[str], needs: Needs) -> tuple[str, ...]:
    found = [
        phrase("risk.core", needs.language, role=each.role, name=each.display_name) for each in seats if each.core
    ][:2]
    found += [phrase("risk.date", needs.language)] * (demand.context.date is None)
    found += [phrase("risk.gap", needs.language, gap=gap) for gap in gaps[:2]]
    found += [phrase("risk.budget", needs.language)] * (demand.context.budget is None)
    return tuple(found[:4])


def confidence(seats: Sequence[Assignment], gaps: Sequence[str], conditions: Sequence[ConditionAnswer]) -> Level:
    unmet = sum(not each.met for each in conditions)
    if not gaps and not unmet:
        return "high"
    return "low" if len(gaps) >= len(seats) or unmet > len(seats) / 2 else "medium"


def condition_answers(offer: OfferMade | SubstituteOffer, demand: Understanding) -> list[ConditionAnswer]:
    answers = []
    for condition in offer.conditions:
        ruling = decide_request(condition, demand, offer.agent_id)
        answers.append(
            ConditionAnswer(agent_id=offer.agent_id, condition=condition, met=ruling.granted, reason=ruling.reason)
        )
    return answers


def condition_notes(agent_id: str, conditions: Sequence[ConditionAnswer], language: Language) -> str:
    note = ""
    for each in conditions:
        if each.agent_id == agent_id:
            line = (
                assignment_notes.agreed_line(each.condition, language)
                if each.met
                else assignment_notes.declined_line(each.condition, each.reason, language)
            )
            note = assignment_notes.with_line(note, line)
    return note


def _assignment(
    seat: Seat, seating: Seating, demand: Understanding, conditions: Sequence[ConditionAnswer]
) -> Assignment:
    needs, offer = needs_of(demand), seat.offer
    language = needs.language
    beyond = {each.need_id for each in needs_beyond_topics(demand)}
    if seat.leader is None:
        able = (*covered_needs(demand.needs, seat.topics), *beyond)
    else:  # whoever stands beside another one counts where more than one is needed
        able = tuple(covered_needs([each for each in demand.needs if _wanted(each) > 1], seat.topics))
    return Assignment(
        agent_id=offer.agent_id,
        display_name=offer.display_name,
        role=_role(seat, demand, language),
        responsibility=_responsibility(seat, demand, language),
        dependencies=_dependencies(seat, seating, language),
        notes=condition_notes(offer.agent_id, conditions, language),
        covers=tuple(each.need_id for each in demand.needs if each.need_id in able and each.need_id in offer.covers),
        core=_is_core(seat, seating, needs),
    )


def _role(seat: Seat, demand: Understanding, language: Language) -> str:
    if not seat.topics:
        return next(iter(_things(seat, demand)), "支持" if language == "zh" else "Support")
    return topic(seat.topics[0]).role.said_in(language)


def _things(seat: Seat, demand: Understanding) -> list[str]:
    """What they cover that no topic knows."""
    return [each.what for each in needs_beyond_topics(demand) if each.need_id in seat.offer.covers]


def _responsibility(seat: Seat, demand: Understanding, language: Language) -> str:
    """Their own words about the task, how long a talk is, and whom they support."""
    parts = [(part_about(seat.offer.contribution, key), topic(key).tag.said_in(language)) for key in seat.topics]
    pieces = [in_third_person(part) or tag for part, tag in parts]
    pieces = pieces or [in_third_person(each) for each in parts_of(seat.offer.contribution)]
    pieces = [each for each in pieces if each] or _things(seat, demand)[:1] or [seat.offer.contribution]
    if "speaker" in seat.topics and "分钟" not in pieces[0] and "minute" not in pieces[0]:
        pieces.append(phrase("plan.talk", language))
    if seat.leader is not None and seat.topics[0] != "speaker":
        pieces.append(phrase("plan.support", language, lead=seat.leader.display_name))
    return ("；" if language == "zh" else "; ").join(dict.fromkeys(pieces))


def _dependencies(seat: Seat, seating: Seating, language: Language) -> tuple[str, ...]:
    found: list[str] = []
    needed = [before for each in seat.topics for before in topic(each).after]
    for key in dict.fromkeys(needed):
        leader = seating.leading(key)
        if leader is not None and leader.offer.agent_id != seat.offer.agent_id:
            role = topic(key).role.said_in(language)
            found.append(phrase("plan.dependency", language, name=leader.offer.display_name, role=role))
    return tuple(dict.fromkeys(found))


def _is_core(seat: Seat, seating: Seating, needs: Needs) -> bool:
    """Whether they alone provide something that the demand names, or an event's room."""
    essential = needs.essential
    others = {key for each in seating.seats if each is not seat for key in each.topics}
    others |= {key for _, key, _ in seating.redundant}
    return any(key in essential and key in needs.topics and key not in others for key in seat.topics)


def _rationale(seating: Seating, language: Language) -> str:
    parts = [phrase("plan.rationale", language)]
    for offer, key, lead in seating.redundant:
        role = topic(key).role.said_in(language)
        parts.append(phrase("plan.redundant", language, role=role, name=offer.display_name, lead=lead.display_name))
    return ("" if language == "zh" else " ").join(parts)


def _success_criteria(demand: Understanding, needs: Needs) -> tuple[str, ...]:
    context, language = demand.context, needs.language
    found: list[str] = []
    if context.expected_attendees and needs.kind == "event":
        found.append(phrase("criteria.attendees", language, most=context.expected_attendees))
    found.append(phrase(f"criteria.{needs.timeline}", language))
    if context.date:
        found.append(phrase("criteria.date", language, date=context.date))
    return (*found, phrase("criteria.seats", language))
