"""What answers the directory's prompt where there is no model."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from engine.directory.answers import ProfileRead
from engine.offline.model import Answerer


def read_profile(lines: Any, location: str, today: Any) -> ProfileRead:
    """Read nothing: every line stays in words, and a model reads it once there is one."""
    return ProfileRead()


ANSWERERS: Final[Mapping[str, Answerer]] = MappingProxyType({"read_profile": read_profile})
"""By the prompt's name in its folder."""
