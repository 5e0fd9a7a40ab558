"""A small negotiation without the engine: prompts 1 to 6 in a loop, with the default policy's thresholds."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar

from engine.directory.profile import Profile
from engine.facts.quoting import Quoted
from engine.kernel import ModelAnswer, plain
from engine.llm.port import Question
from engine.negotiation.answers import (
    Assignment,
    FeedbackAnswer,
    FeedbackType,
    OfferAnswer,
    OfferDecision,
    OfferMade,
    ProposalDraft,
    RequestAddressed,
    Shortlist,
    Understanding,
    VoteCounts,
    VoteMade,
)
from engine.negotiation.asks import eligible
from engine.negotiation.limits import is_free
from engine.negotiation.policy import Policy
from engine.negotiation.twins_view import own_answers, shared_plan
from tests.negotiation.prompts import PROMPTS
from tests.offline.model import OFFLINE
from tests.profiles.people import shipped

PEOPLE = shipped()
POLICY = Policy()
TODAY = {"date": "2026-11-22", "weekday": "Sunday", "time_zone": "Asia/Shanghai"}

Returns = TypeVar("Returns", bound=ModelAnswer)


def ask(returns: type[Returns], name: str, **given: Any) -> Returns:
    prompt = PROMPTS[f"negotiation/{name}"]
    assert set(given) == set(prompt.given)
    assert prompt.returns is returns
    answer = asyncio.run(OFFLINE.answer(Question(prompt, given, returns)))
    assert answer.model == "offline"
    assert returns.checked(plain(answer.value)) == answer.value
    return answer.value


def understood(text: str) -> Understanding:
    return ask(Understanding, "understand", raw_input=text, user_context="", today=TODAY)


def shortlisted(demand: Understanding, people: Mapping[str, Profile] = PEOPLE, most: int = 10) -> Shortlist:
    able = tuple(eligible(each, demand) for each in people.values() if is_free(each, demand))
    return ask(Shortlist, "filter", demand=demand, profiles=able, max_candidates=most)


def offered(demand: Understanding, profile: Profile) -> OfferAnswer:
    return ask(OfferAnswer, "respond", demand=demand, profile=profile, filter_reason="", seat=None, today=TODAY)


def woven(demand: Understanding, offers: list[OfferMade]) -> ProposalDraft:
    return ask(ProposalDraft, "aggregate", demand=demand, offers=offers, declined=[], today=TODAY)


def voted(
    demand: Understanding,
    profile: Profile,
    proposal: ProposalDraft,
    assignment: Assignment | None,
    conditions: list[str] | None = None,
    number: int = 1,
) -> FeedbackAnswer:
    return ask(
        FeedbackAnswer,
        "feedback",
        demand=demand,
        profile=profile,
        proposal=shared_plan(proposal, Quoted(())),
        assignment=assignment,
        conditions=conditions or [],
        answers=own_answers(proposal, profile.agent_id),
        granted=[],
        counts=VoteCounts(),
        round=number,
        max_rounds=POLICY.max_rounds,
        today=TODAY,
    )


def adjusted(
    demand: Understanding,
    proposal: ProposalDraft,
    votes: list[VoteMade],
    number: int = 2,
    withdrawn: tuple[str, ...] = (),
    requests: tuple[RequestAddressed, ...] = (),
) -> ProposalDraft:
    return ask(
        ProposalDraft,
        "adjust",
        demand=demand,
        proposal=proposal,
        requester_requests=list(requests),
        feedbacks=votes,
        granted=[],
        counts=VoteCounts(accepts=sum(each.feedback_type is FeedbackType.ACCEPT for each in votes)),
        withdrawn=list(withdrawn),
        substitutes=[],
        round=number,
        today=TODAY,
    )


def made(profile: Profile, answer: OfferAnswer) -> OfferMade:
    return OfferMade(
        agent_id=profile.agent_id,
        display_name=profile.user_name,
        decision=answer.decision,
        contribution=answer.contribution,
        conditions=tuple(each.text for each in answer.conditions),
        reasoning=answer.reasoning,
        covers=tuple(each.need_id for each in answer.covers),
    )


def cast(seat: Assignment, answer: FeedbackAnswer) -> VoteMade:
    return VoteMade(
        agent_id=seat.agent_id,
        display_name=seat.display_name,
        feedback_type=answer.feedback_type,
        reasoning=answer.reasoning,
        adjustment_request=answer.adjustment_request,
        concerns=answer.concerns,
    )


@dataclass
class Story:
    """What happened, in order."""

    demand: Understanding
    shortlist: Shortlist
    outcome: str = ""
    answers: dict[str, OfferAnswer] = field(default_factory=dict)
    versions: list[ProposalDraft] = field(default_factory=list)
    rounds: list[list[VoteMade]] = field(default_factory=list)

    @property
    def team(self) -> set[str]:
        return {seat.display_name for seat in self.versions[-1].assignments}


def negotiate(text: str, people: Mapping[str, Profile] = PEOPLE) -> Story:
    demand = understood(text)
    story = Story(demand, shortlisted(demand, people))
    asked = story.shortlist.definitely_related or story.shortlist.possibly_related
    story.answers = {each.agent_id: offered(demand, people[each.agent_id]) for each in asked}
    offers = [
        made(people[agent_id], answer)
        for agent_id, answer in story.answers.items()
        if answer.decision is not OfferDecision.DECLINE
    ]
    if not offers:
        story.outcome = "no_participants" if asked else "no_candidates"
        return story
    story.versions.append(woven(demand, offers))
    conditions = {each.agent_id: list(each.conditions) for each in offers}
    gone: tuple[str, ...] = ()
    while not story.outcome:
        number, plan = len(story.rounds) + 1, story.versions[-1]
        votes = [
            cast(seat, voted(demand, people[seat.agent_id], plan, seat, conditions[seat.agent_id], number))
            for seat in plan.assignments
        ]
        story.rounds.append(votes)
        story.outcome = _outcome(plan, votes, number)
        if not story.outcome:
            gone += tuple(each.display_name for each in votes if each.feedback_type is FeedbackType.WITHDRAW)
            story.versions.append(adjusted(demand, plan, votes, number + 1, gone))
    return story


@cache
def story_of(text: str) -> Story:
    """The story of a demand among those who are shipped, played once for all tests: leave it as it is."""
    return negotiate(text)


def _outcome(plan: ProposalDraft, votes: list[VoteMade], number: int) -> str:
    core = {seat.agent_id for seat in plan.assignments if seat.core}
    if any(each.agent_id in core for each in votes if each.feedback_type is FeedbackType.WITHDRAW):
        return "core_withdrawn"
    percent = 100 * sum(each.feedback_type is FeedbackType.ACCEPT for each in votes)
    if percent >= POLICY.finalize_at * len(votes):
        return "finalized"
    if percent < (POLICY.fail_below or 0) * len(votes):
        return "low_acceptance"
    return "force_finalized" if number >= POLICY.max_rounds else ""
