"""Random votes, corrections, duplicates, late answers, alarms, stops, in any order: what always holds."""

import json
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec.structs import replace

from engine.errors import Refusal
from engine.kernel import AlarmRang, Ask, Command, Decision, Event, Handled, Place, Recover
from engine.negotiation.answers import (
    Assignment,
    Candidate,
    Compromise,
    FeedbackAnswer,
    FeedbackType,
    Gap,
    GapAnalysis,
    Need,
    OfferAnswer,
    OfferDecision,
    RecursionAnswer,
    Shortlist,
    SubDemand,
    Understanding,
)
from engine.negotiation.carrying import own_vote
from engine.negotiation.commands import (
    Cancel,
    CastVote,
    ChooseCore,
    CloseRound,
    CorrectOffer,
    DecideMissing,
    Delegate,
    EditDemand,
    HandBack,
    Proceed,
    RecordCompromise,
    RecordDelivery,
    RecordFeedback,
    RecordGaps,
    RecordOffer,
    RecordProposal,
    RecordRecursion,
    RecordShortlist,
    RecordSubnet,
    RecordUnderstanding,
    Reopen,
    RequestChange,
)
from engine.negotiation.compromise import COMPROMISE
from engine.negotiation.coverage import accepters, unagreed_essential
from engine.negotiation.drafting import DURATION, later
from engine.negotiation.events import (
    AgentWithdrawn,
    AggregationStarted,
    CompromiseOffered,
    DemandEdited,
    FeedbackEvaluated,
    FeedbackReminded,
    ForceFinalized,
    NegotiationCancelled,
    NegotiationFailed,
    OfferOverridden,
    PersonReached,
    PlanProceeded,
    ProposalFeedback,
    ProposalFinalized,
    RecoveryAttempted,
    SeatDelegated,
    SeatHandedBack,
    StepDegraded,
)
from engine.negotiation.gap_events import SubnetCompleted, SubnetFailed
from engine.negotiation.inbox import DEMAND, ENDED_DEMAND, OPEN_OFFER, OPEN_VOTE, agenda
from engine.negotiation.missing_needs import missing_needs
from engine.negotiation.policy import PRESETS
from engine.negotiation.recovery import ATTEMPTS, stalled_at
from engine.negotiation.rounds import count
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import TERMINAL, Negotiation, Status, Wait
from engine.negotiation.terms import Claim, Found, MissingChoice, Outcome, Person, Source
from engine.negotiation.votes import check_vote

from .scenario import REQUESTER, Scenario
from .test_core_seats import plan

NEEDS = (Need(need_id="need_1", what="a venue"), Need(need_id="need_2", what="a talk", tags=("talks",)))
CHANNEL = Place(channel="C_LOBBY")
AGENTS = [f"a{number}" for number in range(5)]
RESERVE = [f"r{number}" for number in range(3)]
EVERYBODY = [*AGENTS, *RESERVE]
USERS = {"a0": "U_0", "a1": "U_1", "r0": "U_R"}
VOTES = st.sampled_from([FeedbackType.ACCEPT, FeedbackType.ACCEPT, *FeedbackType])
CLAIMS = {"a0": ("need_1",), "a2": ("need_1",), "r1": ("need_2",), "r2": ("need_1", "seat")}
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


