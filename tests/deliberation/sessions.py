"""Whole deliberations over the real runtime, with whoever answers at the other end of the wire."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.deliberation.asks import DeliberationAsks
from engine.deliberation.commands import OpenDeliberation, RecordComparison
from engine.deliberation.policy import Policy
from engine.deliberation.rounds.meaning_comparison import compared
from engine.deliberation.rules import RULEBOOK
from engine.deliberation.state import Deliberation
from engine.deliberation.terms import Brief
from engine.directory.profile import Profiles
from engine.kernel import Ask, Command, Compute, Millis, Place, StreamKey, Tenant
from engine.llm.asker import Asker, for_every_tenant
from engine.llm.claude import ClaudeModel
from engine.llm.encoder import Meaning
from engine.llm.ledger import MemoryLedger
from engine.llm.port import Model
from engine.runtime.clock import JumpingClock
from engine.runtime.computing import Computing
from engine.runtime.in_process import in_process
from engine.store.memory import MemoryStore
from tests.anthropic_server import KEY as API_KEY
from tests.anthropic_server import LocalAnthropic, Received, Step

from .prompts import PROMPTS
from .scenario import BRIEF, NOON, REQUESTER, STREAM

KEY: Final = StreamKey(Tenant("T_ONE"), STREAM)
TITLES: Final = {name.removeprefix("deliberation/"): each.body.splitlines()[0] for name, each in PROMPTS.items()}


def prompt_of(received: Received) -> str:
    """The prompt that a request was rendered from: each begins with its own title."""
    asked = received.said()
    return next(name for name, title in TITLES.items() if asked.startswith(title))


@dataclass(frozen=True)
class Session:
    """What came of it."""

    state: Deliberation
    events: tuple[str, ...]
    """As they are stored, private columns included."""
    requests: Sequence[Received] = ()

    @property
    def calls(self) -> Mapping[str, int]:
        """How often each prompt was asked."""
        return Counter(map(prompt_of, self.requests))


async def asked_of_claude(
    answering: Callable[[Received], Step], encoder: Meaning, *, brief: Brief = BRIEF, policy: Policy | None = None,
    does: Sequence[Command] = (), afterwards: Sequence[Command] = (),
) -> Session:  # fmt: skip
    """A session whose questions go over the wire."""
    clock = JumpingClock(NOON)
    async with LocalAnthropic() as server:
        server.always(answering)
        claude = ClaudeModel(API_KEY, PROMPTS.values(), MemoryLedger(), clock, base_url=server.url)
        played = await session(
            claude, encoder, clock=clock, brief=brief, policy=policy, does=does, afterwards=afterwards
        )
        await claude.close()
    return Session(played.state, played.events, server.requests)


async def session(
    model: Model, encoder: Meaning, *, clock: JumpingClock | None = None, brief: Brief = BRIEF,
    policy: Policy | None = None, does: Sequence[Command] = (), afterwards: Sequence[Command] = (),
) -> Session:  # fmt: skip
    """
    Args:
        does: what people do as soon as it has begun.
        afterwards: what they do once it has ended.
    """
    store, clock = MemoryStore(), clock or JumpingClock(NOON)
    await store.open()
    asker = Asker(model, {"deliberation": for_every_tenant(DeliberationAsks(PROMPTS, Profiles({})))}, clock)

    def compare(state: Any, effect: Compute, *, command_id: str, at: Millis) -> RecordComparison:
        return compared(state, encoder, command_id=command_id, at=at)

    runners: dict[str, Any] = {
        Ask.kind: asker,
        Compute.kind: Computing({"deliberation": lambda: {"compare": compare}}, clock),
    }
    runtime = in_process(store, clock, [RULEBOOK], runners, [Ask, Compute])
    await runtime.start()
    begun: dict[str, Any] = {"session_id": STREAM, "by": REQUESTER, "brief": brief, "policy": policy or Policy()}
    opened = OpenDeliberation(command_id="c-open", at=NOON, place=Place(channel="C_LOBBY"), **begun)
    for command in (opened, *does):
        await runtime.handle(KEY, "deliberation", command)
    await runtime.activity.idle()
    for command in afterwards:
        await runtime.handle(KEY, "deliberation", command)
        await runtime.activity.idle()
    state, _ = await runtime.read(KEY)
    events = [str(each) for each in await store.events(KEY.tenant, 0, 10_000)]
    await runtime.close()
    await store.close()
    return Session(state, tuple(events))
