"""What is to be planned, from what another stream has handed over."""

from engine.deliberation.terms import MOST_FACTS, Brief
from engine.facts.asked import local_day
from engine.kernel import Handover, Millis


def brief_of(handed: Handover, *, now: Millis, time_zone: str) -> Brief:
    """
    Args:
        time_zone: IANA; where whoever asked is.
    """
    return Brief(
        title=handed.title,
        goal=handed.goal,
        origin=handed.origin,
        time_zone=time_zone,
        today=local_day(now, time_zone),
        starts=handed.starts,
        ends=handed.ends,
        people=handed.people,
        facts=handed.facts[:MOST_FACTS],
        tasks=handed.tasks,
    )
