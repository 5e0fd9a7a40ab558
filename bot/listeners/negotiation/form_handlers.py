"""The forms with which whoever asked, or an admin, decides about a negotiation.

A button opens the form, and what was sent is one command. Whether they may is decided both times.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from slack_bolt.async_app import AsyncApp

from bot.listeners.clicks import Click, Wording, on_click
from bot.listeners.forms import Form, FormView, on_form
from bot.listeners.negotiation.reading import read_negotiation
from bot.listeners.services import Services
from bot.texts import Texts
from bot.views.kit.button_values import read_stream_button
from bot.views.negotiation import notices
from bot.views.negotiation.owner_form import stream_of
from engine.directory.messages import Settings
from engine.kernel import Command
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation


def _wherever(_settings: Settings, _state: Negotiation) -> None:
    return


@dataclass(frozen=True, slots=True)
class OwnerForm:
    """One of the forms."""

    name: str
    """Of the button, and of the form."""
    check: Callable[..., object]
    """Raises a `Refusal` where a person may not. It is called with the state, ``by`` and ``as_admin``."""
    form: Callable[[Negotiation, Texts], dict[str, Any]]
    command: Callable[[Negotiation, FormView], Callable[..., Command]]
    """Reads what was sent as a command that lacks its id, its time, and who it is from."""
    refused: Wording = notices.refused
    """What is said to somebody who may not, or whose answers cannot be used."""
    check_settings: Callable[[Settings, Negotiation], None] = _wherever
    """Raises a `Refusal` where the workspace's settings are against it."""

    def register(self, app: AsyncApp, services: Services) -> None:
        on_click(app, services, self.name, self._clicked, self.refused)
        on_form(app, services, self.name, self._sent, self.refused)

    async def _clicked(self, click: Click) -> None:
        state = await read_negotiation(click, read_stream_button(click.value).stream)
        self.check(state, click.actor, as_admin=await click.is_admin())
        self.check_settings((await click.services.settings.directory(click.tenant)).settings, state)
        await click.open(self.form(state, await click.texts()))

    async def _sent(self, form: Form) -> None:
        stream = stream_of(form.view)
        state = await read_negotiation(form, stream)
        by, as_admin = form.actor, await form.is_admin()
        if state.is_owned_by(by, as_admin=as_admin):
            # Whoever may not is refused by the rules, which put it on record.
            self.check_settings((await form.services.settings.directory(form.tenant)).settings, state)
        command = self.command(state, form.view)
        await form.services.gateway.send(
            form.key(stream), RULEBOOK, command(command_id=form.cause, at=form.now(), by=by, as_admin=as_admin)
        )
