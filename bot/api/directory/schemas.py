"""What the directory's part of the HTTP interface is sent and answers with."""

from typing import Annotated

from pydantic import Field

from bot.api.schemas import WHOLE, ApiModel
from engine.directory.profile import Profile


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
