"""What a workspace can show beside its conversations: what is waited for, what happens underneath, a way to skip ahead.

The process that starts the workspace provides the panel (`LocalWorkspace.show`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from pydantic import BaseModel


class Wait(BaseModel):
    """What happens next without anybody's doing, and when: seconds since 1970 by the workspace's clock."""

    what: str
    due: float | None = None


class PanelEntry(BaseModel):
    """Something that happened. Everybody can see it, so it must not contain private text."""

    position: int  # rises from entry to entry, from 1
    at: float  # seconds since 1970
    name: str
    who: str = ""
    text: str = ""


class Panel(Protocol):
    def watch(self, changed: Callable[[], None]) -> None:
        """Call `changed` whenever there is something else to show."""

    async def wait(self) -> Wait: ...

    async def entries(self, after: int, most: int) -> Sequence[PanelEntry]:
        """The newest entries beyond this position, at most so many, newest first."""

    async def skip(self, due: float) -> None:
        """Advance the clock to this time, but never beyond what is due next, and let that happen."""
