"""Builds and reads the form in which the requester chooses the seats that the plan cannot do without."""

from collections.abc import Mapping
from typing import Any

from bot.texts import Texts
from bot.views.kit.fields import multi_choice_field, picked_options, text_block
from bot.views.negotiation.button_values import CORE
from bot.views.negotiation.owner_form import owner_form
from engine.negotiation.state import Negotiation

SEATS = "seats"
"""Name of the field: where the errors of a refused form belong."""


def core_form(state: Negotiation, texts: Texts) -> dict[str, Any]:
    """The form about the newest version of the plan."""
    assignments = state.proposals[-1].assignments
    seats = [(each.agent_id, each.display_name or each.agent_id) for each in assignments]
    core = [each.agent_id for each in assignments if each.core]
    shown = [
        text_block(
            texts.say("Without these the plan falls: when one of them withdraws, a replacement is asked first.")
        ),
        multi_choice_field(SEATS, texts.say("Whom can the plan not do without?"), seats, core),
    ]
    return owner_form(
        CORE, state.channel_id, texts, heading=texts.say("Core parts"), send=texts.say("Send"), shown=shown
    )


def read_core(view: Mapping[str, Any]) -> tuple[str, ...]:
    """The agent ids that were chosen."""
    return picked_options(view["state"]["values"], SEATS)
