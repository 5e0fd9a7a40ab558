"""Where the actions of a negotiation meet people: the form of each, and how its refusals are worded in its own way."""

from typing import Final

from bot.listeners.actions import ActionSurface
from bot.listeners.handing_over import chosen_way
from bot.listeners.intake import NotThere, check_place
from bot.listeners.interaction import Answer, Form, Interaction, shows
from bot.listeners.native_stop import Stop, StopRequest
from bot.texts import Texts
from bot.views.kit.button_values import ActionButton
from bot.views.kit.notices import begin_elsewhere
from bot.views.negotiation import action_forms as forms
from bot.views.negotiation import notices
from bot.views.negotiation.afterwards import REOPEN_FORM
from bot.views.negotiation.button_values import CLARIFY
from bot.views.negotiation.demand.demand_form import CLARIFY_FORM, EDIT_FORM
from bot.views.negotiation.voting.wish_fields import asks_for_data, with_data
from engine.errors import Duplicate, IllegalStep, NotAllowed, Refusal, UnknownAgent
from engine.negotiation.actions import ACTIONS, BY_NAME
from engine.negotiation.commands import Cancel, CastVote
from engine.negotiation.errors import ProposalOut
from engine.negotiation.state import Negotiation

refused_as = notices.refused_as


def _own_seat(state: Negotiation, actor: str, button: ActionButton) -> ActionButton:
    """Aim a click on a button that everybody sees at the part of whoever clicked."""
    if button.agent_id:
        return button
    for each in state.invited.values():
        if each.user_id == actor:
            return button.model_copy(update={"agent_id": each.agent_id})
    raise NotAllowed(f"{actor} was not asked, so there is nothing they could let somebody else decide.")


async def _may_begin_there(interaction: Interaction, state: Negotiation) -> None:
    """Check that demands may begin where the negotiation has its thread."""
    check_place((await interaction.directory()).settings, state.place)


def _not_reopened(refusal: Refusal, texts: Texts) -> str:
    if isinstance(refusal, NotThere):
        return begin_elsewhere(refusal.channels, texts)
    return refused_as({Duplicate: notices.reopened_already})(refusal, texts)


_demand_stands: Final = refused_as({ProposalOut: notices.demand_stands, IllegalStep: notices.demand_has_ended})
_nothing_missing: Final = refused_as({IllegalStep: notices.nothing_to_decide})
_not_asked: Final = refused_as(
    {
        NotAllowed: notices.not_your_helper,
        Duplicate: notices.help_decided_already,
        IllegalStep: notices.cannot_be_asked_now,
    }
)
_not_promised: Final = refused_as({NotAllowed: notices.not_your_promise, Duplicate: notices.given_up_already})
_not_given_up: Final = refused_as(
    {
        NotAllowed: notices.not_your_promise,
        UnknownAgent: notices.not_your_promise,
        Duplicate: notices.given_up_already,
    }
)


async def _another_way(form: Form, stream: str) -> Answer | None:
    way = forms.chosen_way_on(form.view)
    return await chosen_way(form, way, stream) if way else None


async def _with_data(form: Form, _stream: str) -> Answer | None:
    """Show the fields of what should change, where somebody sends the form before they are there."""
    return shows(with_data(form.view, form.known_texts())) if asks_for_data(form.view) else None


_OF_THEIR_OWN: Final = (
    # demand
    ActionSurface(BY_NAME["demand.edit"], EDIT_FORM, _demand_stands),
    ActionSurface(BY_NAME["demand.edit"], CLARIFY_FORM, _demand_stands, name=CLARIFY),
    # offers
    ActionSurface(BY_NAME["missing.look_wider"], refused=_nothing_missing),
    ActionSurface(BY_NAME["missing.go_on"], refused=_nothing_missing),
    ActionSurface(BY_NAME["missing.send_again"], refused=_nothing_missing),
    ActionSurface(BY_NAME["help.ask"], refused=_not_asked),
    ActionSurface(BY_NAME["help.decline"], refused=_not_asked),
    ActionSurface(
        BY_NAME["seat.delegate"],
        forms.DELEGATE_FORM,
        refused_as({NotAllowed: notices.nothing_to_delegate, UnknownAgent: notices.nothing_to_delegate}),
        aim=_own_seat,
    ),
    # voting
    ActionSurface(BY_NAME["vote.prepared"], refused=refused_as({IllegalStep: notices.nothing_prepared})),
    ActionSurface(
        BY_NAME["plan.change"],
        forms.CHANGE_FORM,
        refused_as({NotAllowed: notices.only_the_requester}),
        instead=_with_data,
    ),
    ActionSurface(
        BY_NAME["wish.not_meant"],
        forms.NOT_MEANT_FORM,
        refused_as({NotAllowed: notices.not_your_wish, IllegalStep: notices.wish_is_over}),
    ),
    # plan
    ActionSurface(BY_NAME["core.choose"], forms.CORE_FORM, notices.refused),
    # afterwards
    ActionSurface(
        BY_NAME["plan.proceed"],
        forms.PROCEED_FORM,
        refused_as({Duplicate: notices.goes_ahead_already}),
        instead=_another_way,
    ),
    ActionSurface(BY_NAME["decision.undo"], refused=refused_as({IllegalStep: notices.too_late_to_undo})),
    ActionSurface(BY_NAME["demand.reopen"], REOPEN_FORM, _not_reopened, guard=_may_begin_there),
    ActionSurface(BY_NAME["seat.give_up"], forms.GIVE_UP_FORM, _not_given_up),
    ActionSurface(BY_NAME["check_in.done"], refused=_not_promised),
    ActionSurface(BY_NAME["check_in.late"], forms.LATE_FORM, _not_promised),
)
"""In the order of the phases."""

_NAMED: Final = {each.action.name for each in _OF_THEIR_OWN}
SURFACES: Final = (
    *_OF_THEIR_OWN,
    *(
        ActionSurface(each, refused=notices.refused)
        for each in ACTIONS
        if each.name not in _NAMED and each.command is not CastVote
    ),
)
"""All actions but votes, which have listeners of their own (bot/listeners/negotiation/votes.py)."""


def stop(state: Negotiation, request: StopRequest) -> Stop | None:
    """Read what Slack's own button *Stop* asks: the same as ours. A subnet ends with the negotiation that it is for."""
    if state.parent is not None:
        return None
    command = Cancel(command_id=request.command_id, at=request.at, by=request.by, as_admin=request.as_admin)
    return Stop(command, state.is_open)
