"""The form that the actions of a negotiation's requester share."""

from collections.abc import Mapping, Sequence
from typing import Any

from slack_sdk.models.blocks import Block

from bot.texts import Texts
from bot.views.kit.button_values import StreamButton
from bot.views.kit.modals import form, read_metadata


def owner_form(
    name: str, stream: str, texts: Texts, *, heading: str, send: str, shown: Sequence[Block | dict[str, Any]]
) -> dict[str, Any]:
    """
    Args:
        name: the name of the button that opens it, and its callback id.
        send: the label of the button that sends it.
    """
    return form(name, heading, send, shown, texts, metadata=StreamButton(stream=stream).value())


def stream_of(view: Mapping[str, Any]) -> str:
    """
    Raises:
        ValueError: not a form of ours.
    """
    return read_metadata(view, StreamButton).stream
