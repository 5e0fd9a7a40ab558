"""How each event about somebody's help changes what a negotiation knows."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from engine.kernel import Event
from engine.negotiation.events import HelpAnswered, HelpOffered
from engine.negotiation.state import Negotiation, Volunteer


def _help_offered(state: Negotiation, event: HelpOffered) -> Negotiation:
    return replace(state, volunteers={**state.volunteers, event.agent_id: Volunteer(event)})


def _help_answered(state: Negotiation, event: HelpAnswered) -> Negotiation:
    volunteer = replace(state.volunteers[event.agent_id], answered=event)
    after = replace(state, volunteers={**state.volunteers, event.agent_id: volunteer})
    others = tuple(each for each in state.reserve if each.agent_id != event.agent_id)
    match event.way:
        case "offer":
            return replace(after, invited={**state.invited, event.agent_id: volunteer.person}, reserve=others)
        case "reserve":
            return replace(after, reserve=(volunteer.person, *others))
        case _:
            return after


def named(volunteer: Volunteer, names: Mapping[str, str]) -> Volunteer:
    """Name somebody again whose name was erased, and who is still to be named."""
    offered = volunteer.offered
    name = offered.display_name or names.get(offered.agent_id, "")
    return replace(volunteer, offered=replace(offered, display_name=name))


CHANGES: Final[Mapping[type[Event], Callable[[Negotiation, Any], Negotiation]]] = {
    HelpOffered: _help_offered,
    HelpAnswered: _help_answered,
}
