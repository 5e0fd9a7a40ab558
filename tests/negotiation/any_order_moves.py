"""What people, models, the clock and other negotiations may do at any moment, also twice, late or without the right."""

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from engine.facts.circumstances import When
from engine.kernel import AlarmRang, Recover, later
from engine.negotiation.afterwards.commitments import keepers
from engine.negotiation.afterwards.conflicts import standing
from engine.negotiation.afterwards.rescheduling import voters
from engine.negotiation.answers import Assignment, OfferDecision
from engine.negotiation.commands import (
    AnswerHelp,
    AnswerTimes,
    AvailabilityFinding,
    Cancel,
    CastPrepared,
    CastVote,
    ChooseCore,
    CloseRound,
    CorrectOffer,
    CorrectRequest,
    DecideMissing,
    Delegate,
    EditDemand,
    FindTime,
    GiveUpSeat,
    HandBack,
    KeepTime,
    OfferHelp,
    Proceed,
    RecordAvailability,
    RecordDelivery,
    RecordSubnet,
    Reopen,
    RequestChange,
    TakeBack,
)
from engine.negotiation.demand.gathering import EARLY
from engine.negotiation.drafting import DURATION
from engine.negotiation.events import (
    ProposalFeedback,
)
from engine.negotiation.plan.moving import moves
from engine.negotiation.plan.times import key_of
from engine.negotiation.recovery import stalled_at
from engine.negotiation.state import Status, Wait
from engine.negotiation.terms import Found, MissingChoice, Outcome, Person, Source
from engine.negotiation.voting.carrying import own_vote
from engine.negotiation.voting.kinds import FeedbackType
from engine.times.feasible import FoundTimes, PossibleTime
from tests.negotiation.any_order_machine import (
    ACTORS,
    EVERYBODY,
    FOR_WHOM,
    OFFERS,
    USERS,
    VOTES,
    WORKS,
    AnyNegotiation,
)
from tests.negotiation.scenario import REQUESTER

TIMES = tuple(
    PossibleTime(when=When(first=f"2027-03-0{day}", last=f"2027-03-0{day}", start="10:00", end="11:00", exact="day"))
    for day in (1, 2, 3)
)
ELSEWHERE = FoundTimes(minutes=60, times=TIMES[1:])


