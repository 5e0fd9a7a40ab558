"""Holds what people ask for against a version of the plan: conditions of their offers, and requests of their votes.

A model says what it did about each; code says whether the version keeps it, wherever that can be told. What is broken
is never shown as met, whatever the model says, and what is already true is settled without another round.
"""

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from typing import Any, Final

from msgspec.structs import replace

from engine.facts.language import Language, language_of
from engine.lexicon.constraint_texts import read_constraints
from engine.lexicon.constraints import ONLINE, UNKNOWN, Finding, hold_reading
from engine.negotiation.answers import (
    AdjustmentSummary,
    Assignment,
    ConditionAnswer,
    FeedbackAnswer,
    FeedbackType,
    ProposalDraft,
    RequestAddressed,
    RequestDeclined,
)
from engine.negotiation.events import OfferSubmitted
from engine.negotiation.plan_facts import facts_of
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import HeldCondition

ALIKE: Final = 0.5
"""From which share of common pairs of characters on two wordings count as the same condition."""


def finding(state: Negotiation, text: str, agent_id: str, draft: ProposalDraft, seats: Sequence[Assignment]) -> Finding:
    """Return whether a version keeps what somebody asks for."""
    from engine.facts.asked import Asked  # the first text that is read loads it

    reading = read_constraints(text, Asked.at(state.asked_at, state.time_zone) if state.asked_at else None)
    if not reading.groups:
        return UNKNOWN
    seat = next((each for each in seats if each.agent_id == agent_id), None)
    return hold_reading(reading, facts_of(state.understanding, draft, seat, seats))


# ── conditions of offers ──────────────────────────────────────────────────────────────────────────────────────────


def held_conditions(
    state: Negotiation,
    draft: ProposalDraft,
    seats: Sequence[Assignment],
    offers: Iterable[OfferSubmitted],
    *answered: Sequence[ConditionAnswer],
) -> tuple[HeldCondition, ...]:
    """Return an answer to each condition of the offers; one that the draft forgot counts as not met.

    Args:
        answered: what the draft says of them; then what the version before did, where there is one.
    """
    held = []
    for offer in offers:
        if not offer.conditions:
            continue
        answers = _matched(offer, [[each for each in one if each.agent_id == offer.agent_id] for one in answered])
        for number, (condition, answer) in enumerate(zip(offer.conditions, answers, strict=True), 1):
            found = finding(state, condition, offer.agent_id, draft, seats)
            met = {"met": True, "broken": False}.get(found.status, answer.met)
            held.append(
                HeldCondition(
                    agent_id=offer.agent_id,
                    condition_id=number,
                    condition=condition,
                    met=met,
                    reason=answer.reason if answer.reason and met == answer.met else reason(state, found),
                    status=found.status,
                )
            )
    return tuple(held)


def _matched(offer: OfferSubmitted, answered: Sequence[list[ConditionAnswer]]) -> list[ConditionAnswer]:
    """Return the answer to each condition of an offer, in their order; the newest there is."""
    found: dict[int, ConditionAnswer] = {}
    for answers in answered:
        open_still = {number: each for number, each in enumerate(offer.conditions, 1) if number not in found}
        found |= _matched_once(open_still, answers, len(offer.conditions))
    nothing = ConditionAnswer(agent_id=offer.agent_id)
    return [found.get(number, nothing) for number in range(1, len(offer.conditions) + 1)]


def _matched_once(
    conditions: Mapping[int, str], answers: list[ConditionAnswer], count: int
) -> dict[int, ConditionAnswer]:
    """Return the answer to each condition that has one.

    A model repeats a condition in its own words, so an answer belongs to a condition by its number, where the numbers
    can be those of this offer, else by its text, else by what the texts have in common, else as the only one that is
    left on either side.

    Args:
        conditions: those that are open still, by their number.
        count: of the offer's conditions.
    """
    found: dict[int, ConditionAnswer] = {}
    texts = {number: letters(each) for number, each in conditions.items()}

    def take(fits: Callable[[int, ConditionAnswer], bool]) -> None:
        for number in texts:
            for each in answers:
                if number not in found and fits(number, each):
                    found[number] = each
                    answers.remove(each)
                    break

    numbers = [each.condition_id for each in answers if each.condition_id]
    if len({*numbers}) == len(numbers) and max(numbers, default=0) <= count:
        take(lambda number, each: each.condition_id == number)
    take(lambda number, each: bool(texts[number]) and letters(each.condition) == texts[number])
    take(lambda number, each: each.condition_id == number and letters(each.condition) not in texts.values())
    take(lambda number, each: _in_common(letters(each.condition), texts[number]) >= ALIKE)
    answers[:] = [each for each in answers if letters(each.condition) not in texts.values()]
    if len(answers) == len(texts) - len(found) == 1:
        take(lambda _number, _each: True)
    return found


def letters(text: str) -> str:
    """Return a text without its marks and spaces, so that one full stop more makes no other text of it."""
    folded = text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()
    return "".join(filter(str.isalnum, folded))


def _in_common(one: str, other: str) -> float:
    pairs = [{each[at : at + 2] for at in range(len(each) - 1)} for each in (one, other)]
    return 2 * len(pairs[0] & pairs[1]) / max(1, len(pairs[0]) + len(pairs[1]))


