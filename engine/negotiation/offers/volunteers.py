"""People who were not asked and say that they can help. Whoever asked decides whether they are taken.

While offers are open, their words are an offer in person. While a plan is voted on, nobody joins it: somebody with a
twin waits in the reserve. In an agreed plan they can do what it lacks.
"""

from collections.abc import Callable, Mapping
from itertools import count
from typing import Any, Final

from msgspec.structs import replace

from engine.errors import Duplicate, IllegalStep, NotAllowed
from engine.facts.shortening import without_surrogates
from engine.kernel import Event, iso
from engine.negotiation.answers import OfferDecision
from engine.negotiation.commands import AnswerHelp, CorrectOffer, OfferHelp
from engine.negotiation.drafting import NegotiationDraft
from engine.negotiation.events import HelpAnswered, HelpOffered, ProposalAmended, Way
from engine.negotiation.offers import collecting
from engine.negotiation.offers.offers import LONGEST_TEXT
from engine.negotiation.plan.coverage import needs_of
from engine.negotiation.plan.told_needs import NeedTold, lacking
from engine.negotiation.search.amendments import amendment
from engine.negotiation.state import Negotiation, Volunteer
from engine.negotiation.terms import OF_A_TWIN, VOTING, Status

MOST_VOLUNTEERS: Final = 20
"""People who may offer their help in one negotiation."""


def offer_help(draft: NegotiationDraft, command: OfferHelp) -> None:
    state = draft.state
    check_help(state, command.by, command.agent_id)
    text = without_surrogates(command.text).strip()[:LONGEST_TEXT]
    draft.happens(
        HelpOffered(
            **draft.ids,
            agent_id=command.agent_id,
            display_name=_name_apart(state, command),
            by=command.by,
            text=text,
            has_twin=command.has_twin,
            prepares=command.has_twin and command.prepares,
            covers=tuple(each.need_id for each in needs_of(state) if each.need_id in command.covers),
        )
    )


def _name_apart(state: Negotiation, command: OfferHelp) -> str:
    """Return the name of whoever offers help; where somebody else here has the same, with what tells them apart."""
    people = (*state.invited.values(), *state.reserve, *(each.person for each in state.volunteers.values()))
    taken = {each.display_name.casefold().strip() for each in people if each.agent_id != command.agent_id}
    name = command.display_name.strip()
    if not name or name.casefold() not in taken:
        return command.display_name
    if command.agent_id.startswith(OF_A_TWIN):
        return f"{name} ({command.agent_id.removeprefix(OF_A_TWIN)})"
    return next(each for n in count(2) if (each := f"{name} ({n})").casefold() not in taken)


def check_help(state: Negotiation, by: str, agent_id: str) -> None:
    """Check that this person may offer help."""
    if not by or "@" in by:
        raise NotAllowed("Only people of this workspace can offer their help here.")
    if by == state.requester_id:
        raise NotAllowed("Whoever asked does not offer their help to themselves.")
    known = (*state.invited.values(), *state.joined.values())
    if any(each.agent_id == agent_id or each.user_id == by for each in known):
        raise NotAllowed("Whoever was asked answers where they were asked.")
    if agent_id in state.volunteers or any(each.offered.by == by for each in state.volunteers.values()):
        raise Duplicate("They have offered their help already.")
    if not takes_help(state):
        raise IllegalStep("Nobody else is needed here any more.")
    if len(state.volunteers) >= MOST_VOLUNTEERS:
        raise IllegalStep("So many people have offered their help that nobody else can be considered.")


def takes_help(state: Negotiation) -> bool:
    """Whether somebody's help can still be of use. A subnet fills one gap, which is said on its parent's thread."""
    if state.parent is not None or state.is_plan_erased:
        return False
    return state.is_open or bool(lacking(state))


def answer_help(draft: NegotiationDraft, command: AnswerHelp) -> None:
    """Take somebody's help, or decline it."""
    state = draft.state
    volunteer = state.volunteers.get(command.agent_id)
    if volunteer is None:
        raise IllegalStep("Nobody of that name has offered their help here.")
    if volunteer.answered is not None and not may_still_be_taken(state, volunteer):
        raise Duplicate("It was decided already whether they are asked.")
    if not command.ask:
        _answered(draft, command, "declined")
    elif state.takes_offers:
        _takes_part(draft, command, volunteer)
    elif state.status in VOTING and volunteer.offered.has_twin:
        _answered(draft, command, "reserve")
    elif state.final is not None and (lacks := fitting(state, volunteer)):
        _fills_a_gap(draft, command, lacks)
    elif state.status is Status.CREATED:
        raise IllegalStep("Nobody was asked yet; wait a moment until the demand is understood.")
    elif state.is_open:
        raise IllegalStep("A plan is being voted on, so nobody can join it. Should it lack something, ask them then.")
    else:
        raise IllegalStep("Nobody else is needed here any more.")


def can_be_asked(state: Negotiation, volunteer: Volunteer) -> bool:
    """Whether somebody can join now: while offers are open, to step in while a plan is voted on, or for what a plan
    lacks.
    """
    if state.takes_offers:
        return True
    if state.status in VOTING:
        return volunteer.offered.has_twin
    return state.final is not None and bool(fitting(state, volunteer))


def may_still_be_taken(state: Negotiation, volunteer: Volunteer) -> bool:
    """Whether somebody who was to step in, and was not needed, can still do what the agreed plan lacks."""
    waits = volunteer.answered is not None and volunteer.answered.way == "reserve"
    return waits and state.final is not None and volunteer.offered.agent_id not in state.invited


def fitting(state: Negotiation, volunteer: Volunteer) -> tuple[NeedTold, ...]:
    """Return what the agreed plan lacks and somebody can do: what their words name; if it lacks one thing, that."""
    lacks = lacking(state)
    named = tuple(each for each in lacks if each.need_id in volunteer.offered.covers)
    return named or (lacks if len(lacks) == 1 else ())


def _answered(draft: NegotiationDraft, command: AnswerHelp, way: Way, covers: tuple[str, ...] = ()) -> None:
    draft.happens(HelpAnswered(**draft.ids, agent_id=command.agent_id, by=command.by, way=way, covers=covers))


def _takes_part(draft: NegotiationDraft, command: AnswerHelp, volunteer: Volunteer) -> None:
    """Make their words an offer of their own, which they can correct like any other."""
    offered = volunteer.offered
    _answered(draft, command, "offer")
    collecting.correct_offer(
        draft,
        CorrectOffer(
            command_id=command.command_id,
            at=command.at,
            by=offered.by,
            agent_id=offered.agent_id,
            decision=OfferDecision.PARTICIPATE,
            contribution=offered.text,
        ),
    )


def _fills_a_gap(draft: NegotiationDraft, command: AnswerHelp, lacks: tuple[NeedTold, ...]) -> None:
    _answered(draft, command, "plan", tuple(each.need_id for each in lacks))
    plan = amendment(draft.state, iso(command.at))
    draft.happens(ProposalAmended(**draft.ids, **plan, sub_channel_id="", gap_type=lacks[0].what))


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
