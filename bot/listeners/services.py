"""What listeners work with, in one place."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from bot.listeners.background import BackgroundTasks, OneAtATime
from bot.listeners.gateway import CommandGateway
from bot.listeners.reader_texts import ReaderTexts
from bot.posts.homes import Homes
from bot.posts.pauses import PauseOf, not_paused
from bot.posts.response_urls import ResponseUrls
from bot.story_links import StoryLinks
from bot.workspace_settings import WorkspaceSettings
from engine.files.validated_file import ValidatedFile
from engine.kernel import Event, Millis, StreamKey, Tenant
from engine.runtime.clock import Clock
from engine.store.port import Store
from engine.workers.workers import Workers

if TYPE_CHECKING:
    from bot.calendars.keeper import Calendars
    from bot.listeners.handing_over import WayOn


@dataclass(frozen=True, slots=True)
class Services:
    gateway: CommandGateway
    settings: WorkspaceSettings
    store: Store
    clock: Clock
    texts: ReaderTexts
    background: BackgroundTasks
    response_urls: ResponseUrls
    """By which a message that was clicked can be changed."""
    homes: Homes
    """The App Homes that are being looked at."""
    workers: Workers
    """Who may carry tickets out besides people, and where what was made is kept."""

    scheduling: Mapping[str, ValidatedFile[Any]] = field(default_factory=lambda: MappingProxyType({}))
    """By protocol: how its work is scheduled, as ``scheduler_config.json`` says now."""
    links: StoryLinks | None = None
    """Makes links to the pages of stories; None where there are no pages."""

    pause_of: PauseOf = not_paused
    """Says which streams wait for their model, and why."""

    let_in: Callable[[Tenant, str], None] = lambda tenant, channel: None
    """Makes up for what was refused in a channel that may be open to us by now."""

    heard_from: Callable[[Tenant], None] = lambda tenant: None
    """Goes on with what has waited since a workspace took us out: by what it sends, we may be in it again."""

    readers_changed: Callable[[Tenant, str], None] = lambda tenant, channel: None
    """Has Slack asked again who reads a channel before anything is shown there."""

    one_at_a_time: OneAtATime = field(default_factory=OneAtATime)
    """What only one of the processes may do that share a store."""

    calendars: "Calendars | None" = None
    """Keeps when people's calendars say that they are busy; None where nobody may give one."""

    ways_on: "dict[str, WayOn]" = field(default_factory=dict)
    """By the name of its button: how another protocol goes on from what a stream has agreed on."""

    def now(self) -> Millis:
        return self.clock.now()


class SessionFollower(Protocol):
    async def start(self) -> None:
        """Catch up with what has happened while nobody followed."""

    def hear(self, key: StreamKey, events: Sequence[Event]) -> None:
        """Take note of what has happened in a stream, of whatever protocol; write it later."""

    async def close(self) -> None:
        """Write what is left."""
