"""What a workspace holds: people, channels, messages, views, files. Values: a change is a new value in its table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Json = dict[str, Any]
"""A JSON object whose shape is Slack's to decide (blocks, views, event payloads)."""


class Record(BaseModel):
    """Something kept in a table and in the journal under its key."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @property
    def key(self) -> str:
        raise NotImplementedError


class User(Record):
    """A person or a bot. `team_id` is set for people of another workspace (Slack Connect)."""

    id: str
    name: str
    real_name: str = ""
    display_name: str = ""
    title: str = ""
    email: str | None = None
    locale: str = "en-US"
    tz: str = "UTC"
    is_admin: bool = False
    is_bot: bool = False
    deleted: bool = False
    team_id: str | None = None
    status_emoji: str = ""
    status_text: str = ""
    status_expiration: int = 0  # in seconds since 1970; 0 where it has no end
    dnd: tuple[int, int] | None = None  # from and until when, likewise

    @property
    def key(self) -> str:
        return self.id


class UserGroup(Record):
    """People whom one mentions together: `<!subteam^ID>`."""

    id: str
    handle: str
    name: str = ""
    users: list[str] = Field(default_factory=list)

    @property
    def key(self) -> str:
        return self.id


class Channel(Record):
    """A conversation. For a DM, `user` is the person whom the bot talks to."""

    id: str
    name: str = ""
    members: list[str] = Field(default_factory=list)
    has_bot: bool = True  # was the app invited?
    is_private: bool = False
    is_im: bool = False
    is_mpim: bool = False
    is_archived: bool = False
    is_ext_shared: bool = False  # with another company, even while none of its people are here
    restricted: str = ""  # the code with which the app's posts are refused; empty where it may post
    user: str | None = None
    topic: str = ""
    purpose: str = ""
    created: int = 0  # seconds since 1970

    @property
    def key(self) -> str:
        return self.id

    @property
    def type(self) -> str:
        """Slack's channel_type."""
        if self.is_im:
            return "im"
        if self.is_mpim:
            return "mpim"
        return "group" if self.is_private else "channel"


class Edited(BaseModel):
    user: str
    ts: str


class Message(Record):
    """One message. An ephemeral one has `visible_to`; a deleted one is kept, so its ts is never reused.

    A deleted root that has replies is a `tombstone`: everybody sees that something was there.
    """

    channel: str
    ts: str
    user: str
    text: str = ""
    blocks: list[Json] = Field(default_factory=list)
    attachments: list[Json] = Field(default_factory=list)
    thread_ts: str | None = None
    broadcast: bool = False  # a reply that is also shown in the channel
    bot_id: str | None = None
    workflow: str = ""  # what the workflow is called that said it; nobody is its author then
    me: bool = False  # was it said with /me?
    metadata: Json | None = None
    edited: Edited | None = None
    reactions: dict[str, list[str]] = Field(default_factory=dict)  # emoji name -> user ids
    files: list[str] = Field(default_factory=list)  # file ids
    visible_to: str | None = None
    deleted: bool = False
    tombstone: bool = False
    reply_count: int = 0  # filled in when the message is read, as is what follows
    latest_reply: str | None = None
    reply_users: list[str] = Field(default_factory=list)

    @property
    def key(self) -> str:
        return f"{self.channel}/{self.ts}"

    @property
    def is_reply(self) -> bool:
        return self.thread_ts is not None and self.thread_ts != self.ts


class AgentSession(Record):
    """How a thread stands in which the app is at work, as the app has said."""

    channel: str
    thread_ts: str
    status: str
    since: float = 0.0  # seconds since 1970

    @property
    def key(self) -> str:
        return f"{self.channel}/{self.thread_ts}"


class StepRun(Record):
    """One run of a step of the app's in a workflow."""

    id: str
    callback_id: str
    inputs: Json = Field(default_factory=dict)
    user: str = ""  # who runs the workflow; empty where a schedule does
    status: Literal["running", "completed", "failed"] = "running"
    outputs: Json = Field(default_factory=dict)
    error: str = ""

    @property
    def key(self) -> str:
        return self.id


class Prompts(Record):
    """What the app suggests that one says to it, in one conversation."""

    channel: str
    title: str = ""
    prompts: list[Json] = Field(default_factory=list)  # each a title and a message

    @property
    def key(self) -> str:
        return self.channel


class ReadMark(Record):
    """Up to where a person has read a channel, or a thread in it."""

    user: str
    channel: str
    thread_ts: str | None = None
    ts: str

    @property
    def key(self) -> str:
        return f"{self.user}/{self.channel}/{self.thread_ts or ''}"


class View(Record):
    """A modal or a Home tab, as one user has it. `values` is what they entered so far: block -> action -> state."""

    id: str
    user: str
    type: str
    blocks: list[Json]
    title: Json | None = None
    submit: Json | None = None
    close: Json | None = None
    callback_id: str = ""
    external_id: str = ""
    private_metadata: str = ""
    notify_on_close: bool = False
    clear_on_close: bool = False
    hash: str
    browser: str = ""  # in which it was opened; empty where nobody knows
    root_view_id: str
    previous_view_id: str | None = None
    values: dict[str, dict[str, Json]] = Field(default_factory=dict)

    @property
    def key(self) -> str:
        return self.id


class File(Record):
    """An uploaded file. `shared` once files.completeUploadExternal named it; `content` is base64 in the journal."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_bytes="base64", val_json_bytes="base64")

    id: str
    name: str
    user: str
    title: str = ""
    length: int = 0  # bytes, as announced
    content: bytes | None = None
    channels: list[str] = Field(default_factory=list)
    created: int = 0
    shared: bool = False

    @property
    def key(self) -> str:
        return self.id


class PendingEvent(Record):
    """An event the app has not acknowledged yet."""

    id: str  # event_id
    payload: Json

    @property
    def key(self) -> str:
        return self.id


class ResponseUrl(Record):
    """Where the app may answer an interaction without a token: `uses_left` times until `expires`."""

    id: str
    user: str
    channel: str
    message_ts: str | None = None
    uses_left: int = 5
    expires: float = 0.0  # seconds since 1970

    @property
    def key(self) -> str:
        return self.id


Now = Callable[[], float]
"""Seconds since 1970."""


class Timestamps:
    """Issues "1700000000.000100", rising even while the clock stands still or jumps back."""

    def __init__(self, now: Now) -> None:
        self._now = now
        self._last = 0  # microseconds

    def advance_past(self, ts: str) -> None:
        """Issue only timestamps after this one, which was issued before a restart."""
        self._last = max(self._last, micros(ts))

    def next(self) -> str:
        self._last = max(int(self._now() * 1_000_000), self._last + 1)
        return f"{self._last // 1_000_000}.{self._last % 1_000_000:06d}"


def micros(ts: str) -> int:
    """A timestamp as microseconds since 1970, for comparisons."""
    seconds, _, rest = ts.partition(".")
    return int(seconds) * 1_000_000 + int((rest + "000000")[:6])
