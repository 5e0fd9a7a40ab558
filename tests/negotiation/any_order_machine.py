"""A negotiation whose owed asks and set alarms are kept as the runtime keeps them, for tests in any order."""

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize

from engine.errors import Refusal
from engine.kernel import Ask, Command, Event, Handled, Place
from engine.negotiation.answers import (
    Candidate,
    Compromise,
    FeedbackAnswer,
    Gap,
    GapAnalysis,
    LimitVerdict,
    Need,
    OfferAnswer,
    OfferDecision,
    RecursionAnswer,
    RequestRead,
    Shortlist,
    SubDemand,
    Understanding,
)
from engine.negotiation.commands import (
    RecordCompromise,
    RecordEarlyShortlist,
    RecordFeedback,
    RecordGaps,
    RecordOffer,
    RecordOpinion,
    RecordProposal,
    RecordReading,
    RecordRecursion,
    RecordShortlist,
    RecordUnderstanding,
)
from engine.negotiation.demand.gathering import EARLY
from engine.negotiation.events import (
    DemandEdited,
    FeedbackReminded,
    ForceFinalized,
    LimitDoubt,
    NegotiationCancelled,
    NegotiationFailed,
    OfferOverridden,
    ProposalFeedback,
    ProposalFinalized,
    SeatDelegated,
    Weighed,
)
from engine.negotiation.inbox import agenda
from engine.negotiation.offers.limit_rules import offered
from engine.negotiation.policy import PRESETS
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation, Status
from engine.negotiation.terms import Claim, Person, Source
from engine.negotiation.voting.kinds import FeedbackType
from engine.negotiation.voting.votes import check_vote
from engine.negotiation.voting.wishes_read import wish_of
from tests.negotiation.plan.test_core_seats import plan
from tests.negotiation.scenario import REQUESTER, Scenario
from tests.owing import Owing

NEEDS = (Need(need_id="need_1", what="a venue"), Need(need_id="need_2", what="a talk", tags=("talks",)))
CHANNEL = Place(channel="C_LOBBY")
AGENTS = [f"a{number}" for number in range(5)]
RESERVE = [f"r{number}" for number in range(3)]
EVERYBODY = [*AGENTS, *RESERVE]
USERS = {"a0": "U_0", "a1": "U_1", "r0": "U_R"}
VOTES = st.sampled_from([FeedbackType.ACCEPT, FeedbackType.ACCEPT, *FeedbackType])
CLAIMS = {"a0": ("need_1",), "a2": ("need_1",), "r1": ("need_2",), "r2": ("need_1", "seat")}
LIMITED = ("a1", "a2", "r1")
"""Who has a limit in words."""
VERDICTS = {"negotiate": LimitVerdict.UNSURE, "withdraw": LimitVerdict.BROKEN, "conditional": LimitVerdict.UNSURE}
WORKS = st.sampled_from([True] * 7 + [False])
OFFERS = st.sampled_from([OfferDecision.PARTICIPATE, *OfferDecision])
ACTORS = [REQUESTER, "U_0", "U_1", "U_R", "U_EVE", "U_DEL"]
FOR_WHOM = st.sampled_from(
    [(USERS.get(agent, REQUESTER), agent) for agent in AGENTS] * 5
    + [(actor, agent) for actor in ACTORS for agent in EVERYBODY]
)
"""Who acts for whom: those who may more often than others."""
LEADING = ("understand", "filter", "aggregate")
"""Prompts without whose answer there is no plan."""
BOUND = 100
"""Recoveries, at the most, until it has ended: three for each step of each round."""
ENDINGS = (ProposalFinalized, ForceFinalized, NegotiationFailed, NegotiationCancelled)


