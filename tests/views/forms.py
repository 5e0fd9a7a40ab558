"""Draws the form of an action as a click on its button does."""

from typing import Any

from bot.texts import Texts
from bot.views.kit.action_form import ActionForm, draw
from bot.views.kit.button_values import ActionButton
from engine.kernel import Action
from engine.negotiation.state import Negotiation


def form_of(
    action: Action[Any], form: ActionForm[Any], state: Negotiation, texts: Texts, **about: Any
) -> dict[str, Any]:
    """``about``: what the button says besides the stream."""
    button = ActionButton(stream=state.channel_id, **about)
    asked = action.command_of(button.about(action.about), command_id="c", at=0, by=state.requester_id, as_admin=False)
    return draw(action, action.name, form.words(state, asked, texts), button.value(), texts)
