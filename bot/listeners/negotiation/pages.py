"""Somebody reads what a message had no room for. Nothing is decided here, and nothing changes."""

from typing import Any, Final

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.gateway import CommandGateway, tenant_of
from bot.views.kit.button_values import NEXT, PREVIOUS, SHOW_ALL, Page, read_page
from bot.views.kit.pages import gone, in_pages, page_of
from bot.views.negotiation import notices
from bot.views.negotiation.thread import posts
from engine.errors import Refusal, UnknownChannel
from engine.kernel import StreamKey

TURNED_ALREADY: Final = ("hash_conflict", "not_found")
"""What Slack answers where the page was turned, or the modal closed, since the click."""


def register(app: AsyncApp, gateway: CommandGateway) -> None:
    @app.action(SHOW_ALL)
    async def opened(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        view = await _page(gateway, client, context, body, read_page(body["actions"][0]["value"]))
        await client.views_open(trigger_id=body["trigger_id"], view=view)
        await ack()

    async def turned(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        page = read_page(body["actions"][0]["value"])
        try:
            view = await _page(gateway, client, context, body, page)
        except Refusal as refusal:
            # Nothing can be said privately where there is no channel.
            texts = await gateway.texts(client, tenant_of(context), body["user"]["id"], _title(body))
            view = gone(notices.refused(refusal, texts), texts)
        shown = body["view"]
        try:
            await client.views_update(view_id=shown["id"], hash=shown["hash"], view=view)
        except SlackApiError as error:
            if error.response["error"] not in TURNED_ALREADY:
                raise
        await ack()

    app.action(PREVIOUS)(turned)
    app.action(NEXT)(turned)


async def _page(
    gateway: CommandGateway, client: AsyncWebClient, context: AsyncBoltContext, body: dict[str, Any], page: Page
) -> dict[str, Any]:
    """As things stand now, not as they stood when the button was shown; what belongs to the reader alone, and the modal
    itself, in the reader's language.

    Raises:
        UnknownChannel: nothing of this tenant's, or nothing this person was shown.
        StoreError, TimeoutError
    """
    tenant, user = tenant_of(context), body["user"]["id"]
    state = await gateway.look_up(StreamKey(tenant, page.stream))
    texts = await gateway.texts(client, tenant, user, state.raw_input)
    seen = (
        each
        for each in posts(state, lambda _user, _key: texts.language)
        if each.key == page.post and each.to in ("", user)
    )
    post = next(seen, None)
    if post is None or post.card is None:
        raise UnknownChannel(f"There is no {page.post} of {page.stream} to be shown.")
    return page_of(in_pages(post.card), page, texts)


def _title(body: dict[str, Any]) -> str:
    return str(body["view"]["title"]["text"])
