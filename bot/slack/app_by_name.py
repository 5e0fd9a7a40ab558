"""A Bolt app that finds by name who listens to a button or a form."""

import re
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

Listener = Callable[[AsyncAck, dict[str, Any], AsyncBoltContext, AsyncWebClient], Awaitable[None]]

ANY: Final = re.compile("")


class AppByName(AsyncApp):
    """To Bolt, all who listen to a button are one listener, and so are all who listen to a form.

    Bolt itself would take the signature of each apart at the start, and ask one after the other whether a payload is
    for it. There are more than a hundred.
    """

    def __init__(self, **more: Any) -> None:
        super().__init__(**more)
        self._by_button: dict[str, Listener] = {}
        self._by_form: dict[str, Listener] = {}

        async def is_our_button(body: dict[str, Any]) -> bool:
            return _button(body) in self._by_button

        async def clicked(
            ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient
        ) -> None:
            await self._by_button[_button(body)](ack, body, context, client)

        async def is_our_form(body: dict[str, Any]) -> bool:
            return _form(body) in self._by_form

        async def sent(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
            await self._by_form[_form(body)](ack, body, context, client)

        self.block_action(ANY, matchers=[is_our_button])(clicked)
        self.view_submission(ANY, matchers=[is_our_form])(sent)

    def action(self, constraints: Any, *more: Any, **others: Any) -> Callable[..., Any]:
        if isinstance(constraints, str) and not (more or others):
            return partial(_keep, self._by_button, constraints)
        return super().action(constraints, *more, **others)

    def view(self, constraints: Any, *more: Any, **others: Any) -> Callable[..., Any]:
        if isinstance(constraints, str) and not (more or others):
            return partial(_keep, self._by_form, constraints)
        return super().view(constraints, *more, **others)


def _button(body: dict[str, Any]) -> str:
    return str(body["actions"][0]["action_id"])


def _form(body: dict[str, Any]) -> str:
    return str(body["view"]["callback_id"])


def _keep(listeners: dict[str, Listener], name: str, listener: Listener) -> Listener:
    if name in listeners:
        raise ValueError(f"Somebody listens to {name} already, and only one would hear of it.")
    listeners[name] = listener
    return listener
