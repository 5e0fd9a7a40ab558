"""No call is made whose price is not left, whoever asks at the same time; and what was spent outlives the process."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from decimal import Decimal
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.errors import BudgetSpent
from engine.kernel import StreamKey, Tenant
from engine.llm.budget import Account, Budget, Caps, Scope, charged
from engine.llm.claude import ClaudeModel
from engine.llm.ledger import Call, MemoryLedger, Outcome, StoreLedger
from engine.llm.ledger_days import DAY, sum_up
from engine.llm.port import Question
from engine.llm.sharing import SharedPurses
from engine.llm.spending import Tokens, cost, dearest_cost, most_cost
from engine.runtime.activity import Activity
from engine.runtime.clock import JumpingClock, Monotonic
from engine.runtime.membership import Membership
from engine.store.memory import MemoryStore
from engine.store.memory_sharing import MemorySharing
from tests.anthropic_server import KEY as API_KEY
from tests.anthropic_server import Drops, LocalAnthropic, Says, Status
from tests.examples import examples
from tests.negotiation.prompts import PROMPTS

from .leaping_clock import NOON, LeapingClock
from .prompt_cases import KEY, case_for

HERE, ELSEWHERE = Tenant("T_ONE"), Tenant("T_TWO")
CENT = Decimal("0.01")
ACCOUNTS = [
    Account(HERE, "collab-1", "U_ONE"),
    Account(HERE, "collab-2", "U_ONE"),
    Account(HERE, "collab-3", "U_TWO"),
    Account(ELSEWHERE, "collab-1", "U_ONE"),
    Account(),
]
ASKED = case_for("respond")


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


class Calls:
    """Calls under way, by number."""

    def __init__(self, budget: Budget, clock: JumpingClock) -> None:
        self.budget, self.clock = budget, clock
        self.member: Membership | None = None
        self.tasks: list[asyncio.Task[None]] = []
        self.ends: list[asyncio.Event] = []
        self.costs: list[Decimal] = []
        self.begun: set[int] = set()

    async def begin(self, account: Account, most: Decimal, cost: Decimal) -> int:
        number = len(self.tasks)
        self.ends.append(asyncio.Event())
        self.costs.append(min(cost, most))
        self.tasks.append(asyncio.create_task(self._call(number, account, most)))
        await settle()
        return number

    async def _call(self, number: int, account: Account, most: Decimal) -> None:
        async with self.budget.reserved(account, most, Monotonic(self.clock.monotonic() + 60_000)) as reservation:
            self.begun.add(number)
            await self.ends[number].wait()
            reservation.cost = self.costs[number]

    async def end(self, number: int) -> None:
        self.ends[number].set()
        await settle()

    async def cut_off(self, number: int) -> None:
        self.tasks[number].cancel()
        await settle()

    def refused(self, number: int) -> bool:
        task = self.tasks[number]
        return task.done() and not task.cancelled() and isinstance(task.exception(), BudgetSpent)

    async def close(self) -> None:
        for each in self.tasks:
            each.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


@pytest.fixture
async def at_noon() -> AsyncIterator[partial[Calls]]:
    clock, made = JumpingClock(NOON), []

    def calls(caps: Caps) -> Calls:
        made.append(Calls(Budget(clock, caps), clock))
        return made[-1]

    yield partial(calls)
    for each in made:
        await each.close()


@asynccontextmanager
async def sharing(clock: JumpingClock, bounds: Caps, count: int = 2) -> AsyncIterator[list[Calls]]:
    """Processes that draw on the same budgets."""
    shared = MemorySharing(clock.monotonic)
    members = [Membership(shared, clock, Activity()) for _ in range(count)]
    for each in members:
        await each.start()
    found = [Calls(Budget(clock, bounds, SharedPurses(each, clock)), clock) for each in members]
    for calls, member in zip(found, members, strict=True):
        calls.member = member
    yield found
    for calls, member in zip(found, members, strict=True):
        await calls.close()
        await member.close()


amounts = st.integers(1, 40).map(lambda cents: cents * CENT)
caps = st.one_of(st.none(), amounts)
moves = st.one_of(
    st.tuples(st.just("begin"), st.integers(0, len(ACCOUNTS) - 1), amounts, amounts),
    st.tuples(st.just("end"), st.integers(0, 30)),
    st.tuples(st.just("cut_off"), st.integers(0, 30)),
)


@given(st.builds(Caps, caps, caps, caps, caps), st.lists(moves, max_size=30))
async def test_whatever_comes_at_once_no_bound_is_passed(bounds: Caps, played: list[tuple[object, ...]]) -> None:
    clock = JumpingClock(NOON)
    calls, accounts = Calls(Budget(clock, bounds), clock), []
    for what, *said in played:
        if what == "begin":
            account, most, cost = said
            accounts.append(ACCOUNTS[account])  # type: ignore[call-overload]
            await calls.begin(accounts[-1], most, cost)  # type: ignore[arg-type]
        elif accounts:
            await getattr(calls, str(what))(int(str(said[0])) % len(accounts))
        spent = [(account, calls.costs[n]) for n, account in enumerate(accounts) if n in calls.begun and paid(calls, n)]
        for scope in Scope:
            groups: dict[object, Decimal] = {}
            for account, usd in spent:
                if (whose := payer(scope, account)) is not None:
                    groups[whose] = groups.get(whose, Decimal()) + usd
            bound = bounds.of(scope)
            assert bound is None or all(each <= bound for each in groups.values())
    await calls.close()
    assert not calls.budget._held, "nothing stays reserved"


def paid(calls: Calls, number: int) -> bool:
    return calls.ends[number].is_set() and calls.tasks[number].done() and not calls.tasks[number].cancelled()


def payer(scope: Scope, account: Account) -> object:
    match scope:
        case Scope.DEMAND:
            return (account.tenant, account.stream) if account.stream else None
        case Scope.PERSON:
            return (account.tenant, account.person) if account.person else None
        case Scope.WORKSPACE:
            return account.tenant if account.tenant.team_id else None
        case Scope.DAY:
            return scope


@settings(max_examples=examples(40), deadline=None)
@given(st.builds(Caps, caps, caps, caps, caps), st.lists(st.tuples(st.integers(0, 2), moves), max_size=30))
async def test_nor_is_one_where_several_processes_ask_at_once(
    bounds: Caps, played: list[tuple[int, tuple[object, ...]]]
) -> None:
    async with sharing(JumpingClock(NOON), bounds, 3) as processes:
        accounts: list[list[Account]] = [[] for _ in processes]
        for who, (what, *said) in played:
            calls, own = processes[who], accounts[who]
            if what == "begin":
                account, most, cost = said
                own.append(ACCOUNTS[account])  # type: ignore[call-overload]
                await calls.begin(own[-1], most, cost)  # type: ignore[arg-type]
            elif own:
                await getattr(calls, str(what))(int(str(said[0])) % len(own))
            for scope in Scope:
                groups: dict[object, Decimal] = {}
                for each, theirs in zip(processes, accounts, strict=True):
                    for number, account in enumerate(theirs):
                        whose = payer(scope, account)
                        if whose is not None and number in each.begun and paid(each, number):
                            groups[whose] = groups.get(whose, Decimal()) + each.costs[number]
                bound = bounds.of(scope)
                assert bound is None or all(each <= bound for each in groups.values())


async def test_a_call_waits_for_what_another_process_may_leave() -> None:
    async with sharing(JumpingClock(NOON), Caps(demand=10 * CENT)) as (first, second):
        other = await first.begin(ACCOUNTS[0], 8 * CENT, CENT)
        own = await second.begin(ACCOUNTS[0], 8 * CENT, CENT)
        assert own not in second.begun

        await first.end(other)
        second.clock.jump(NOON + 1_000)
        await settle()
        assert own in second.begun


async def test_what_a_process_had_reserved_that_has_ended_is_left_for_others() -> None:
    clock = JumpingClock(NOON)
    async with sharing(clock, Caps(day=10 * CENT)) as (first, second):
        await first.begin(ACCOUNTS[0], 10 * CENT, CENT)
        assert first.member is not None
        await first.member.close()

        assert await second.begin(ACCOUNTS[1], 10 * CENT, CENT) in second.begun


async def test_who_would_fit_if_others_cost_less_waits_for_them(at_noon: partial[Calls]) -> None:
    calls = at_noon(Caps(demand=10 * CENT))
    first = await calls.begin(ACCOUNTS[0], 8 * CENT, 1 * CENT)
    second = await calls.begin(ACCOUNTS[0], 8 * CENT, 8 * CENT)
    assert calls.begun == {first}
    await calls.end(first)
    assert calls.begun == {first, second}
    third = await calls.begin(ACCOUNTS[0], 2 * CENT, CENT)
    await calls.end(second)
    assert calls.refused(third), "nine are spent"


async def test_nobody_waits_for_longer_than_their_window(at_noon: partial[Calls]) -> None:
    calls = at_noon(Caps(day=10 * CENT))
    await calls.begin(ACCOUNTS[0], 8 * CENT, CENT)
    waiting = await calls.begin(ACCOUNTS[1], 8 * CENT, CENT)
    calls.clock.jump(NOON + 60_000)
    await settle()
    assert calls.refused(waiting)
    assert calls.budget.refused == {Scope.DAY: 1}


async def test_what_was_cut_off_gives_back_what_it_had_reserved(at_noon: partial[Calls]) -> None:
    calls = at_noon(Caps(person=10 * CENT))
    first = await calls.begin(ACCOUNTS[0], 8 * CENT, 8 * CENT)
    second = await calls.begin(ACCOUNTS[1], 8 * CENT, 8 * CENT)
    await calls.cut_off(first)
    assert second in calls.begun


async def test_each_day_begins_with_all_of_its_budget_and_a_demand_does_not(at_noon: partial[Calls]) -> None:
    calls = at_noon(Caps(demand=15 * CENT, day=10 * CENT))
    await calls.end(await calls.begin(ACCOUNTS[0], 10 * CENT, 10 * CENT))
    assert calls.refused(await calls.begin(ACCOUNTS[1], CENT, CENT))
    assert calls.budget.spent_today() == 10 * CENT
    calls.clock.jump(NOON + DAY)
    assert calls.budget.spent_today() == 0
    assert calls.refused(await calls.begin(ACCOUNTS[0], 6 * CENT, CENT))
    assert not calls.refused(await calls.begin(ACCOUNTS[1], 6 * CENT, CENT))
    assert calls.budget.refused == {Scope.DAY: 1, Scope.DEMAND: 1}


def spent(at: int, tenant: Tenant, stream: str, charged_to: str = "", model: str = "claude-sonnet-5-5") -> Call:
    tokens = Tokens(1_000, 100)
    return Call(
        at=at, tenant=tenant, stream=stream, charged_to=charged_to, prompt="p", content_hash="h", model=model,
        attempt=1, outcome=Outcome.ANSWERED, latency_ms=1, input_tokens=1_000, output_tokens=100,
        cost_usd=cost(model, tokens),
    )  # fmt: skip


EACH = Decimal("0.003")


@pytest.mark.parametrize("is_summed_up", [False, True])
async def test_a_process_that_starts_again_knows_what_was_spent(is_summed_up: bool) -> None:
    store, clock = MemoryStore(), JumpingClock(NOON)
    await store.open()
    ledger = StoreLedger(store)
    for each in (
        spent(NOON - 3 * DAY, HERE, "collab-1"),
        spent(NOON - 3 * DAY, HERE, "sub-1", charged_to="collab-1"),
        spent(NOON, HERE, "collab-1"),
        spent(NOON, HERE, "collab-2", model="nobody-knows"),
        spent(NOON, ELSEWHERE, "collab-1"),
        spent(NOON, Tenant(""), ""),
    ):
        ledger.record(each)
    await ledger.close()
    if is_summed_up:
        await sum_up(store, NOON)

    async def asked(key: StreamKey) -> str:
        return {"collab-1": "U_ONE", "collab-2": "U_TWO"}[key.stream] if key.stream else ""

    async def left(bounds: Caps, account: Account) -> Decimal:
        """Return what may be spent, to a tenth of a cent."""
        budget = Budget(clock, bounds)
        await budget.restore(store, asked)
        for cents in range(1_000, -1, -1):
            try:
                async with budget.reserved(account, Decimal(cents) / 1_000, clock.monotonic()):
                    return Decimal(cents) / 1_000
            except BudgetSpent:
                continue
        raise AssertionError("not even nothing may be spent")

    one = Decimal("0.1")
    assert await left(Caps(demand=one), Account(HERE, "collab-1", "U_ONE")) == one - 3 * EACH
    assert await left(Caps(person=one), Account(HERE, "collab-9", "U_ONE")) == one - EACH
    assert await left(Caps(person=one), Account(HERE, "collab-9", "U_TWO")) == one - EACH, "as the dearest model"
    assert await left(Caps(workspace=one), Account(HERE, "collab-9", "U_NEW")) == one - 2 * EACH
    assert await left(Caps(day=one), Account(Tenant("T_NEW"), "collab-9")) == one - 4 * EACH
    assert await left(Caps(demand=one), Account(ELSEWHERE, "collab-2")) == one


async def asking(server: LocalAnthropic, clock: LeapingClock, ledger: MemoryLedger, bounds: Caps) -> ClaudeModel:
    return ClaudeModel(API_KEY, PROMPTS.values(), ledger, clock, base_url=server.url, budget=Budget(clock, bounds))


async def asked_again_and_again(claude: ClaudeModel, question: Question[Any]) -> None:
    for _ in range(50):
        await claude.answer(question)


async def test_a_question_is_not_sent_once_its_price_is_not_left(
    server: LocalAnthropic, clock: LeapingClock, ledger: MemoryLedger
) -> None:
    usage = {"input_tokens": 2_000, "output_tokens": 100}
    server.always(lambda _: Says(ASKED.good, model="claude-haiku-5-5", usage=usage))
    claude = await asking(server, clock, ledger, Caps(demand=Decimal("0.0030")))
    question = replace(ASKED.question, key=KEY)
    with pytest.raises(BudgetSpent):
        await asked_again_and_again(claude, question)
    asked = len(server.requests)
    assert 3 < asked < 13, "each has cost a quarter of a tenth of a cent"
    assert sum(each.cost_usd or 0 for each in ledger.calls) <= Decimal("0.0030")
    assert len(ledger.calls) == asked
    await claude.answer(replace(question, key=StreamKey(KEY.tenant, "collab-another")))
    with pytest.raises(BudgetSpent):
        await claude.answer(replace(question, key=StreamKey(KEY.tenant, "sub-1"), charged_to=KEY.stream))
    await claude.close()


async def test_what_a_call_reserves_is_never_less_than_it_costs(
    server: LocalAnthropic, claude: ClaudeModel, ledger: MemoryLedger
) -> None:
    for name in ("understand", "filter", "respond", "aggregate", "feedback", "adjust", "gaps", "recurse", "compromise"):
        case = case_for(name)
        server.then(Says(case.good))
        await claude.answer(case.question)
        request, row = server.requests[-1], ledger.calls[-1]
        bound = most_cost(row.model, len(str(request.body).encode()) // 2, case.question.prompt.max_tokens)
        assert charged(row.entry.spent) <= bound


async def test_tries_that_fail_and_repairs_are_paid_one_by_one(
    server: LocalAnthropic, clock: LeapingClock, ledger: MemoryLedger
) -> None:
    server.then(Status(529), Drops("before"), Says("Well"), Says(ASKED.good))
    claude = await asking(server, clock, ledger, Caps(day=Decimal(1)))
    await claude.answer(replace(ASKED.question, key=KEY))
    assert len(ledger.calls) == 4
    assert claude.budget.spent_today() == sum(charged(each.entry.spent) for each in ledger.calls) > 0
    await claude.close()


def test_a_model_without_a_price_is_taken_for_the_dearest() -> None:
    tokens = Tokens(10, 20, 30, 40)
    assert dearest_cost(tokens) == max(cost("claude-haiku-5-5", tokens) or 0, cost("claude-sonnet-5-5", tokens) or 0)
    assert most_cost("our-own", 100, 100) == most_cost("claude-sonnet-5-5", 100, 100)
    assert most_cost("claude-sonnet-5-5-20261001", 10**6, 0) == Decimal("2.50"), "written to the cache, it costs most"
    assert most_cost("claude-haiku-5-5", 200_000, 0) == 5 * Decimal("0.025"), "long prompts cost five times as much"
