"""Somebody looks after a twin: their own, or, as an admin, anybody's."""

from collections.abc import Mapping
from typing import Any, Final

from slack_bolt.async_app import AsyncApp

from bot.listeners.directory.directory_actions import check_colleagues, send, show_instead, show_person
from bot.listeners.interaction import Click, Form, on_click, on_form
from bot.listeners.services import Services
from bot.texts import Texts
from bot.views.directory import buttons, notices
from bot.views.directory.buttons import (
    DISABLE,
    ENABLE,
    LIMITS,
    MAKE,
    PAUSE,
    PREPARES,
    PROFILE,
    RESET,
    RESUME,
    VOTES,
    Twin,
)
from bot.views.directory.limit_form import NEVER, limits_form, read_limits
from bot.views.directory.profile_form import NAME, PREFIX, OpenedProfileForm, profile_form, read_opened, read_profile
from bot.views.kit.modals import notice
from engine.directory.messages import ChooseReach, DisableProfile, PauseTwin, PersonsCommand, ResetProfile, SaveProfile
from engine.directory.profile import Profile
from engine.directory.rules import check_profile
from engine.errors import NotAllowed

FORMS: Final = (PROFILE, LIMITS)
SWITCHES: Final = (PAUSE, RESUME, PREPARES, VOTES, DISABLE, ENABLE, RESET)


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, MAKE, _make, notices.refused)
    for name in FORMS:
        on_click(app, services, name, _edit, notices.refused)
        on_form(app, services, name, _save, notices.refused, _field)
    for name in SWITCHES:
        on_click(app, services, name, _switch, notices.refused)


async def _make(click: Click) -> None:
    """Open the form for a twin of one's own: whoever makes it has agreed to have one."""
    texts = await click.texts()
    click.check_colleague()
    agent_id = own_agent_id(click.actor)
    entry = (await click.directory()).entry(agent_id)
    opened = OpenedProfileForm(agent_id=agent_id, revision=entry.revision, for_user=click.actor)
    await click.open(profile_form(opened, None, texts, name=str(click.body["user"].get("name") or "")))


async def _edit(click: Click) -> None:
    agent_id, texts = Twin.read(click.value).agent_id, await click.texts()
    as_admin = await click.is_admin()
    entry = check_profile(await click.directory(), click.actor, agent_id, as_admin=as_admin)
    assert entry.profile is not None  # noqa: S101 - checked
    opened = OpenedProfileForm(agent_id=agent_id, revision=entry.revision, for_user=entry.profile.slack_user)
    of_another = entry.profile.slack_user not in (None, "", click.actor)
    view = (
        profile_form(opened, entry.profile, texts, by_admin=as_admin, of_another=of_another)
        if click.name == PROFILE
        else limits_form(opened, entry.profile, texts)
    )
    await click.open_above(view)


async def _save(form: Form) -> None:
    opened, actor = read_opened(form.view), form.actor
    before = (await form.directory()).entry(opened.agent_id).profile
    read = read_profile if form.name == PROFILE else _with_limits
    profile = read(form.view, opened, before, form.known_texts())
    if profile.slack_user not in (None, actor, before and before.slack_user):
        await check_colleagues(form.client, form.tenant, [str(profile.slack_user)])
    command = SaveProfile(
        command_id=form.cause,
        at=form.now(),
        by=actor,
        as_admin=await form.is_admin(),
        agent_id=profile.agent_id,
        profile=profile,
        revision=opened.revision,
    )
    await send(form, command)
    show_person(form, profile.agent_id)


async def _switch(click: Click) -> None:
    """Pause, disable or reset a twin, or let it only prepare its votes; or undo it."""
    agent_id, texts = Twin.read(click.value).agent_id, await click.texts()
    command = _command(
        click.name,
        command_id=click.cause,
        at=click.now(),
        by=click.actor,
        as_admin=await click.is_admin(),
        agent_id=agent_id,
    )
    await send(click, command)
    if click.name in (PAUSE, RESUME) and click.is_in_modal:
        sentence = notices.twin_paused(texts) if click.name == PAUSE else notices.twin_resumed(texts)
        show_instead(click, click.body["view"]["id"], notice(sentence))
    else:
        show_person(click, agent_id)


def own_agent_id(user: str) -> str:
    return PREFIX + user.lower()


def _field(form: Form, _: Exception) -> str:
    return NAME if form.name == PROFILE else NEVER


def _with_limits(view: Mapping[str, Any], _: OpenedProfileForm, before: Profile | None, texts: Texts) -> Profile:
    """Return the profile with the limits that the form has."""
    if before is None:
        raise NotAllowed("This profile was removed meanwhile.")
    return before.model_copy(update={"limits": read_limits(view, before.limits, texts)})


def _command(action: str, **about: Any) -> PersonsCommand:
    match action:
        case buttons.PAUSE | buttons.RESUME:
            return PauseTwin(**about, paused=action == buttons.PAUSE)
        case buttons.PREPARES | buttons.VOTES:
            return ChooseReach(**about, twin="prepares" if action == buttons.PREPARES else "votes")
        case buttons.DISABLE | buttons.ENABLE:
            return DisableProfile(**about, disabled=action == buttons.DISABLE)
        case _:
            return ResetProfile(**about)
