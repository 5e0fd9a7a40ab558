"""The form in which whoever asked decides that the plan is carried out, and what was chosen."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError
from slack_sdk.models.views import View

from bot.texts import Texts
from bot.views import blocks, plan
from bot.views.ballot import PROCEED, Handle
from bot.views.fields import choices, picked_all, title
from bot.views.outcome import doubtful, may_be_announced, risk
from bot.views.room import Room
from engine.negotiation.events import ForceFinalized, ProposalFinalized
from engine.negotiation.state import Negotiation

ANNOUNCE = "announce"
"""Name of the field: where the errors of a refused form belong. Without a channel there is none."""


def proceed_form(state: Negotiation, final: ProposalFinalized | ForceFinalized, texts: Texts) -> dict[str, Any]:
    room = Room()
    shown = [blocks.section(room.text(final.final_proposal.summary, 1_500) or "…")]
    if isinstance(final, ForceFinalized):
        shown.append(blocks.section(risk(final, doubtful(state, final, texts, room), texts)))
    unanswered = texts.say("enough had agreed before it could be taken up")
    shown += plan.requests(state, final.open_requests, texts.say("*Still open*"), unanswered, texts, room)
    shown.append(
        blocks.context(texts.say("Everybody who takes part hears that the plan is carried out. It is decided once."))
    )
    if may_be_announced(state):
        options = [(ANNOUNCE, texts.say("Also tell the channel"))]
        shown.append(choices(ANNOUNCE, texts.say("Who should know?"), options).to_dict())
    return View(
        type="modal",
        callback_id=PROCEED,
        title=title(texts.say("Proceed")),
        submit=title(texts.say("Proceed")),
        close=title(texts.say("Cancel")),
        private_metadata=Handle(stream=state.channel_id).value(),
        blocks=shown,
    ).to_dict()


def told(sentence: str, texts: Texts) -> dict[str, Any]:
    """The modal's view in place of a form that has no field to say it beside."""
    return View(
        type="modal",
        title=title(texts.say("Proceed")),
        close=title(texts.say("Close")),
        blocks=[blocks.section(sentence)],
    ).to_dict()


def read_proceed(view: Mapping[str, Any]) -> tuple[str, bool]:
    """The stream, and whether the channel is told as well.

    Raises:
        ValueError: not a form of ours.
    """
    try:
        stream = Handle.model_validate_json(view["private_metadata"]).stream
    except (KeyError, ValidationError) as error:
        raise ValueError("This form is none of ours.") from error
    return stream, ANNOUNCE in picked_all(view["state"]["values"], ANNOUNCE)
