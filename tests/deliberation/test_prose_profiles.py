"""How many hidden profiles in prose the offline model gets right. The bounds are what was measured, no more.

| set | when it was first tried, before anything was changed for it | after its words had been looked at |
| --- | --- | --- |
| first | 4 of 15 | 12 |
| second | 9 of 15 | 14 |
| third | 6 of 10 | 9 |
"""

from collections.abc import Sequence

import pytest

from engine.deliberation.option_weights import weigh
from engine.deliberation.terms import Brief
from engine.kernel import FactKind, HandedFact
from tests.offline.small_deliberation import SmallDeliberation

from .prose_profiles import FIRST, SECOND, THIRD, Profile


def brief_of(profile: Profile) -> Brief:
    facts = tuple(
        HandedFact(fact_id=f"fact-{at}", kind=FactKind.CONSTRAINT, text=text)
        for at, text in enumerate((*profile.shared, *profile.hidden), 1)
    )
    return Brief(
        title=profile.question,
        goal=f"{profile.situation}\n{profile.question}",
        today="2026-11-23",
        options=profile.options,
        facts=facts,
    )


def right(profiles: Sequence[Profile]) -> list[str]:
    found = []
    for profile in profiles:
        held = SmallDeliberation(brief_of(profile)).run()
        assert held.planner is not None
        if held.planner.position.choice == profile.right:
            found.append(profile.name)
    return found


SETS = [
    pytest.param(FIRST, 12, id="first"),
    pytest.param(SECOND, 14, id="second"),
    pytest.param(THIRD, 9, id="third"),
]


@pytest.mark.parametrize(("profiles", "least"), SETS)
def test_most_of_them_are_solved_by_what_both_know(profiles: Sequence[Profile], least: int) -> None:
    assert len(right(profiles)) >= least


@pytest.mark.parametrize(("profiles", "_"), SETS)
def test_what_everybody_knows_speaks_for_a_wrong_answer(profiles: Sequence[Profile], _: int) -> None:
    solved = []
    for profile in profiles:
        brief = brief_of(profile)
        if weigh(brief.options, brief.facts[: len(profile.shared)], brief.goal)[0].option == profile.right:
            solved.append(profile.name)
    assert len(solved) <= 1
