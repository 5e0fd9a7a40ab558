"""Somebody asks with a form: about a message that stands there already, or from wherever they are."""

from slack_bolt.async_app import AsyncApp

from bot.listeners.intake import Archived, NotHere, place_of
from bot.listeners.interaction import Answer, Form, Interaction, on_click, on_form, on_shortcut, shows, stays_open
from bot.listeners.negotiation.intake import begin, why_not
from bot.listeners.negotiation.invitations import members_of
from bot.listeners.services import Services
from bot.listeners.written import groups_by_handle, written
from bot.texts import Texts
from bot.views.directory.buttons import ASK
from bot.views.kit.modals import notice
from bot.views.negotiation import notices
from bot.views.negotiation.demand.demand_form import (
    FROM_MESSAGE,
    NEW,
    WHAT,
    WHERE,
    Origin,
    form_from_message,
    new_form,
    no_form,
    read_demand_form,
)
from engine.errors import Refusal
from engine.negotiation.errors import InvalidDemand


def register(app: AsyncApp, services: Services) -> None:
    on_shortcut(app, services, "message_action", FROM_MESSAGE, _point_at)
    on_shortcut(app, services, "shortcut", NEW, _ask_anew)
    on_click(app, services, ASK, _ask_anew)
    for name in (FROM_MESSAGE, NEW):
        on_form(app, services, name, _sent, _refused, _field)


async def _point_at(shortcut: Interaction) -> None:
    """Open the form for a demand that a message says already."""
    message = shortcut.body["message"]
    texts = await shortcut.texts()
    try:
        shortcut.check_colleague()
    except Refusal as refusal:
        await shortcut.open(no_form(why_not(refusal, "", texts), texts))
    else:
        services, own_name = shortcut.services, shortcut.context.bot_user_id
        text = (await written(services, shortcut.client, shortcut.tenant, message, texts, own_name)).text
        thread, channel = message.get("thread_ts") or message["ts"], shortcut.body["channel"]["id"]
        origin = Origin(channel=channel, thread=thread, message=message["ts"])
        await shortcut.open(form_from_message(origin, text, texts))


async def _ask_anew(interaction: Interaction) -> None:
    """Open the form for a demand that begins nowhere yet."""
    texts = await interaction.texts()
    try:
        interaction.check_colleague()
    except Refusal as refusal:
        await interaction.open(no_form(why_not(refusal, "", texts), texts))
    else:
        await interaction.open(new_form(texts))


async def _sent(form: Form) -> Answer | None:
    sent = read_demand_form(form.view)
    form.check_colleague()  # before anything is said of a channel
    chosen_by = "" if sent.thread else form.actor
    place = await place_of(form.client, sent.channel, thread=sent.thread, message=sent.message, chosen_by=chosen_by)
    groups = await groups_by_handle(form.client, sent.text)
    named = await members_of(form.services, form.client, form.tenant, groups, form.actor, await form.texts())
    try:
        begun = await begin(
            form.services,
            form.tenant,
            cause=form.cause,
            by=form.actor,
            text=sent.text,
            place=place,
            own_votes=sent.own_votes,
            ask_first=named.people,
        )
    except InvalidDemand:
        return stays_open(WHAT, notices.unusable_demand(sent.text, await form.texts()))
    return shows(notice(named.told)) if named.told and begun.is_new else None


def _refused(refusal: Refusal, texts: Texts) -> str:
    return why_not(refusal, "", texts)


def _field(form: Form, error: Exception) -> str:
    is_about_place = isinstance(error, NotHere | Archived) and not read_demand_form(form.view).thread
    return WHERE if is_about_place else WHAT
