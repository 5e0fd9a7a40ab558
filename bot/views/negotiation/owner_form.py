"""What the forms have in common with which a negotiation is steered."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError
from slack_sdk.models.blocks import Block
from slack_sdk.models.views import View

from bot.texts import Texts
from bot.views.kit.button_values import StreamButton
from bot.views.kit.fields import plain_text_object


def owner_form(
    name: str, stream: str, texts: Texts, *, heading: str, send: str, shown: Sequence[Block | dict[str, Any]]
) -> dict[str, Any]:
    """
    Args:
        name: of the button that opens it, and of the form.
        send: what the button says that sends it.
    """
    return View(
        type="modal",
        callback_id=name,
        title=plain_text_object(heading),
        submit=plain_text_object(send),
        close=plain_text_object(texts.say("Cancel")),
        private_metadata=StreamButton(stream=stream).value(),
        blocks=list(shown),
    ).to_dict()


def stream_of(view: Mapping[str, Any]) -> str:
    """
    Raises:
        ValueError: not a form of ours.
    """
    try:
        return StreamButton.model_validate_json(view["private_metadata"]).stream
    except (KeyError, ValidationError) as error:
        raise ValueError("This form is none of ours.") from error
