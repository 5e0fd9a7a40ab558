"""What a person sees after they acted."""

from __future__ import annotations

from pydantic import BaseModel, Field

from .model import Json, Message, View


class Outcome(BaseModel):
    """`error` is the sentence Slack's client would show; `errors` are those below inputs: block_id -> sentence."""

    sent: bool = True  # did it reach the app at all? not if the client itself refused
    acked: bool = False  # did the app acknowledge it in time?
    error: str | None = None
    errors: dict[str, str] = Field(default_factory=dict)
    modal: View | None = None  # opened, updated or still open; the one on top
    confirm: Json | None = None  # the confirmation dialog that was shown
    message: Message | None = None  # what a slash command answered at once


TIMED_OUT = "This app did not respond in time; try again."
CONNECTION_TROUBLE = "We had some trouble connecting. Try again?"
