"""Modals: forms, modals that only show something, and what a form remembers until it is sent."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from slack_sdk.models.blocks import Block
from slack_sdk.models.views import View

from bot.texts import Texts
from bot.views.kit.fields import plain_text_object, text_block

Metadata = TypeVar("Metadata", bound=BaseModel)


def form(
    name: str, heading: str, send: str, fields: Sequence[Block | dict[str, Any]], texts: Texts, metadata: str = ""
) -> dict[str, Any]:
    """
    Args:
        name: its callback id.
        send: the label of the button that sends it.
        metadata: what it remembers, for `read_metadata`.
    """
    return View(
        type="modal",
        callback_id=name,
        title=plain_text_object(heading),
        submit=plain_text_object(send),
        close=plain_text_object(texts.say("Cancel")),
        private_metadata=metadata or None,
        blocks=list(fields),
    ).to_dict()


def modal(
    heading: str, shown: Sequence[Block | dict[str, Any]], texts: Texts, name: str | None = None, metadata: str = ""
) -> dict[str, Any]:
    """A modal that nobody can send."""
    return View(
        type="modal",
        callback_id=name,
        title=plain_text_object(heading),
        close=plain_text_object(texts.say("Close")),
        private_metadata=metadata or None,
        blocks=list(shown),
    ).to_dict()


def read_metadata(view: Mapping[str, Any], kind: type[Metadata]) -> Metadata:
    """What a form remembered."""
    try:
        return kind.model_validate_json(view["private_metadata"])
    except (KeyError, ValidationError) as error:
        raise ValueError("This form is none of ours.") from error


def notice(sentence: str) -> dict[str, Any]:
    """``sentence`` is ready for Slack, in whatever language."""
    return View(
        type="modal", title=plain_text_object("ToWow"), close=plain_text_object("OK"), blocks=[text_block(sentence)]
    ).to_dict()
