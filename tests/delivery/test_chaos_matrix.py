"""Each question of a running delivery meets each fault of the wire: nothing is proved by it, and all is counted."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import pytest

from bot.texts import texts_in
from bot.views.delivery.board import board
from bot.views.delivery.decisions import decisions
from engine.delivery.asks import RETURNS, DeliveryAsks
from engine.delivery.commands import (
    AnswerBlock,
    AnswerProposal,
    DropTicket,
    OpenDelivery,
    RecordWork,
    ReviewTicket,
)
from engine.delivery.policy import Policy
from engine.delivery.rules import RULEBOOK
from engine.delivery.state import Delivery, Status, Ticket, TicketStatus
from engine.delivery.terms import EndReason, PersonNeed
from engine.directory.profile import Profiles
from engine.kernel import Ask, Command, RegisterOutputs
from engine.llm.asker import Asker, for_every_tenant
from engine.llm.claude import ClaudeModel
from engine.llm.ledger import Call, MemoryLedger, Outcome
from engine.runtime.clock import JumpingClock
from engine.runtime.in_process import in_process
from engine.runtime.ports import EffectRun
from engine.store.memory import MemoryStore
from tests.anthropic_server import KEY as API_KEY
from tests.anthropic_server import LocalAnthropic, Received, Says, Step
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

from .process import KEY
from .prompts import PROMPTS
from .scenario import BRIEF, NOON, REQUESTER, STREAM, WRITER, artifact

TITLES: Final = {name.removeprefix("delivery/"): each.body.splitlines()[0] for name, each in PROMPTS.items()}
ALL, SAMPLE = each_with_each([*RETURNS])
EITHER: Final = [
    pytest.param(prompt, name, id=f"{prompt}: {name}", marks=() if (prompt, name) in SAMPLE else pytest.mark.exhaustive)
    for prompt, name in ALL
]
POLICY: Final = Policy(retries=1, retry_backoff=5, escalations=1, review_cycles=1)
GOOD: Final[dict[str, Any]] = {
    "clarify": {"intent_summary": "An evening about AI.", "questions": []},
    "plan": {
        "tasks": [
            {
                "task_id": "invitation", "title": "Write the invitation", "description": "For fifty people.",
                "depends_on": [], "expected_outputs": ["Invitation"], "acceptance_criteria": [], "risks": ["the tone"],
                "high_risk": True, "owner": "writer", "capabilities": [], "starts": "", "deadline": "", "check": "",
            }
        ]
    },
    "propose": {"summary": "Carefully.", "draft_steps": ["Write it"], "open_questions": [], "risks": []},
    "discuss": {"agrees": True, "answers": [], "concerns": []},
    "instruct": {"summary": "Do it well.", "steps": ["Write it"], "resources": [], "acceptance_criteria": []},
    "work": {"outputs": ["You are invited to an evening about AI."], "summary": "It is written.", "issues": [],
             "next_actions": []},
    "review": {"decision": "approved", "notes": "", "requested_changes": []},
    "advise": {"action": "answer", "text": "The hall.", "role_id": ""},
    "report": {"summary": "It is done.", "learned": []},
}  # fmt: skip
TOLD: Final = {
    UNREACHED: "The model could not be reached.",
    LATE: "The model did not answer in time.",
    UNREAD: "What the model answered could not be read.",
}
LACKS: Final = {**GOOD["work"], "outputs": [], "issues": ["Which room?"]}
"""What a worker says that lacks something, so that the Manager is asked for advice."""


def prompt_of(received: Received) -> str:
    asked = received.said()
    return next(name for name, title in TITLES.items() if asked.startswith(title))


def well() -> Callable[[Received], Step]:
    """Everybody answers well; the worker lacks something first."""
    works = 0

    def answering(received: Received) -> Step:
        nonlocal works
        prompt = prompt_of(received)
        works += prompt == "work"
        return Says(LACKS if prompt == "work" and works == 1 else GOOD[prompt])

    return answering


@dataclass(frozen=True)
class Ended:
    state: Delivery
    calls: list[Call]
    requests: list[Received]
    boards: list[str]
    """What people read whenever nothing went on without them, and at the end."""
    by_a_person: list[Command]
    """What whoever asked had to decide."""


async def register(run: EffectRun) -> Command:
    """Take what a worker says that it made for what it is."""
    effect = run.effect
    assert isinstance(effect, RegisterOutputs)
    attempt = int(effect.name.rpartition("-")[2])
    made = tuple(artifact(each.label) for each in run.state.tickets[effect.about].task.outputs)
    return RecordWork(command_id=run.command_id, at=NOON, ticket_id=effect.about, attempt=attempt, artifacts=made)


async def ends(answering: Callable[[Received], Step]) -> Ended:
    """Let a goal be carried out; whoever asked decides what is put to them, and gives up what has failed."""
    clock, store, ledger = JumpingClock(NOON), MemoryStore(), MemoryLedger()
    await store.open()
    boards: list[str] = []
    decided: list[Command] = []
    async with LocalAnthropic() as server:
        server.always(answering)
        claude = ClaudeModel(API_KEY, PROMPTS.values(), ledger, clock, base_url=server.url)
        work = UnderWay(claude, ledger, server)
        asker = Asker(work, {RULEBOOK.protocol: for_every_tenant(DeliveryAsks(PROMPTS, Profiles({})))}, clock)
        runners = work.runners({Ask.kind: asker, RegisterOutputs.kind: register})
        runtime = in_process(store, clock, [RULEBOOK], runners, [Ask, RegisterOutputs], held_up=claude.held_up)
        await runtime.start()
        begun: dict[str, Any] = {"session_id": STREAM, "by": REQUESTER, "brief": BRIEF, "policy": POLICY}
        await runtime.handle(
            KEY, RULEBOOK.protocol, OpenDelivery(command_id="c-open", at=NOON, roles=(WRITER,), **begun)
        )
        while True:
            state = await until_over(runtime, store, work, clock, KEY, rests=waits_for_a_person)
            boards.append(shown(state))
            if not state.is_open:
                break
            decided.append(decision(state, clock.now()))
            await runtime.handle(KEY, RULEBOOK.protocol, decided[-1])
        await runtime.close()
        await claude.close()
        return Ended(state, ledger.calls, server.requests, boards, decided)


def waits_for_a_person(state: Delivery) -> bool:
    return any(each.need is not None for each in state.tickets.values())


def shown(state: Delivery) -> str:
    texts = texts_in("en")
    return "\n".join(map(whole, [board(state, texts), *decisions(state, texts)]))


def decision(state: Delivery, at: int) -> Command:
    ticket = next(each for each in state.tickets.values() if each.need is not None)
    told: dict[str, Any] = {"command_id": f"c-{at}", "at": at, "by": REQUESTER, "ticket_id": ticket.ticket_id}
    match ticket.need:
        case PersonNeed.REVIEW:
            return ReviewTicket(approves=True, **told)
        case PersonNeed.CONSENT:
            return AnswerProposal(agrees=True, **told)
        case PersonNeed.BLOCKED:
            return AnswerBlock(text="The hall.", **told)
        case _:
            return DropTicket(why="No model works.", **told)


@pytest.mark.parametrize(("prompt", "name"), EITHER)
async def test_a_fault_that_lasts_is_told_and_proves_nothing(prompt: str, name: str) -> None:
    fault = FAULTS[name]
    ended = await ends(lasting(fault, prompt, prompt_of, well()))
    assert_is_proved(ended)
    assert_says_no_more_than_is_true(ended)
    assert_is_counted(ended.calls, ended.requests, prompt_of, prompt, fault)
    assert not any(each.outcome is Outcome.ANSWERED for each in ended.calls if name_of(each) == prompt)
    assert bool(ended.by_a_person) is (prompt in ("discuss", "work", "review", "advise"))
    assert (ended.state.reason is EndReason.NO_MODEL) is (prompt == "plan")
    if prompt == "work":
        assert TOLD[fault.why] in ended.boards[0]


@pytest.mark.parametrize(("prompt", "name"), EITHER)
async def test_a_fault_that_passes_costs_time_alone(prompt: str, name: str) -> None:
    fault = FAULTS[name]
    ended = await ends(passing(fault, prompt, prompt_of, well()))
    assert_is_proved(ended)
    assert_says_no_more_than_is_true(ended)
    assert_is_counted(ended.calls, ended.requests, prompt_of, prompt, fault)
    assert sum(each.outcome is not Outcome.ANSWERED for each in ended.calls) == 1
    if not fault.is_final:
        assert (ended.state.status, ended.by_a_person) == (Status.COMPLETED, [])


def assert_is_proved(ended: Ended) -> None:
    """What is done was made by a worker that answered, and approved by a model that did, or by whoever asked."""
    answered = Counter(name_of(each) for each in ended.calls if each.outcome is Outcome.ANSWERED)
    done = [each for each in ended.state.tickets.values() if each.status is TicketStatus.DONE]
    for ticket in done:
        assert answered["work"] >= 2, "the first answer lacked something"
        assert ticket.reports[-1].artifacts
        assert answered["review"] or approved_by_a_person(ended, ticket)
    for ticket in ended.state.tickets.values():
        assert all(each.by == REQUESTER or answered["discuss"] for each in ticket.proposal_answers)
    assert (ended.state.status is Status.COMPLETED) is (bool(done) and len(done) == len(ended.state.tickets))


def approved_by_a_person(ended: Ended, ticket: Ticket) -> bool:
    return any(isinstance(each, ReviewTicket) and each.ticket_id == ticket.ticket_id for each in ended.by_a_person)


def assert_says_no_more_than_is_true(ended: Ended) -> None:
    for said in ended.boards:
        assert not any(secret in said for secret in SECRETS)
