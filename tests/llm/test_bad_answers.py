"""Each bad answer to each prompt goes through the SDK, the asker, the asks and the rules: what comes of it."""

from collections.abc import Mapping
from typing import Any, Final

import pytest

from engine.kernel import Command, plain
from engine.llm.asker import Asker, for_every_tenant
from engine.llm.claude import ClaudeModel
from engine.llm.ledger import MemoryLedger
from engine.negotiation.commands import Answered
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation
from tests.anthropic_server import KEY, LocalAnthropic, Refuses, Says, Stalls, Status, Step, Truncated
from tests.negotiation.prompts import PROMPTS
from tests.negotiation.scenario import REQUESTER

from .bad_answers import BAD
from .leaping_clock import LeapingClock
from .prompt_cases import ASKS, CHEN, EACH, LIN, PROFILES, REQUESTERS_OWN, ZHOU, PromptCase, case_for

ACCEPTED, REPAIRED, DEGRADED = "accepted", "repaired", "degraded"

EVERYBODY = [CHEN, LIN, ZHOU]
"""Who takes part."""


def gist(prompt: str, state: Negotiation) -> Any:
    """What the negotiation has learnt from the answer."""
    match prompt:
        case "understand":
            assert state.understanding is not None
            return state.understanding.surface_demand, len(state.understanding.capability_tags)
        case "filter":
            return list(state.invited) or str(state.outcome)
        case "respond":
            return state.offers[CHEN].decision.value, len(state.offers[CHEN].conditions)
        case "feedback":
            vote = state.rounds[0].seats[CHEN].twin  # it counts once the second reader has held limits against the plan
            return vote and (vote.feedback_type.value, len(vote.concerns))
        case "verify":
            return [(each.about, each.agent_id, each.verdict) for each in state.opinions[1].opinions]
        case "read_request":
            read = state.understood.get(REQUESTER)
            return read and (read.understood, read.data)
        case "gaps":
            assert state.gaps is not None
            return [each.gap_type for each in state.gaps.gaps][:3], len(state.gaps.gaps)
        case "recurse":
            return [each.triggered.gap_type for each in state.subnets.values()]
        case "compromise":
            offered = state.compromise
            return offered and [each.agent_id for each in offered.compromise.assignments]
        case _:
            assert state.proposal is not None
            return f"version {state.proposal.version}", [each.agent_id for each in state.proposal.assignments]


AS_IT_IS = {
    "understand": ("A meetup about AI", 2),
    "filter": [CHEN, LIN],
    "respond": ("participate", 0),
    "aggregate": ("version 1", [CHEN, LIN]),
    "feedback": ("accept", 0),
    "adjust": ("version 2", EVERYBODY),
    "verify": [("need", CHEN, "yes")],
    "read_request": ("Begin half an hour later", None),
    "gaps": (["photographer"], 1),
    "recurse": ["photographer"],
    "compromise": [CHEN],
}
"""What becomes of the good answer."""

