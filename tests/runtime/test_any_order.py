"""A whole negotiation on the runtime: calls that answer in any order, clicks, alarms, restarts, stops."""

import asyncio
import contextlib
from collections.abc import Awaitable, Iterable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from benchmarks.stub import crowd
from bot.models import needed_prompts
from bot.registry import PROTOCOLS
from engine.errors import ModelUnavailable, Refusal
from engine.kernel import Ask, Command, Event, StreamKey, Tenant, plain
from engine.llm.asker import Asker, for_every_tenant
from engine.llm.port import Answer, Question, Returns
from engine.negotiation.afterwards.undoing import UNDO
from engine.negotiation.agreement.compromise import COMPROMISE
from engine.negotiation.answers import (
    Assignment,
    Candidate,
    Compromise,
    FeedbackAnswer,
    GapAnalysis,
    OfferAnswer,
    OfferDecision,
    ProposalDraft,
    Shortlist,
    Understanding,
)
from engine.negotiation.asks import NegotiationAsks
from engine.negotiation.commands import Cancel, CastVote, CloseRound, SubmitDemand
from engine.negotiation.events import (
    ForceFinalized,
    NegotiationCancelled,
    NegotiationFailed,
    ProposalFeedback,
    ProposalFinalized,
    RoundStarted,
)
from engine.negotiation.policy import PRESETS, Policy
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.search.gaps import important_gaps
from engine.negotiation.state import Negotiation, Status
from engine.negotiation.terms import Source
from engine.negotiation.voting.kinds import FeedbackType
from engine.projections.audit import acts
from engine.projections.audit_records import AuditRecord, Replaced
from engine.runtime.activity import Activity
from engine.runtime.clock import JumpingClock
from engine.runtime.in_process import in_process
from engine.runtime.jobs import Jobs, jobs_of
from engine.runtime.ports import EffectRunner
from engine.runtime.runtime import Runtime
from engine.runtime.shared import shared
from engine.runtime.streams import opened
from engine.store.memory import MemoryStore
from engine.store.port import Store
from engine.store.postgres import PostgresStore
from engine.store.sqlite import SqliteStore
from tests.examples import examples
from tests.postgres import PostgresServer

KEY = StreamKey(Tenant("T_ANY"), "collab-any00001")
STRANGERS = Tenant("T_OTHER")
NOON = 1_800_000_000_000
DAY = 24 * 3_600_000
SEATS = [f"user_agent_p{number}" for number in range(4)]
RESERVE = [f"user_agent_p{number}" for number in range(4, 6)]
USERS = {"user_agent_p0": "U_0", "user_agent_p1": "U_1", "user_agent_p4": "U_4"}
ACTORS = [(user, agent) for user in ("U_0", "U_1", "U_4", "U_ASKS", "U_EVE") for agent in (*SEATS, *RESERVE)]
RIGHT_ACTORS = [(USERS.get(agent, "U_ASKS"), agent) for agent in SEATS]
OF_TWINS = [FeedbackType.ACCEPT, FeedbackType.ACCEPT, FeedbackType.NEGOTIATE, FeedbackType.WITHDRAW]
VOTES = [*OF_TWINS, FeedbackType.ABSTAIN]
T = TypeVar("T")


class HeldModel:
    """Every call waits until it is let go, with what it shall say."""

    def __init__(self) -> None:
        self.calls: list[tuple[Question[Any], asyncio.Future[Any]]] = []
        self.activity = Activity()

    async def answer(self, question: Question[Returns]) -> Answer[Returns]:
        said: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        call = (question, said)
        self.calls.append(call)
        try:
            with self.activity.waiting():
                value = await said
        finally:
            self.calls.remove(call)
        if value is None:
            raise ModelUnavailable("the line is dead")
        return Answer(question.returns.checked(plain(value)), "held")


