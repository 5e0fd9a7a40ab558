"""Core seats, on which the plan depends: code and a model propose them, and the requester decides."""

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from engine.errors import IllegalStep, UnknownAgent
from engine.negotiation.answers import Assignment
from engine.negotiation.commands import ChooseCore
from engine.negotiation.drafting import NegotiationDraft
from engine.negotiation.events import CoreChosen
from engine.negotiation.plan.coverage import alone, needs_of
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import Assigned, Proposal


def choose(draft: NegotiationDraft, command: ChooseCore) -> None:
    """Mark core seats, from the open round on and in every later version."""
    check_core(draft.state)
    seats = draft.state.proposals[-1].assignments
    chosen = {*command.agent_ids}
    if strangers := sorted(chosen - {each.agent_id for each in seats}):
        raise UnknownAgent(f"{', '.join(strangers)} has no seat in this proposal; choose among those who have.")
    core = tuple(each.agent_id for each in seats if each.agent_id in chosen)
    if core != tuple(each.agent_id for each in seats if each.core):
        draft.happens(CoreChosen(**draft.ids, agent_ids=core, by=command.by))


def marked(state: Negotiation, seats: Sequence[Assigned], before: Sequence[Assignment] = ()) -> tuple[Assigned, ...]:
    """Mark the core seats of a new version.

    They are those of people who alone cover an essential need, and those that a model has marked; once the requester
    has chosen, they are what was chosen.

    Args:
        seats: marked where a model did so, or where they were marked in the last version.
        before: the seats of the last version; who alone covered a need there is core no more once others do as well.
    """
    if state.core_choice is not None:
        return tuple(replace(each, core=_is_chosen(state, state.core_choice, each.agent_id)) for each in seats)
    needs = needs_of(state)
    here, there = alone(needs, seats), alone(needs, before)

    def is_core(seat: Assigned) -> bool:
        return seat.agent_id in here or (seat.core and seat.agent_id not in there)

    return tuple(each if (core := is_core(each)) == each.core else replace(each, core=core) for each in seats)


def core_seats(state: Negotiation, proposal: Proposal) -> frozenset[str]:
    """Return who has a core seat in a version, by what holds now."""
    if not state.policy.core_gate:
        return frozenset()
    if state.core_choice is not None:
        choice = state.core_choice
        return frozenset(each.agent_id for each in proposal.assignments if _is_chosen(state, choice, each.agent_id))
    return frozenset(each.agent_id for each in proposal.assignments if each.core)


def _is_chosen(state: Negotiation, choice: Collection[str], agent_id: str) -> bool:
    """Whether somebody was chosen, or has taken the seat of somebody who was."""
    replaced = (left for left, invited in state.vacancies.items() if invited.agent_id == agent_id)
    return agent_id in choice or any(_is_chosen(state, choice, each) for each in replaced)


def check_core(state: Negotiation) -> None:
    if state.current is None:
        raise IllegalStep("Core seats can be chosen while a round is open.")