TABLE: Final[Mapping[str, Mapping[str, Any]]] = {
    "understand": {
        "prose": REPAIRED,
        "half a json": REPAIRED,
        "fenced after braces": ACCEPTED,
        "null fields": (ACCEPTED, ("A meetup about AI", 0)),
        "nothing but null": REPAIRED,
        "an unknown agent": ACCEPTED,
        "nobody but an unknown agent": ACCEPTED,
        "someone who declined": ACCEPTED,
        "an empty list": (ACCEPTED, ("A meetup about AI", 0)),
        "two hundred": (ACCEPTED, ("A meetup about AI", 50)),
    },
    "filter": {
        "prose": REPAIRED,
        "half a json": REPAIRED,
        "fenced after braces": ACCEPTED,
        "null fields": (ACCEPTED, [CHEN, LIN]),
        "nothing but null": REPAIRED,
        "an unknown agent": (ACCEPTED, [CHEN]),
        "nobody but an unknown agent": DEGRADED,
        "someone who declined": (ACCEPTED, [LIN]),
        "an empty list": (ACCEPTED, "no_candidates"),
        "two hundred": (ACCEPTED, EVERYBODY),
    },
    "respond": {
        "prose": REPAIRED,
        "half a json": REPAIRED,
        "fenced after braces": ACCEPTED,
        "null fields": ACCEPTED,
        "nothing but null": REPAIRED,
        "an unknown agent": ACCEPTED,
        "nobody but an unknown agent": ACCEPTED,
        "someone who declined": ACCEPTED,
        "an empty list": (ACCEPTED, ("conditional", 0)),
        "two hundred": (ACCEPTED, ("conditional", 50)),
    },
    "aggregate": {
        "prose": REPAIRED,
        "half a json": REPAIRED,
        "fenced after braces": ACCEPTED,
        "null fields": ACCEPTED,
        "nothing but null": REPAIRED,
        "an unknown agent": (ACCEPTED, ("version 1", [CHEN])),
        "nobody but an unknown agent": (ACCEPTED, ("version 1", EVERYBODY)),
        "someone who declined": (ACCEPTED, ("version 1", [LIN])),
        "an empty list": REPAIRED,
        "two hundred": (ACCEPTED, ("version 1", EVERYBODY)),
    },
    "feedback": {
        "prose": REPAIRED,
        "half a json": REPAIRED,
        "fenced after braces": ACCEPTED,
        "null fields": (ACCEPTED, None),  # nothing was said of the limits
        "nothing but null": REPAIRED,
        "an unknown agent": ACCEPTED,
        "nobody but an unknown agent": ACCEPTED,
        "someone who declined": ACCEPTED,
        "an empty list": ACCEPTED,
        "two hundred": (ACCEPTED, ("accept", 50)),
    },
    "adjust": {
        "prose": REPAIRED,
        "half a json": REPAIRED,
        "fenced after braces": ACCEPTED,
        "null fields": ACCEPTED,
        "nothing but null": REPAIRED,
        "an unknown agent": ACCEPTED,
        "nobody but an unknown agent": ACCEPTED,
        "someone who declined": ACCEPTED,
        "an empty list": REPAIRED,
        "two hundred": ACCEPTED,
    },
    "verify": {
        "prose": REPAIRED,
        "half a json": REPAIRED,
        "fenced after braces": ACCEPTED,
        "null fields": REPAIRED,
        "nothing but null": REPAIRED,
        "an unknown agent": ACCEPTED,
        "nobody but an unknown agent": ACCEPTED,
        "someone who declined": ACCEPTED,
        "an empty list": (ACCEPTED, []),
        "two hundred": (ACCEPTED, [("need", CHEN, "yes"), ("complete", "", "yes")]),
    },
    "read_request": {
        "prose": REPAIRED,
        "half a json": REPAIRED,
        "fenced after braces": ACCEPTED,
        "null fields": REPAIRED,
        "nothing but null": REPAIRED,
        "an unknown agent": ACCEPTED,
        "nobody but an unknown agent": ACCEPTED,
        "someone who declined": ACCEPTED,
        "an empty list": ACCEPTED,
        "two hundred": ACCEPTED,
    },
    "gaps": {
        "prose": REPAIRED,
        "half a json": REPAIRED,
        "fenced after braces": ACCEPTED,
        "null fields": ACCEPTED,
        "nothing but null": REPAIRED,
        "an unknown agent": ACCEPTED,
        "nobody but an unknown agent": ACCEPTED,
        "someone who declined": ACCEPTED,
        "an empty list": (ACCEPTED, ([], 0)),
        "two hundred": (ACCEPTED, (["gap 0", "gap 1", "gap 2"], 50)),
    },
    "recurse": {
        "prose": REPAIRED,
        "half a json": REPAIRED,
        "fenced after braces": ACCEPTED,
        "null fields": (ACCEPTED, []),
        "nothing but null": REPAIRED,
        "an unknown agent": ACCEPTED,
        "nobody but an unknown agent": ACCEPTED,
        "someone who declined": ACCEPTED,
        "an empty list": (ACCEPTED, []),
        "two hundred": ACCEPTED,
    },
    "compromise": {
        "prose": REPAIRED,
        "half a json": REPAIRED,
        "fenced after braces": ACCEPTED,
        "null fields": (ACCEPTED, []),
        "nothing but null": REPAIRED,
        "an unknown agent": ACCEPTED,
        "nobody but an unknown agent": (ACCEPTED, []),
        "someone who declined": (ACCEPTED, []),
        "an empty list": (ACCEPTED, []),
        "two hundred": (ACCEPTED, [CHEN, ZHOU]),
    },
}
"""By prompt and answer: accepted (as the good one is, or as what stands there), or asked for once more."""

CELLS = [
    pytest.param(prompt, answer, what, id=f"{prompt}: {answer}")
    for prompt, row in TABLE.items()
    for answer, what in row.items()
    if what is not DEGRADED
]
UNREADABLE = [cell for cell in CELLS if cell.values[2] == REPAIRED]


class AskRunner:
    """Asks as the runtime does, and lets the rules decide what follows."""

    def __init__(self, claude: ClaudeModel, clock: LeapingClock) -> None:
        self._asker = Asker(claude, {"negotiation": for_every_tenant(ASKS)}, clock)

    async def asks(self, at: PromptCase) -> tuple[Answered, Negotiation]:
        command: Command = await self._asker(at.effect_run)
        assert isinstance(command, Answered)
        state = at.state
        for event in RULEBOOK.decide(state, command).events:
            state = RULEBOOK.evolve(state, event)
        return command, state


@pytest.fixture
def runner(claude: ClaudeModel, clock: LeapingClock) -> AskRunner:
    return AskRunner(claude, clock)


def test_the_table_has_every_answer_for_every_prompt() -> None:
    assert list(TABLE) == list(EACH)
    assert all(row.keys() == BAD.keys() for row in TABLE.values())


