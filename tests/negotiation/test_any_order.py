"""Random votes, corrections, duplicates, late answers, alarms, stops, in any order: what always holds."""

from collections import Counter

from hypothesis import settings
from hypothesis.stateful import invariant
from msgspec.structs import replace

from engine.kernel import Ask, Recover
from engine.negotiation.afterwards.check_ins import outstanding as check_ins_outstanding
from engine.negotiation.afterwards.rescheduling import alarm_of, open_now
from engine.negotiation.afterwards.undoing import UNDO
from engine.negotiation.agreement.compromise import COMPROMISE
from engine.negotiation.drafting import DURATION
from engine.negotiation.events import (
    AgentWithdrawn,
    AggregationStarted,
    ChangeRequested,
    CompromiseOffered,
    DemandEdited,
    FeedbackEvaluated,
    FeedbackReminded,
    OfferOverridden,
    PersonReached,
    PersonUnreachable,
    PlanProceeded,
    ProceedingTakenBack,
    ProposalFeedback,
    ProposalFinalized,
    RecoveryAttempted,
    RequesterDecided,
    SeatHandedBack,
    StepDegraded,
    StopTakenBack,
    SubnetCompleted,
    SubnetFailed,
)
from engine.negotiation.inbox import DEMAND, ENDED_DEMAND, OPEN_OFFER, OPEN_VOTE
from engine.negotiation.offers.missing_needs import missing_needs
from engine.negotiation.outstanding import outstanding
from engine.negotiation.plan.core import core_seats
from engine.negotiation.plan.coverage import accepters, coverage, unagreed_essential
from engine.negotiation.plan.proposals import without
from engine.negotiation.recovery import ATTEMPTS, stalled_at
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import TERMINAL, Status, Wait
from engine.negotiation.terms import MissingChoice, Outcome, Source
from engine.negotiation.voting.kinds import FeedbackType
from engine.negotiation.voting.tally import sums_of
from tests.examples import examples
from tests.negotiation.any_order_machine import (
    ACTORS,
    BOUND,
    ENDINGS,
    LEADING,
    USERS,
)
from tests.negotiation.any_order_moves import AnyMoves
from tests.negotiation.scenario import REQUESTER


