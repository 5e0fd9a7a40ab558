"""Makes Bolt know every listener: the shared ones, and those of each protocol."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from slack_bolt.async_app import AsyncApp

from bot.listeners import accounts, channels, messages, native_stop, opening, pages, story_pages
from bot.listeners.accounts import RelyingProtocol
from bot.listeners.conversation import Conversation, Conversations
from bot.listeners.native_stop import StoppableProtocol
from bot.listeners.services import Services
from bot.views.kit.presenter import Presenter
from bot.views.kit.story.model import StoryPart


class ProtocolRow(StoppableProtocol, RelyingProtocol, Protocol):
    """What listeners use of a protocol's row, `bot/protocol_row.py`."""

    @property
    def register(self) -> Callable[[AsyncApp, Services], None]: ...

    @property
    def conversation(self) -> Conversation | None: ...

    @property
    def presenter(self) -> Presenter[Any] | None: ...

    @property
    def story(self) -> StoryPart[Any] | None: ...


def register(app: AsyncApp, services: Services, protocols: Sequence[ProtocolRow]) -> None:
    """
    Args:
        protocols: the main one first: it words what is refused about a stream that nobody knows.
    """
    conversations = [each.conversation for each in protocols if each.conversation is not None]
    presenters = {each.name: each.presenter for each in protocols if each.presenter is not None}
    messages.register(app, services, Conversations(conversations), presenters)
    pages.register(app, services, presenters, protocols[0].refused)
    stories = {each.name: each.story for each in protocols if each.story is not None}
    story_pages.register(app, services, stories, protocols[0].refused)
    opening.register(app, services, conversations)
    channels.register(app, services, protocols)
    accounts.register(app, services, protocols)
    native_stop.register(app, services, protocols)
    for each in protocols:
        each.register(app, services)
