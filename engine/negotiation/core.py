"""Core seats, on which the plan depends: a model proposes them, and the requester decides."""

from engine.errors import IllegalStep, NotAllowed, UnknownAgent
from engine.negotiation.commands import ChooseCore
from engine.negotiation.drafting import NegotiationDraft
from engine.negotiation.events import CoreChosen
from engine.negotiation.state import Negotiation


def choose(draft: NegotiationDraft, command: ChooseCore) -> None:
    """Mark core seats, from the open round on and in every later version.

    Raises:
        NotAllowed, IllegalStep, UnknownAgent
    """
    check_core(draft.state, command.by, as_admin=command.as_admin)
    seats = draft.state.proposals[-1].assignments
    chosen = {*command.agent_ids}
    if strangers := sorted(chosen - {each.agent_id for each in seats}):
        raise UnknownAgent(f"{', '.join(strangers)} has no seat in this proposal; choose among those who have.")
    core = tuple(each.agent_id for each in seats if each.agent_id in chosen)
    if core != tuple(each.agent_id for each in seats if each.core):
        draft.happens(CoreChosen(**draft.ids, agent_ids=core, by=command.by))


def check_core(state: Negotiation, by: str, *, as_admin: bool) -> None:
    """
    Raises:
        NotAllowed, IllegalStep
    """
    if not state.is_owned_by(by, as_admin=as_admin):
        raise NotAllowed("Only the person who asked can say which seats the plan depends on.")
    if state.current is None:
        raise IllegalStep("Core seats can be chosen while a round is open.")