class AnyMoves(AnyNegotiation):
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

    @rule(whose=FOR_WHOM, stale=st.booleans(), as_admin=st.booleans())
    def somebody_gives_what_a_twin_has_prepared(self, whose: tuple[str, str], stale: bool, as_admin: bool) -> None:
        before, (by, agent) = self._state, whose
        opened = before.rounds[0 if stale else -1] if before.rounds else None
        button = {"round": opened.number, "digest": opened.digest} if opened else {"round": 1, "digest": ""}
        self._does(CastPrepared, by=by, agent_id=agent, as_admin=as_admin, **button)
        voted = [each for each in self.scenario.last.events if isinstance(each, ProposalFeedback) and each.by]
        if self._state is before or not any(not each.carried for each in voted):
            return
        seat, vote = before.rounds[-1].seats[agent], voted[0]
        assert seat.prepares
        assert seat.prepared is not None
        assert (vote.by, vote.agent_id, vote.source) == (by, agent, Source.HUMAN)
        assert vote.feedback_type is seat.prepared.feedback_type
        assert self._is_hand(before, by, agent) or (as_admin and seat.is_in_doubt)

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

    @rule(by=st.sampled_from(["U_ADMIN", REQUESTER, "U_0"]), agent=st.sampled_from(EVERYBODY), vote=VOTES)
    def an_admin_speaks_for_somebody(self, by: str, agent: str, vote: FeedbackType) -> None:
        before = self._state
        opened = before.rounds[-1] if before.rounds else None
        button = {"round": opened.number, "digest": opened.digest} if opened else {"round": 1, "digest": ""}
        self._does(CastVote, by=by, agent_id=agent, feedback_type=vote, text="because", as_admin=True, **button)
        voted = [each for each in self.scenario.last.events if isinstance(each, ProposalFeedback)]
        if opened is not None and any(each.by == "U_ADMIN" for each in voted):
            assert agent not in USERS
            assert opened.seats[agent].is_in_doubt

    @rule(whose=FOR_WHOM, of_the_whole=st.booleans(), text=st.sampled_from(["", "much later"]))
    def somebody_says_that_something_else_was_meant(
        self, whose: tuple[str, str], of_the_whole: bool, text: str
    ) -> None:
        before, (by, agent) = self._state, whose
        self._does(CorrectRequest, by=by, agent_id="" if of_the_whole else agent, text=text)
        if self._state is not before:
            assert by == REQUESTER if of_the_whole else self._is_hand(before, by, agent) or by in ACTORS
            assert before.status in (Status.PROPOSAL_SENT, Status.NEGOTIATING)

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
        if self._state is before:
            return
        if before.final is not None:
            self._has_left_since_their_account_is_closed(agent, gone=gone)
        elif gone and agent in before.invited and agent not in before.closed_accounts:
            assert agent in self._state.closed_accounts
        else:
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
            # Where its time is over, though nobody has rung yet, the round does not wait for them.
            assert self._state.status is before.status or self.scenario.now >= before.current.window.deadline
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

    @rule(by=st.sampled_from([REQUESTER, REQUESTER, "U_0", "U_EVE"]), as_admin=st.booleans())
    def somebody_takes_back_what_was_decided(self, by: str, as_admin: bool) -> None:
        before = self._state
        self._does(TakeBack, by=by, as_admin=as_admin)
        if self._state is before:
            return
        assert by == REQUESTER or as_admin
        assert self.scenario.now <= before.reversals.until
        assert self._state.reversals.until == 0
        if before.status is Status.CANCELLED:
            assert self._state.reversals.stops
            assert (self._state.offers, self._state.proposals) == (before.offers, before.proposals)
        else:
            assert (self._state.status, self._state.final) == (before.status, before.final)
            assert self._state.proceeded is None

    @rule(by=st.sampled_from([REQUESTER, "U_0", "U_EVE", "U_DAN"]), has_twin=st.booleans())
    def somebody_offers_help(self, by: str, has_twin: bool) -> None:
        before = self._state
        said = {"display_name": by, "text": "I can help", "covers": ("need_1",), "has_twin": has_twin}
        self._does(OfferHelp, by=by, agent_id=f"helper_{by}", **said)
        if self._state is not before:
            assert by != REQUESTER
            assert self._state.invited == before.invited
            assert (self._state.status, self._state.offers) == (before.status, before.offers)

    @rule(by=st.sampled_from([REQUESTER, "U_EVE", "U_DAN"]), who=st.sampled_from(["U_EVE", "U_DAN"]), ask=st.booleans())
    def it_is_decided_about_help(self, by: str, who: str, ask: bool) -> None:
        before = self._state
        self._does(AnswerHelp, by=by, agent_id=f"helper_{who}", ask=ask)
        if self._state is not before:
            assert by == REQUESTER
            added = self._state.invited.keys() - before.invited.keys()
            assert added <= ({f"helper_{who}"} if ask and before.takes_offers else set())

    @rule(whose=FOR_WHOM)
    def somebody_cannot_keep_their_promise(self, whose: tuple[str, str]) -> None:
        before, (by, agent) = self._state, whose
        self._does(GiveUpSeat, by=by, agent_id=agent, reason="I am ill")
        if self._state is not before:
            assert by in keepers(before, agent)
            assert before.final is not None
            assert agent not in before.given_up
            assert self._state.status is before.status
            assert self._state.final is not None
            left = {each.agent_id for each in self._state.final.final_proposal.assignments}
            assert left == {each.agent_id for each in before.final.final_proposal.assignments} - {agent}

    @rule(whose=FOR_WHOM, cannot=st.booleans())
    def a_calendar_says_otherwise(self, whose: tuple[str, str], cannot: bool) -> None:
        before, (_, agent) = self._state, whose
        finding = AvailabilityFinding(agent_id=agent, when=TIMES[0].when, cannot=cannot, found=ELSEWHERE)
        self._does(RecordAvailability, findings=(finding,))
        assert (standing(self._state, agent) is None) or cannot or self._state is before

    @rule(whose=FOR_WHOM, is_kept=st.booleans())
    def somebody_wants_another_time_or_can_all_the_same(self, whose: tuple[str, str], is_kept: bool) -> None:
        before, (by, agent) = self._state, whose
        self._does(KeepTime if is_kept else FindTime, by=by, agent_id=agent)
        if self._state is not before:
            assert standing(before, agent) is not None
            assert by in keepers(before, agent) or (by == REQUESTER and not is_kept)

    @rule(by=st.sampled_from(ACTORS), number=st.integers(1, 2), time=st.sampled_from([*TIMES, None]))
    def somebody_says_when_they_can(self, by: str, number: int, time: PossibleTime | None) -> None:
        before = self._state
        self._does(AnswerTimes, by=by, round=number, key=key_of(time.when) if time else "")
        if len(moves(self._state)) > len(moves(before)):
            asked = self._state.reschedulings[-1]
            assert asked.when is not None
            said = {part: asked.answers.get(part, ()) for part in voters(self._state, asked)}
            assert all(key_of(asked.when) in keys for keys in said.values()), "nobody's silence is a yes"
            assert self._state.status is before.status

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

    @rule(agent=st.sampled_from([*USERS, "a2"]), stale=st.integers(0, 4), to=st.sampled_from(["U_DEL", "U_EVE"]))
    def a_delegates_account_is_closed(self, agent: str, stale: int, to: str) -> None:
        before, number = self._state, self._state.round - (stale == 4)
        self._does(RecordDelivery, agent_id=agent, round=number, reached=False, gone=True, delegate=to)
        if before.delegates.get(agent) != to:
            assert self._state is before

    @rule(agent=st.sampled_from([*USERS, "a2"]), stale=st.integers(0, 4), reached=st.booleans(), gone=st.booleans())
    def somebody_is_told_or_cannot_be(self, agent: str, stale: int, reached: bool, gone: bool) -> None:
        before, number = self._state, self._state.round - (stale == 4)
        self._does(RecordDelivery, agent_id=agent, round=number, reached=reached, gone=gone)
        if before.final is not None:  # an account is closed whatever round the receipt is about
            if self._state is not before:
                self._has_left_since_their_account_is_closed(agent, gone=gone and not reached)
            return
        is_about_an_offer = not number and agent in before.asked_in_person
        is_closed = gone and not reached and not number and agent in before.invited
        if (before.current is None or number != before.round) and not is_about_an_offer and not is_closed:
            assert self._state is before

    def _has_left_since_their_account_is_closed(self, agent: str, *, gone: bool) -> None:
        assert gone
        assert agent in USERS, "nobody has an account where nobody is linked"
        assert agent in self._state.given_up

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
            assert set(self.owed) == {"understand", *([EARLY] if self._state.policy.asks_early else [])}

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
