"""What a protocol adds to the demo."""

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from bot.demo.demo import DemoSettings
    from engine.workers.registry import WorkersAccess


def _as_it_is(policy: Any) -> Any:
    return policy


@dataclass(frozen=True, slots=True)
class DemoPart:
    """What a protocol adds to the demo."""

    suggestions: tuple[str, ...] = ()
    """Messages to begin with; the page shows two in the language of the browser."""
    first: Mapping[str, str] = field(default_factory=dict)
    """The message whose thread the page opens in, by language."""
    on_the_page: Callable[[Any], Any] = _as_it_is
    """A policy -> the same with deadlines for somebody who sits at the page."""
    in_terminal: "Callable[[str | None, DemoSettings], Coroutine[Any, Any, int]] | None" = None
    """Plays one message to its end in the terminal, and returns the exit code; None where that cannot be done."""
    workers_in: "Callable[[Path], WorkersAccess] | None" = None
    """Makes, in a folder of the demo's own, what says who may work besides people; None where nobody does."""
