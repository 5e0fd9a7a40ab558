"""What everybody may be told of a clash: who or what is taken twice, when, and by which demand, in no words of it."""

from pydantic import ConfigDict

from engine.kernel import Validated
from engine.negotiation.ids import demand_id
from engine.negotiation.plan.clashes import shown
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import Clash


class ClashTold(Validated):
    """That another plan takes the same person, or the same room, at the same time."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    agent_id: str
    """Who is taken; empty where it is a room."""
    room: str
    demand_id: str
    """The other plan's."""
    first: str
    """The first day on which both are at once, ISO 8601."""
    last: str
    start: str
    """When this plan begins, `HH:MM`; empty where either plan leaves its hours open."""
    end: str
    other_start: str
    """The other's hours, on its own clock."""
    other_end: str
    is_certain: bool
    """Whether both have their day and their hours; else it may turn out to be none."""


def clashes_now(state: Negotiation) -> tuple[ClashTold, ...]:
    return tuple(map(_told, shown(state)))


def has_more(state: Negotiation) -> bool:
    """Whether there are more than are told."""
    return bool(shown(state)) and state.clashes is not None and state.clashes.has_more


def _told(clash: Clash) -> ClashTold:
    return ClashTold(
        agent_id=clash.agent_id,
        room=clash.room,
        demand_id=demand_id(clash.channel_id),
        first=clash.first,
        last=clash.last,
        start=clash.start,
        end=clash.end,
        other_start=clash.other_start,
        other_end=clash.other_end,
        is_certain=clash.is_certain,
    )
