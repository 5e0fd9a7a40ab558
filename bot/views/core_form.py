"""The form in which whoever asked says which seats the plan falls with, and what was chosen."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError
from slack_sdk.models.views import View

from bot.texts import Texts
from bot.views.ballot import CORE, Handle
from bot.views.fields import choices, note, picked_all, title
from engine.negotiation.terms import Proposal

SEATS = "seats"
"""Name of the field: where the errors of a refused form belong."""


def core_form(stream: str, proposal: Proposal, texts: Texts) -> dict[str, Any]:
    seats = [(each.agent_id, each.display_name or each.agent_id) for each in proposal.assignments]
    core = [each.agent_id for each in proposal.assignments if each.core]
    return View(
        type="modal",
        callback_id=CORE,
        title=title(texts.say("Core seats")),
        submit=title(texts.say("Send")),
        close=title(texts.say("Cancel")),
        private_metadata=Handle(stream=stream).value(),
        blocks=[
            note(texts.say("Without these the plan falls: when one of them withdraws, a replacement is asked first.")),
            choices(SEATS, texts.say("Whom can the plan not do without?"), seats, core),
        ],
    ).to_dict()


def read_core(view: Mapping[str, Any]) -> tuple[str, tuple[str, ...]]:
    """The stream, and the agent ids that were chosen.

    Raises:
        ValueError: not a form of ours.
    """
    try:
        stream = Handle.model_validate_json(view["private_metadata"]).stream
    except (KeyError, ValidationError) as error:
        raise ValueError("This form is none of ours.") from error
    return stream, picked_all(view["state"]["values"], SEATS)
