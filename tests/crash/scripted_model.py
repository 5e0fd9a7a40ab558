"""A model that always says the same."""

import asyncio
from collections.abc import Collection, Mapping
from typing import Any, Final

from msgspec.structs import replace

from engine.directory.asks import ProfileRead
from engine.kernel import ModelAnswer, plain
from engine.llm.port import Answer, Question, Returns
from engine.negotiation.answers import (
    AdjustmentSummary,
    Assignment,
    Candidate,
    Change,
    Covering,
    FeedbackAnswer,
    GapAnalysis,
    Need,
    OfferAnswer,
    OfferDecision,
    ProposalDraft,
    RecursionAnswer,
    RequestAddressed,
    RequestRead,
    Shortlist,
    StatedCondition,
    Understanding,
    Verification,
)
from engine.negotiation.voting.kinds import FeedbackType

from .story import MAYAS, NINAS, PEOPLE, SEATS, Story

ROOM: Final = Need(need_id="need_1", what="a room", tags=("venue",))
"""What the one whom a plan depends on has, and whoever may take over."""
RARE: Final = Need(need_id="need_1", what="a helicopter", tags=("helicopter",))
"""What nobody has."""


class ScriptedModel:
    def __init__(self, story: Story) -> None:
        self._story = story

    async def answer(self, question: Question[Returns]) -> Answer[Returns]:
        if "profile" in question.given:
            # Twins are asked at the same time; each takes longer than the one before, so each answer is a commit.
            await asyncio.sleep(0.01 * PEOPLE.index(question.given["profile"].agent_id))
        said = self._said(question.prompt.name.removeprefix("negotiation/"), question.given)
        return Answer(question.returns.checked(plain(said)), "scripted")

    def _said(self, prompt: str, given: Mapping[str, Any]) -> ModelAnswer:
        match prompt:
            case "understand":
                needs = (RARE,) if self._story.lacks else (ROOM,) if self._story.core else ()
                return Understanding(surface_demand="An AI meetup", capability_tags=("venue", "speaker"), needs=needs)
            case "filter":
                covers = (ROOM.need_id,) if self._story.core else ()
                nina = (Candidate(agent_id=NINAS, covers=covers),)
                return Shortlist(
                    definitely_related=tuple(Candidate(agent_id=each, reason="near") for each in SEATS),
                    possibly_related=nina if self._story.core or self._story.lacks else (),
                )
            case "respond":
                return _offer(given["profile"].agent_id, self._story.core)
            case "aggregate":
                return _plan("On Friday", self._story.core)
            case "feedback":
                return _feedback(self._story.twin(given["round"], given["profile"].agent_id), given["round"])
            case "adjust":
                return _adjusted(
                    [each.agent_id for each in given["feedbacks"] if each.adjustment_request], self._story.moved
                )
            case "verify":
                return Verification()
            case "read_request":
                return RequestRead()
            case "gaps":
                return GapAnalysis(is_complete=True, gaps=())
            case "recurse":  # nobody is looked for: the conditions do not hold
                return RecursionAnswer(condition_1_met=False, condition_2_met=False, condition_3_met=False)
            case "directory/read_profile":
                return ProfileRead()
        raise KeyError(prompt)


def _offer(agent_id: str, core: str | None) -> OfferAnswer:
    if core and agent_id in (core, NINAS):
        return OfferAnswer(
            decision=OfferDecision.PARTICIPATE,
            contribution=f"A hall of {agent_id}",
            covers=(Covering(need_id=ROOM.need_id),),
        )
    if agent_id == MAYAS:
        return OfferAnswer(
            decision=OfferDecision.CONDITIONAL, contribution="A room", conditions=(StatedCondition(text="No smoke"),)
        )
    return OfferAnswer(decision=OfferDecision.PARTICIPATE, contribution=f"A talk by {agent_id}")


def _plan(when: str, core: str | None = None) -> ProposalDraft:
    tasks = tuple(
        Assignment(agent_id=each, role="Host", responsibility=f"{when}: {each}", core=each == core) for each in SEATS
    )
    return ProposalDraft(summary=f"A meetup. {when}", assignments=tasks)


def _feedback(vote: FeedbackType, number: int) -> FeedbackAnswer:
    change = "" if vote is FeedbackType.ACCEPT else ("Another day, please", "A larger room, please")[number > 1]
    return FeedbackAnswer(feedback_type=vote, reasoning="As I said", adjustment_request=change)


def _adjusted(asked: list[str], moved: Collection[str]) -> ProposalDraft:
    day = Change(aspect="day", before="On Friday", after="On Monday", reason="asked for")
    summary = AdjustmentSummary(
        changes_made=(day, *(replace(day, agent_id=each) for each in sorted(moved))),
        requests_addressed=tuple(RequestAddressed(agent_id=each, request="another day") for each in asked),
    )
    return replace(_plan("On Monday"), adjustment_summary=summary)
