"""Four people with secrets, and one negotiation among their twins, asked over the wire."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from engine.directory.profile import Profile, Profiles
from engine.kernel import Ask, StreamKey, Tenant
from engine.llm.asker import Asker, for_every_tenant
from engine.llm.claude import ClaudeModel
from engine.llm.ledger import MemoryLedger
from engine.negotiation.asks import NegotiationAsks
from engine.negotiation.commands import SubmitDemand
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation
from engine.runtime.clock import JumpingClock
from engine.runtime.in_process import in_process
from engine.store.memory import MemoryStore
from tests.anthropic_server import KEY as API_KEY
from tests.anthropic_server import LocalAnthropic
from tests.negotiation.prompts import PROMPTS
from tests.negotiation.scenario import ALONE, REQUESTER
from tests.profiles.people import person

from .obedient import ObedientModel

KEY: Final = StreamKey(Tenant("T_ONE"), "collab-00000001")
NOON: Final = 1_800_000_000_000
AYA, BO, CY, DEE = (f"user_agent_{name}" for name in ("aya", "bo", "cy", "dee"))
DEMAND: Final = "I need a room, a talk and photos for an evening in Berlin"
WISH: Final = "My own cables and nobody else's"
"""What Bo asks for, and would insist on."""

TALENTS: Final = {
    "aya": ("planning", "I plan the evening and keep the list"),
    "bo": ("venue", "A workshop with chairs for everybody"),
    "cy": ("talk", "A talk on how bridges are built"),
    "dee": ("photos", "Photographs of the guests, a week later"),
}
WHERE: Final = {"never": "zorbling", "locations": "Quxburg", "plan_says": "marvonade"}
"""The private fields of a profile that are texts, and the beginning of what stands there: words that exist nowhere."""


def secret(name: str, where: str) -> str:
    return f"{WHERE[where]} {name}ntharil"


def profile(name: str, **fields: Any) -> Profile:
    tag, words = TALENTS[name]
    asks = [{"change": WISH, "because": "they break", "if_declined": "negotiate"}] if name == "bo" else []
    return person(
        name,
        tags=[tag],
        capabilities={tag: words},
        limits={"never": [secret(name, "never")], "locations": ["Berlin", secret(name, "locations")]},
        preferences={
            "asks": asks,
            "leaves_if": [{"plan_says": [secret(name, "plan_says")], "because": "it smells"}],
        },
        **fields,
    )


@dataclass(frozen=True)
class Stage:
    """What came of it."""

    state: Negotiation
    events: tuple[str, ...]
    """As they are stored, private columns included."""
    asked: tuple[str, ...]
    """The prompts, as they were sent."""
    profiles: Profiles

    @property
    def votes(self) -> Mapping[tuple[str, int], str]:
        return {
            (agent_id, each.number): seat.vote.feedback_type.value
            for each in self.state.rounds
            for agent_id, seat in each.seats.items()
            if seat.vote
        }

    @property
    def seated(self) -> frozenset[str]:
        plan = self.state.final.final_proposal if self.state.final else self.state.proposal
        return frozenset(each.agent_id for each in plan.assignments) if plan else frozenset()

    def answered(self, agent_id: str) -> list[tuple[str, str]]:
        """What became of somebody's requests, in each version: how, and in which words."""
        summaries = [each.adjustment_summary for each in self.state.proposals if each.adjustment_summary]
        return [
            (how, each.request)
            for summary in summaries
            for how, rows in (("addressed", summary.requests_addressed), ("declined", summary.requests_declined))
            for each in rows
            if each.agent_id == agent_id
        ]


@dataclass
class Cast:
    demand: str = DEMAND
    fields: Mapping[str, Any] = field(default_factory=dict)
    """Of Aya's profile."""
    model: ObedientModel = field(default_factory=ObedientModel)


async def negotiated(cast: Cast) -> Stage:
    people = {each: profile(each) for each in TALENTS}
    people["aya"] = people["aya"].model_copy(update=dict(cast.fields))
    profiles = Profiles({each.agent_id: each for each in people.values()})
    store, clock = MemoryStore(), JumpingClock(NOON)
    await store.open()
    async with LocalAnthropic() as server:
        server.always(cast.model)
        claude = ClaudeModel(API_KEY, PROMPTS.values(), MemoryLedger(), clock, base_url=server.url)
        asker = Asker(claude, {"negotiation": for_every_tenant(NegotiationAsks(PROMPTS, profiles))}, clock)
        runtime = in_process(store, clock, [RULEBOOK], {Ask.kind: asker}, [Ask])
        await runtime.start()
        submit: dict[str, Any] = {"demand_id": "d-00000001", "channel_id": KEY.stream, "requester_id": REQUESTER}
        await runtime.handle(
            KEY,
            "negotiation",
            SubmitDemand(command_id="c1", at=NOON, raw_input=cast.demand, policy=ALONE, **submit),
        )
        await runtime.activity.idle()
        state, _ = await runtime.read(KEY)
        events = [str(each) for each in await store.events(KEY.tenant, 0, 10_000)]
        await runtime.close()
        await claude.close()
    await store.close()
    return Stage(state, tuple(events), tuple(each.said() for each in server.requests), profiles)
