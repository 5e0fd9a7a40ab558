"""What a workspace can show beside its conversations: what is waited for, what happens underneath, a way to skip ahead.

Whoever starts the workspace brings it along (`LocalWorkspace.show`); the workspace itself knows nothing of either.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from pydantic import BaseModel


class Wait(BaseModel):
    """What happens next by itself, in words, and when: seconds since 1970 by the workspace's own clock."""

    what: str
    due: float | None = None


class Entry(BaseModel):
    """Something that happened. It is seen by everybody who looks, so it holds nobody's private words."""

    position: int  # rises from entry to entry, from 1
    at: float  # seconds since 1970
    name: str
    who: str = ""
    text: str = ""


class Panel(Protocol):
    def watch(self, changed: Callable[[], None]) -> None:
        """Call `changed` whenever there is something else to show."""

    async def wait(self) -> Wait: ...

    async def entries(self, after: int, most: int) -> Sequence[Entry]:
        """The newest entries beyond this position, at most so many, newest first."""

    async def skip(self, due: float) -> None:
        """Put the clock forward to this time, never beyond what is due next, and let happen what is due then."""
