"""Answers, failures, alarms, objections, choices and stops, in any order, twice or too late: what always holds."""

from itertools import pairwise

from hypothesis import settings
from hypothesis.stateful import invariant

from engine.deliberation.closing.closing import CONVERGED, hand_over
from engine.deliberation.closing.decision_record import decision_record
from engine.deliberation.events import (
    AgentSkipped,
    DeliberationEnded,
    DeliberationReopened,
    HostDecided,
    PositionChosen,
    PositionsCompared,
    PositionTaken,
    ReportWritten,
)
from engine.deliberation.fold import apply
from engine.deliberation.lateness import stalled_at
from engine.deliberation.own_plans import ENDED_PLAN, PLAN, UNDECIDED_PLAN
from engine.deliberation.rounds.people import may_ask, may_choose_now, may_object
from engine.deliberation.rounds.plans import final_plan, standing
from engine.deliberation.rules import RULEBOOK
from engine.deliberation.state import Status
from engine.deliberation.terms import DEBATERS, MOST_POINTS, MOST_ROUNDS, Reason
from engine.kernel import Event, Recover
from tests.examples import examples

from .any_order_moves import AnyMoves

BOUND = 40
"""Recoveries, at the most, until it has ended: three turns a round, and some to end it."""


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
    def folding_the_history_gives_the_state(self) -> None:
        if self._state.exists:
            assert RULEBOOK.fold(self.scenario.history) == self._state

    @invariant()
    def an_open_one_waits_for_somebody_and_has_an_alarm_for_it(self) -> None:
        if self._state.is_open:
            assert self.alarms["turn"] == self._state.turn_due
            assert self._awaited()

    @invariant()
    def a_finished_one_awaits_nothing_but_replies(self) -> None:
        if self._state.exists and not self._state.is_open:
            assert not self.alarms
            assert all(each.prompt == "reply" for each in self.owed.values())

    @invariant()
    def it_has_no_more_rounds_than_it_may_and_each_is_decided_once(self) -> None:
        state = self._state
        was_reopened = any(isinstance(each, DeliberationReopened) for each in self._history)
        assert len(state.rounds) <= (MOST_ROUNDS if was_reopened else state.policy.max_rounds)
        if state.exists:
            decided = [each.round for each in self.scenario.history if isinstance(each, HostDecided)]
            assert decided == [each.number for each in state.rounds if each.decision]
            compared = [each.round for each in self.scenario.history if isinstance(each, PositionsCompared)]
            assert compared == sorted(set(compared))

    @invariant()
    def nobody_speaks_twice_in_a_round(self) -> None:
        if self._state.exists:
            kinds = (PositionTaken, AgentSkipped)
            spoke = [each for each in self.scenario.history if isinstance(each, kinds)]
            taken = [(each.round, each.agent) for each in spoke if isinstance(each, PositionTaken)]
            assert len(taken) == len({*taken})
            for each in self._state.rounds:
                assert not each.outputs.keys() & each.skipped.keys()

    @invariant()
    def what_has_ended_stays_ended_but_for_a_choice_after_a_divergent_end_and_an_objection(self) -> None:
        if not self._state.exists:
            return
        history = self.scenario.history
        endings = [place for place, each in enumerate(history) if isinstance(each, DeliberationEnded)]
        for one, other in pairwise(endings):
            ended, since = history[one], history[one:other]
            assert isinstance(ended, DeliberationEnded)
            if not any(isinstance(each, DeliberationReopened) for each in since):
                assert not ended.is_converged
                assert any(isinstance(each, PositionChosen) for each in since)
        if self._state.status in (Status.CONVERGED, Status.TERMINATED):
            assert (self._state.status is Status.CONVERGED) == (self._state.reason in CONVERGED)

    @invariant()
    def the_best_plan_never_gets_worse(self) -> None:
        if not self._state.exists:
            return
        state, against = RULEBOOK.initial, None
        for event in self.scenario.history:
            state = apply(state, event)
            if state.best:
                assert against is None or state.best_open <= against
                against = state.best_open
            else:
                assert against is None

    @invariant()
    def each_objection_is_addressed_by_both_or_named_in_the_report(self) -> None:
        state = self._state
        if state.status not in (Status.CONVERGED, Status.TERMINATED) or state.report is None:
            return
        if state.reason is Reason.FORGOTTEN:
            return  # it was reopened, and ended at once where somebody was forgotten: the report is from before
        for point in state.points:
            is_answered = all(each in point.answers for each in DEBATERS)
            assert is_answered or any(point.text in each for each in state.report.summary.open_disagreements)
        if state.reason in (Reason.AGREED, Reason.EARLY_AGREEMENT):
            assert all(each in point.answers for point in state.points for each in DEBATERS)

    @invariant()
    def as_long_as_there_is_a_plan_whoever_takes_part_may_object_and_ask(self) -> None:
        state = self._state
        has_plan = bool(state.rounds) and standing(state) is not None and not state.erased
        if has_plan and state.reason is not Reason.FORGOTTEN:
            assert may_object(state) or len(state.points) >= MOST_POINTS
            assert may_ask(state) or len(state.questions) >= MOST_POINTS

    @invariant()
    def what_is_said_of_its_end_is_what_its_data_shows(self) -> None:
        state = self._state
        if not state.exists or state.is_open:
            return
        record = decision_record(state)
        assert (record.how in ("agreed", "decided")) == (state.status is Status.CONVERGED)
        assert (record.how == "decided") == (state.choice is not None)
        if record.how in ("agreed", "not_settled"):
            assert not record.disagreed_on
        assert record.rounds == sum(bool(each.outputs) for each in state.rounds)

    @invariant()
    def every_end_has_a_report_unless_it_was_forgotten(self) -> None:
        if self._state.exists:
            reports = [each for each in self.scenario.history if isinstance(each, ReportWritten)]
            ends = [each for each in self.scenario.history if isinstance(each, DeliberationEnded)]
            assert len(reports) == sum(each.reason is not Reason.FORGOTTEN for each in ends)

    @invariant()
    def it_ends_with_the_plan_that_was_chosen_else_the_best_one(self) -> None:
        state = self._state
        final = final_plan(state)
        if state.choice is not None:
            assert final is not None
            assert final.by is state.choice.chosen
        elif state.best:
            assert final is not None
            assert (final.round, final.is_valid) == (state.best, True)
        if state.exists and not state.is_open:
            assert (hand_over(state) is not None) == (final is not None and not state.erased)

    @invariant()
    def it_is_on_record_for_whoever_asked(self) -> None:
        state = self._state
        if state.exists:
            open_, ended = self.records.get(PLAN, {}), self.records.get(ENDED_PLAN, {})
            assert (len(open_), len(ended)) == (int(state.is_open), int(not state.is_open))
            [row] = [*open_.values(), *ended.values()]
            assert row["status"] == state.status
            undecided = self.records.get(UNDECIDED_PLAN, {})
            assert len(undecided) == int(state.status is Status.TERMINATED and may_choose_now(state))

    @property
    def _history(self) -> list[Event]:
        return self.scenario.history if hasattr(self, "scenario") else []

    def _awaited(self) -> list[str]:
        """What it goes on with; the Host's words and the data of the brief may come or not."""
        beside = ("host", "reply", "brief")
        return [
            name for name, each in self.owed.items() if getattr(each, "prompt", "") not in beside or "layout" in name
        ]


TestAnyOrder = AnyOrder.TestCase
TestAnyOrder.settings = settings(max_examples=examples(75), stateful_step_count=40, deadline=None)
