"""given/when/then over the pure rules: no clock, no store, no model; the history is folded, one command is the when."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from engine.kernel import Ask, Command, Place
from engine.negotiation.answers import (
    Assignment,
    Candidate,
    Covering,
    FeedbackAnswer,
    OfferAnswer,
    OfferDecision,
    ProposalDraft,
    Shortlist,
    StatedCondition,
    Understanding,
)
from engine.negotiation.commands import (
    Cancel,
    CastPrepared,
    CastVote,
    CorrectOffer,
    Delegate,
    Proceed,
    RecordDelivery,
    RecordFeedback,
    RecordOffer,
    RecordProposal,
    RecordShortlist,
    RecordUnderstanding,
    RequestChange,
    SubmitDemand,
)
from engine.negotiation.events import FeedbackEvaluated
from engine.negotiation.policy import Policy
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation, Status
from engine.negotiation.terms import Claim, Person
from engine.negotiation.voting.kinds import FeedbackType
from engine.times.feasible import FoundTimes, PossibleTime
from tests.given import NOON as NOON
from tests.given import Given

REQUESTER = "U_ASKS"
STREAM = "collab-00000001"
SOMEWHERE = Place(channel="C_LOBBY")

ALONE = Policy(human_window=0, override_window=0, second_opinion=False)
"""Nobody but the twins is waited for."""


@dataclass(kw_only=True)
class Scenario(Given):
    """A negotiation in the making. Every command gets a fresh id; time passes only when told."""

    rulebook: ClassVar = RULEBOOK
    policy: Policy = ALONE
    linked: Mapping[str, str] = field(default_factory=dict)
    """Agent id -> the user who may vote for it."""
    preparing: Sequence[str] = ()
    """The agent ids of those whose twins only prepare their votes."""
    own_votes: bool = False
    """Whether whoever asked wants people's own votes only."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Agent id -> what people call them; a title-case id where nothing is said."""
    place: Place = SOMEWHERE
    stream: str = STREAM
    verifies: bool = False
    """Whether there is a second opinion of each version."""
    state: Negotiation = field(default_factory=Negotiation)
    orders: list[Command] = field(default_factory=list)
    """Every command so far."""

    # ── when ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def obeys(self, order: Command) -> Self:
        self.orders.append(order)
        return super().obeys(order)

    def demand(self, text: str = "An AI meetup for 50 people", locale: str = "") -> Self:
        return self.does(
            SubmitDemand,
            demand_id="d-00000001",
            channel_id=self.stream,
            requester_id=REQUESTER,
            raw_input=text,
            policy=self.policy.model_copy(update={"second_opinion": self.verifies}),
            place=self.place,
            locale=locale,
            own_votes=self.own_votes,
        )

    def understood(self, counted: Sequence[str] = (), **fields: Any) -> Self:
        """``counted``: the needs whose quantity is a number of people."""
        said = Understanding(**{"surface_demand": "An AI meetup for 50 people", **fields})
        return self.does(RecordUnderstanding, understanding=said, counted=tuple(counted))

    def shortlisted(
        self,
        *agents: str,
        possibly: Sequence[str] = (),
        reason: str = "",
        analysis: str = "",
        covers: Mapping[str, tuple[str, ...]] | None = None,
    ) -> Self:
        """``covers``: which needs whose profile carries."""
        return self.does(
            RecordShortlist,
            shortlist=Shortlist(
                definitely_related=tuple(Candidate(agent_id=each, reason=reason) for each in agents),
                possibly_related=tuple(Candidate(agent_id=each, reason=reason) for each in possibly),
                analysis=analysis,
            ),
            people={
                each: Person(
                    agent_id=each, display_name=self.names.get(each, each.title()), user_id=self.linked.get(each)
                )
                for each in (*agents, *possibly)
            },
            covers=covers or {},
            preparing=tuple(self.preparing),
        )

    def offers(
        self,
        agent: str,
        decision: str = "participate",
        *,
        degraded: str | None = None,
        covers: Sequence[str] = (),
        **fields: Any,
    ) -> Self:
        """``covers``: the needs that they claim, and that their profile carries."""
        said: dict[str, Any] = {"decision": OfferDecision(decision), "contribution": f"{agent} helps"}
        said["covers"] = tuple(Covering(need_id=each) for each in covers)
        fields["conditions"] = tuple(
            StatedCondition(text=each) if isinstance(each, str) else each for each in fields.get("conditions", ())
        )
        claims = tuple(Claim(need_id=each, basis="explicit") for each in covers)
        return self.does(
            RecordOffer, agent_id=agent, answer=OfferAnswer(**{**said, **fields}), claims=claims, degraded=degraded
        )

    def does_not_answer(self, agent: str, why: str = "E004") -> Self:
        """Its twin is out of reach, so it is taken to have declined."""
        answer = OfferAnswer(decision=OfferDecision.DECLINE, confidence=0)
        return self.does(RecordOffer, agent_id=agent, answer=answer, degraded=why)

    def corrects(self, user: str, agent: str, decision: str = "participate", **fields: Any) -> Self:
        said = {"contribution": "in my own words"} if decision != "decline" else {}
        return self.does(CorrectOffer, by=user, agent_id=agent, decision=OfferDecision(decision), **said | fields)

    def drafted(self, *agents: str, knowing: int | None = None, **fields: Any) -> Self:
        """``knowing``: how many corrected offers the model was told of; all, if nothing is said."""
        return self.proposed(draft(*agents, **fields), knowing=knowing)

    def proposed(
        self,
        made: ProposalDraft | None,
        *,
        knowing: int | None = None,
        times: FoundTimes | None = None,
        then: PossibleTime | None = None,
    ) -> Self:
        """A model's answer, or None where there was none."""
        return self.does(
            RecordProposal,
            times=times,
            then=then,
            version=len(self.state.proposals) + 1,
            draft=made,
            corrections=self.state.corrections if knowing is None else knowing,
            degraded=None if made else "E003",
        )

    def twin(self, agent: str, vote: str, reason: str = "", wish: str = "", model: str = "") -> Self:
        answer = FeedbackAnswer(
            feedback_type=FeedbackType(vote),
            reasoning=reason,
            adjustment_request=wish or ("later, please" if vote == "negotiate" else ""),
        )
        return self.does(RecordFeedback, agent_id=agent, round=self.state.round, answer=answer, model=model)

    def twins(self, votes: Mapping[str, str]) -> Self:
        for agent, vote in votes.items():
            self.twin(agent, vote, f"{agent} says {vote}")
        return self

    def twin_fails(self, agent: str, why: str = "E003") -> Self:
        return self.does(RecordFeedback, agent_id=agent, round=self.state.round, answer=None, degraded=why)

    def clicks(self, user: str, agent: str, vote: str, text: str = "because", **fields: Any) -> Self:
        opened = self.state.rounds[-1]
        button = {"round": opened.number, "digest": opened.digest} | fields
        text = "" if vote == "accept" else text
        return self.does(CastVote, by=user, agent_id=agent, feedback_type=FeedbackType(vote), text=text, **button)

    def presses(self, user: str, agent: str, **fields: Any) -> Self:
        """Make what the twin has prepared one's own vote."""
        opened = self.state.rounds[-1]
        button = {"round": opened.number, "digest": opened.digest} | fields
        return self.does(CastPrepared, by=user, agent_id=agent, **button)

    def requests_change(self, text: str, by: str = REQUESTER, **fields: Any) -> Self:
        opened = self.state.rounds[-1]
        button = {"round": opened.number, "digest": opened.digest} | fields
        return self.does(RequestChange, by=by, text=text, **button)

    def delegates(self, user: str, agent: str, to: str = "") -> Self:
        """``to``: empty to take it back."""
        return self.does(Delegate, by=user, agent_id=agent, to=to)

    def reached(self, agent: str, **fields: Any) -> Self:
        """The linked person has been told of the open round."""
        return self.does(RecordDelivery, **{"agent_id": agent, "round": self.state.round, "reached": True} | fields)

    def unreachable(self, agent: str, *, gone: bool = False) -> Self:
        return self.does(RecordDelivery, agent_id=agent, round=self.state.round, reached=False, gone=gone)

    def goes_ahead(self, *, announce: bool = False) -> Self:
        return self.does(Proceed, by=REQUESTER, announce=announce)

    def stopped(self, reason: str = "") -> Self:
        return self.does(Cancel, by=REQUESTER, reason=reason)

    # ── then ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def owing(self, *prompts: str) -> Self:
        assert [each.prompt for each in self.last.effects if isinstance(each, Ask)] == list(prompts)
        return self

    def stands(self, status: Status, *, number: int | None = None) -> Self:
        assert self.state.status is status
        if number is not None:
            assert self.state.round == number
        return self

    def tally(self) -> FeedbackEvaluated:
        return self.event(FeedbackEvaluated)


def draft(*agents: str, **fields: Any) -> ProposalDraft:
    seats = tuple(Assignment(agent_id=each, role=f"{each}'s role", responsibility=f"{each} helps") for each in agents)
    return ProposalDraft(**({"summary": "An evening together", "assignments": seats} | fields))


def voting(*agents: str, policy: Policy = ALONE, linked: Mapping[str, str] | None = None) -> Scenario:
    """Round 1 is open, and everybody was asked."""
    scenario = Scenario(policy=policy, linked=linked or {}).demand().understood().shortlisted(*agents)
    for each in agents:
        scenario.offers(each)
    return scenario.drafted(*agents).stands(Status.NEGOTIATING, number=1)