# ── requests of votes ─────────────────────────────────────────────────────────────────────────────────────────────


def settled(state: Negotiation, agent_id: str, answer: FeedbackAnswer) -> FeedbackAnswer:
    """Make an accept of a twin's vote that asks for nothing but what the version says already."""
    proposal = state.proposal
    if answer.feedback_type is not FeedbackType.NEGOTIATE or proposal is None:
        return answer
    found = finding(state, answer.adjustment_request, agent_id, proposal, proposal.assignments)
    if found.status != "met":
        return answer
    said = {
        "zh": f"我要的已经在方案里了：{answer.adjustment_request}（{reason(state, found)}）",
        "en": f"What I asked for is in the plan already: {answer.adjustment_request} ({reason(state, found)})",
    }[language(state)]
    return replace(answer, feedback_type=FeedbackType.ACCEPT, reasoning=said, adjustment_request="")


def held_requests(
    state: Negotiation,
    draft: ProposalDraft,
    seats: Sequence[Assignment],
    summary: AdjustmentSummary,
    asked: Mapping[str, str],
) -> AdjustmentSummary:
    """Correct what a draft says of the requests: one that its version breaks is declined, one that it keeps addressed.

    Args:
        summary: with an answer to every request.
        asked: the requests, by the id of whoever asks.
    """
    addressed = {each.agent_id: each for each in summary.requests_addressed}
    declined = {each.agent_id: each for each in summary.requests_declined}
    for who, request in asked.items():
        found = finding(state, request, who, draft, seats)
        if found.status == "met" and who in declined:
            declined.pop(who)
            addressed[who] = RequestAddressed(agent_id=who, request=request)
        elif found.status == "broken" and who in addressed:
            addressed.pop(who)
            declined[who] = RequestDeclined(agent_id=who, request=request, reason=reason(state, found))
        elif found.status == "broken" and who in declined and not declined[who].reason:
            declined[who] = replace(declined[who], reason=reason(state, found))
    return replace(summary, requests_addressed=tuple(addressed.values()), requests_declined=tuple(declined.values()))


# ── the words of code ─────────────────────────────────────────────────────────────────────────────────────────────

_SAID: Final[dict[str, dict[Language, str]]] = {
    "time": {"zh": "方案的时间是{start}到{end}", "en": "the plan has it from {start} to {end}"},
    "start": {"zh": "方案{start}开始", "en": "in the plan it begins at {start}"},
    "day": {"zh": "方案定在{first}", "en": "the plan has it on {first}"},
    "days": {"zh": "方案定在{first}到{last}", "en": "the plan has it between {first} and {last}"},
    "week": {"zh": "方案里第{week}周就有要做的事", "en": "the plan has work from week {week} on"},
    "weeks": {"zh": "方案里第{week}周到第{last}周有事要做", "en": "the plan has work in weeks {week} to {last}"},
    "place": {"zh": "方案的地点是{place}", "en": "the plan has it in {place}"},
    "online": {"zh": "方案在线上进行", "en": "the plan has it online"},
    "own_online": {"zh": "方案里这一部分在线上", "en": "in the plan this part is online"},
    "people": {"zh": "方案是{most}人", "en": "the plan is for {most} people"},
    "range": {"zh": "方案是{least}到{most}人", "en": "the plan is for {least} to {most} people"},
    "least": {"zh": "方案至少{least}人", "en": "the plan is for at least {least} people"},
    "no_money": {"zh": "需求里没有这笔预算", "en": "there is no money for it"},
    "money": {"zh": "预算是{amount} {currency}", "en": "the budget is {amount} {currency}"},
    "hours_week": {"zh": "方案里每周要{hours:g}小时", "en": "the plan takes {hours:g} hours a week"},
    "hours_day": {"zh": "方案里每天要{hours:g}小时", "en": "the plan takes {hours:g} hours a day"},
    "hours_whole": {"zh": "方案一共要{hours:g}小时", "en": "the plan takes {hours:g} hours"},
    "notice": {"zh": "方案里是提前{days}天", "en": "the plan has it {days} days before"},
}  # fmt: skip


def language(state: Negotiation) -> Language:
    """Return the language of the demand."""
    return language_of(state.raw_input or state.demand_text)


def reason(state: Negotiation, found: Finding) -> str:
    """Say in the language of the demand which fact decided it; empty where none did."""
    if not found.fact:
        return ""
    values, own = dict(found.values), language(state)
    return (
        _SAID[_wording(found.fact, values)][own]
        .format(**{name: _said_day(each, own) if isinstance(each, date) else each for name, each in values.items()})
        .strip()
    )


def _wording(fact: str, values: dict[str, Any]) -> str:
    match fact:
        case "time" if not values["end"]:
            return "start"
        case "days" if values["first"] == values["last"]:
            return "day"
        case "weeks" if not values["last"] or values["last"] == values["week"]:
            return "week"
        case "place" if values["place"] == ONLINE:
            return "online"
        case "people" if not values["most"]:
            return "least"
        case "people" if values["least"] not in (0, values["most"]):
            return "range"
        case _:
            return fact


def _said_day(day: date, own: Language) -> str:
    weekday = ("一二三四五六日"[day.weekday()], day.strftime("%A"))
    return f"{day.isoformat()}（周{weekday[0]}）" if own == "zh" else f"{weekday[1]}, {day.isoformat()}"