@pytest.mark.parametrize(("prompt", "answer", "what"), CELLS)
async def test_a_bad_answer_is_accepted_as_far_as_it_goes_or_repaired(
    server: LocalAnthropic, runner: AskRunner, prompt: str, answer: str, what: Any
) -> None:
    at = case_for(prompt)
    server.then(Says(BAD[answer](at)), Says(at.good))
    command, state = await runner.asks(at)
    how, expected = what if isinstance(what, tuple) else (what, AS_IT_IS[prompt])
    assert len(server.requests) == (2 if how is REPAIRED else 1)
    assert gist(prompt, state) == expected
    assert command.degraded is None
    assert command.model == PROMPTS[f"negotiation/{prompt}"].model
    assert not state.degraded


# ── without an answer ─────────────────────────────────────────────────────────────────────────────────────────────


def is_degraded(prompt: str, command: Answered, state: Negotiation, why: str) -> None:
    """The step goes on without a model: labelled, never consent, never a worse plan."""
    assert (command.degraded, command.model) == (why, "")
    told = [] if prompt == "read_request" else [(prompt, why)]  # a wish that nobody has read goes on in its own words
    assert [(each.prompt, each.why) for each in state.degraded] == told
    result = gist(prompt, state)
    match prompt:
        case "understand":
            assert state.understanding is not None
            assert result[0] == "An AI meetup for 50 people in Beijing"
            assert state.understanding.confidence == "low"
        case "filter":
            assert set(result) <= set(PROFILES) - {REQUESTERS_OWN}
            assert 0 < len(result) <= state.policy.max_candidates
        case "respond":
            assert result == ("decline", 0)
            assert state.offers[CHEN].degraded
        case "verify":
            assert result == []
            assert state.opinions[1].failed
            assert not state.rounds[0].opinions_due
        case "feedback" | "compromise" | "read_request":
            assert result is None
        case "gaps":
            assert result == ([], 0)
            assert not state.is_searching
        case "recurse":
            assert result == []
            assert state.recursion is not None
            assert not state.recursion.should_recurse
        case _:
            assert result == ("version 1", EVERYBODY)


async def test_a_shortlist_of_nobody_but_strangers_is_no_answer(server: LocalAnthropic, runner: AskRunner) -> None:
    at = case_for("filter")
    server.always(Says(BAD["nobody but an unknown agent"](at)))
    is_degraded("filter", *await runner.asks(at), why="E013")


@pytest.mark.parametrize(("prompt", "answer", "what"), UNREADABLE)
async def test_an_answer_that_stays_bad_degrades_the_step(
    server: LocalAnthropic, runner: AskRunner, prompt: str, answer: str, what: str
) -> None:
    at = case_for(prompt)
    server.always(Says(BAD[answer](at)))
    is_degraded(prompt, *await runner.asks(at), why="E013")
    assert len(server.requests) == 2


@pytest.mark.parametrize("prompt", EACH)
@pytest.mark.parametrize(
    ("step", "calls", "why"),
    [
        pytest.param(Truncated('{"decision": "participate", "feedback_type": "accept"'), 1, "E013", id="cut off"),
        pytest.param(Refuses(), 1, "E013", id="a refusal"),
        pytest.param(Status(401), 1, "E003", id="a wrong key"),
        pytest.param(Status(529), 3, "E003", id="overloaded"),
    ],
)
async def test_no_answer_degrades_the_step(
    server: LocalAnthropic, runner: AskRunner, prompt: str, step: Step, calls: int, why: str
) -> None:
    server.always(step)
    is_degraded(prompt, *await runner.asks(case_for(prompt)), why=why)
    assert len(server.requests) == calls


async def test_a_late_answer_degrades_the_step_and_says_that_it_was_late(
    server: LocalAnthropic, ledger: MemoryLedger, clock: LeapingClock
) -> None:
    claude = ClaudeModel(KEY, PROMPTS.values(), ledger, clock, base_url=server.url, timeout=0.05)
    server.always(Stalls())
    for prompt in ("respond", "feedback"):
        is_degraded(prompt, *await AskRunner(claude, clock).asks(case_for(prompt)), why="E004")
    await claude.close()


# ── who may be named ──────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_twin_speaks_for_its_own_person_whatever_it_says(server: LocalAnthropic, runner: AskRunner) -> None:
    for prompt in ("respond", "feedback"):
        at = case_for(prompt)
        server.then(Says({**at.good, "agent_id": LIN}))
        command, _ = await runner.asks(at)
        assert plain(command)["agent_id"] == CHEN


async def test_people_are_called_what_they_are_called(server: LocalAnthropic, runner: AskRunner) -> None:
    for prompt in ("aggregate", "adjust"):
        server.then(Says(case_for(prompt).good))
        _, state = await runner.asks(case_for(prompt))
        assert state.proposal is not None
        assert "as written" not in [each.display_name for each in state.proposal.assignments]


async def test_nobodys_request_and_nobodys_condition_disappears(server: LocalAnthropic, runner: AskRunner) -> None:
    at = case_for("adjust")
    server.then(Says({**at.good, "adjustment_summary": None, "conditions": []}))
    _, state = await runner.asks(at)
    assert state.proposal is not None
    assert state.proposal.adjustment_summary is not None
    assert [each.agent_id for each in state.proposal.adjustment_summary.requests_declined] == [ZHOU]
    assert [each.agent_id for each in state.proposal.conditions] == [LIN]
