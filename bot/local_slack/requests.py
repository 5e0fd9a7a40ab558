"""What people and tests may ask of the workspace, as JSON bodies of the local API, and what they see then."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from .model import Json, Message, View
from .sockets import Disconnection


class Request(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Read(Request):
    """Everything up to `ts` was read, in the channel or in the thread."""

    channel: str
    ts: str
    thread_ts: str | None = None


class MessageReference(Request):
    """A message."""

    channel: str
    ts: str


class Say(Request):
    """`files` are the ids of what was uploaded; `forwards` is a message that is passed on with these words."""

    channel: str
    text: str
    thread_ts: str | None = None
    broadcast: bool = False
    me: bool = False
    files: list[str] = Field(default_factory=list)
    forwards: MessageReference | None = None


class SaidByWorkflow(Request):
    """A workflow's message, which has no author."""

    channel: str
    text: str
    name: str = "A workflow"


class Edit(MessageReference):
    text: str


class React(MessageReference):
    name: str


class ElementAction(Request):
    """An element. `value` is what was chosen or typed; `confirm` false dismisses its dialog."""

    action_id: str
    block_id: str | None = None
    index: int = 0  # among equal ones
    value: object = None
    confirm: bool = True


class Click(ElementAction):
    channel: str
    ts: str


class ViewAction(ElementAction):
    view_id: str


class Submit(Request):
    view_id: str
    values: dict[str, dict[str, object]] = Field(default_factory=dict)  # block_id -> action_id -> entered


class Close(Request):
    view_id: str
    whole_stack: bool = False


class Slash(Request):
    channel: str
    command: str
    text: str = ""


class RunWorkflow(Request):
    """A workflow with one step of the app's, and what that is given besides who runs it."""

    callback_id: str
    inputs: dict[str, object] = Field(default_factory=dict)


class Shortcut(Request):
    """A message shortcut if a message is named, else a global one."""

    callback_id: str
    channel: str | None = None
    ts: str | None = None


class OpenHome(Request):
    tab: str = "home"


class StopSession(Request):
    """Whatever works in this thread."""

    channel: str
    thread_ts: str


class Membership(Request):
    channel: str
    user: str


class RateLimits(Request):
    on: bool
    distributed: bool = False


class NewChannelId(Request):
    channel: str
    id: str


class Disconnect(Request):
    how: Disconnection = "refresh_requested"


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
