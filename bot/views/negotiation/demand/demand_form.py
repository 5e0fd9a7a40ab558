"""Builds and reads the forms for a new demand."""

from collections.abc import Mapping, Sequence
from typing import Any

from slack_sdk.models.blocks import Block

from bot.texts import Texts
from bot.views.kit.fields import (
    LONGEST_INPUT,
    Values,
    channel_field,
    entered_text,
    multi_choice_field,
    picked_channel,
    picked_options,
    text_block,
    text_field,
)
from bot.views.kit.modals import form, modal, read_metadata
from bot.views.kit.mrkdwn import editable, slack_length
from engine.kernel import Validated

FROM_MESSAGE = "demand.from_message"
NEW = "demand.new"
"""The callback ids of the shortcuts and of their forms."""

WHAT, WHERE, OWN_VOTES = "what", "where", "own_votes"
"""Names of the fields: where the errors of a refused form belong."""


class Origin(Validated):
    """The thread that the demand is about, if any, as the form's private_metadata."""

    channel: str = ""
    thread: str = ""
    message: str = ""


class DemandForm(Validated):
    """A form as it was sent."""

    text: str
    channel: str
    thread: str
    """Empty if it gets a thread of its own."""
    message: str = ""
    """What the demand was made of; empty where it was typed."""
    own_votes: bool = False
    """Whether people's own votes only are wanted."""


def form_from_message(origin: Origin, text: str, texts: Texts) -> dict[str, Any]:
    """``text``: that of the message, which the form starts with."""
    fields = [
        _what(texts, text),
        text_block(texts.say("The plan is made in the thread of this message, for all to see.")),
    ]
    if slack_length(editable(text, len(text))) > LONGEST_INPUT:
        fields.insert(
            0,
            text_block(
                texts.say(
                    "The message is longer than this form can hold: here are its first {most} characters. Keep what "
                    "you need, for how many, when and where.",
                    most=LONGEST_INPUT,
                )
            ),
        )
    return _form(FROM_MESSAGE, origin, texts.say("Turn into a demand"), fields, texts)


def new_form(texts: Texts) -> dict[str, Any]:
    fields = [_what(texts), channel_field(WHERE, texts.say("In which channel?"))]
    return _form(NEW, Origin(), texts.say("New demand"), fields, texts)


def no_form(sentence: str, texts: Texts) -> dict[str, Any]:
    """A modal that says why no demand can be made here."""
    return modal(texts.say("New demand"), [text_block(sentence)], texts)


def read_demand_form(view: Mapping[str, Any]) -> DemandForm:
    """
    Raises:
        ValueError: not a form of ours.
    """
    origin = read_metadata(view, Origin)
    values: Values = view["state"]["values"]
    channel = origin.channel or picked_channel(values, WHERE)
    return DemandForm(
        text=entered_text(values, WHAT),
        channel=channel,
        thread=origin.thread,
        message=origin.message,
        own_votes=bool(picked_options(values, OWN_VOTES)),
    )


def own_votes_words(texts: Texts) -> tuple[str, str]:
    """What is asked about whose votes are wanted, and what can be ticked."""
    return texts.say("Whose votes?"), texts.say("People’s own votes only; twins prepare them")


def _what(texts: Texts, said: str = "") -> Block:
    return text_field(
        WHAT,
        texts.say("What do you need?"),
        texts.say("What, for how many, when and where"),
        initial=said,
        longest=LONGEST_INPUT,
    )


def _form(callback: str, origin: Origin, heading: str, fields: Sequence[Block], texts: Texts) -> dict[str, Any]:
    label, option = own_votes_words(texts)
    fields = [*fields, multi_choice_field(OWN_VOTES, label, [(OWN_VOTES, option)])]
    return form(callback, heading, texts.say("Send"), fields, texts, metadata=origin.model_dump_json())
