"""Somebody asks by writing to ToWow: what they need begins a negotiation, and their agenda is told on request."""

import asyncio
from collections.abc import Sequence
from typing import Final

from slack_bolt.async_app import AsyncApp

from bot.listeners.conversation import Conversation, Utterance
from bot.listeners.gateway import PATIENCE
from bot.listeners.intake import Archived, NotHere, place_of
from bot.listeners.interaction import Answer, Form, Interaction, on_click, on_form, on_shortcut, shows, stays_open
from bot.listeners.negotiation.intake import begin, why_not
from bot.listeners.negotiation.invitations import members_of
from bot.listeners.negotiation.volunteering import offers_help
from bot.listeners.services import Services
from bot.listeners.written import groups_by_handle, written
from bot.texts import Texts
from bot.views.directory.buttons import ASK
from bot.views.kit.home_part import COUNTED, MOST
from bot.views.kit.modals import notice
from bot.views.kit.prompts import Prompt
from bot.views.negotiation import notices
from bot.views.negotiation.agenda import agenda
from bot.views.negotiation.demand.demand_form import (
    FROM_MESSAGE,
    NEW,
    WHAT,
    WHERE,
    Origin,
    form_from_message,
    new_form,
    no_form,
    prompts,
    read_demand_form,
)
from engine.errors import Refusal
from engine.kernel import StreamKey, Tenant
from engine.negotiation.errors import InvalidDemand
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation
from engine.projections.inbox import demands_of, open_votes_of

STATUS: Final = frozenset({"status", "my votes", "my demands", "状态", "我的投票", "我的需求"})


async def _take(utterance: Utterance) -> str | None:
    if asks_for_status(utterance.text):
        return await status_of(utterance)
    place = await utterance.place()
    utterance.check_colleague()
    named = await members_of(
        utterance.services, utterance.client, utterance.tenant, utterance.groups, utterance.actor, utterance.texts
    )
    begun = await begin(
        utterance.services,
        utterance.tenant,
        cause=utterance.cause,
        by=utterance.actor,
        text=utterance.text,
        place=place,
        ask_first=named.people,
    )
    return (named.told or None) if begun.is_new else None


def _refused(refusal: Refusal, utterance: Utterance) -> str:
    return why_not(refusal, utterance.text, utterance.texts)


def asks_for_status(text: str) -> bool:
    return text.strip(" \t\n?!.？！。").casefold() in STATUS


async def status_of(utterance: Utterance) -> str:
    """Say where the person can still vote, and how their demands stand."""
    utterance.check_colleague()
    services, tenant, user = utterance.services, utterance.tenant, utterance.actor

    async def read(stream: str) -> Negotiation:
        return await services.gateway.read(StreamKey(tenant, stream), RULEBOOK)

    async with asyncio.timeout(PATIENCE):
        votes = await open_votes_of(services.store, tenant, user)
        demands = await demands_of(services.store, tenant, user, MOST + COUNTED + 1)
        streams = list(dict.fromkeys(each.stream for each in votes))[:MOST]
        return agenda(
            [await read(each) for each in streams],
            [await read(each.stream) for each in demands[:MOST]],
            user,
            max(0, len(demands) - MOST),
            utterance.texts,
        )


async def suggested(services: Services, tenant: Tenant, user: str, texts: Texts) -> Sequence[Prompt]:
    """Suggest what the person may say next."""
    votes = await open_votes_of(services.store, tenant, user)
    demands = await demands_of(services.store, tenant, user, 1)
    return prompts(sum(len(each.agent_ids) for each in votes), bool(demands), texts)


CONVERSATION: Final = Conversation(
    _take,
    _refused,
    notices.usage,
    suggested=suggested,
    aside=offers_help,
    reply=notices.replies_change_nothing,
)
"""Whatever no other protocol claims is a demand."""


def register(app: AsyncApp, services: Services) -> None:
    on_shortcut(app, services, "message_action", FROM_MESSAGE, _point_at)
    on_shortcut(app, services, "shortcut", NEW, _ask_anew)
    on_click(app, services, ASK, _ask_anew)
    for name in (FROM_MESSAGE, NEW):
        on_form(app, services, name, _sent, _refused_shortcuts, _field)


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


def _refused_shortcuts(refusal: Refusal, texts: Texts) -> str:
    return why_not(refusal, "", texts)


def _field(form: Form, error: Exception) -> str:
    is_about_place = isinstance(error, NotHere | Archived) and not read_demand_form(form.view).thread
    return WHERE if is_about_place else WHAT
