"""Lets somebody who was not asked offer their help: with what, and which needs that covers."""

from collections.abc import Mapping
from typing import Any

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.fields import entered_text, multi_choice_field, picked_options, text_block, text_field
from bot.views.kit.modals import form, read_metadata
from bot.views.kit.mrkdwn import mention, plain_line
from bot.views.negotiation.button_values import OFFER_HELP, SeatButton
from engine.negotiation.plan.coverage import needs_of
from engine.negotiation.state import Negotiation

WHAT, COVERS = "what", "covers"
"""Names of the fields: where the errors of a refused form belong."""
LONGEST_NEED = 75
"""Characters."""


def help_button(state: Negotiation, texts: Texts) -> Block:
    button = blocks.button(texts.say("Offer help…"), OFFER_HELP, SeatButton(stream=state.channel_id).value())
    return blocks.actions(button)


def help_form(state: Negotiation, texts: Texts) -> dict[str, Any]:
    needs = [(each.need_id, plain_line(each.what, LONGEST_NEED)) for each in needs_of(state)]
    asker = mention(state.requester_id) or texts.say("Whoever asked")
    fields = [
        text_block(texts.say("{asker} is told what you write here, and decides.", asker=asker)),
        text_field(WHAT, texts.say("What would you do?"), texts.say("As concrete as you can: what, how much, by when")),
    ]
    if needs:
        fields.append(multi_choice_field(COVERS, texts.say("What of it does that cover?"), needs))
    button = SeatButton(stream=state.channel_id)
    return form(OFFER_HELP, texts.say("Offer help"), texts.say("Send"), fields, texts, metadata=button.value())


def read_help(view: Mapping[str, Any]) -> tuple[str, str, tuple[str, ...]]:
    """The stream, what they would do, and the ids of the needs that it covers.

    Raises:
        ValueError: not a form of ours.
    """
    values = view["state"]["values"]
    return read_metadata(view, SeatButton).stream, entered_text(values, WHAT), picked_options(values, COVERS)
