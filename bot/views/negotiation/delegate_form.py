"""The form in which a linked person says who else may decide for them, and what was chosen."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError
from slack_sdk.models.views import View

from bot.texts import Texts
from bot.views.kit.fields import person_field, picked_person, plain_text_object, text_block
from bot.views.kit.mrkdwn import safe_line
from bot.views.negotiation.button_values import DELEGATE, SeatButton

TO = "to"
"""Name of the field: where the errors of a refused form belong."""


def delegate_form(stream: str, agent_id: str, demand: str, delegate: str, texts: Texts) -> dict[str, Any]:
    """``delegate``: who it is so far; empty where there is nobody."""
    return View(
        type="modal",
        callback_id=DELEGATE,
        title=plain_text_object(texts.say("Delegate")),
        submit=plain_text_object(texts.say("Send")),
        close=plain_text_object(texts.say("Cancel")),
        private_metadata=SeatButton(stream=stream, agent_id=agent_id).value(),
        blocks=[
            text_block(
                texts.say("Only for “{demand}”. You can take it back at any moment.", demand=safe_line(demand, 240))
            ),
            person_field(
                TO,
                texts.say("Who may decide for you?"),
                texts.say(
                    "They can vote for your seat and correct your offer, as can you; whoever of you did so last "
                    "counts. Choose nobody to decide alone."
                ),
                delegate,
            ),
        ],
    ).to_dict()


def read_delegate(view: Mapping[str, Any]) -> tuple[SeatButton, str]:
    """Whose seat, and the user who was chosen; empty for nobody.

    Raises:
        ValueError: not a form of ours.
    """
    try:
        seated = SeatButton.model_validate_json(view["private_metadata"])
    except (KeyError, ValidationError) as error:
        raise ValueError("This form is none of ours.") from error
    return seated, picked_person(view["state"]["values"], TO)
