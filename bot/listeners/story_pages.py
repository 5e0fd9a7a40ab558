"""Somebody wants to see the page of a story. They get a link that is theirs alone, in private."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from slack_bolt.async_app import AsyncApp

from bot.listeners.actor import is_from_outside
from bot.listeners.interaction import Click, Wording, on_click
from bot.listeners.services import Services
from bot.views.kit.button_values import StreamButton
from bot.views.kit.story import buttons
from bot.views.kit.story.model import AnyPart
from engine.errors import NotAllowed, Refusal, UnknownStream

FURTHEST = 6
"""Streams that a story is traced back through."""

Parts = Mapping[str, AnyPart]
"""By the names of their protocols."""


def register(app: AsyncApp, services: Services, parts: Parts, refused: Wording) -> None:
    def worded(refusal: Refusal, texts: Any) -> str:
        return buttons.not_for_you(texts) if isinstance(refusal, NotAllowed) else refused(refusal, texts)

    on_click(app, services, buttons.OPEN_PAGE, partial(_clicked, parts), worded)
    on_click(app, services, buttons.FOLLOW_LINK, _followed, worded)


async def _clicked(parts: Parts, click: Click) -> None:
    """Give whoever clicks a link of their own to the page."""
    stream = StreamButton.read(click.value).stream
    texts = await click.texts()
    links = click.services.links
    if links is None:
        click.tell(buttons.no_pages(texts))
        return
    if is_from_outside(click.actor):
        raise NotAllowed("Pages are for people of this workspace.")
    for _ in range(FURTHEST):
        protocol, state, _version = await click.services.gateway.look_up(click.key(stream))
        part = parts.get(protocol)
        if part is None:
            raise UnknownStream(f"There is no page of {stream}.")
        if not part.may_read(state, click.actor) or not _sees(click, part, state):
            raise NotAllowed("They neither take part nor see the thread.")
        before = part.comes_from(state)
        if not before:
            break
        stream = before
    address = links.link(click.tenant, stream, click.actor, click.now(), texts.language)
    await click.open(buttons.link_modal(address, links.days, texts))


def _sees(click: Click, part: AnyPart, state: Any) -> bool:
    """Return whether they take part, or clicked where the thread is, so that Slack shows it to them."""
    channel = (click.body.get("container") or {}).get("channel_id", "")
    return part.takes_part(state, click.actor) or (bool(channel) and channel == state.place.channel)


async def _followed(_click: Click) -> None:
    """Do nothing: Slack tells of clicks on links as well."""
