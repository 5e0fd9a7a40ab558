"""What people say to a deliberation: they object, and they ask the Critic.

A button opens the form, and what was sent is one command. Whether they may is decided both times.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from slack_bolt.async_app import AsyncApp

from bot.listeners.clicks import Click, on_click
from bot.listeners.deliberation.reading import check_not_carried_out, read_deliberation
from bot.listeners.forms import Form, beside, on_form
from bot.listeners.services import Services
from bot.texts import Texts
from bot.views.deliberation import notices
from bot.views.deliberation.button_values import ASK, POINT
from bot.views.deliberation.forms import TEXT, ask_form, point_form, read_text
from bot.views.kit.button_values import read_stream_button
from engine.deliberation.commands import AskCritic, RaisePoint
from engine.deliberation.people import check_point, check_question
from engine.deliberation.rules import RULEBOOK
from engine.deliberation.state import Deliberation


@dataclass(frozen=True, slots=True)
class TextForm:
    """A form with one text."""

    name: str
    """Of the button, and of the form."""
    check: Callable[[Deliberation, str], None]
    """Raises a `Refusal` where a person may not."""
    form: Callable[[Deliberation, Texts], dict[str, Any]]
    command: type[RaisePoint] | type[AskCritic]
    reopens: bool = False
    """Whether what is sent reopens a plan that is finished."""

    def register(self, app: AsyncApp, services: Services) -> None:
        on_click(app, services, self.name, self._clicked, notices.refused)
        on_form(app, services, self.name, self._sent, notices.refused, beside(TEXT))

    async def _clicked(self, click: Click) -> None:
        state = await read_deliberation(click, read_stream_button(click.value).stream)
        self.check(state, click.actor)
        if self.reopens:
            await check_not_carried_out(click.services.gateway, click.key(state.session_id), state)
        await click.open(self.form(state, await click.texts()))

    async def _sent(self, form: Form) -> None:
        stream, text = read_text(form.view)
        state = await read_deliberation(form, stream)
        if self.reopens:
            await check_not_carried_out(form.services.gateway, form.key(stream), state)
        command = self.command(command_id=form.cause, at=form.now(), by=form.actor, text=text)
        await form.services.gateway.send(form.key(stream), RULEBOOK, command)


OBJECTING: Final = TextForm(POINT, check_point, point_form, RaisePoint, reopens=True)
ASKING: Final = TextForm(ASK, check_question, ask_form, AskCritic)
