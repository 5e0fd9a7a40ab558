"""Somebody says what of their limits holds: as data, in words, or not at all. Rights are checked at each step."""

from slack_bolt.async_app import AsyncApp

from bot.listeners.directory.directory_actions import send, show_held
from bot.listeners.interaction import Answer, Click, Form, Interaction, beside, on_click, on_form, shows
from bot.listeners.services import Services
from bot.views.directory import notices
from bot.views.directory.buttons import HELD, HOLDS, LIMIT, LimitButton, Twin
from bot.views.directory.held import held_modal
from bot.views.directory.limit_form import (
    AS_DATA,
    HOW,
    limit_form,
    opened_form,
    other_kind,
    read_limit,
    read_opened_limit,
)
from engine.directory.messages import ConfirmLimit
from engine.directory.profile import HeldLimit, Profile
from engine.errors import NotAllowed, Outdated, UnknownAgent


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, HELD, _show, notices.refused)
    on_click(app, services, HOLDS, _confirm, notices.refused)
    on_click(app, services, LIMIT, _open, notices.refused)
    on_form(app, services, LIMIT, _say, notices.refused, beside(HOW))


async def _show(click: Click) -> None:
    agent_id, texts = Twin.read(click.value).agent_id, await click.texts()
    profile = await _own_profile(click, agent_id)
    await click.open_above(held_modal(agent_id, profile, texts))


async def _confirm(click: Click) -> None:
    """Take a yes to what the button showed, whatever was read meanwhile."""
    seen = LimitButton.read(click.value)
    await click.texts()
    command = ConfirmLimit(
        command_id=click.cause,
        at=click.now(),
        by=click.actor,
        as_admin=await click.is_admin(),
        agent_id=seen.agent_id,
        key=seen.key,
        state="on",
        data=seen.data,
        scope=seen.scope,
    )
    await send(click, command)
    show_held(click, seen.agent_id)


async def _open(click: Click) -> None:
    seen, texts = LimitButton.read(click.value), await click.texts()
    limit = _limit(await _own_profile(click, seen.agent_id), seen.key)
    view = limit_form(opened_form(seen.agent_id, limit), limit, texts)
    await click.open_above(view)


async def _say(form: Form) -> Answer | None:
    opened, texts = read_opened_limit(form.view), form.known_texts()
    if (goes_on := other_kind(form.view, opened)) is not None:
        limit = _limit(await _own_profile(form, opened.agent_id), opened.key)
        return shows(limit_form(goes_on, limit, texts, how=AS_DATA))
    said = read_limit(form.view, opened, texts)
    command = ConfirmLimit(
        command_id=form.cause,
        at=form.now(),
        by=form.actor,
        as_admin=await form.is_admin(),
        agent_id=opened.agent_id,
        key=opened.key,
        state=said.state,
        data=said.data,
        scope=said.scope,
    )
    await send(form, command)
    show_held(form, opened.agent_id)
    return None


async def _own_profile(interaction: Interaction, agent_id: str) -> Profile:
    """Return the profile whose limits whoever acts may confirm."""
    interaction.check_colleague()
    entry = (await interaction.directory()).entry(agent_id)
    if entry.profile is None:
        raise UnknownAgent(f"There is no profile {agent_id} here.")
    if not entry.may_confirm(interaction.actor, as_admin=await interaction.is_admin()):
        raise NotAllowed("Only the person themself says what they hold to; of a twin that is nobody's, an admin.")
    return entry.profile


def _limit(profile: Profile, key: str) -> HeldLimit:
    known = {each.key: each for each in profile.stated_limits}
    if key not in known:
        raise Outdated("These words are not in the profile any more; open it again.")
    return known[key]
