"""Somebody reads what a message had no room for. Nothing is decided here, and nothing changes."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from msgspec.structs import replace
from slack_bolt.async_app import AsyncApp

from bot.listeners.actor import is_from_outside
from bot.listeners.interaction import Click, Wording, on_click
from bot.listeners.services import Services
from bot.views.kit.button_values import NEXT, PREVIOUS, SHOW_ALL, Page
from bot.views.kit.pages import gone_view, page_view, paginate
from bot.views.kit.presenter import Presenter
from engine.errors import Refusal, UnknownStream

Presenters = Mapping[str, Presenter[Any]]
"""By the names of their protocols."""


def register(app: AsyncApp, services: Services, presenters: Presenters, refused: Wording) -> None:
    on_click(app, services, SHOW_ALL, partial(_opened, presenters), refused)
    for name in (PREVIOUS, NEXT):
        on_click(app, services, name, partial(_turned, presenters, refused))


async def _opened(presenters: Presenters, click: Click) -> None:
    await click.open(await _page(presenters, click, Page.read(click.value)))


async def _turned(presenters: Presenters, refused: Wording, click: Click) -> None:
    try:
        view = await _page(presenters, click, Page.read(click.value))
    except Refusal as refusal:
        # Nothing can be said privately where there is no channel.
        texts = await click.texts()
        view = gone_view(refused(refusal, texts), texts)
    await click.redraw(view)


async def _page(presenters: Presenters, click: Click, page: Page) -> dict[str, Any]:
    """Draw a page as things stand now, not as they stood when the button was shown.

    The modal, and what is shown to the reader alone, are in the reader's language.
    """
    protocol, state, _ = await click.services.gateway.look_up(click.key(page.stream))
    presenter = presenters.get(protocol)
    if presenter is None:
        raise UnknownStream(f"Nobody is shown anything of {page.stream}.")
    click.language = presenter.language(state)
    if is_from_outside(click.actor):  # whoever reads it is of another company, whatever is known of the channel
        state = replace(state, place=replace(state.place, shared=True))
    texts = await click.texts()
    seen = (
        each
        for each in presenter.posts(state, lambda _user, _key: texts.locale)
        if each.key == page.post and each.to in ("", click.user)
    )
    post = next(seen, None)
    if post is None or post.card is None:
        raise UnknownStream(f"There is no {page.post} of {page.stream} to be shown.")
    return page_view(paginate(post.card), page, texts)
