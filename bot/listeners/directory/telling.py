"""Somebody tells their twin something for good: with a form of its own, or in one in which they overrule it."""

from slack_bolt.async_app import AsyncApp

from bot.listeners.directory.directory_actions import send, show_person
from bot.listeners.interaction import Click, Form, Interaction, beside, on_click, on_form
from bot.listeners.services import Services
from bot.views.directory import notices
from bot.views.directory.buttons import RATE, TELL, Rating, Twin
from bot.views.directory.telling_form import LINE, read_told, read_told_twin, telling_form
from bot.views.kit.fields import InvalidForm
from engine.directory.errors import InvalidProfile
from engine.directory.messages import TellTwin
from engine.directory.profile import Profile
from engine.directory.rules import check_profile, check_told


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, TELL, _open, notices.refused)
    on_click(app, services, RATE, _rate, notices.refused)
    on_form(app, services, TELL, _tell, notices.refused, beside(LINE))


async def own_twin(interaction: Interaction) -> Profile | None:
    """Return the profile of whoever did this; None where they have no twin."""
    own = (await interaction.directory()).of_user(interaction.actor)
    return own[1].profile if own else None


async def check_room(form: Form) -> None:
    """Check, before a form does anything, that the twin of whoever sent it can keep what it says for good."""
    twin = await own_twin(form) if read_told(form.view) else None
    if twin is not None:
        _check_told(form, twin)


async def tell_own_twin(form: Form) -> None:
    """Tell the twin of whoever sent a form what it says for good, if it says anything."""
    line = read_told(form.view)
    twin = await own_twin(form) if line else None
    if twin is not None:
        cause = f"{form.cause}:told"
        await send(form, TellTwin(command_id=cause, at=form.now(), by=form.actor, agent_id=twin.agent_id, line=line))


async def _open(click: Click) -> None:
    await _open_form(click, Twin.read(click.value).agent_id)


async def _rate(click: Click) -> None:
    """Open the form where an answer does not suit the twin's person. That one does changes nothing, and is not kept."""
    rating = Rating.read(click.value)
    if not rating.suits:
        await _open_form(click, rating.agent_id)
        return
    texts = await click.texts()
    check_profile(await click.directory(), click.actor, rating.agent_id, as_admin=False)
    click.tell(notices.twin_suits(texts))


async def _open_form(click: Click, agent_id: str) -> None:
    texts = await click.texts()
    check_profile(await click.directory(), click.actor, agent_id, as_admin=False)
    await click.open_above(telling_form(agent_id, texts))


async def _tell(form: Form) -> None:
    agent_id = read_told_twin(form.view)
    entry = check_profile(await form.directory(), form.actor, agent_id, as_admin=False)
    assert entry.profile is not None  # noqa: S101 - checked
    _check_told(form, entry.profile)
    command = TellTwin(
        command_id=form.cause, at=form.now(), by=form.actor, agent_id=agent_id, line=read_told(form.view)
    )
    await send(form, command)
    show_person(form, agent_id)


def _check_told(form: Form, twin: Profile) -> None:
    try:
        check_told(twin, read_told(form.view))
    except InvalidProfile as error:
        raise InvalidForm({LINE: notices.no_room_to_tell(form.known_texts())}) from error
