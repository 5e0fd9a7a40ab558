"""Random votes, substitutes, corrections and drafts, honest or not: what is true of every plan."""

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine.negotiation.answers import Assignment, Need, OfferDecision, ProposalDraft
from engine.negotiation.commands import ChooseCore, CloseRound, DecideMissing, RecordSubnet
from engine.negotiation.events import ForceFinalized, ProposalDistributed, ProposalFinalized
from engine.negotiation.plan.coverage import accepters, needs_of
from engine.negotiation.policy import PRESETS
from engine.negotiation.search.substitutes import awaited
from engine.negotiation.state import Negotiation, Status
from engine.negotiation.terms import MissingChoice, Outcome
from tests.examples import examples
from tests.negotiation.scenario import REQUESTER, Scenario

FIRST = [f"a{number}" for number in range(5)]
RESERVE = [f"r{number}" for number in range(3)]
EVERYBODY = [*FIRST, *RESERVE]
LINKED = {"a0": "U_0", "r0": "U_R"}
NEED_IDS = [f"need_{number}" for number in range(1, 4)]
COVERS = st.sampled_from([(), ("need_1",), ("need_2",), ("need_3",), ("need_1", "need_2")])
VOTES = st.sampled_from(["accept"] * 9 + ["negotiate"] * 2 + ["reject"] * 2 + ["withdraw"] * 2)
DECISIONS = st.sampled_from(["participate"] * 4 + ["decline"])
SEATED = st.lists(st.tuples(st.sampled_from([*EVERYBODY, "stranger"]), COVERS, st.booleans()), min_size=1, max_size=8)
"""What a model may draft: anybody twice, anybody for anything."""


