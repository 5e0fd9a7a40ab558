"""What the directory's part of the HTTP interface is sent and answers with."""

from typing import Annotated, Literal

from pydantic import Field

from bot.api.schemas import WHOLE, ApiModel
from engine.directory.profile import LimitScope, LimitSource, Profile, TwinReach
from engine.facts.data import Datum


class ChangedProfile(ApiModel):
    profile: Profile
    revision: Annotated[int, Field(ge=0), WHOLE]
    """Of the profile that this was made from: what somebody else wrote meanwhile is not overwritten."""


class ProfileTold(ApiModel):
    agent_id: str
    revision: int
    is_asked: bool
    is_paused: bool
    """By the person."""
    is_disabled: bool
    """By an admin."""
    is_edited: bool
    """Whether it says something else than its file, or has none."""
    profile: Profile


class ProfilesTold(ApiModel):
    count: int
    profiles: tuple[ProfileTold, ...]


class ProfileGone(ApiModel):
    """It was made here, not in a file, and was reset: nobody is left."""

    agent_id: str
    profile: None = None


class Reach(ApiModel):
    twin: TwinReach


class OwnTwin(ApiModel):
    agent_id: str
    twin: TwinReach
    """``votes``: it votes unless its person does; ``prepares``: it prepares the vote, and its person gives it."""


class LimitTold(ApiModel):
    key: str
    """Names it for as long as its words are the same."""
    words: str
    """The owner's; empty where it was stated as data alone."""
    source: LimitSource
    data: Datum | None
    scope: LimitScope
    state: Literal["read", "on", "off"]
    """``read``: nobody has said anything of it yet."""
    holds_as_data: bool
    """Else it holds in words, unless it is off."""


class LimitsTold(ApiModel):
    agent_id: str
    limits: tuple[LimitTold, ...]


class SaidOfLimit(ApiModel):
    """What the owner of a limit says of it."""

    state: Literal["on", "off"]
    data: Datum | None = None
    """As which it holds; without any, it holds in words."""
    scope: LimitScope = "own"
