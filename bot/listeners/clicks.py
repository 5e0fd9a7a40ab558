"""Clicks on buttons and shortcuts: who clicked what, and where they are told why nothing came of it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.interaction import Interaction
from bot.listeners.private_messages import spot_of_click, tell
from bot.listeners.restored_cards import refused_on_card
from bot.listeners.services import Services
from bot.texts import Texts
from bot.views.kit import notices
from engine.errors import Refusal

Wording = Callable[[Refusal, Texts], str]
"""What a person is told about a refusal."""


@dataclass(slots=True)
class Click(Interaction):
    """One click on a button."""

    @property
    def name(self) -> str:
        return str(self.body["actions"][0]["action_id"])

    @property
    def value(self) -> str:
        """What the button carries."""
        return str(self.body["actions"][0]["value"])

    @property
    def cause(self) -> str:
        """Identify the click, so that one that is delivered twice is one command."""
        return cause_of_click(self.body)

    @property
    def spot(self) -> dict[str, Any]:
        """Where the person looks who clicked."""
        return spot_of_click(self.body)

    @property
    def is_in_modal(self) -> bool:
        return (self.body.get("view") or {}).get("type") == "modal"

    async def open_above(self, view: Mapping[str, Any]) -> None:
        """Open a modal: above the one in which the button stands, where it stands in one."""
        show = self.client.views_push if self.is_in_modal else self.client.views_open
        await show(trigger_id=self.body["trigger_id"], view={**view})

    def tell(self, text: str) -> None:
        """Tell only the person who clicked."""
        tell(self.services, self.client, self.spot, text)


def on_click(
    app: AsyncApp,
    services: Services,
    name: str,
    handle: Callable[[Click], Awaitable[None]],
    refused: Wording = notices.refused,
) -> None:
    """Call ``handle`` for each click on a button. Tell somebody who is refused in private."""

    async def clicked(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        click = Click(services, body, context, client)
        try:
            await handle(click)
        except Refusal as refusal:
            click.tell(refused(refusal, await click.texts()))
            await refused_on_card(click, refusal)
        await ack()

    app.action(name)(clicked)


def on_shortcut(
    app: AsyncApp, services: Services, kind: str, name: str, handle: Callable[[Interaction], Awaitable[None]]
) -> None:
    """Call ``handle`` for each use of a shortcut.

    Args:
        kind: ``message_action`` or ``shortcut``, as Slack calls them.
    """

    async def chosen(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        await handle(Interaction(services, body, context, client))
        await ack()

    app.shortcut({"type": kind, "callback_id": name})(chosen)


def cause_of_click(body: Mapping[str, Any]) -> str:
    """Identify a click, so that one that is delivered twice is one command."""
    action = body["actions"][0]
    container: Mapping[str, Any] = body["container"]
    return ":".join(
        ("click", body["user"]["id"], container.get("message_ts", ""), action["action_id"], action["action_ts"])
    )
