"""Builds and reads the form in which a person chooses who else may decide for them."""

from collections.abc import Mapping
from typing import Any

from bot.texts import Texts
from bot.views.kit.fields import person_field, picked_person, text_block
from bot.views.kit.modals import form, read_metadata
from bot.views.kit.mrkdwn import safe_line
from bot.views.negotiation.button_values import DELEGATE, SeatButton

TO = "to"
"""Name of the field: where the errors of a refused form belong."""


def delegate_form(stream: str, agent_id: str, demand: str, delegate: str, texts: Texts) -> dict[str, Any]:
    """``delegate``: the current one, if any."""
    return form(
        DELEGATE,
        texts.say("Delegate"),
        texts.say("Send"),
        [
            text_block(
                texts.say("Only for “{demand}”. You can take it back at any moment.", demand=safe_line(demand, 240))
            ),
            person_field(
                TO,
                texts.say("Who may decide for you?"),
                texts.say(
                    "They can vote for your part and correct your offer, as can you; whoever of you did so last "
                    "counts. Choose nobody to decide alone."
                ),
                delegate,
            ),
        ],
        texts,
        metadata=SeatButton(stream=stream, agent_id=agent_id).value(),
    )


def read_delegate(view: Mapping[str, Any]) -> tuple[SeatButton, str]:
    """The seat, and the user who was chosen; empty for nobody.

    Raises:
        ValueError: not a form of ours.
    """
    seated = read_metadata(view, SeatButton)
    return seated, picked_person(view["state"]["values"], TO)
