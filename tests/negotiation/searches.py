"""Plans that lack something, and negotiations that look for it."""

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from engine.kernel import Command, SendCommand
from engine.negotiation.answers import (
    Assignment,
    Gap,
    GapAnalysis,
    RecursionAnswer,
    SubDemand,
)
from engine.negotiation.commands import (
    RecordGaps,
    RecordRecursion,
    RecordSubnet,
)
from engine.negotiation.policy import Policy
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Status
from engine.negotiation.terms import Found, Outcome, Person
from tests.negotiation.scenario import ALONE, Scenario

PHOTOS, HANDS, MUSIC = "photographer", "more hands", "music"


def agreed(*agents: str, policy: Policy = ALONE, **fields: Any) -> Scenario:
    """A plan that everybody accepted; ``fields`` of its draft."""
    agents = agents or ("ann", "bo")
    scenario = Scenario(policy=policy).demand().understood().shortlisted(*agents)
    for each in agents:
        scenario.offers(each)
    scenario.drafted(*agents, **fields)
    return scenario.twins(dict.fromkeys(agents, "accept")).stands(Status.FINALIZED)


def lacking(scenario: Scenario, **gaps: int) -> Scenario:
    """``gaps``: importance by name; an underscore stands for a blank."""
    found = tuple(
        Gap(gap_type=name.replace("_", " "), importance=importance, reason="it is missed")
        for name, importance in gaps.items()
    )
    return scenario.does(RecordGaps, analysis=GapAnalysis(gaps=found))


def weighed(scenario: Scenario, *asked: str, one: bool = True, two: bool = True, three: bool = True) -> Scenario:
    return scenario.does(
        RecordRecursion,
        answer=RecursionAnswer(
            condition_1_met=one,
            condition_2_met=two,
            condition_3_met=three,
            sub_demands=tuple(
                SubDemand(gap_type=each, description=f"We need: {each}", capability_tags=(each,)) for each in asked
            ),
        ),
    )


def searching(*gaps: str, scenario: Scenario | None = None, policy: Policy = ALONE) -> Scenario:
    """A subnet runs for each gap, the most important first."""
    scenario = scenario or agreed(policy=policy)
    importance = {each.replace(" ", "_"): 90 - number for number, each in enumerate(gaps)}
    return weighed(lacking(scenario, **importance), *gaps)


def sub_of(scenario: Scenario, gap: str) -> str:
    return next(key for key, each in scenario.state.subnets.items() if each.triggered.gap_type == gap)


def found(*agents: str, role: str = "helper", confirmed: Sequence[str] | None = None) -> Found:
    return Found(
        assignments=tuple(
            Assignment(agent_id=each, role=role, responsibility=f"{each} is the {role}") for each in agents
        ),
        people=tuple(Person(agent_id=each, display_name=each.title()) for each in agents),
        confirmed_participants=tuple(agents if confirmed is None else confirmed),
    )


def fills(scenario: Scenario, gap: str, *agents: str, **fields: Any) -> Scenario:
    answer = found(*agents, **({"role": gap} | fields))
    return scenario.does(RecordSubnet, channel_id=sub_of(scenario, gap), outcome=Outcome.CONSENSUS, found=answer)


def fails(scenario: Scenario, gap: str, why: Outcome = Outcome.NO_PARTICIPANTS) -> Scenario:
    return scenario.does(RecordSubnet, channel_id=sub_of(scenario, gap), outcome=why)


def tells(scenario: Scenario) -> list[str]:
    """The commands that are to be sent after the last one: the first word of each."""
    return [each.name.partition("/")[0] for each in scenario.last.effects if isinstance(each, SendCommand)]


def letters(scenario: Scenario) -> list[Command]:
    return [
        RULEBOOK.compose_command(scenario.state, each, command_id=f"sent {number}", at=scenario.now)
        for number, each in enumerate(scenario.last.effects)
        if isinstance(each, SendCommand)
    ]


def begun(scenario: Scenario) -> Scenario:
    """The subnet that the last command of its parent begins."""
    return Scenario(policy=scenario.state.policy, now=scenario.now).obeys(letters(scenario)[0])


# ── what a plan lacks ─────────────────────────────────────────────────────────────────────────────────────────────


ENDS = st.fixed_dictionaries(
    {
        gap: st.none() | st.lists(st.sampled_from(["pia", "quin", "rae"]), min_size=1, max_size=2, unique=True)
        for gap in (PHOTOS, HANDS, MUSIC)
    }
)
