"""A panel whose entries a test writes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.local_slack import PanelEntry, Wait

NOON = 1_800_000_000.0
"""Seconds since 1970."""


class ScriptedPanel:
    """A panel whose clock stands still until somebody skips."""

    def __init__(self) -> None:
        self.now = NOON
        self.told: list[PanelEntry] = []
        self.changed: Callable[[], None] = lambda: None

    def happen(self, times: int = 1) -> None:
        for _ in range(times):
            self.told.append(PanelEntry(position=len(self.told) + 1, at=self.now, name="vote.cast", who="Aya"))
        self.changed()

    def watch(self, changed: Callable[[], None]) -> None:
        self.changed = changed

    async def wait(self, language: str = "en") -> Wait:
        return Wait(what="茶好了" if language == "zh" else "Tea is ready", due=NOON + 60)

    async def entries(self, after: int, most: int) -> Sequence[PanelEntry]:
        return [each for each in reversed(self.told) if each.position > after][:most]

    async def skip(self, due: float) -> None:
        self.now = max(self.now, min(due, NOON + 60))
