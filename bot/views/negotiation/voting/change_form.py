"""Builds and reads the form in which the requester asks for a change of the open proposal."""

from collections.abc import Mapping
from typing import Any

from bot.texts import Texts
from bot.views.kit.fields import entered_text, text_block, text_field
from bot.views.kit.modals import form, read_metadata
from bot.views.negotiation.button_values import CHANGE, VoteButton
from engine.negotiation.state import Negotiation

WHAT = "what"
"""Name of the field: where the errors of a refused form belong."""


def change_form(state: Negotiation, button: VoteButton, texts: Texts) -> dict[str, Any]:
    """The form remembers the round and the version for which it was opened."""
    requested = state.requested
    fields = [
        text_block(
            texts.say(
                "It comes first when the next version is made. The plan is not settled before, and you are told what "
                "became of it."
            )
        ),
        text_field(
            WHAT,
            texts.say("What should change?"),
            texts.say("As concrete as you can: what, how much, by when. Everyone in the thread can read it"),
            initial=requested.text if requested else "",
        ),
    ]
    heading, send = texts.say("Ask for a change"), texts.say("Send")
    return form(CHANGE, heading, send, fields, texts, metadata=button.value())


def read_change(view: Mapping[str, Any]) -> tuple[VoteButton, str]:
    """What it was opened for, and what was written.

    Raises:
        ValueError: not a form of ours.
    """
    return read_metadata(view, VoteButton), entered_text(view["state"]["values"], WHAT)
