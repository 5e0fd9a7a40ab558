"""Deliberations of all kinds: whatever models, people and the clock do, in any order."""

from collections.abc import Callable
from typing import Any, Final

import hypothesis.strategies as st

from engine.deliberation.answers import Critique, Move, PlanTask, Risk, SlotChange, Suggestion, ValidityCheck
from engine.deliberation.events import Difference
from engine.deliberation.policy import Policy
from engine.deliberation.terms import Agent, Brief, Error

from .scenario import CRITIC, PLANNER, QUIET, SEQUENTIAL, Scenario, answering, criticised, drafted, plan, planned

TEXT: Final = st.text(max_size=30) | st.just("长" * 7_000)
LEVEL: Final = st.sampled_from([0.0, 0.5, 0.7, 0.71, 0.85, 0.9, 0.91, 0.95, 1.0])
DAY: Final = st.sampled_from(["", "2027-02-03", "2027-02-30", "20270203", "soon"])
DIFFERENCES: Final = st.lists(
    st.builds(Difference, slot=st.sampled_from(["owner", "deadline", "rule"]), about=TEXT, planner=TEXT, critic=TEXT),
    max_size=3,
)


def task_ids() -> st.SearchStrategy[str]:
    return st.sampled_from(["room", "talks", "", "x" * 300])


TASKS: Final = st.builds(
    PlanTask,
    task_id=task_ids(), title=TEXT, owner=st.sampled_from(["", "ann", "y" * 300]),
    estimated_hours=st.sampled_from([0, 2, 0.5, 9_999.0]), starts=DAY, deadline=DAY,
    depends_on=st.lists(task_ids(), max_size=2).map(tuple),
)  # fmt: skip
PLANS: Final = st.lists(TASKS, min_size=1, max_size=4).map(lambda tasks: plan(*tasks))
MOVES: Final = st.lists(
    st.builds(Move, slot=st.just("owner"), task_id=task_ids(), argument=st.sampled_from(["need-1", "r1-risk-1", "no"])),
    max_size=2,
)
CRITIQUES: Final = st.builds(
    Critique,
    risks=st.lists(st.builds(Risk, risk=TEXT, severity=st.sampled_from(["high", "low"])), max_size=3).map(tuple),
    suggestions=st.lists(
        st.builds(
            Suggestion,
            solution=TEXT,
            changes=st.tuples(st.builds(SlotChange, slot=st.just("hours"), task_id=task_ids(), value=st.just("3"))),
        ),
        max_size=2,
    ).map(tuple),
    validity_check=st.builds(ValidityCheck, feasible=st.booleans()),
)
POSITION: Final = st.fixed_dictionaries(
    {
        "confidence": st.sampled_from([0.0, 0.3, 1.0]),
        "conclusion": TEXT,
        "decision": st.sampled_from(["go", "no_go"]),
        "key_reasons": st.lists(TEXT, max_size=2).map(tuple),
        "uncertainties": st.lists(TEXT, max_size=2).map(tuple),
    }
)

Step = Callable[[Scenario], Any]


def _planner_says(made: Any, moves: Any, position: dict[str, Any]) -> Step:
    return lambda it: it.says(PLANNER, planned(made, moves=moves, **position))


def _critic_says(made: Any, critique: Critique, position: dict[str, Any]) -> Step:
    def says(it: Scenario) -> None:
        is_first = len(it.state.rounds) == 1 and it.state.policy.start == "blind"
        if is_first:
            it.says(CRITIC, drafted(made, critique, **position))
        else:
            said = criticised(*critique.risks, suggestions=critique.suggestions, **position)
            it.says(CRITIC, said)

    return says


def _compared(level: float, differences: list[Difference], repeats: float) -> Step:
    return lambda it: it.compared(level, *differences, repeats={"planner": repeats, "critic": repeats})


def _failed(error: Error) -> Step:
    return lambda it: it.says(
        Agent(error.agent) if error.agent in ("planner", "critic") else PLANNER, None, error=error
    )


ERRORS: Final = st.builds(
    Error,
    error=st.sampled_from(["agent_timeout", "agent_failed", "tool_execution_failed", "content_withheld"]),
    round=st.integers(0, 7), agent=st.sampled_from(["", "planner", "critic", "somebody"]),
    tool=st.sampled_from(["", "compare_positions", "get_now", "search"]),
)  # fmt: skip
STEPS: Final[st.SearchStrategy[Step]] = st.one_of(
    *[st.builds(_planner_says, PLANS, MOVES, POSITION)] * 4,
    *[st.builds(_critic_says, PLANS, CRITIQUES, POSITION)] * 4,
    *[st.builds(_compared, LEVEL, DIFFERENCES, st.sampled_from([0.5, 0.99]))] * 4,
    st.builds(_failed, ERRORS),
    st.just(lambda it: it.turn_is_over()),
    st.just(lambda it: it.objects()),
    st.just(lambda it: it.both(planned(answers=answering("point-1")), criticised(answers=answering("point-1")))),
    st.sampled_from([PLANNER, CRITIC]).map(lambda agent: lambda it: it.chooses(agent)),
    st.just(lambda it: it.stops()),
    st.lists(TEXT, max_size=2).map(lambda said: lambda it: it.states(PLANNER, *said, worst="".join(said))),
    st.just(lambda it: it.closes()),
    st.just(lambda it: it.reports()),
    st.integers(-5, 5).map(lambda seconds: lambda it: it.later(seconds)),
)  # fmt: skip
POLICIES: Final = st.sampled_from([QUIET, SEQUENTIAL, Policy(), Policy(max_rounds=1), Policy(max_rounds=2)])
BRIEFS: Final = st.builds(Brief, title=TEXT, goal=st.sampled_from(["Plan it.", "办一场聚会", "长" * 4_000]))


def _played(policy: Policy, brief: Brief, steps: list[Step]) -> Scenario:
    scenario = Scenario(policy=policy, brief=brief).opens()
    for step in steps:
        step(scenario)
    return scenario


SESSIONS: Final[st.SearchStrategy[Scenario]] = st.builds(_played, POLICIES, BRIEFS, st.lists(STEPS, max_size=40))
"""Each as far as it came."""
