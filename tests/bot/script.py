"""A model that says what a test tells it to, at once and the same every time, and the people whose twins it is."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.directory.asks import ProfileRead
from engine.directory.profile import Profile, Profiles
from engine.errors import ModelError
from engine.kernel import ModelAnswer, plain
from engine.llm.port import Answer, Question, Returns
from engine.negotiation.answers import (
    AdjustmentSummary,
    Assignment,
    Candidate,
    Compromise,
    FeedbackAnswer,
    Gap,
    GapAnalysis,
    OfferAnswer,
    OfferDecision,
    ProposalDraft,
    RecursionAnswer,
    RequestDeclined,
    RequestRead,
    Shortlist,
    SubDemand,
    Timeline,
    Understanding,
    Verification,
)
from engine.negotiation.voting.kinds import FeedbackType
from engine.offline import OfflineModel
from engine.offline.delivery.managing import ANSWERERS as DELIVERING
from tests.deliberation import arguing

AGENT = "user_agent_"
CHINESE = re.compile("[\u4e00-\u9fff]")
OFFLINE = OfflineModel({"delivery": DELIVERING})
"""Has plans carried out where a test has nothing of its own to be said."""


def people(linked: Mapping[str, str], alone: Iterable[str] = ()) -> Profiles:
    """Profiles by short name (``aya``): those linked to a Slack user, and those who belong to no one here."""
    users: dict[str, str | None] = {**linked, **dict.fromkeys(alone)}
    return Profiles({AGENT + name: _profile(name, user) for name, user in users.items()})


def _profile(name: str, user: str | None) -> Profile:
    return Profile(
        agent_id=AGENT + name,
        user_name=name.title(),
        profile_summary=f"{name.title()} keeps a venue for meetups and likes to help. " * 5,
        location="Berlin",
        tags=("venue",),
        capabilities={"venue": "A room for 60 people"},
        availability="weekends",
        slack_user=user,
        languages=("English",),
    )


@dataclass
class Script:
    """A model with which everybody on the list takes part and accepts, except where a test says otherwise."""

    cast: tuple[str, ...]
    """Short names, in the order of their seats."""
    votes: dict[tuple[str, int], str] = field(default_factory=dict)
    """(short name, round) -> the twin's vote; without an entry for the round, it accepts."""
    fails: dict[str, ModelError] = field(default_factory=dict)
    """Prompt, or prompt/short name -> what happens instead of an answer."""
    says: dict[str, ModelAnswer] = field(default_factory=dict)
    """Prompt -> what is answered instead."""
    casts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """A demand, as it was understood -> who is on its list instead."""
    held: dict[str, asyncio.Event] = field(default_factory=dict)
    """Prompt -> answered only once this is set."""
    thinking: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once a prompt is held."""
    asked: list[str] = field(default_factory=list)
    """Every question so far: the prompt, and for a twin's its name."""
    given: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    """What each prompt was given the last time that it was asked."""

    async def answer(self, question: Question[Returns]) -> Answer[Returns]:
        protocol, _, prompt = question.prompt.name.partition("/")
        profile = question.given.get("profile")
        who = profile.agent_id.removeprefix(AGENT) if isinstance(profile, Profile) else ""
        name = f"{prompt}/{who}".removesuffix("/")
        self.asked.append(name)
        self.given[name] = question.given
        if prompt in self.held:
            self.thinking.set()
            await self.held[prompt].wait()
        error = self.fails.get(name) or self.fails.get(prompt)
        if error is not None:
            raise error
        if protocol == "deliberation" and prompt not in self.says:
            argued = arguing.answer(prompt, question.given)
            return Answer(question.returns.checked(plain(argued)), "script")
        if protocol == "delivery" and prompt not in self.says:
            return await OFFLINE.answer(question)
        said = self.says.get(prompt) or self._said(prompt, who, question.given)
        return Answer(question.returns.checked(plain(said)), "script")

    def _said(self, prompt: str, who: str, given: Mapping[str, Any]) -> ModelAnswer:
        demand = given.get("demand")
        cast = self.casts.get(demand.surface_demand, self.cast) if isinstance(demand, Understanding) else self.cast
        if prompt == "read_profile":
            return ProfileRead()
        match prompt:
            case "understand":
                text = given["raw_input"]
                language = "zh" if CHINESE.search(text) else "en"
                return Understanding(surface_demand=text, confidence="high", language=language)
            case "filter":
                return Shortlist(definitely_related=tuple(Candidate(agent_id=AGENT + each) for each in cast))
            case "respond":
                return OfferAnswer(decision=OfferDecision.PARTICIPATE, contribution=f"{who} helps")
            case "aggregate":
                return ProposalDraft(summary="A first plan", assignments=_seats(cast))
            case "feedback":
                vote = self.votes.get((who, given["round"]), "accept")
                wish = f"{who} wants it shorter" if vote == "negotiate" else ""
                return FeedbackAnswer(
                    feedback_type=FeedbackType(vote), reasoning=f"{who} says {vote}", adjustment_request=wish
                )
            case "adjust":
                return _adjusted(given, cast)
            case "gaps":
                return GapAnalysis(is_complete=True, gaps=())
            case "verify":
                return Verification()
            case "read_request":
                return RequestRead()
            case "compromise":
                return Compromise(summary="A smaller plan is possible", suggestions=("Ask for less",))
        raise AssertionError(f"the script has no answer for {prompt}")


def _seats(cast: Iterable[str]) -> tuple[Assignment, ...]:
    return tuple(
        Assignment(agent_id=AGENT + each, role=f"Role of {each}", responsibility=f"{each} helps") for each in cast
    )


def _adjusted(given: Mapping[str, Any], cast: Iterable[str]) -> ProposalDraft:
    declined = tuple(
        RequestDeclined(agent_id=each.agent_id, request=each.adjustment_request, reason="it is short already")
        for each in given["feedbacks"]
        if each.adjustment_request
    )
    return ProposalDraft(
        summary=f"A plan after round {given['round']}",
        assignments=_seats(cast),
        timeline=Timeline(start_date=f"Week {given['round']}"),  # it concerns everybody, so nobody's vote stands
        adjustment_summary=AdjustmentSummary(requests_declined=declined),
    )


def lacking(script: Script, **found: tuple[str, ...]) -> None:
    """What every plan lacks -> who is on the list for it, by short name. Each is worth looking for."""
    script.says["gaps"] = GapAnalysis(
        gaps=tuple(
            Gap(gap_type=gap, importance=90 - number, reason=f"nobody brings {gap}") for number, gap in enumerate(found)
        )
    )
    script.says["recurse"] = RecursionAnswer(
        should_recurse=True,
        condition_1_met=True,
        condition_2_met=True,
        condition_3_met=True,
        sub_demands=tuple(SubDemand(gap_type=gap, description=wanted(gap), capability_tags=(gap,)) for gap in found),
    )
    script.casts |= {wanted(gap): who for gap, who in found.items()}


def wanted(gap: str) -> str:
    """Return what is asked for a gap."""
    return f"Somebody with {gap} wanted"