def said(question: Question[Any], vote: FeedbackType, decision: OfferDecision) -> Any:
    match question.prompt.name.split("/")[1]:
        case "understand":
            return Understanding(surface_demand="an evening")
        case "filter":
            return Shortlist(
                definitely_related=tuple(Candidate(agent_id=each) for each in SEATS),
                possibly_related=tuple(Candidate(agent_id=each) for each in RESERVE),
            )
        case "respond":
            return OfferAnswer(decision=decision, contribution="helps")
        case "aggregate" | "adjust":
            seats = tuple(Assignment(agent_id=each, core=each == SEATS[0]) for each in (*SEATS, *RESERVE))
            return ProposalDraft(summary="an evening", assignments=seats)
        case "gaps":
            return GapAnalysis(gaps=())  # a subnet would be another stream; tests/runtime/test_subnets.py has them
        case "compromise":
            return Compromise(summary="a smaller evening", suggestions=("ask again",))
        case _:
            return FeedbackAnswer(feedback_type=vote, adjustment_request="later" if vote == "negotiate" else "")


class AnyOrder(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.rest = ExitStack()
        self.clock, self.model = JumpingClock(NOON), HeldModel()
        self.store = self._made_store()
        self.told: dict[str, tuple[str, str, str, bool]] = {}
        """What people did and were told: command id -> who, what, the refusal, whether it changed something."""
        self.clicks = 0
        self._run(self.store.open())
        self.runtime = self._started()

    def _made_store(self) -> Store:
        return MemoryStore()

    def teardown(self) -> None:
        self._run(self._close_runtime())
        self._run(self.store.close())
        self.loop.close()
        self.rest.close()

    @initialize(
        policy=st.sampled_from(list(PRESETS.values())),
        human=st.sampled_from([0.0, 60.0]),
        from_the_start=st.sampled_from([False] * 5 + [True]),
    )
    def begin(self, policy: Policy, human: float, from_the_start: bool) -> None:
        command = SubmitDemand(
            command_id="mention",
            at=self.clock.now(),
            demand_id="d-any00001",
            channel_id=KEY.stream,
            requester_id="U_ASKS",
            raw_input="an evening, please",
            policy=policy.model_copy(update={"human_window": human, "override_window": 5.0}),
        )
        for _ in range(2):  # delivered twice
            self._does("demand", command.requester_id, command)
        while not from_the_start and not self._state().rounds:
            self.all_calls_answer_at_once([FeedbackType.ACCEPT], 0)

    @precondition(lambda self: self.model.calls)
    @rule(data=st.data(), vote=st.sampled_from(OF_TWINS), decision=st.sampled_from(list(OfferDecision)))
    def a_call_answers(self, data: st.DataObject, vote: FeedbackType, decision: OfferDecision) -> None:
        question, reply = self.model.calls[data.draw(st.integers(0, len(self.model.calls) - 1))]
        reply.set_result(said(question, vote, decision))
        self._settle()

    @precondition(lambda self: self.model.calls)
    @rule(votes=st.lists(st.sampled_from(OF_TWINS), min_size=1, max_size=4), fails=st.sampled_from([0, 0, 0, 3]))
    def several_calls_answer_at_once(self, votes: list[FeedbackType], fails: int) -> None:
        self.all_calls_answer_at_once(votes, fails)

    def all_calls_answer_at_once(self, votes: list[FeedbackType], fails: int) -> None:
        for place, (question, reply) in enumerate(list(self.model.calls)):
            vote = votes[place % len(votes)]
            broken = fails and place % fails == 0
            reply.set_result(None if broken else said(question, vote, OfferDecision.PARTICIPATE))
        self._settle()

    @rule(
        actor=st.sampled_from(RIGHT_ACTORS) | st.sampled_from(ACTORS),
        vote=st.sampled_from(VOTES),
        again=st.booleans(),
    )
    def somebody_clicks(self, actor: tuple[str, str], vote: FeedbackType, again: bool) -> None:
        state, (user, agent) = self._state(), actor
        if not state.rounds:
            return
        self.clicks += 1
        command = CastVote(
            command_id=f"click-{self.clicks}",
            at=self.clock.now(),
            by=user,
            agent_id=agent,
            round=state.rounds[-1].number,
            digest=state.rounds[-1].digest,
            feedback_type=vote,
            text="because",
        )
        for _ in range(1 + again):
            self._does("vote", user, command)

    @rule(number=st.integers(0, 4), by=st.sampled_from(["U_ASKS", "U_EVE"]))
    def somebody_closes_a_round(self, number: int, by: str) -> None:
        if number == 4:
            command = CloseRound(command_id=f"close-{self._fresh()}", at=self.clock.now(), by=by, round=1)
            self._does("close_round", by, command)

    @rule(number=st.integers(0, 19), by=st.sampled_from(["U_ASKS", "U_EVE"]))
    def somebody_stops_it(self, number: int, by: str) -> None:
        if number == 19:
            self._does("stop", by, Cancel(command_id=f"stop-{self._fresh()}", at=self.clock.now(), by=by))

    @rule()
    def somebody_of_another_tenant_tries_to_stop_it(self) -> None:
        command = Cancel(command_id=f"stop-{self._fresh()}", at=self.clock.now(), by="U_ASKS")
        with contextlib.suppress(Refusal):
            self._run(self.runtime.handle(StreamKey(STRANGERS, KEY.stream), "negotiation", command))

    @rule(steps=st.integers(1, 2), at_length=st.sampled_from([False] * 9 + [True]))
    def time_passes(self, steps: int, at_length: bool) -> None:
        """To the next alarm, or to where it would count as stalled; seldom to where it has taken too long."""
        for _ in range(steps):
            dues = [self._run(self.store.next_due()), *(each.since for each in self._run(self.store.stalled(2**62, 1)))]
            due = min((each for each in dues if each is not None), default=None)
            if due is not None and (at_length or due - self.clock.now() < DAY):
                self.clock.jump(due)
                self._run(self.runtime.sweep())
                self._settle()

    @rule(lost=st.sampled_from([False, False, True]))
    def the_process_is_begun_anew(self, lost: bool) -> None:
        """``lost``: an effect that nobody works on any more, as if it had been parked."""
        self._run(self._close_runtime())
        stream = self._run(self.store.load(KEY))
        if lost and stream is not None:
            for each in stream.outbox:
                self._run(self.store.reschedule(each._replace(parked=True)))
        self.runtime = self._started()
        self._settle()

    # ── what always holds ─────────────────────────────────────────────────────────────────────────────────────────

    @invariant()
    def what_is_on_disk_is_the_state(self) -> None:
        assert RULEBOOK.fold(self._history()) == self._state()
        assert self._run(self.store.verify(KEY)) == bool(self._history())

    @invariant()
    def every_recorded_vote_is_there_once(self) -> None:
        by_hand = [
            each for each in self._history() if isinstance(each, ProposalFeedback) and each.source is Source.HUMAN
        ]
        votes = [each for each in by_hand if not each.carried]
        assert len(votes) == sum(changed for _, act, _, changed in self.told.values() if act == "vote")

    @invariant()
    def every_act_is_in_the_trail_once_with_what_became_of_it(self) -> None:
        trail = [(each.by, each.act, each.refused, each.changed) for each in self._trail()]
        assert trail == list(self.told.values())
        assert self._run(acts(self.store, STRANGERS, KEY.stream)) == []

    @invariant()
    def every_vote_in_the_trail_says_what_it_replaced(self) -> None:
        votes = [each for each in self._trail() if each.act == "vote" and each.changed]
        assert [each.replaced for each in votes] == list(_replaced(self._history()))
        assert not any(each.replaced for each in self._trail() if not each.changed)

    @invariant()
    def there_is_at_most_one_ending(self) -> None:
        kinds = (ProposalFinalized, ForceFinalized, NegotiationFailed, NegotiationCancelled)
        endings = [each for each in self._history() if isinstance(each, kinds)]
        assert len(endings) == (not self._state().is_open)

    @invariant()
    def an_open_one_owes_or_waits_and_a_finished_one_does_not(self) -> None:
        stream = self._run(self.store.load(KEY))
        if stream is not None:
            state = self._state()
            asks_whether = state.recursion is None and bool(important_gaps(state))
            looks_for_gaps = state.final is not None and (state.gaps is None or asks_whether)
            owed = [each for each in stream.outbox if each.scope != COMPROMISE]
            awaited = [each for each in stream.alarms if each.name != UNDO]  # a button waits for that one alone
            assert bool(owed or awaited) == (state.is_open or looks_for_gaps)
            assert state.is_open or not awaited
            assert len(owed) == len(stream.outbox) or state.status is Status.FAILED
            assert (stream.stalled_at is not None) == self._state().is_open

    @invariant()
    def what_is_owed_is_being_asked(self) -> None:
        stream = self._run(self.store.load(KEY))
        assert len(self.model.calls) == (sum(not each.parked for each in stream.outbox) if stream else 0)

    # ── how it is driven ──────────────────────────────────────────────────────────────────────────────────────────

    def _started(self) -> Runtime:
        asks = {"negotiation": for_every_tenant(NegotiationAsks(needed_prompts(PROTOCOLS), crowd().with_links(USERS)))}
        asker = Asker(self.model, asks, self.clock)
        runtime = self._made_runtime({Ask.kind: asker})
        self.model.activity = runtime.activity
        self._run(runtime.start())
        return runtime

    def _made_runtime(self, runners: Mapping[str, EffectRunner]) -> Runtime:
        return in_process(self.store, self.clock, [RULEBOOK], runners, [Ask], patience=0)

    async def _close_runtime(self) -> None:
        await self.runtime.close()

    def _run(self, work: Awaitable[T]) -> T:
        return self.loop.run_until_complete(work)

    def _settle(self) -> None:
        self._run(self.runtime.activity.idle())

    def _state(self) -> Negotiation:
        try:
            state, _ = self._run(self.runtime.read(KEY))
        except Refusal:
            return RULEBOOK.initial
        assert isinstance(state, Negotiation)
        return state

    def _history(self) -> list[Event]:
        stream = self._run(self.store.load(KEY))
        return [opened(each, RULEBOOK.events) for each in stream.events] if stream else []

    def _fresh(self) -> int:
        self.clicks += 1
        return self.clicks

    def _trail(self) -> list[AuditRecord]:
        return self._run(acts(self.store, KEY.tenant, KEY.stream))

    def _does(self, act: str, by: str, command: Command) -> None:
        try:
            receipt = self._run(self.runtime.handle(KEY, "negotiation", command))
        except Refusal as refusal:
            refused, changed = type(refusal).__name__, False
        else:
            refused, changed = "", bool(receipt.events)
        self.told.setdefault(command.command_id, (by, act, refused, changed))
        self._settle()


def _replaced(history: Iterable[Event]) -> Iterator[Replaced | None]:
    """What each person's vote took the place of: in its round the person's own before, else the twin's."""
    votes: dict[tuple[str, Source], Replaced] = {}
    for event in history:
        if isinstance(event, RoundStarted):
            votes.clear()
        if isinstance(event, ProposalFeedback):
            if event.source is Source.HUMAN and not event.carried:
                yield votes.get((event.agent_id, Source.HUMAN), votes.get((event.agent_id, Source.AGENT)))
            vote = Replaced(choice=event.feedback_type, source=event.source, by=event.by or "")
            votes[event.agent_id, event.source] = vote


class OnSqlite(AnyOrder):
    def _made_store(self) -> Store:
        return SqliteStore(Path(self.rest.enter_context(TemporaryDirectory())) / "towow.db")


class OnPostgres(AnyOrder):
    """With effects and alarms as jobs."""

    server: PostgresServer

    def _made_store(self) -> Store:
        self.url = self.rest.enter_context(self.server.schema())
        self.jobs: AbstractAsyncContextManager[Jobs] | None = None
        return PostgresStore(self.url)

    def _made_runtime(self, runners: Mapping[str, EffectRunner]) -> Runtime:
        assert isinstance(self.store, PostgresStore)
        self.jobs = jobs_of(self.store)
        jobs = self._run(self.jobs.__aenter__())
        return shared(self.store, jobs, self.clock, [RULEBOOK], runners, [Ask], patience=0)

    async def _close_runtime(self) -> None:
        await super()._close_runtime()
        assert self.jobs is not None
        await self.jobs.__aexit__(None, None, None)


TestAnyOrder = AnyOrder.TestCase
TestAnyOrder.settings = settings(max_examples=examples(20), stateful_step_count=40, deadline=None)

ON_DISK = settings(
    stateful_step_count=40,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # an example takes seconds: none is shrunk
    suppress_health_check=[HealthCheck.too_slow],
)


def test_in_any_order_on_sqlite() -> None:
    run_state_machine_as_test(OnSqlite, settings=settings(ON_DISK, max_examples=examples(2)))


def test_in_any_order_on_postgres(postgres_server: PostgresServer) -> None:
    OnPostgres.server = postgres_server
    run_state_machine_as_test(OnPostgres, settings=settings(ON_DISK, max_examples=examples(2)))