class AnyNegotiation(Owing, RuleBasedStateMachine):
    """Owed asks and set alarms are kept as the runtime keeps them; anything may be answered, late or twice."""

    def __init__(self) -> None:
        super().__init__(Ask)
        self.answered: list[tuple[Ask, int]] = []
        """What was answered or is not wanted any more, and how many corrected offers its model knew of."""
        self.was_over = False
        """Whether it has lasted as long as it may, so that the open round was the last one."""
        self.needs: tuple[Need, ...] = ()
        """What models read in the demand, whatever its words."""
        self.is_unclear = False
        """Whether they read nothing but a question in it."""
        self.seated: list[str] = EVERYBODY
        """Whom a model gives a seat, where they take part."""

    @initialize(
        policy=st.sampled_from(list(PRESETS.values())),
        windows=st.sampled_from([(0.0, 0.0), (60.0, 0.0), (0.0, 30.0), (60.0, 30.0)]),
        silence=st.sampled_from(["accept", "silent"]),
        requires=st.booleans(),
        first=st.sampled_from([0.0, 20.0]),
        early=st.booleans(),
        needs=st.sampled_from([(), NEEDS, NEEDS]),
        unclear=st.booleans(),
        channel=st.booleans(),
        verifies=st.booleans(),
        preparing=st.sampled_from([(), (), ("a0", "a2", "r0"), ("a1",)]),
        own_votes=st.sampled_from([False] * 7 + [True]),
        seated=st.sampled_from([EVERYBODY, [each for each in EVERYBODY if each != "a2"]]),
        already=st.sampled_from(
            [Status.CREATED, Status.COLLECTING, Status.AGGREGATING, *[Status.NEGOTIATING] * 5],
        ),
    )
    def begin(
        self,
        policy: Any,
        windows: tuple[float, float],
        silence: str,
        requires: bool,
        first: float,
        early: bool,
        needs: tuple[Need, ...],
        unclear: bool,
        channel: bool,
        verifies: bool,
        preparing: tuple[str, ...],
        own_votes: bool,
        seated: list[str],
        already: Status,
    ) -> None:
        self.seated = seated
        human, override = windows
        update = {
            "human_window": human, "override_window": override, "silence": silence, "require_model": requires,
            "first_window": first if already in (Status.CREATED, Status.COLLECTING) else 0.0,
            "asks_early": early,
        }  # fmt: skip
        self.scenario = Scenario(
            policy=policy.model_copy(update=update),
            linked=USERS,
            place=CHANNEL if channel else Place(),
            verifies=verifies,
            preparing=preparing,
            own_votes=own_votes,
        )
        self.scenario.demand()
        self.needs, self.is_unclear = needs, unclear and already is Status.CREATED
        self._keep(self.scenario.last)
        self._note(Negotiation())
        while self.scenario.state.status is not already:
            ask = self.owed.pop(min(self.owed))
            self._outcome(ask, FeedbackType.ACCEPT, OfferDecision.PARTICIPATE, works=True)

    @property
    def _state(self) -> Any:
        return self.scenario.state if hasattr(self, "scenario") else RULEBOOK.initial

    @property
    def _history(self) -> list[Any]:
        return self.scenario.history if hasattr(self, "scenario") else []

    def _does(self, command: type[Command], **fields: Any) -> None:
        before = self.scenario.state
        self.scenario.does(command, **fields)
        if isinstance(self.scenario.refused, Refusal):
            assert self.scenario.state is before
        for event in self.scenario.last.events:
            self._may_happen(before, event)
        self.answered += [(ask, before.corrections) for ask in self._keep(self.scenario.last)]
        self._note(before)

    def _may_happen(self, before: Negotiation, event: Event) -> None:
        match event:
            case OfferOverridden():
                assert self._is_hand(before, event.by, event.agent_id) or self._offered_help(before, event)
                assert not before.proposals
            case FeedbackReminded():
                opened = before.rounds[-1]
                left = (opened.window.people_until - self.scenario.now) / 1000
                assert 0 < left <= before.policy.human_window / 2
                for seat in map(opened.seats.__getitem__, event.agent_ids):
                    assert seat.user_id
                    assert seat.human is None
                    assert seat.delegate or not seat.gone
            case ProposalFeedback(source=Source.ASSUMED):
                seat = before.rounds[-1].seats[event.agent_id]
                assert seat.reached
                assert not seat.gone
                assert self.scenario.now >= before.rounds[-1].window.people_until
                assert not seat.waits  # no silence agrees where a limit is in doubt
                assert not any(each.waits for each in before.weighed.get(event.agent_id, ()))
            case ProposalFeedback(source=Source.HUMAN, feedback_type=FeedbackType.ACCEPT, carried=False):
                seat = before.rounds[-1].seats[event.agent_id]
                assert not seat.is_guarded or event.by != REQUESTER  # whoever asked lifts no doubt

    def _note(self, before: Negotiation) -> None:
        command = Command(command_id="", at=self.scenario.now)
        self._file(agenda(Handled("", 0, command, before, self._state, self.scenario.last.events)))

    def _is_hand(self, before: Negotiation, by: str, agent: str) -> bool:
        """By the history alone: the linked person, the last delegate they named for this wording; else who asked."""
        if agent not in before.invited:
            return False
        if agent not in USERS:
            return by == REQUESTER
        since = max((n for n, each in enumerate(self._history) if isinstance(each, DemandEdited)), default=0)
        named = [each.to for each in self._history[since:] if isinstance(each, SeatDelegated)
                 and each.agent_id == agent]  # fmt: skip
        return by in (USERS[agent], *named[-1:])

    def _offered_help(self, before: Negotiation, event: OfferOverridden) -> bool:
        """Whether it is what they had offered themself, which whoever asked has just taken."""
        offered = before.volunteers.get(event.agent_id)
        return offered is not None and offered.offered.by == event.by

    def _may_vote(self, by: str, agent: str) -> bool:
        latest = self._state.rounds[-1]
        try:
            check_vote(self._state, by, agent, latest.number, latest.digest, at=0)
        except Refusal:
            return False
        return True

    def _outcome(
        self, ask: Ask, vote: FeedbackType, decision: OfferDecision, works: bool, knew: int | None = None
    ) -> None:
        """``knew``: how many corrected offers the model had been told of; all, if nothing is said."""
        degraded = None if works else "E003"
        match ask.prompt:
            case "understand":
                read = {"question": "what?"} if self.is_unclear and works else {"needs": self.needs if works else ()}
                self._does(
                    RecordUnderstanding,
                    understanding=Understanding(surface_demand="an evening", **read),
                    degraded=degraded,
                )
            case "filter":
                people = {each: Person(agent_id=each, display_name=each, user_id=USERS.get(each)) for each in EVERYBODY}
                listed = Shortlist(
                    definitely_related=tuple(Candidate(agent_id=each) for each in (*AGENTS, "stranger", "a0")),
                    possibly_related=tuple(Candidate(agent_id=each) for each in (*RESERVE, "a1")),
                )
                covers = {"r1": ("need_2",)}
                if ask.name == EARLY:
                    self._does(RecordEarlyShortlist, shortlist=listed if works else Shortlist(definitely_related=()))
                    return
                self._does(
                    RecordShortlist,
                    shortlist=listed,
                    people=people,
                    covers=covers,
                    preparing=tuple(self.scenario.preparing),
                    degraded=degraded,
                )
            case "respond":
                answer = OfferAnswer(decision=decision if works else OfferDecision.DECLINE, contribution="helps")
                claims = tuple(Claim(need_id=each) for each in CLAIMS.get(ask.about, ())) if works else ()
                limits = self._weighed(ask.about, vote, works=works)
                self._does(
                    RecordOffer,
                    agent_id=ask.about,
                    answer=offered(answer, limits),
                    claims=claims,
                    limits=limits,
                    degraded=degraded,
                )
            case "aggregate" | "adjust":
                draft = plan(*self.seated, "stranger", core=("a0",)) if works else None
                self._does(
                    RecordProposal,
                    version=len(self.scenario.state.proposals) + 1,
                    draft=draft,
                    corrections=self._state.corrections if knew is None else knew,
                    degraded=degraded,
                )
            case "gaps":
                found = (Gap(gap_type="hands", importance=90), Gap(gap_type="photos", importance=60))
                self._does(RecordGaps, analysis=GapAnalysis(gaps=found if works else ()), degraded=degraded)
            case "recurse":
                asked = tuple(SubDemand(gap_type=each, description=f"{each}, please") for each in ("photos", "hands"))
                weighed = RecursionAnswer(
                    condition_1_met=works, condition_2_met=works, condition_3_met=True, sub_demands=asked
                )
                self._does(RecordRecursion, answer=weighed, degraded=degraded)
            case "compromise":
                compromise = Compromise(summary="something smaller", assignments=plan(*EVERYBODY).assignments)
                self._does(RecordCompromise, compromise=compromise if works else None, degraded=degraded)
            case "verify":
                opened = self._state.rounds[-1]
                doubt = (LimitDoubt(words="never", verdict=LimitVerdict.BROKEN, by="reader"),)
                self._does(
                    RecordOpinion,
                    about=ask.about,
                    round=opened.number,
                    version=int(ask.name.split("/")[1]),
                    limits=dict.fromkeys(LIMITED, doubt if vote == "withdraw" and works else ()),
                    degraded=degraded,
                )
            case "read_request":
                by, text, number = wish_of(self._state, ask.about)
                heard = RequestRead(understood=f"{text}, that is")
                self._does(
                    RecordReading,
                    agent_id=ask.about,
                    asked_by=by,
                    round=number,
                    text=text,
                    answer=heard if works else None,
                    degraded=degraded,
                )
            case _:
                said = FeedbackAnswer(feedback_type=vote, adjustment_request="later" if vote == "negotiate" else "")
                number = int(ask.name.split("/")[1])
                self._does(
                    RecordFeedback,
                    agent_id=ask.about,
                    round=number,
                    answer=said if works else None,
                    limits=self._weighed(ask.about, decision, works=works),
                    degraded=degraded,
                )

    def _weighed(self, agent: str, draw: str, *, works: bool) -> Weighed:
        """What comes of the limits of those who have any: kept, unsure or broken, as the draw has it."""
        if agent not in LIMITED:
            return Weighed()
        verdict = VERDICTS.get(draw) if works else LimitVerdict.UNSURE
        doubts = (LimitDoubt(words="never", verdict=verdict),) if verdict else ()
        return Weighed(is_limited=True, doubts=doubts)
