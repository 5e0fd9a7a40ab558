"""Asks the prompts of a negotiation one by one, and what holds of each of their answers."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from hashlib import sha256
from typing import Any, Final

from msgspec.structs import replace

from bot.demo.evals.part import EvalsPart, Table
from bot.demo.evals.questions.cases import PromptCase
from bot.demo.evals.questions.checks import Rule, words_of
from bot.demo.evals.questions.posing import Compose, Recorder, chosen, part_of, played_once
from bot.demo.negotiation.evals.play import load_cases, play
from bot.models import offline_model
from bot.protocol_row import Protocol
from engine.errors import Misconfigured
from engine.llm.port import Question
from engine.negotiation.answers import (
    Compromise,
    FeedbackAnswer,
    GapAnalysis,
    OfferAnswer,
    OfferDecision,
    ProposalDraft,
    RecursionAnswer,
    Shortlist,
    Understanding,
)
from engine.negotiation.asks import RETURNS
from engine.negotiation.policy import FOR_PEOPLE

Given = Mapping[str, Any]
ENOUGH: Final = 60
"""The importance from which on a gap counts."""
LONGEST_VOTE: Final = 400
"""Characters of what a vote says; the prompt asks for 50 words."""
_NUMBER: Final = re.compile(r"\d+")


def _tags_carry_needs(_: Given, answer: Understanding) -> Iterator[str]:
    known = {each.casefold() for each in answer.capability_tags}
    for need in answer.needs:
        for tag in need.tags:
            if tag.casefold() not in known:
                yield f"{need.need_id} takes {tag}, which is none of the abilities"


def _numbers_were_said(given: Given, answer: Understanding) -> Iterator[str]:
    said = {int(each) for each in _NUMBER.findall(given["raw_input"].replace(",", ""))}
    amount = answer.context.money.amount
    if said and amount and int(amount) not in said and not any(int(amount) % each == 0 for each in said if each):
        yield f"{amount} of money were never said"


def _asks_where_nothing_is_clear(_: Given, answer: Understanding) -> Iterator[str]:
    if bool(answer.question) == any(each.essential for each in answer.needs):
        yield "it asks exactly where nothing essential can be made out"


def _each_once(given: Given, answer: Shortlist) -> Iterator[str]:
    listed = [each.agent_id for each in (*answer.definitely_related, *answer.possibly_related)]
    yield from (f"{each} is listed {times} times" for each, times in Counter(listed).items() if times > 1)
    for candidates in (answer.definitely_related, answer.possibly_related):
        if len(candidates) > given["max_candidates"]:
            yield f"{len(candidates)} people are more than {given['max_candidates']}"
    names = {each.agent_id: each.user_name for each in given["profiles"]}
    for each in (*answer.definitely_related, *answer.possibly_related):
        if each.agent_id not in names:
            yield f"{each.agent_id} is none of the colleagues"
        elif each.display_name and each.display_name != names[each.agent_id]:
            yield f"{each.agent_id} is not called {each.display_name}"
        elif not each.reason:
            yield f"{each.agent_id} is not told why"


def _offer_is_whole(_: Given, answer: OfferAnswer) -> Iterator[str]:
    declines = answer.decision is OfferDecision.DECLINE
    if declines != bool(answer.decline_reason):
        yield "whoever declines says why, and nobody else does"
    if declines == bool(answer.contribution):
        yield "whoever takes part says with what, and nobody else does"
    if declines and answer.covers:
        yield "whoever declines covers nothing"
    if answer.decision is OfferDecision.CONDITIONAL and not answer.conditions:
        yield "it is conditional without a condition"
    if answer.decision is OfferDecision.PARTICIPATE and answer.conditions:
        yield "it takes part without conditions, and has some"


def _keeps_secrets(given: Given, answer: OfferAnswer | FeedbackAnswer) -> Iterator[str]:
    written, open_to_all = words_of(answer).casefold(), words_of([given["demand"], given.get("proposal")]).casefold()
    open_to_all += words_of(given["profile"].public).casefold()
    for secret in given["profile"].untold:
        if len(secret) > 3 and secret.casefold() in written and secret.casefold() not in open_to_all:
            yield f"it tells what is for the twin alone: {secret}"


def _seats_of_offers(given: Given, answer: ProposalDraft) -> Iterator[str]:
    """One seat for each person, everybody has one or is told why not, and every condition has its answer."""
    yield from _one_seat_each(given, answer)
    offers = {each.agent_id: each for each in given["offers"]}
    seated, left = {each.agent_id for each in answer.assignments}, {each.agent_id for each in answer.not_chosen}
    yield from (f"{each} has made no offer" for each in sorted((seated | left) - set(offers)))
    yield from (f"{each} has neither a seat nor a reason" for each in sorted(set(offers) - seated - left))
    yield from (f"{each} has a seat and is not chosen" for each in sorted(seated & left))
    for seat in answer.assignments:
        if (offer := offers.get(seat.agent_id)) and (more := set(seat.covers) - set(offer.covers)):
            yield f"{seat.agent_id} offered nothing for {', '.join(sorted(more))}"
    for agent_id, offer in offers.items():
        answered = {each.condition_id for each in answer.conditions if each.agent_id == agent_id}
        answered |= {
            number
            for number, text in enumerate(offer.conditions, 1)
            for each in answer.conditions
            if each.agent_id == agent_id and each.condition == text
        }
        if agent_id in seated and (lost := set(range(1, len(offer.conditions) + 1)) - answered):
            yield f"{len(lost)} conditions of {agent_id} have no answer"


def _one_seat_each(_: Given, answer: ProposalDraft) -> Iterator[str]:
    seats = Counter(each.agent_id for each in answer.assignments)
    yield from (f"{each} has {times} seats" for each, times in seats.items() if times > 1)
    for seat in answer.assignments:
        if not (seat.role and seat.responsibility):
            yield f"it is not said what {seat.agent_id} does"


def _needs_are_covered_or_gaps(given: Given, answer: ProposalDraft) -> Iterator[str]:
    covered = {each for seat in answer.assignments for each in seat.covers}
    gaps = "\n".join(answer.gaps)
    for need in given["demand"].needs:
        if need.essential and need.need_id not in covered and need.what not in gaps:
            yield f"{need.what} is neither covered nor a gap"


def _vote_is_whole(_: Given, answer: FeedbackAnswer) -> Iterator[str]:
    if answer.feedback_type.kind.asks != bool(answer.adjustment_request):
        yield "whoever negotiates asks for a change, and nobody else does"
    if not (answer.feedback_type.kind.is_offered and answer.feedback_type.kind.by_twin):
        yield f"{answer.feedback_type} is none of the answers that the prompt names"
    if not answer.reasoning:
        yield "it does not say why"
    if len(answer.reasoning) > LONGEST_VOTE:
        yield f"it says why in {len(answer.reasoning)} characters"


def _asks_for_nothing_again(given: Given, answer: FeedbackAnswer) -> Iterator[str]:
    if answer.adjustment_request and answer.adjustment_request in given["granted"]:
        yield "it asks again for what was granted"


def _keeps_seats(given: Given, answer: ProposalDraft) -> Iterator[str]:
    """Who stays keeps a seat, who left has none, and whoever takes over may have one."""
    yield from _one_seat_each(given, answer)
    before = {each.agent_id: each.display_name for each in given["proposal"].assignments}
    now = {each.agent_id for each in answer.assignments} | {each.agent_id for each in answer.not_chosen}
    joined = {each.agent_id for each in given["substitutes"]}
    left = {agent_id for agent_id, name in before.items() if name in given["withdrawn"]}
    yield from (f"{each} has left and has a seat" for each in sorted(left & now))
    yield from (f"{each} has lost the seat" for each in sorted(set(before) - left - now))
    yield from (f"{each} is in no version" for each in sorted(now - set(before) - joined))


def _answers_each_request(given: Given, answer: ProposalDraft) -> Iterator[str]:
    summary = answer.adjustment_summary
    if summary is None:
        yield "it does not say what was changed"
        return
    asked = [each.agent_id for each in given["requester_requests"]]
    asked += [each.agent_id for each in given["feedbacks"] if each.adjustment_request]
    answered = Counter(each.agent_id for each in summary.requests_addressed)
    answered.update(each.agent_id for each in summary.requests_declined)
    for agent_id, times in Counter(asked).items():
        if answered[agent_id] < times:
            yield f"{times - answered[agent_id]} requests of {agent_id!r} have no answer"
    yield from ("a request is declined without a reason" for each in summary.requests_declined if not each.reason)


def _gaps_are_gaps(given: Given, answer: GapAnalysis) -> Iterator[str]:
    if answer.is_complete == any(each.importance >= ENOUGH for each in answer.gaps):
        yield "it is complete exactly where nothing important is missing"
    kinds = Counter(each.gap_type.casefold() for each in answer.gaps)
    yield from (f"{each} is missing {times} times" for each, times in kinds.items() if times > 1)
    covered = {each for seat in given["proposal"].assignments for each in seat.covers}
    done = {need.what.casefold() for need in given["demand"].needs if need.need_id in covered and need.quantity < 2}
    yield from (f"{each} is covered" for each in sorted(kinds) if each in done)
    yield from (f"{each.gap_type} has no reason" for each in answer.gaps if not each.reason)


def _three_conditions(given: Given, answer: RecursionAnswer) -> Iterator[str]:
    holds = answer.condition_1_met and answer.condition_2_met and answer.condition_3_met
    if answer.should_recurse != holds:
        yield "it looks further exactly where all three hold"
    if answer.should_recurse != bool(answer.sub_demands):
        yield "it says what to ask exactly where it looks further"
    known = {each.gap_type for each in given["gaps"]}
    for each in answer.sub_demands:
        if each.gap_type not in known:
            yield f"{each.gap_type} is none of the gaps"
        if not each.description:
            yield f"of {each.gap_type} it is not said who is looked for"


def _rests_on_offers(given: Given, answer: Compromise) -> Iterator[str]:
    offered = {each.agent_id for each in given["available_resources"]}
    yield from (f"{each.agent_id} offers nothing" for each in answer.assignments if each.agent_id not in offered)
    if not answer.suggestions:
        yield "it does not say what to do next"
    if len(answer.facts) > 5 or len(answer.compromises) > 3 or len(answer.suggestions) > 3:
        yield "it is longer than people read"
    for each in given["refusals"]:
        if each.display_name in words_of([answer.summary, answer.compromises]):
            yield f"{each.display_name} is named as what stands in the way"


RULES: Final[Mapping[str, Sequence[Rule]]] = {
    "understand": (_tags_carry_needs, _numbers_were_said, _asks_where_nothing_is_clear),
    "filter": (_each_once,),
    "respond": (_offer_is_whole, _keeps_secrets),
    "aggregate": (_seats_of_offers, _needs_are_covered_or_gaps),
    "feedback": (_vote_is_whole, _asks_for_nothing_again, _keeps_secrets),
    "adjust": (_keeps_seats, _answers_each_request),
    "gaps": (_gaps_are_gaps,),
    "recurse": (_three_conditions,),
    "compromise": (_rests_on_offers,),
}
"""By prompt."""


PROMPT: Final = "respond"
DIGITS: Final = 6
"""Hexadecimal ones, by which the cases of one person are told apart."""


async def case_of_told(about: str, line: str, demand: str, table: Table, *, compose: Compose) -> PromptCase:
    """Return a case: how the twin of somebody who said this for good answers a demand.

    Nothing is expected yet, since no code reads the line: whoever keeps the case says what.

    Args:
        about: their agent id, with or without ``user_agent_``.
        demand: in its own words, or the id of a case of negotiations.
        compose: makes the question of a case.

    Raises:
        Misconfigured: the twin is not asked, or there is no such person.
    """
    name = about.removeprefix("user_agent_")
    if f"user_agent_{name}" not in table.profiles:
        raise Misconfigured([f"Nobody is called {about!r}; `--profiles` names the folder of people."])
    digest = sha256(f"{line}\n{demand}".encode()).hexdigest()[:DIGITS]
    fields: dict[str, Any] = {"id": f"told-{name}-{digest}", "prompt": PROMPT}
    case = PromptCase(**fields, scene=demand, about=name, told=(line,))
    try:
        await compose(case, table)
    except Misconfigured as error:
        raise Misconfigured([f"{name} is not asked for {demand!r}: give a demand that they are asked for."]) from error
    return case


@cache
def _demands() -> Mapping[str, str]:
    """Return those of the cases that are played from beginning to end, by id."""
    return {each.id: each.demand for each in load_cases()}


async def composed(row: Protocol, case: PromptCase, table: Table) -> Question[Any]:
    """Return the question that a case means. Rules have answered whatever was asked before it."""
    if case.given:
        return Question(table.prompts[f"negotiation/{case.prompt}"], case.given, RETURNS[case.prompt])
    demand = _demands().get(case.scene)
    demand = demand or (case.scene if " " in case.scene or not case.scene.isascii() else None)
    if demand is None:
        raise Misconfigured([f"{case.id}: no demand is called {case.scene!r}"])
    # A case of the filter is about one that knows what is needed.
    policy = (table.policy or FOR_PEOPLE["balanced"]).model_copy(update={"asks_early": False})

    async def scene(model: Recorder) -> None:
        await play(row, demand, model, table.prompts, table.profiles, policy)

    questions = await played_once(table, f"negotiation {demand}", scene, offline_model([row]))
    question = chosen(case, f"negotiation/{case.prompt}", questions, _whose)
    return _with_line(question, case) if case.told else question


def _with_line(question: Question[Any], case: PromptCase) -> Question[Any]:
    """Return the question to a twin that was told something more for good."""
    profile = question.given.get("profile")
    if profile is None:
        raise Misconfigured([f"{case.id}: nobody's twin is asked by {case.prompt!r}, so none can be told anything"])
    lines = tuple(dict.fromkeys((*profile.from_now_on, *case.told)))
    return replace(question, given={**question.given, "profile": profile.model_copy(update={"from_now_on": lines})})


def _whose(question: Question[Any]) -> str:
    """The file of the person whose twin is asked."""
    profile = question.given.get("profile")
    return profile.agent_id.removeprefix("user_agent_") if profile else ""


def part(row: Protocol) -> EvalsPart:
    compose = partial(composed, row)
    told = partial(case_of_told, compose=compose)
    return part_of("negotiation", tuple(RETURNS), compose, RULES, told=told)
