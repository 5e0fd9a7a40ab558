"""Who can be searched: anybody who describes themselves as a public profile does."""

from typing import Protocol


class Described(Protocol):
    """Somebody as they describe themselves to everybody: a profile, or the public part of one."""

    @property
    def agent_id(self) -> str: ...
    @property
    def profile_summary(self) -> str: ...
    @property
    def location(self) -> str: ...
    @property
    def tags(self) -> tuple[str, ...]: ...
    @property
    def capabilities(self) -> dict[str, str]: ...
    @property
    def interests(self) -> tuple[str, ...]: ...
