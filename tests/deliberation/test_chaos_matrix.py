"""Each question of a running deliberation meets each fault of the wire: it ends, says what failed, and counts all."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import pytest

from bot.texts import texts_in
from bot.views.deliberation.root import root
from bot.views.deliberation.thread import questions
from engine.deliberation.asks import SPEAKERS, DeliberationAsks
from engine.deliberation.commands import AskCritic, OpenDeliberation
from engine.deliberation.policy import Policy
from engine.deliberation.rounds.meaning_comparison import compared
from engine.deliberation.rules import RULEBOOK
from engine.deliberation.state import Deliberation, Status
from engine.deliberation.terms import Reason
from engine.directory.profile import Profiles
from engine.errors import InvalidAnswer, ModelTimeout, ModelUnavailable
from engine.kernel import Ask, Compute, Place
from engine.llm.asker import Asker, for_every_tenant
from engine.llm.claude import ClaudeModel
from engine.llm.ledger import Call, MemoryLedger, Outcome
from engine.runtime.clock import JumpingClock
from engine.runtime.computing import Computing
from engine.runtime.in_process import in_process
from engine.store.memory import MemoryStore
from tests.anthropic_server import KEY as API_KEY
from tests.anthropic_server import LocalAnthropic, Received, Step
from tests.llm.faults import (
    FAULTS,
    LATE,
    SECRETS,
    UNREACHED,
    UNREAD,
    assert_is_counted,
    each_with_each,
    lasting,
    name_of,
    passing,
)
from tests.llm.until_over import UnderWay, until_over
from tests.views.message_contents import whole

from .encoders import counting
from .prompts import PROMPTS
from .scenario import BRIEF, NOON, REQUESTER, STREAM
from .sessions import KEY, TITLES, prompt_of
from .test_session import arguing

ALL, SAMPLE = each_with_each([*TITLES])
EITHER: Final = [
    pytest.param(prompt, name, id=f"{prompt}: {name}", marks=() if (prompt, name) in SAMPLE else pytest.mark.exhaustive)
    for prompt, name in ALL
]
TWO_ROUNDS: Final = Policy(converge_above=1, stall_below=0, max_rounds=2)
"""Nothing is settled before the last round; the Host speaks."""
TOLD_OTHERWISE: Final = ("host", "reply", "brief")
"""The Host's words and the data of the brief are left out; who asked the Critic is told to ask again."""
WHY: Final = {UNREACHED: ModelUnavailable, LATE: ModelTimeout, UNREAD: InvalidAnswer}


@dataclass(frozen=True)
class Ended:
    state: Deliberation
    calls: list[Call]
    requests: list[Received]

    @property
    def failures(self) -> Counter[tuple[str, str]]:
        """Of agents that did not answer: who, and why."""
        return Counter((each.agent, each.detail) for each in self.state.errors if each.error.startswith("agent_"))

    @property
    def card(self) -> str:
        return whole(root(self.state, texts_in("en")))


async def ends(answering: Callable[[Received], Step]) -> Ended:
    """Let both argue for two rounds, and somebody ask the Critic after the end."""
    clock, store, ledger, (encoder, _) = JumpingClock(NOON), MemoryStore(), MemoryLedger(), counting()
    await store.open()

    def compare(state: Any, effect: Compute, *, command_id: str, at: int) -> Any:
        return compared(state, encoder, command_id=command_id, at=at)

    async with LocalAnthropic() as server:
        server.always(answering)
        claude = ClaudeModel(API_KEY, PROMPTS.values(), ledger, clock, base_url=server.url)
        work = UnderWay(claude, ledger, server)
        asker = Asker(work, {"deliberation": for_every_tenant(DeliberationAsks(PROMPTS, Profiles({})))}, clock)
        runners: dict[str, Any] = {
            Ask.kind: asker,
            Compute.kind: Computing({"deliberation": lambda: {"compare": compare}}, clock),
        }
        runtime = in_process(store, clock, [RULEBOOK], work.runners(runners), [Ask, Compute], held_up=claude.held_up)
        await runtime.start()
        begun: dict[str, Any] = {"session_id": STREAM, "by": REQUESTER, "brief": BRIEF, "policy": TWO_ROUNDS}
        opened = OpenDeliberation(command_id="c-open", at=NOON, place=Place(channel="C_LOBBY"), **begun)
        await runtime.handle(KEY, "deliberation", opened)
        state = await until_over(runtime, store, work, clock, KEY)
        if any("critic" in each.outputs for each in state.rounds):
            asks = AskCritic(command_id="c-ask", at=clock.now(), by=REQUESTER, text="What worries you most?")
            await runtime.handle(KEY, "deliberation", asks)
            state = await until_over(runtime, store, work, clock, KEY)
        await runtime.close()
        await claude.close()
        return Ended(state, ledger.calls, server.requests)


@pytest.mark.parametrize(("prompt", "name"), EITHER)
async def test_a_fault_that_lasts_is_told_and_settles_nothing(prompt: str, name: str) -> None:
    fault = FAULTS[name]
    ended = await ends(lasting(fault, prompt, prompt_of, arguing))
    state = ended.state
    assert state.report is not None, "code writes it where no model does"
    assert bool(ended.failures) is (prompt not in TOLD_OTHERWISE)
    assert {why for _, why in ended.failures} <= {WHY[fault.why].__name__, ModelUnavailable.__name__}
    assert_is_nobodys_position(ended)
    assert_says_no_more_than_is_true(ended)
    assert_is_counted(ended.calls, ended.requests, prompt_of, prompt, fault, nobody_waits=prompt == "host")
    assert not any(each.outcome is Outcome.ANSWERED for each in ended.calls if name_of(each) == prompt)


@pytest.mark.parametrize(("prompt", "name"), EITHER)
async def test_a_fault_that_passes_costs_time_alone(prompt: str, name: str) -> None:
    fault = FAULTS[name]
    ended = await ends(passing(fault, prompt, prompt_of, arguing))
    assert ended.failures.total() == (fault.is_final and prompt not in TOLD_OTHERWISE)
    assert ended.state.report is not None
    assert_is_nobodys_position(ended)
    assert_says_no_more_than_is_true(ended)
    assert_is_counted(ended.calls, ended.requests, prompt_of, prompt, fault, nobody_waits=prompt == "host")
    assert sum(each.outcome is not Outcome.ANSWERED for each in ended.calls) == 1


def assert_is_nobodys_position(ended: Ended) -> None:
    """Each position was answered by a model; where one of both has none, they have not agreed."""
    state, answered = ended.state, Counter(name_of(each) for each in ended.calls if each.outcome is Outcome.ANSWERED)
    held = Counter(each for round_ in state.rounds for each in round_.outputs)
    for agent in ("planner", "critic"):
        prompts = [prompt for prompt, speaks in SPEAKERS.items() if speaks == agent]
        assert held[agent] <= sum(answered[each] for each in prompts)
    if state.status is Status.CONVERGED:
        assert state.reason is not Reason.AGENT_MISSING
        assert {"planner", "critic"} <= {*held}


def assert_says_no_more_than_is_true(ended: Ended) -> None:
    card = ended.card
    assert not any(secret in card for secret in SECRETS)
    told = [whole(each) for each in questions(ended.state, texts_in("en"))]
    unanswered = [each for each in ended.state.questions if each.reply == ""]
    assert sum("The Critic could not answer just now" in each for each in told) == len(unanswered)
    assert ("could not be read;" in card) is any(why == "InvalidAnswer" for _, why in ended.failures)
