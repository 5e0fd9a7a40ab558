"""One handler for everything that people do with a button or its form, from the rows of a protocol's actions."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from slack_bolt.async_app import AsyncApp

from bot.listeners.colleagues import actor_of
from bot.listeners.interaction import Answer, Click, Form, Interaction, Wording, on_click, on_form
from bot.listeners.services import Services
from bot.views.kit import notices
from bot.views.kit.action_form import ActionForm, draw, entered
from bot.views.kit.button_values import ActionButton
from bot.views.kit.modals import read_metadata
from engine.kernel import Action, Command, Rulebook

Read = Callable[[Interaction, str], Awaitable[Any]]
"""Reads the state of a stream."""


@dataclass(frozen=True, slots=True)
class ActionSurface:
    """Where an action meets people in Slack."""

    action: Action[Any]
    form: ActionForm[Any] | None = None
    """None where a click is enough."""
    refused: Wording = notices.refused
    """What is said to somebody who may not, or whose answers cannot be used."""
    name: str = ""
    """Of the button and the form; the action's own without."""
    aim: Callable[[Any, str, ActionButton], ActionButton] | None = None
    """Says what a click is about, from the state and whoever clicked, where the button is for everybody. It may raise
    a `Refusal`."""
    guard: Callable[[Interaction, Any], Awaitable[None]] | None = None
    """Raises a `Refusal` where something besides the stream is against it."""
    instead: Callable[[Form, str], Awaitable[Answer | None]] | None = None
    """Does what somebody has chosen in the form in place of the action, for a stream; None where they chose the
    action."""


def register_actions(
    app: AsyncApp, services: Services, rulebook: Rulebook[Any], read: Read, surfaces: tuple[ActionSurface, ...]
) -> None:
    for each in surfaces:
        _Listener(each, rulebook, read).register(app, services)


@dataclass(frozen=True, slots=True)
class _Listener:
    surface: ActionSurface
    rulebook: Rulebook[Any]
    read: Read

    def register(self, app: AsyncApp, services: Services) -> None:
        surface = self.surface
        name = surface.name or surface.action.name
        on_click(app, services, name, self._clicked, surface.refused)
        if surface.form is not None:
            on_form(app, services, name, self._sent, surface.refused)

    async def _clicked(self, click: Click) -> None:
        surface, button = self.surface, ActionButton.read(click.value)
        state = await self.read(click, button.stream)
        if surface.aim is not None:
            button = surface.aim(state, click.actor, button)
        command = await self._command(click, click.cause, button, {})
        if surface.form is None:
            await click.services.gateway.send(click.key(button.stream), self.rulebook, command)
            return
        surface.action.check_before(state, command)  # where they may not, there is no use in filling in a form
        if surface.guard is not None:
            await surface.guard(click, state)
        texts = await click.texts()
        words = surface.form.words(state, command, texts)
        await click.open(draw(surface.action, click.name, words, button.value(), texts))

    async def _sent(self, form: Form) -> Answer | None:
        surface, button = self.surface, read_metadata(form.view, ActionButton)
        if surface.instead is not None and (answer := await surface.instead(form, button.stream)) is not None:
            return answer
        state = await self.read(form, button.stream)
        if surface.form is not None and surface.form.read is not None:
            said = surface.form.read(state, form.view, form.known_texts())
        else:
            said = entered(surface.action, form.view)
        command = await self._command(form, form.cause, button, said)
        if surface.action.allows(state, command):
            # Slack and the workspace's settings are asked only then; whoever may not is refused by the rules, which
            # put it on record.
            if surface.guard is not None:
                await surface.guard(form, state)
            command = await self._command(form, form.cause, button, await self._people(form, said))
        await form.services.gateway.send(form.key(button.stream), self.rulebook, command)
        return None

    async def _command(self, by: Interaction, cause: str, button: ActionButton, said: Mapping[str, Any]) -> Command:
        as_admin = self.surface.action.may_stand_in and await by.is_admin()
        about = button.about(self.surface.action.about)
        return self.surface.action.command_of(
            {**about, **said}, command_id=cause, at=by.now(), by=by.actor, as_admin=as_admin
        )

    async def _people(self, form: Form, said: Mapping[str, Any]) -> Mapping[str, Any]:
        """Name those who were picked as the engine is told."""
        picked = self.surface.action.people(said)
        return {**said, **{each: await actor_of(form.client, form.tenant, user) for each, user in picked.items()}}