class AnyTruePlan(RuleBasedStateMachine):
    """Whoever is asked answers; models draft what they like."""

    @initialize(
        policy=st.sampled_from(list(PRESETS.values())),
        essential=st.lists(st.booleans(), min_size=1, max_size=3),
        offers=st.lists(COVERS, min_size=len(FIRST), max_size=len(FIRST)),
        reserve=st.lists(COVERS, min_size=len(RESERVE), max_size=len(RESERVE)),
        said=SEATED,
        window=st.sampled_from([0.0, 0.0, 60.0]),
        enough=st.sampled_from([60, 80, 100]),
    )
    def begin(
        self,
        policy: Any,
        essential: list[bool],
        offers: list[Any],
        reserve: list[Any],
        said: Any,
        window: float,
        enough: int,
    ) -> None:
        update = {"human_window": window, "override_window": 0.0, "max_rounds": 3, "finalize_at": enough}
        self.scenario = Scenario(policy=policy.model_copy(update=update), linked=LINKED).demand()
        needs = tuple(
            Need(need_id=NEED_IDS[number], what=f"thing {number}", essential=each)
            for number, each in enumerate(essential)
        )
        self.scenario.understood(needs=needs).shortlisted(
            *FIRST, possibly=RESERVE, covers=dict(zip(RESERVE, reserve, strict=True))
        )
        does = dict(zip(EVERYBODY, (*offers, *reserve), strict=True))
        while self.state.status is Status.COLLECTING:
            if waiting := [each for each in self.state.invited if each not in self.state.offers]:
                self.scenario.offers(waiting[0], covers=does[waiting[0]])
            else:
                self.scenario.later(60).rings("offers")  # nobody looks wider for what is missing
        self._drafts(said)

    @property
    def state(self) -> Negotiation:
        return self.scenario.state if hasattr(self, "scenario") else Negotiation()

    def _drafts(self, said: list[tuple[str, tuple[str, ...], bool]]) -> None:
        seats = tuple(
            Assignment(agent_id=agent, role=f"{agent} role", covers=covers, core=core) for agent, covers, core in said
        )
        self.scenario.proposed(ProposalDraft(summary="a plan", assignments=seats))

    # ── what may happen ───────────────────────────────────────────────────────────────────────────────────────────

    @precondition(lambda self: self.state.current)
    @rule(votes=st.lists(VOTES, min_size=8, max_size=8), fails=st.sampled_from([8] * 9 + [0, 1]), closes=st.booleans())
    def twins_vote(self, votes: list[str], fails: int, closes: bool) -> None:
        """One after the other, until the round is over; one of them may not be able to."""
        opened = self.state.current
        assert opened is not None
        waiting = [agent for agent, seat in opened.seats.items() if seat.twin_asked]
        for number, (agent, vote) in enumerate(zip(waiting, votes, strict=False)):
            if self.state.current is None or self.state.round != opened.number:
                return
            if number == fails:
                self.scenario.twin_fails(agent)
            else:
                self.scenario.twin(agent, vote)
        if closes and self.state.current is not None and self.state.round == opened.number:
            self.scenario.does(CloseRound, by=REQUESTER, round=opened.number)

    @precondition(lambda self: self.state.current)
    @rule(agent=st.sampled_from(EVERYBODY), vote=VOTES)
    def somebody_votes(self, agent: str, vote: str) -> None:
        self.scenario.clicks(LINKED.get(agent, REQUESTER), agent, vote)

    @precondition(lambda self: self.state.current)
    @rule(agents=st.lists(st.sampled_from(FIRST), max_size=2, unique=True))
    def the_requester_chooses_core_seats(self, agents: list[str]) -> None:
        self.scenario.does(ChooseCore, by=REQUESTER, agent_ids=tuple(agents))

    @precondition(lambda self: self._has_everybody_voted)
    @rule(told=st.booleans(), by_hand=st.booleans())
    def the_round_is_closed(self, told: bool, by_hand: bool) -> None:
        for agent in LINKED if told else ():
            self.scenario.reached(agent)
        if by_hand:
            self.scenario.does(CloseRound, by=REQUESTER, round=self.state.round)
        else:
            self.scenario.later(200).rings(f"close/{self.state.round}")

    @precondition(lambda self: self.state.awaits_decision)
    @rule(choice=st.sampled_from([*MissingChoice, None]))
    def the_requester_decides_or_lets_the_time_pass(self, choice: MissingChoice | None) -> None:
        if choice is None:
            self.scenario.later(4_000).rings("decide")
        else:
            self.scenario.does(DecideMissing, by=REQUESTER, choice=choice)

    @precondition(lambda self: self.state.is_searching)
    @rule()
    def nobody_else_is_found(self) -> None:
        sub = next(each for each, subnet in self.state.subnets.items() if subnet.is_running)
        self.scenario.does(RecordSubnet, channel_id=sub, outcome=Outcome.NO_CANDIDATES)

    @precondition(lambda self: bool(awaited(self.state)))
    @rule(covers=COVERS, seat=st.booleans(), decision=DECISIONS)
    def a_substitute_answers(self, covers: tuple[str, ...], seat: bool, decision: str) -> None:
        claims = (*covers, "seat") if seat else covers
        self.scenario.offers(awaited(self.state)[0].agent_id, decision, covers=claims)

    @precondition(lambda self: self.state.status is Status.PROPOSAL_SENT)
    @rule(said=SEATED, works=st.booleans())
    def a_version_is_made(self, said: list[tuple[str, tuple[str, ...], bool]], works: bool) -> None:
        if works:
            self._drafts(said)
        else:
            self.scenario.proposed(None)

    @precondition(lambda self: not self.state.is_open)
    @rule(agent=st.sampled_from(EVERYBODY), vote=VOTES)
    def somebody_comes_too_late(self, agent: str, vote: str) -> None:
        before = self.state
        self.scenario.twin(agent, vote).clicks(LINKED.get(agent, REQUESTER), agent, vote)
        assert self.state is before

    # ── what always holds ─────────────────────────────────────────────────────────────────────────────────────────

    @invariant()
    def nobody_covers_what_they_do_not_claim(self) -> None:
        for each in (each for each in self._history if isinstance(each, ProposalDistributed)):
            for seat in each.proposal.assignments:
                assert set(seat.covers) <= self._claimed(seat.agent_id)

    @invariant()
    def what_nobody_covers_is_a_gap(self) -> None:
        for each in (each for each in self._history if isinstance(each, ProposalDistributed)):
            covered = {need_id for seat in each.proposal.assignments for need_id in seat.covers}
            missing = {need.what for need in needs_of(self.state) if need.need_id not in covered}
            assert missing <= {*each.proposal.gaps}
            assert not {need.what for need in needs_of(self.state) if need.need_id in covered} & {*each.proposal.gaps}

    @invariant()
    def nobody_sits_there_who_was_not_asked_or_has_left(self) -> None:
        for each in self.state.proposals[-1:] if self.state.current else ():
            seated = {seat.agent_id for seat in each.assignments}
            assert seated <= {offer.agent_id for offer in self.state.participants} - {*self.state.withdrawn}

    @invariant()
    def a_plan_is_final_only_with_all_that_is_essential_and_all_core_seats(self) -> None:
        final = self.state.final
        if not isinstance(final, ProposalFinalized):
            return
        accepted = accepters(self.state.rounds[-1])
        here = {seat.agent_id: seat for seat in final.final_proposal.assignments}
        for need in needs_of(self.state):
            if need.essential:
                assert [each for each, seat in here.items() if each in accepted and need.need_id in seat.covers]
        assert {each for each, seat in here.items() if seat.core} <= accepted
        assert final.uncovered_needs == final.core_without_accept == ()

    @invariant()
    def a_core_seat_holds_a_plan_back_until_the_last_round(self) -> None:
        final = self.state.final
        # Where needs decide, nothing better comes of a plan that was sent before and nobody asks to change.
        plans = [self.state.proposals[each.version - 1].assignments for each in self.state.rounds]
        is_kept = self.state.policy.by_needs and plans[-1:] and plans[-1] in plans[:-1]
        if final is not None and self.state.round < self.state.policy.max_rounds and not is_kept:
            assert final.core_without_accept == ()

    @invariant()
    def nobody_is_confirmed_for_a_need_that_they_do_not_cover(self) -> None:
        final = self.state.final
        for seat in final.final_proposal.assignments if final else ():
            if final and seat.agent_id in final.confirmed_participants:
                assert set(seat.covers) <= self._claimed(seat.agent_id)

    @invariant()
    def what_is_missing_at_the_end_is_said(self) -> None:
        final = self.state.final
        if not isinstance(final, ForceFinalized):
            return
        covered = {
            need_id
            for seat in final.final_proposal.assignments
            if seat.agent_id in final.confirmed_participants
            for need_id in seat.covers
        }
        essential = {need.need_id for need in needs_of(self.state) if need.essential}
        unsaid = essential - covered - {*final.uncovered_needs}
        assumed = {seat.agent_id for seat in final.final_proposal.assignments} - {*final.confirmed_participants}
        assert all(any(need in self._claimed(agent) for agent in assumed) for need in unsaid)

    @invariant()
    def a_substitute_sits_there_only_for_what_was_lost(self) -> None:
        for left, invited in self.state.vacancies.items():
            seated = {seat.agent_id for seat in self.state.proposals[-1].assignments}
            if invited.agent_id in seated and invited.needs:
                assert self._claimed(invited.agent_id) & {*invited.needs}, f"for {left}"

    @invariant()
    def nobody_is_asked_for_a_seat_who_is_thought_to_cover_nothing_that_was_lost(self) -> None:
        if not any(each.covers for each in (*self.state.candidates, *self.state.invited.values(), *self.state.reserve)):
            return  # nothing was said of anybody
        for each in self.state.vacancies.values():
            assert not each.needs or {"seat", *self.state.invited[each.agent_id].covers} & {*each.needs}

    @property
    def _has_everybody_voted(self) -> bool:
        opened = self.state.current
        return opened is not None and not any(seat.twin_asked for seat in opened.seats.values())

    @property
    def _history(self) -> list[Any]:
        return self.scenario.history if hasattr(self, "scenario") else []

    def _claimed(self, agent_id: str) -> set[str]:
        offer = self.state.offers[agent_id]
        assert offer.decision is not OfferDecision.DECLINE
        return {each.need_id for each in offer.claims}


TestAnyTruePlan = AnyTruePlan.TestCase
TestAnyTruePlan.settings = settings(max_examples=examples(125), stateful_step_count=30, deadline=None)
