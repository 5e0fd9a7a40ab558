"""An admin says what holds in the workspace, finds somebody, or brings a profile in."""

import asyncio
from pathlib import Path
from typing import Any, Final

from slack_bolt.async_app import AsyncApp

from bot.listeners.directory.directory_actions import check_colleagues, send
from bot.listeners.interaction import Answer, Click, Form, Interaction, beside, errors, on_click, on_form, shows
from bot.listeners.services import Services
from bot.texts import Texts
from bot.views.directory import buttons, notices
from bot.views.directory.admins import SHEET, WHO, find_form, import_form, person_card
from bot.views.directory.buttons import ADD, IMPORT, PEOPLE, SETTINGS
from bot.views.directory.profile_form import OpenedProfileForm, profile_form
from bot.views.directory.settings_form import ADMINS, read_settings, settings_form
from bot.views.kit.fields import entered_text, picked_option
from engine.directory.errors import InvalidProfile
from engine.directory.messages import ChangeSettings, SaveProfile
from engine.directory.state import Directory
from engine.errors import NotAllowed
from engine.files.profiles import read_profile
from engine.files.yaml_locations import InvalidFile

OPENING: Final = (SETTINGS, PEOPLE, ADD, IMPORT)
SHEET_NAME: Final = Path("profile.yaml")
"""What was pasted into a form has no name of its own."""
MOST_FAULTS: Final = 8
"""That are told at once."""


def register(app: AsyncApp, services: Services) -> None:
    for name in OPENING:
        on_click(app, services, name, _open, notices.refused)
    on_form(app, services, SETTINGS, _set, notices.refused)
    on_form(app, services, PEOPLE, _find, notices.refused, beside(WHO))
    on_form(app, services, IMPORT, _import, notices.refused, beside(SHEET))


async def _open(click: Click) -> None:
    texts = await click.texts()
    await _check_admin(click)
    await click.open(_form(click.name, click.services, await click.directory(), texts))


async def _set(form: Form) -> Answer | None:
    revision, settings = read_settings(form.view, form.services.settings.parts.values(), form.known_texts())
    as_admin = await form.is_admin()
    if as_admin:
        known = (await form.directory()).settings.admins
        try:
            await check_colleagues(form.client, form.tenant, sorted({*settings.admins} - {*known}))
        except InvalidProfile:
            return errors({ADMINS: notices.no_colleague(form.known_texts())})
    command = ChangeSettings(
        command_id=form.cause,
        at=form.now(),
        by=form.actor,
        as_admin=as_admin,
        settings=settings,
        revision=revision,
        always_admins=bool(await form.services.settings.always_admins(form.tenant)),
    )
    await send(form, command)
    return None


async def _find(form: Form) -> Answer:
    agent_id, texts = picked_option(form.values, WHO) or "", form.known_texts()
    await _check_admin(form)
    entry = (await form.directory()).entry(agent_id)
    if entry.profile is None:
        return errors({WHO: notices.nobody_there(texts)})
    return shows(person_card(agent_id, entry, texts))


async def _import(form: Form) -> Answer:
    texts = form.known_texts()
    try:
        # In a thread: reading YAML is slow, and everybody else would wait.
        profile = await asyncio.to_thread(read_profile, SHEET_NAME, entered_text(form.values, SHEET))
    except InvalidFile as unreadable:
        faults = "\n".join(f"{each.position.line}: {each.message}" for each in unreadable.faults[:MOST_FAULTS])
        return errors({SHEET: notices.unreadable_profile(faults, texts)})
    as_admin = await form.is_admin()
    if profile.slack_user is not None and as_admin:
        await check_colleagues(form.client, form.tenant, [profile.slack_user])
    command = SaveProfile(
        command_id=form.cause,
        at=form.now(),
        by=form.actor,
        as_admin=as_admin,
        agent_id=profile.agent_id,
        profile=profile,
        revision=(await form.directory()).entry(profile.agent_id).revision,
    )
    await send(form, command)
    return shows(person_card(profile.agent_id, (await form.directory()).entry(profile.agent_id), texts))


async def _check_admin(interaction: Interaction) -> None:
    """Check that whoever acts is an admin."""
    if not await interaction.is_admin():
        raise NotAllowed("Only an admin can do that.")


def _form(action: str, services: Services, directory: Directory, texts: Texts) -> dict[str, Any]:
    match action:
        case buttons.SETTINGS:
            settings = services.settings
            parts = [(part, settings.default_policy(protocol)) for protocol, part in settings.parts.items()]
            return settings_form(directory.settings_revision, directory.settings, parts, texts)
        case buttons.PEOPLE:
            return find_form(directory.people, texts)
        case buttons.ADD:
            return profile_form(OpenedProfileForm(), None, texts, by_admin=True)
        case _:
            return import_form(texts)
