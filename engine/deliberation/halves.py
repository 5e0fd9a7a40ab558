"""Which facts the Planner and the Critic start from: each from half, so that what only one of them knows comes out
first and is argued for, and does not drown in what both know."""

from engine.deliberation.terms import Agent, Brief
from engine.kernel import HandedFact


def half(brief: Brief, agent: Agent) -> tuple[HandedFact, ...]:
    """Return what an agent is told in a blind first round: every second fact of each kind, in their order.

    Together both halves are all of them, and none is in both.
    """
    counted: dict[str, int] = {}
    turn = 0 if agent is Agent.PLANNER else 1
    kept: list[HandedFact] = []
    for fact in brief.facts:
        # A kind of which there is one alone goes to each in turn as well.
        number = counted[fact.kind] = counted.get(fact.kind, len(counted) - 1) + 1
        if number % 2 == turn:
            kept.append(fact)
    return tuple(kept)