class AnyOrder(AnyMoves):
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

    @invariant()
    def there_is_at_most_one_ending(self) -> None:
        endings = [each for each in self._history if isinstance(each, ENDINGS)]
        taken_back = [each for each in self._history if isinstance(each, StopTakenBack)]
        assert len(endings) - len(taken_back) == (self._state.status in TERMINAL)

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
            asking = open_now(self._state)
            awaited = {
                "subnets": self._state.is_searching,
                UNDO: self._state.reversals.until,
                alarm_of(asking) if asking else "": asking,
            }
            assert set(self.alarms) == {name for name, is_awaited in awaited.items() if is_awaited}

    @invariant()
    def what_is_owed_and_awaited_is_what_the_state_wants(self) -> None:
        wanted = outstanding(self._state)
        check_ins = check_ins_outstanding(self._state, self.scenario.now if hasattr(self, "scenario") else 0)
        asks = {each.name: each for each in wanted.effects if isinstance(each, Ask)}
        # An answer may say nothing, so that the state does not tell that there was one.
        silent = {name for name, each in asks.items() if each.prompt in ("read_request", "compromise")}
        assert asks.keys() - silent <= self.owed.keys() <= asks.keys()
        assert all(asks[name] == each for name, each in self.owed.items())
        alarms = {**wanted.alarms, **check_ins.alarms}
        rung = {name for name in alarms if name.startswith("remind/")}
        assert {name: due for name, due in alarms.items() if name not in rung} == {
            name: due for name, due in self.alarms.items() if name not in rung
        }

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
    def no_vote_of_a_twin_that_only_prepares_counts(self) -> None:
        """Nor does silence: whoever asked may have changed, with the wording, whether twins vote at all."""
        for each in self._state.rounds:
            for agent_id, seat in each.seats.items():
                assert seat.prepared is None or seat.prepares
                if seat.prepares:
                    assert seat.twin is None
                    assert seat.assumed is None
                    assert seat.vote is (None if seat.closed else seat.human)
                elif not self._state.own_votes:
                    assert agent_id not in self.scenario.preparing

    @invariant()
    def nobody_is_asked_after_withdrawing(self) -> None:
        asked = {each.about for each in self.owed.values() if each.prompt in ("feedback", "respond")}
        assert not asked & set(self._state.withdrawn)

    @invariant()
    def nobody_is_passed_over_who_has_offered_what_was_lost(self) -> None:
        """Whoever asked is asked about it only where nobody who stays has offered it."""
        here = [each for each in self._state.participants if each.agent_id not in self._state.withdrawn]
        offered = {claim.need_id for each in here for claim in each.claims}
        for each in self._state.decisions:
            if each.asked.about == "lost" and each.made is None:
                assert offered.isdisjoint(each.asked.need_ids)

    @invariant()
    def everybodys_agenda_says_who_may_still_vote(self) -> None:
        opened = self._state.current
        votes = {
            f"{by}/{self._state.channel_id}": {
                "stream": self._state.channel_id, "round": self._state.round, "agent_ids": mine
            }
            for by in dict.fromkeys((*ACTORS, "U_DAN"))  # who offers help
            if (mine := [
                agent
                for agent, seat in (opened.seats.items() if opened else ())
                if seat.human is None and self._may_vote(by, agent)
            ])
        }  # fmt: skip
        assert self.records.get(OPEN_VOTE, {}) == votes

    @invariant()
    def everybodys_agenda_says_whose_offer_they_may_still_correct(self) -> None:
        is_collected = self._state.status in (Status.COLLECTING, Status.AGGREGATING)
        asked = [
            each
            for each in self._state.invited.values()
            if is_collected or self._state.is_asked_to_step_in(each.agent_id)
        ]
        offers: dict[str, set[str]] = {}
        for each in asked:
            for by in {each.user_id, self._state.delegates.get(each.agent_id, each.user_id)} if each.user_id else ():
                offers.setdefault(f"{by}/{self._state.channel_id}", set()).add(each.agent_id)
        known = self.records.get(OPEN_OFFER, {})
        assert {key: {*row["agent_ids"]} for key, row in known.items()} == offers

    @invariant()
    def everybodys_agenda_says_where_their_demand_stands(self) -> None:
        if hasattr(self, "scenario"):
            open_, ended = self.records[DEMAND], self.records.get(ENDED_DEMAND, {})
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
            plan, accepted = agreed.final_proposal, accepters(self._state.rounds[-1])
            assert not unagreed_essential(self._state, plan, accepted)
            assert {seat.agent_id for seat in plan.assignments if seat.core} <= accepted

    @invariant()
    def the_tally_is_the_votes(self) -> None:
        for each in self._state.rounds:
            if each.tally is not None:
                tally = each.counted
                assert sums_of(tally) == sums_of(each.tally)
                assert tally.total == each.tally.total

    @invariant()
    def whoever_abstains_is_a_person_who_may_and_confirms_nothing(self) -> None:
        state = self._state
        for each in self._history:
            if isinstance(each, ProposalFeedback) and each.feedback_type is FeedbackType.ABSTAIN:
                assert each.source is Source.HUMAN
                assert state.policy.name == "balanced"
        if isinstance(state.agreed, ProposalFinalized):
            votes = [seat.vote for seat in state.rounds[-1].seats.values() if seat.vote]
            abstained = {each.agent_id for each in votes if each.feedback_type is FeedbackType.ABSTAIN}
            assert abstained.isdisjoint(state.agreed.confirmed_participants)
            assert abstained <= {*state.agreed.optional_participants}

    @invariant()
    def where_needs_decide_no_plan_fails_that_has_all_it_cannot_do_without(self) -> None:
        state = self._state
        if not state.policy.by_needs or state.status is not Status.FAILED or not state.rounds:
            return
        last = state.rounds[-1]
        plan = without(state, state.proposals[last.version - 1], state.withdrawn)
        needs = [each for each in coverage(state, plan, accepters(last)) if each.need.essential]
        said = {who for who, seat in last.seats.items() if seat.vote and seat.vote.source is not Source.ASSUMED}
        refused = core_seats(state, plan) & (said - accepters(last))
        is_whole = bool(needs) and all(each.is_agreed for each in needs) and not refused
        assert not is_whole or state.outcome is Outcome.RECOVERY_EXHAUSTED

    @invariant()
    def where_needs_decide_nobodys_silence_is_a_consensus(self) -> None:
        agreed = self._state.agreed
        if self._state.policy.by_needs and isinstance(agreed, ProposalFinalized):
            assert agreed.confirmed_participants
            assert not agreed.core_without_accept

    @invariant()
    def where_needs_decide_a_version_is_sent_twice_and_then_a_person_decides(self) -> None:
        """Unless somebody asks for a change that was not tried yet, and no model can make another version of it."""
        state = self._state
        if not state.policy.by_needs:
            return
        chosen = [each for each in self._history if isinstance(each, RequesterDecided) and each.by]
        again = [each for each in chosen if each.choice is MissingChoice.SEND_AGAIN]
        versions = Counter(each.version for each in state.rounds)
        assert sum(max(0, each - 2) for each in versions.values()) <= len(again) + self._changes_tried_in_vain()

    def _changes_tried_in_vain(self) -> int:
        """How often a model was asked for what it had not been asked before, and the version stayed as it was."""
        since = max((n for n, each in enumerate(self._history) if isinstance(each, DemandEdited)), default=0)
        history = self._history[since:]
        tried: set[tuple[int, str, str]] = set()
        found = 0
        for failed in [each for each in history if isinstance(each, StepDegraded) and each.prompt == "adjust"]:
            closed = self._state.rounds[failed.round - 2]
            wishes = {
                (closed.version, agent_id, vote.adjustment_request if vote.source is Source.HUMAN else "")
                for agent_id, seat in closed.seats.items()
                if (vote := seat.vote) is not None and vote.feedback_type.kind.objects
            } | {
                (closed.version, "", each.text)
                for each in history
                if isinstance(each, ChangeRequested) and each.version == closed.version and each.round < failed.round
            }
            found += not wishes <= tried
            tried |= wishes
        return found

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
        if state.status is Status.AGGREGATING and missing_needs(state) and not self._lost_offers_since_closing():
            assert state.has_decided

    def _lost_offers_since_closing(self) -> bool:
        """Whether a person has changed an offer after the offers were closed, or has no account any more."""
        since = max(n for n, each in enumerate(self._history) if isinstance(each, AggregationStarted))
        return any(
            isinstance(each, OfferOverridden) or (isinstance(each, PersonUnreachable) and each.closed)
            for each in self._history[since:]
        )

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
            assert self._state.current.window.deadline <= self._state.until == self.alarms[DURATION]

    @invariant()
    def a_plan_is_carried_out_once(self) -> None:
        decided = [each for each in self._history if isinstance(each, PlanProceeded)]
        taken_back = [each for each in self._history if isinstance(each, ProceedingTakenBack)]
        assert len(decided) - len(taken_back) == (self._state.proceeded is not None)

    @invariant()
    def each_gap_is_filled_or_given_up_once(self) -> None:
        ends = [each.gap_type for each in self._history if isinstance(each, SubnetCompleted | SubnetFailed)]
        assert len(ends) - len(set(ends)) <= sum(len(each.lacks) for each in self._state.given_up.values())
        if self._state.final is not None and self._state.subnets:
            joined = {each.agent_id for each in self._state.final.final_proposal.assignments if each.source == "subnet"}
            assert joined == set(self._state.joined) - set(self._state.given_up)

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


TestAnyOrder = AnyOrder.TestCase
TestAnyOrder.settings = settings(max_examples=examples(30), stateful_step_count=50, deadline=None)
