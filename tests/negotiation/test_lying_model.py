"""A model rewrites every seat and takes everything back: what a plan keeps all the same."""

from random import Random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine.kernel import Ask
from engine.negotiation.answers import (
    AdjustmentSummary,
    Assignment,
    Change,
    Milestone,
    ProposalDraft,
    RequestAddressed,
    RequestDeclined,
    Timeline,
)
from engine.negotiation.policy import PRESETS
from engine.negotiation.state import Status
from engine.negotiation.terms import Assigned, Proposal
from engine.negotiation.voting.kinds import FeedbackType
from engine.negotiation.voting.requests import granted
from tests.examples import examples
from tests.negotiation.scenario import Scenario

NAMES = {"ann": "Ann Lee", "bo": "Bo Chen", "cy": "林晓", "dee": "Maya Patel", "eve": "Zoe Quinn", "fay": "王芳"}
SEATED, RESERVE = ("ann", "bo", "cy", "dee"), ("eve", "fay")
USERS = {"ann": "U_ANN", "bo": "U_BO"}
WISHES = ("a table by the window", "a chair in the shade", "tea for everybody")
POLICY = PRESETS["tech-v3"].model_copy(update={"human_window": 60, "override_window": 0, "max_rounds": 8})
WORDS = (*NAMES.values(), "hosts", "和", "Everything is fine.")
SEEDS = st.integers(0, 2**32)
VOTES = st.sampled_from([FeedbackType.ACCEPT, FeedbackType.ACCEPT, FeedbackType.NEGOTIATE, FeedbackType.WITHDRAW])


def lies(seed: int) -> ProposalDraft:
    chance = Random(seed)  # noqa: S311 - it keeps no secret

    def text() -> str:
        return " ".join(chance.choices(WORDS, k=chance.randint(0, 4)))

    def some() -> list[str]:
        return chance.sample(SEATED, k=chance.randint(0, 2))

    def reason() -> str:
        return chance.choice(("", "it rains"))

    return ProposalDraft(
        summary=text() or "A plan.",
        objective=text(),
        rationale=text(),
        assignments=tuple(
            Assignment(agent_id=each, role=text(), responsibility=text(), dependencies=(text(),))
            for each in chance.sample(SEATED, k=chance.randint(1, 4))
        ),
        timeline=Timeline(milestones=(Milestone(name=text(), deliverable=text()),)),
        success_criteria=(text(),),
        adjustment_summary=AdjustmentSummary(
            changes_made=tuple(Change(agent_id=each, aspect="x", reason=reason()) for each in some()),
            requests_addressed=tuple(RequestAddressed(agent_id=each, request=chance.choice(WISHES)) for each in some()),
            requests_declined=tuple(
                RequestDeclined(agent_id=each, request=chance.choice(WISHES), reason=reason()) for each in some()
            ),
        ),
    )


class LyingModel(RuleBasedStateMachine):
    @initialize(seed=SEEDS)
    def begin(self, seed: int) -> None:
        self.scenario = Scenario(policy=POLICY, names=NAMES, linked=USERS).demand().understood()
        self.scenario.shortlisted(*SEATED, possibly=RESERVE)
        for each in SEATED:
            self.scenario.offers(each)
        self.scenario.proposed(lies(seed))

    @rule()
    def time_passes(self) -> None:
        self.scenario.later(1)

    @precondition(lambda self: self._is(Status.PROPOSAL_SENT))
    @rule(seed=SEEDS, works=st.sampled_from([True, True, True, False]))
    def a_version_is_made(self, seed: int, works: bool) -> None:
        self.scenario.proposed(lies(seed) if works else None)

    @precondition(lambda self: self._is(Status.NEGOTIATING))
    @rule(agent=st.sampled_from(SEATED), vote=VOTES, wish=st.sampled_from(WISHES))
    def a_twin_votes(self, agent: str, vote: FeedbackType, wish: str) -> None:
        kept = granted(self.scenario.state).get(agent, ())
        self.scenario.twin(agent, vote, wish=wish if vote is FeedbackType.NEGOTIATE else "")
        seat = self.scenario.state.rounds[-1].seats.get(agent)
        if wish in kept and seat and seat.twin:
            assert seat.twin.adjustment_request != wish

    @precondition(lambda self: self._is(Status.NEGOTIATING))
    @rule(agent=st.sampled_from([*USERS]), vote=VOTES, wish=st.sampled_from(WISHES))
    def a_person_votes(self, agent: str, vote: FeedbackType, wish: str) -> None:
        self.scenario.clicks(USERS[agent], agent, vote, wish)

    @precondition(lambda self: self._is(Status.NEGOTIATING))
    @rule()
    def the_round_closes(self) -> None:
        self.scenario.later(200).rings(f"close/{self.scenario.state.round}")

    @invariant()
    def nothing_granted_is_taken_back_silently(self) -> None:
        kept: dict[str, set[str]] = {}
        before: dict[str, Assigned] = {}
        for plan in self._versions():
            summary = plan.adjustment_summary or AdjustmentSummary()
            seats = {each.agent_id: each for each in plan.assignments}
            explained = {each.agent_id for each in summary.changes_made if each.reason}
            explained |= {each.agent_id for each in summary.requests_addressed}
            for agent in kept.keys() & seats.keys() - explained:
                assert _words(seats[agent]) == _words(before[agent])
            for each in summary.requests_declined:
                assert each.reason or each.request not in kept.get(each.agent_id, ())
                if each.reason:
                    kept.get(each.agent_id, set()).discard(each.request)
            for addressed in summary.requests_addressed:
                kept.setdefault(addressed.agent_id, set()).add(addressed.request)
            kept = {agent: requests for agent, requests in kept.items() if requests}
            before = seats

    @invariant()
    def no_twin_is_asked_whose_person_has_voted(self) -> None:
        if not hasattr(self, "scenario"):
            return
        effects = [each for each in self.scenario.last.effects if isinstance(each, Ask)]
        asked = {each.about for each in effects if each.prompt == "feedback"}
        for agent in asked & USERS.keys():
            assert not any(each.seats[agent].human for each in self.scenario.state.rounds if agent in each.seats)

    def _is(self, status: Status) -> bool:
        return hasattr(self, "scenario") and self.scenario.state.status is status

    def _versions(self) -> tuple[Proposal, ...]:
        return self.scenario.state.proposals if hasattr(self, "scenario") else ()


def _words(seat: Assigned) -> tuple[str, ...]:
    return (seat.role, seat.responsibility)


TestLyingModel = LyingModel.TestCase
TestLyingModel.settings = settings(max_examples=examples(20), stateful_step_count=25, deadline=None)
