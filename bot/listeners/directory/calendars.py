"""Somebody gives their calendar, or has it forgotten."""

import logging
from collections.abc import Awaitable, Callable

from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot.calendars.addresses import NoAddress
from bot.calendars.keeper import Calendars, Failing
from bot.listeners.interaction import Click, Form, on_click, on_form
from bot.listeners.private_messages import write_to
from bot.listeners.services import Services
from bot.posts.failures import CallFailed
from bot.slack.files import not_fetched
from bot.views.directory import notices
from bot.views.directory.buttons import CALENDAR, FORGET_CALENDAR
from bot.views.directory.calendar_form import ADDRESS, calendar_form, no_address, not_read, read_calendar
from bot.views.kit.fields import InvalidForm
from engine.errors import StoreError
from engine.kernel import Tenant
from engine.times.busy import UnreadableCalendar
from engine.workers.port import FileRefused

log = logging.getLogger(__name__)


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, CALENDAR, _open, notices.refused)
    on_click(app, services, FORGET_CALENDAR, _forget, notices.refused)
    on_form(app, services, CALENDAR, _give, notices.refused)


async def _open(click: Click) -> None:
    texts = await click.texts()
    click.check_colleague()
    calendars = click.services.calendars
    if calendars is not None:
        await click.open(calendar_form(texts, takes_addresses=calendars.takes_addresses))


async def _forget(click: Click) -> None:
    if click.services.calendars is not None:
        await click.services.calendars.forget(click.tenant, click.actor)


async def _give(form: Form) -> None:
    form.check_colleague()
    calendars, texts = form.services.calendars, form.known_texts()
    given = read_calendar(form.view, texts)
    if calendars is None:
        return
    if given.file:
        form.services.background.spawn(_read_file(form, calendars, given.file))
        return
    try:
        await calendars.give_address(form.tenant, form.actor, given.address)
    except NoAddress:
        raise InvalidForm({ADDRESS: no_address(texts)}) from None
    form.services.background.spawn(_read_address(form, calendars))


async def _read_address(form: Form, calendars: Calendars) -> None:
    try:
        await calendars.read(form.tenant, form.actor)
    except (StoreError, OSError) as error:
        log.warning("the calendar of %s is read later: %s", form.actor, error)


async def _read_file(form: Form, calendars: Calendars, file_id: str) -> None:
    """Read a file that was given; what becomes of it is in their Home, or they are told why nothing does."""
    texts = await form.texts()
    try:
        await calendars.give_file(form.tenant, form.actor, await calendars.file_of(form.tenant, file_id))
    except UnreadableCalendar as error:
        await write_to(form.services, form.client, form.user, not_read(error.reason, error.about, texts))
    except FileRefused:
        await write_to(form.services, form.client, form.user, not_fetched(texts))
    except (StoreError, OSError) as error:
        log.warning("the calendar of %s was not kept: %s", form.actor, error)
        await write_to(form.services, form.client, form.user, not_read("", "", texts))


def telling_of_failures(services: Services, client: Callable[[Tenant], Awaitable[AsyncWebClient]]) -> Failing:
    """Return what tells a calendar's owner that it cannot be read."""

    async def tell(tenant: Tenant, user: str, why: str, about: str) -> None:
        texts = services.texts.known(tenant, user)
        try:
            slack = await client(tenant)
        except CallFailed as error:
            log.warning("%s could not be told that their calendar cannot be read: %s", user, error.why)
            return
        await write_to(services, slack, user, not_read(why, about, texts))

    return tell