class AnyOrder(RuleBasedStateMachine):
    """Owed asks and set alarms are kept as the runtime keeps them; anything may be answered, late or twice."""

    def __init__(self) -> None:
        super().__init__()
        self.owed: dict[str, Ask] = {}
        self.answered: list[tuple[Ask, int]] = []
        """What was answered or is not wanted any more, and how many corrected offers its model knew of."""
        self.alarms: dict[str, int] = {}
        self.was_over = False
        """Whether it has lasted as long as it may, so that the open round was the last one."""
        self.agenda: dict[str, dict[str, Any]] = {}
        """What is on record, by kind and key."""
        self.needs: tuple[Need, ...] = ()
        """What models read in the demand, whatever its words."""
        self.is_unclear = False
        """Whether they read nothing but a question in it."""

    @initialize(
        policy=st.sampled_from(list(PRESETS.values())),
        windows=st.sampled_from([(0.0, 0.0), (60.0, 0.0), (0.0, 30.0), (60.0, 30.0)]),
        silence=st.sampled_from(["accept", "silent"]),
        requires=st.booleans(),
        first=st.sampled_from([0.0, 20.0]),
        needs=st.sampled_from([(), NEEDS, NEEDS]),
        unclear=st.booleans(),
        channel=st.booleans(),
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
        needs: tuple[Need, ...],
        unclear: bool,
        channel: bool,
        already: Status,
    ) -> None:
        human, override = windows
        update = {
            "human_window": human, "override_window": override, "silence": silence, "require_model": requires,
            "first_window": first if already in (Status.CREATED, Status.COLLECTING) else 0.0,
        }  # fmt: skip
        self.scenario = Scenario(
            policy=policy.model_copy(update=update), linked=USERS, place=CHANNEL if channel else Place()
        )
        self.scenario.demand()
        if already in (Status.CREATED, Status.COLLECTING):
            self.needs, self.is_unclear = needs, unclear and already is Status.CREATED
        self._keep(self.scenario.last, knew=0)
        self._note(Negotiation())
        while self.scenario.state.status is not already:
            ask = self.owed.pop(min(self.owed))
            self._outcome(ask, FeedbackType.ACCEPT, OfferDecision.PARTICIPATE, works=True)

    def teardown(self) -> None:
        """Whatever has happened: where nobody answers any more, it ends all the same, in bounded steps."""
        if not hasattr(self, "scenario"):
            return
        for _ in range(BOUND):
            if not self._state.is_open:
                return
            self.owed.clear()
            self.alarms.clear()
            self.scenario.now = stalled_at(self._state, self.scenario.now) or 0
            self._does(Recover)
        raise AssertionError(f"still {self._state.status} after {BOUND} recoveries")

    # ── what may happen ───────────────────────────────────────────────────────────────────────────────────────────

    @precondition(lambda self: self.owed)
    @rule(data=st.data(), vote=VOTES, decision=OFFERS, works=WORKS)
    def a_model_answers(self, data: st.DataObject, vote: FeedbackType, decision: OfferDecision, works: bool) -> None:
        name = data.draw(st.sampled_from(sorted(self.owed)))
        ask = self.owed.pop(name)
        self.answered.append((ask, self._state.corrections))
        self._outcome(ask, vote, decision, works)

    @precondition(lambda self: self.owed)
    @rule(votes=st.lists(VOTES, min_size=1, max_size=6), decision=OFFERS)
    def every_model_answers(self, votes: list[FeedbackType], decision: OfferDecision) -> None:
        for place, name in enumerate(sorted(self.owed)):
            if name in self.owed:  # an answer before it may have voided it
                ask = self.owed.pop(name)
                self.answered.append((ask, self._state.corrections))
                self._outcome(ask, votes[place % len(votes)], decision, works=True)

    @precondition(lambda self: self.answered)
    @rule(data=st.data(), vote=VOTES, decision=OFFERS)
    def an_answer_comes_twice_or_too_late(
        self, data: st.DataObject, vote: FeedbackType, decision: OfferDecision
    ) -> None:
        before = self._state
        often_the_newest = self.answered + self.answered[-1:] * len(self.answered)
        ask, knew = data.draw(st.sampled_from(often_the_newest))
        self._outcome(ask, vote, decision, works=True, knew=knew)
        if ask.prompt == "aggregate" and knew != before.corrections:
            assert self._state is before

    @rule(whose=FOR_WHOM, vote=VOTES, stale=st.booleans())
    def somebody_clicks(self, whose: tuple[str, str], vote: FeedbackType, stale: bool) -> None:
        by, agent = whose
        rounds = self.scenario.state.rounds
        opened = rounds[0 if stale else -1] if rounds else None
        before = self.scenario.state
        button = {"round": opened.number, "digest": opened.digest} if opened else {"round": 1, "digest": ""}
        self._does(CastVote, by=by, agent_id=agent, feedback_type=vote, text="because", **button)
        voted = [each for each in self.scenario.last.events if isinstance(each, ProposalFeedback)]
        if any(each.source is Source.HUMAN for each in voted):
            assert self._is_hand(before, by, agent)

    @rule(whose=FOR_WHOM)
    def somebody_hands_back_to_their_twin(self, whose: tuple[str, str]) -> None:
        before, (by, agent) = self._state, whose
        self._does(HandBack, by=by, agent_id=agent)
        if self._state is not before:
            assert self._is_hand(before, by, agent)
            assert own_vote(before, agent) is not None
            assert own_vote(self._state, agent) is None

    @rule(by=st.sampled_from([REQUESTER, REQUESTER, "U_0", "U_EVE"]), text=st.sampled_from(["sooner", "later", ""]))
    def whoever_asked_asks_for_a_change(self, by: str, text: str) -> None:
        before = self._state
        opened = before.rounds[-1] if before.rounds else None
        button = {"round": opened.number, "digest": opened.digest} if opened else {"round": 1, "digest": ""}
        self._does(RequestChange, by=by, text=text, **button)
        if self._state is not before:
            assert by == REQUESTER
            assert text
            assert before.current is not None

    @rule(
        whose=FOR_WHOM,
        decision=OFFERS,
        words=st.sampled_from(["", "a room", "a talk"]),
        covers=st.sampled_from([None, (), ("need_2",)]),
    )
    def somebody_corrects_an_offer(
        self, whose: tuple[str, str], decision: OfferDecision, words: str, covers: tuple[str, ...] | None
    ) -> None:
        before, (by, agent) = self._state, whose
        said = {"contribution": words, "conditions": (words,), "reason": words}
        self._does(CorrectOffer, by=by, agent_id=agent, decision=decision, covers=covers, **said)
        if not self._is_hand(before, by, agent):
            assert self._state is before

    @rule(
        by=st.sampled_from([REQUESTER, REQUESTER, "U_0"]), as_admin=st.booleans(), choice=st.sampled_from(MissingChoice)
    )
    def somebody_decides_about_what_is_missing(self, by: str, as_admin: bool, choice: MissingChoice) -> None:
        before = self._state
        self._does(DecideMissing, by=by, as_admin=as_admin, choice=choice)
        if self._state is not before:
            assert by == REQUESTER or as_admin
            assert before.awaits_decision
            assert self._state.has_decided

    @rule(agent=st.sampled_from([*USERS, "a2"]), gone=st.booleans())
    def somebody_cannot_be_told_that_their_offer_is_waited_for(self, agent: str, gone: bool) -> None:
        before = self._state
        self._does(RecordDelivery, agent_id=agent, round=0, reached=False, gone=gone)
        if self._state is not before:
            assert before.wait is Wait.PEOPLE
            assert agent in before.asked_in_person

    @rule(whose=FOR_WHOM, to=st.sampled_from([*ACTORS, "U_DEL", "U_DEL", "", "U_EVE@T_PARTNER"]))
    def somebody_names_a_delegate_or_takes_it_back(self, whose: tuple[str, str], to: str) -> None:
        before, (by, agent) = self._state, whose
        self._does(Delegate, by=by, agent_id=agent, to=to)
        asked = before.invited.get(agent)
        if asked is None or by != asked.user_id or to == by or "@" in to or not before.is_open:
            assert self._state is before
        elif self._state is not before:
            assert self._state.delegates.get(agent, "") == to
            assert self._state.status is before.status
            assert agent not in before.withdrawn

    @rule(by=st.sampled_from([REQUESTER, "U_0", "U_EVE", "U_1"]), as_admin=st.booleans(), announce=st.booleans())
    def somebody_has_the_plan_carried_out(self, by: str, as_admin: bool, announce: bool) -> None:
        before = self._state
        self._does(Proceed, by=by, as_admin=as_admin, announce=announce)
        if self._state is not before:
            assert by == REQUESTER or as_admin
            assert before.final is not None
            assert before.proceeded is None
            assert (self._state.status, self._state.final) == (before.status, before.final)

    @rule(
        by=st.sampled_from([REQUESTER, "U_0", "U_EVE"]), as_admin=st.booleans(), text=st.sampled_from(["A party", ""])
    )
    def somebody_takes_it_up_again(self, by: str, as_admin: bool, text: str) -> None:
        before = self._state
        self._does(Reopen, by=by, as_admin=as_admin, raw_input=text, asks_possible=True)
        if self._state is not before:
            assert by == REQUESTER or as_admin
            assert before.status is Status.FAILED
            assert before.reopened is None
            assert (self._state.status, self._state.outcome) == (before.status, before.outcome)

    @rule(agent=st.sampled_from([*USERS, "a2"]), stale=st.integers(0, 4), reached=st.booleans(), gone=st.booleans())
    def somebody_is_told_or_cannot_be(self, agent: str, stale: int, reached: bool, gone: bool) -> None:
        before, number = self._state, self._state.round - (stale == 4)
        self._does(RecordDelivery, agent_id=agent, round=number, reached=reached, gone=gone)
        is_about_an_offer = not number and agent in before.asked_in_person
        if (before.current is None or number != before.round) and not is_about_an_offer:
            assert self._state is before

    @rule(back=st.integers(0, 1))
    def half_time_is_rung_at_any_time(self, back: int) -> None:
        self._does(AlarmRang, name=f"remind/{self._state.round - back}")

    @precondition(lambda self: self.alarms.keys() - {DURATION})
    @rule(data=st.data(), early=st.sampled_from([True, True, False]))
    def an_alarm_rings(self, data: st.DataObject, early: bool) -> None:
        self._rings(data.draw(st.sampled_from(sorted(self.alarms.keys() - {DURATION}))), early=early)

    @precondition(lambda self: DURATION in self.alarms)
    @rule(early=st.booleans(), really=st.integers(0, 9))
    def it_takes_too_long(self, early: bool, really: int) -> None:
        if really != 9:
            return
        before = self._state
        self.was_over = True
        self._rings(DURATION, early=early)
        if early and self.scenario.now < before.until:
            assert self._state is before
        elif self.scenario.now > later(before.until, before.policy.stuck_grace):  # nobody was there to ring it
            assert not self._state.is_open or self._state.attempts == before.attempts + 1
        else:
            assert not self._state.is_open

    @precondition(lambda self: hasattr(self, "scenario") and self._state.is_open)
    @rule(lost=st.sampled_from([True, False, False]), seconds=st.sampled_from([0, 10, 40]))
    def it_is_looked_at_as_if_it_were_stuck(self, lost: bool, seconds: int) -> None:
        """At any time; and really, where what was owed is lost, and every alarm but one."""
        before = self._state
        self.time_passes(seconds)
        if lost:
            self.owed.clear()
            self.alarms = {DURATION: self.alarms[DURATION]}
            self.scenario.now = stalled_at(before, self.scenario.now) or 0
        self._does(Recover, running=tuple(self.owed))
        assert (self._state is not before) == lost
        moved = self._state
        self._does(Recover, running=tuple(self.owed))
        assert self._state is moved

    def _rings(self, name: str, *, early: bool) -> None:
        if early and self.scenario.now < self.alarms[name]:
            self._does(AlarmRang, name=name)
            assert not self.scenario.last.events
            return
        self.scenario.now = max(self.scenario.now, self.alarms.pop(name))
        self._does(AlarmRang, name=name)

    @rule(by=st.sampled_from([REQUESTER, "U_0"]), as_admin=st.booleans())
    def somebody_closes_the_round(self, by: str, as_admin: bool) -> None:
        before = self._state
        self._does(CloseRound, by=by, round=self.scenario.state.round, as_admin=as_admin)
        assert by == REQUESTER or as_admin or self._state is before

    @rule(by=st.sampled_from([REQUESTER, "U_0", "U_EVE"]), as_admin=st.booleans(), words=st.sampled_from("abc"))
    def somebody_says_the_demand_otherwise(self, by: str, as_admin: bool, words: str) -> None:
        before = self._state
        self._does(EditDemand, by=by, as_admin=as_admin, raw_input=f"A party of {words}")
        if not (by == REQUESTER or as_admin) or not before.takes_edits:
            assert self._state is before
        elif self._state is not before:
            assert self._state.status is Status.CREATED
            assert self._state.offers == {}
            assert self._state.invited == {}
            assert set(self.owed) == {"understand"}

    @rule(
        by=st.sampled_from([REQUESTER, "U_0"]),
        as_admin=st.booleans(),
        agents=st.lists(st.sampled_from(EVERYBODY), max_size=3),
    )
    def somebody_chooses_core_seats(self, by: str, as_admin: bool, agents: list[str]) -> None:
        before = self._state
        self._does(ChooseCore, by=by, as_admin=as_admin, agent_ids=tuple(agents))
        if self._state is not before:
            assert by == REQUESTER or as_admin
            assert before.current is not None
            assert {each.agent_id for each in self._state.proposals[-1].assignments if each.core} == {*agents}

    @rule(by=st.sampled_from([REQUESTER, "U_0", "U_EVE", "U_1"]), as_admin=st.booleans(), really=st.integers(0, 9))
    def somebody_stops_it(self, by: str, as_admin: bool, really: int) -> None:
        before = self._state
        if really == 9:
            self._does(Cancel, by=by, as_admin=as_admin)
        assert by == REQUESTER or as_admin or self._state is before

    @precondition(lambda self: self._state.subnets)
    @rule(data=st.data(), agent=st.sampled_from(["", "p1", "p2"]), late=st.booleans())
    def a_subnet_ends_perhaps_twice_or_too_late(self, data: st.DataObject, agent: str, late: bool) -> None:
        before = self._state
        subnets = [key for key, each in before.subnets.items() if late or each.is_running] or list(before.subnets)
        sub = data.draw(st.sampled_from(subnets))
        found = Found(
            assignments=(Assignment(agent_id=agent),), people=(Person(agent_id=agent, display_name=agent),),
            confirmed_participants=(agent,),
        ) if agent else None  # fmt: skip
        self._does(RecordSubnet, channel_id=sub, outcome=Outcome.CONSENSUS, found=found)
        if not before.subnets[sub].is_running:
            assert self._state is before

    @rule(seconds=st.floats(0, 40))
    def time_passes(self, seconds: float) -> None:
        before, due = self.scenario.now, min(self.alarms.values(), default=None)
        self.scenario.later(seconds)
        if due is not None:  # the runtime rings what is due before much else happens; an overdue one stops no clock
            self.scenario.now = max(before, min(self.scenario.now, due))

    # ── what always holds ─────────────────────────────────────────────────────────────────────────────────────────

    @invariant()
    def there_is_at_most_one_ending(self) -> None:
        endings = [each for each in self._history if isinstance(each, ENDINGS)]
        assert len(endings) == (self._state.status in TERMINAL)

    @invariant()
    def folding_the_history_gives_the_state(self) -> None:
        if hasattr(self, "scenario"):
            assert RULEBOOK.fold(self.scenario.history) == self.scenario.state

    @invariant()
    def an_open_negotiation_owes_something_or_waits_for_an_alarm(self) -> None:
        if hasattr(self, "scenario") and self._state.is_open:
            assert self.owed or self.alarms.keys() - {DURATION}

    @invariant()
    def a_finished_one_owes_and_awaits_nothing(self) -> None:
        if self._state.status in TERMINAL:
            late = {COMPROMISE} if self._state.status is Status.FAILED else {"gaps", "recurse"}
            assert set(self.owed) <= late  # what is known stands; only what it lacks is asked about
            assert set(self.alarms) == ({"subnets"} if self._state.is_searching else set())

    @invariant()
    def a_compromise_is_offered_once_and_names_only_those_who_are_here(self) -> None:
        offered = [each for each in self._history if isinstance(each, CompromiseOffered)]
        assert len(offered) <= (self._state.status is Status.FAILED)
        here = {each.agent_id for each in self._state.participants} - self._state.withdrawn.keys()
        assert all(seat.agent_id in here for each in offered for seat in each.compromise.assignments)

    @invariant()
    def nothing_is_tried_more_than_three_times_without_progress(self) -> None:
        tried = 0
        for each in self._history:
            tried = tried + 1 if isinstance(each, RecoveryAttempted) else 0
            assert tried <= ATTEMPTS

    @invariant()
    def nobody_is_asked_after_withdrawing(self) -> None:
        asked = {each.about for each in self.owed.values() if each.prompt in ("feedback", "respond")}
        assert not asked & set(self._state.withdrawn)

    @invariant()
    def everybodys_agenda_says_who_may_still_vote(self) -> None:
        opened = self._state.current
        votes = {
            f"{by}/{self._state.channel_id}": {
                "stream": self._state.channel_id, "round": self._state.round, "agent_ids": mine
            }
            for by in ACTORS
            if (mine := [
                agent
                for agent, seat in (opened.seats.items() if opened else ())
                if seat.human is None and self._may_vote(by, agent)
            ])
        }  # fmt: skip
        assert self.agenda.get(OPEN_VOTE, {}) == votes

    @invariant()
    def everybodys_agenda_says_whose_offer_they_may_still_correct(self) -> None:
        asked = [*self._state.invited.values()] if self._state.status in (Status.COLLECTING, Status.AGGREGATING) else []
        offers: dict[str, set[str]] = {}
        for each in asked:
            for by in {each.user_id, self._state.delegates.get(each.agent_id, each.user_id)} if each.user_id else ():
                offers.setdefault(f"{by}/{self._state.channel_id}", set()).add(each.agent_id)
        known = self.agenda.get(OPEN_OFFER, {})
        assert {key: {*row["agent_ids"]} for key, row in known.items()} == offers

    @invariant()
    def everybodys_agenda_says_where_their_demand_stands(self) -> None:
        if hasattr(self, "scenario"):
            open_, ended = self.agenda[DEMAND], self.agenda.get(ENDED_DEMAND, {})
            [(key, asked)] = [*open_.items(), *ended.items()]
            when = "" if self._state.is_open else f"{asked['since']:015}/"
            assert key == f"{REQUESTER}/{when}{self._state.channel_id}"
            assert bool(open_) is self._state.is_open
            assert (asked["stream"], asked["status"]) == (self._state.channel_id, self._state.status)
            assert asked["since"] <= self.scenario.now

    @invariant()
    def nobody_covers_what_they_do_not_claim(self) -> None:
        for proposal in self._state.proposals:
            for seat in proposal.assignments:
                claimed = {each.need_id for each in self._state.offers[seat.agent_id].claims}
                assert {*seat.covers} <= claimed

    @invariant()
    def what_is_final_has_all_that_is_essential_and_the_accept_of_each_core_seat(self) -> None:
        agreed = self._state.agreed
        if isinstance(agreed, ProposalFinalized):
            plan, last = agreed.final_proposal, self._state.rounds[-1]
            assert not unagreed_essential(self._state, plan, last)
            assert {seat.agent_id for seat in plan.assignments if seat.core} <= accepters(last)

    @invariant()
    def the_tally_is_the_votes(self) -> None:
        for each in self._state.rounds:
            if each.tally is not None:
                tally = count(each)
                assert (tally.accepts, tally.negotiates, tally.rejects, tally.silent) == (
                    each.tally.accepts,
                    each.tally.negotiates,
                    each.tally.rejects,
                    each.tally.silent,
                )

    @invariant()
    def each_round_is_evaluated_once(self) -> None:
        numbers = [each.round for each in self._history if isinstance(each, FeedbackEvaluated)]
        assert numbers == sorted(set(numbers))

    @invariant()
    def a_persons_own_answer_is_never_replaced_by_their_twins(self) -> None:
        since = max((n for n, each in enumerate(self._history) if isinstance(each, DemandEdited)), default=0)
        said = {each.agent_id: each.offer for each in self._history[since:] if isinstance(each, OfferOverridden)}
        assert all(self._state.offers[agent_id] == offer for agent_id, offer in said.items())

    @invariant()
    def no_persons_vote_is_followed_by_one_of_their_twins(self) -> None:
        spoken: set[str] = set()
        for each in self._history:
            match each:
                case SeatHandedBack():
                    spoken.discard(each.agent_id)
                case ProposalFeedback(source=Source.HUMAN):
                    spoken.add(each.agent_id)
                case ProposalFeedback(source=Source.AGENT):
                    assert each.agent_id not in spoken or each.agent_id not in USERS

    @invariant()
    def a_vote_stands_only_as_its_person_gave_it(self) -> None:
        given: dict[str, ProposalFeedback] = {}
        for each in self._history:
            if isinstance(each, ProposalFeedback) and each.source is Source.HUMAN:
                before = given.get(each.agent_id)
                if each.carried:
                    assert before is not None
                    assert replace(before, round=each.round, version=each.version, carried=True) == each
                given[each.agent_id] = each

    @invariant()
    def what_whoever_asked_wants_changed_holds_the_plan_until_a_version_has_answered_it(self) -> None:
        agreed = [each for each in self._history if isinstance(each, ProposalFinalized)]
        if agreed and self._state.requested and self._state.round < self._state.policy.max_rounds:
            assert self.was_over  # there was no more time for another version

    @invariant()
    def nobody_is_assumed_to_agree_who_was_not_reached(self) -> None:
        reached = {(each.agent_id, each.round) for each in self._history if isinstance(each, PersonReached)}
        assumed = {
            (each.agent_id, each.round)
            for each in self._history
            if isinstance(each, ProposalFeedback) and each.source is Source.ASSUMED
        }
        assert assumed <= reached

    @invariant()
    def whoever_decides_for_a_seat_of_the_open_round_is_who_was_named_last(self) -> None:
        opened = self._state.current
        for agent, seat in opened.seats.items() if opened else ():
            assert seat.delegate == self._state.delegates.get(agent, "")
            assert seat.delegate not in seat.former_delegates

    @invariant()
    def nothing_stands_in_for_a_model_where_one_is_required(self) -> None:
        lacking = [each for each in self._history if isinstance(each, StepDegraded) and each.prompt in LEADING]
        ended = self._state.outcome is Outcome.MODEL_UNAVAILABLE
        twins_failed = ended and bool(self._state.failed_twins) and not self._state.participants
        assert ended == (self._state.policy.require_model and bool(lacking)) or twins_failed

    @invariant()
    def a_failure_of_machines_is_never_told_as_a_refusal(self) -> None:
        if self._state.outcome is Outcome.NO_PARTICIPANTS and not self._state.rounds:
            assert not self._state.failed_twins

    @invariant()
    def whoever_asked_is_asked_before_it_goes_on_without_something_essential(self) -> None:
        state = self._state
        if state.status is Status.AGGREGATING and missing_needs(state) and not self._was_corrected_since_closing():
            assert state.has_decided

    @invariant()
    def what_waits_for_people_has_an_alarm(self) -> None:
        state = self._state
        if state.awaits_answer:
            assert "question" in self.alarms
            assert state.unclear.deadline <= state.until == self.alarms[DURATION]
        elif state.status is Status.COLLECTING:
            assert "subnets" in self.alarms if state.wait is Wait.SUBNETS else "offers" in self.alarms
            if state.wait is not Wait.TWINS:
                assert state.offers_due <= state.until == self.alarms[DURATION]

    @invariant()
    def nothing_ends_before_people_had_their_time(self) -> None:
        if self._state.current is not None:
            assert self._state.current.deadline <= self._state.until == self.alarms[DURATION]

    @invariant()
    def a_plan_is_carried_out_once(self) -> None:
        assert len([each for each in self._history if isinstance(each, PlanProceeded)]) <= 1

    @invariant()
    def each_gap_is_filled_or_given_up_once(self) -> None:
        ends = [each.gap_type for each in self._history if isinstance(each, SubnetCompleted | SubnetFailed)]
        assert len(ends) == len(set(ends))
        if self._state.final is not None and self._state.subnets:
            joined = {each.agent_id for each in self._state.final.final_proposal.assignments if each.source == "subnet"}
            assert joined == set(self._state.joined)

    @invariant()
    def nobody_is_reminded_twice_in_a_round(self) -> None:
        numbers = [each.round for each in self._history if isinstance(each, FeedbackReminded)]
        assert numbers == sorted(set(numbers))

    @invariant()
    def nobody_is_confirmed_without_an_explicit_accept(self) -> None:
        final = self._state.agreed
        if final is None:
            return
        accepts = {
            each.agent_id
            for each in self._history
            if isinstance(each, ProposalFeedback)
            and each.version == final.final_proposal.version
            and each.feedback_type is FeedbackType.ACCEPT
            and each.source is not Source.ASSUMED
        }
        assert set(final.confirmed_participants) <= accepts
        left = {each.agent_id for each in self._history if isinstance(each, AgentWithdrawn)}
        assert not left & {*final.confirmed_participants, *final.optional_participants}

    # ── how it is driven ──────────────────────────────────────────────────────────────────────────────────────────

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
        self._keep(self.scenario.last, knew=before.corrections)
        self._note(before)

    def _was_corrected_since_closing(self) -> bool:
        """Whether a person has changed an offer after the offers were closed."""
        since = max(n for n, each in enumerate(self._history) if isinstance(each, AggregationStarted))
        return any(isinstance(each, OfferOverridden) for each in self._history[since:])

    def _may_happen(self, before: Negotiation, event: Event) -> None:
        match event:
            case OfferOverridden():
                assert self._is_hand(before, event.by, event.agent_id)
                assert not before.proposals
            case FeedbackReminded():
                opened = before.rounds[-1]
                left = (opened.people_until - self.scenario.now) / 1000
                assert 0 < left <= before.policy.human_window / 2
                for seat in map(opened.seats.__getitem__, event.agent_ids):
                    assert seat.user_id
                    assert seat.human is None
                    assert seat.delegate or not seat.gone
            case ProposalFeedback(source=Source.ASSUMED):
                seat = before.rounds[-1].seats[event.agent_id]
                assert seat.reached
                assert not seat.gone
                assert self.scenario.now >= before.rounds[-1].people_until

    def _note(self, before: Negotiation) -> None:
        command = Command(command_id="", at=self.scenario.now)
        for each in agenda(Handled("", 0, command, before, self._state, self.scenario.last.events)):
            rows = self.agenda.setdefault(each.kind, {})
            written = None if each.value is None else json.loads(each.value)
            assert written != rows.get(each.key), "only what has changed is written"
            if written is None:
                del rows[each.key]
            else:
                rows[each.key] = written

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

    def _may_vote(self, by: str, agent: str) -> bool:
        latest = self._state.rounds[-1]
        try:
            check_vote(self._state, by, agent, latest.number, latest.digest, at=0)
        except Refusal:
            return False
        return True

    def _keep(self, decision: Decision, knew: int) -> None:
        self.answered += [(ask, knew) for ask in self.owed.values() if ask.scope in decision.void]
        self.owed = {name: ask for name, ask in self.owed.items() if ask.scope not in decision.void}
        self.owed |= {each.name: each for each in decision.effects if isinstance(each, Ask)}
        for name in decision.clear:
            self.alarms.pop(name, None)
        self.alarms |= {each.name: each.due for each in decision.alarms}

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
                self._does(RecordShortlist, shortlist=listed, people=people, covers=covers, degraded=degraded)
            case "respond":
                answer = OfferAnswer(decision=decision if works else OfferDecision.DECLINE, contribution="helps")
                claims = tuple(Claim(need_id=each) for each in CLAIMS.get(ask.about, ())) if works else ()
                self._does(RecordOffer, agent_id=ask.about, answer=answer, claims=claims, degraded=degraded)
            case "aggregate" | "adjust":
                draft = plan(*EVERYBODY, "stranger", core=("a0",)) if works else None
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
            case _:
                said = FeedbackAnswer(feedback_type=vote, adjustment_request="later" if vote == "negotiate" else "")
                number = int(ask.name.split("/")[1])
                self._does(
                    RecordFeedback,
                    agent_id=ask.about,
                    round=number,
                    answer=said if works else None,
                    degraded=degraded,
                )


TestAnyOrder = AnyOrder.TestCase
TestAnyOrder.settings = settings(max_examples=60, stateful_step_count=50, deadline=None)
