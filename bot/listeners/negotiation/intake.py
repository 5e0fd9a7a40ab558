"""Begins the negotiation of a demand, in whichever way somebody asked."""

import re
from collections.abc import Iterator
from typing import Final

from bot.listeners import intake
from bot.listeners.intake import Begun, begin_once, cause_of_message, check_place, why_not_there
from bot.listeners.interaction import Interaction
from bot.listeners.services import Services
from bot.texts import Texts
from bot.views.negotiation import notices
from engine.errors import Refusal
from engine.kernel import Place, Tenant
from engine.negotiation.commands import SubmitDemand
from engine.negotiation.errors import InvalidDemand
from engine.negotiation.ids import CHANNEL, demand_id
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import Asked

_NO_WORDS: Final = re.compile(r"<[@!][^<>]*>|:[^\s:<>]+:|.\ufe0f|[\u115f\u1160\u3164\uffa0]")
"""What has letters and says nothing: mentions, emoji (Slack writes `:tada:`), and letters that nobody can see."""


async def begin(
    services: Services,
    tenant: Tenant,
    *,
    cause: str,
    by: str,
    text: str,
    place: Place,
    locale: str = "",
    own_votes: bool = False,
    ask_first: tuple[Asked, ...] = (),
    workflow_run: str = "",
) -> Begun:
    """Begin the negotiation of a demand, once for each cause.

    Args:
        by: somebody who may ask.
        place: where it is shown; without a channel, nowhere.
        locale: in which they read, where Slack has not told it.
        own_votes: whether they want people's own votes only.
        ask_first: who is asked before those who are found to fit.
        workflow_run: the run of a workflow's step that asks.
    """
    if not any(each.isalpha() for each in _NO_WORDS.sub("", text)):
        raise InvalidDemand("The demand has no words in it: only mentions, emoji or signs.")
    settings = (await services.settings.directory(tenant)).settings
    check_place(settings, place)
    policy = services.settings.policy(RULEBOOK.protocol, settings)
    time_zone = await services.texts.time_zone(tenant, by)

    def demand(stream: str) -> SubmitDemand:
        return SubmitDemand(
            command_id=cause,
            at=services.now(),
            demand_id=demand_id(stream),
            channel_id=stream,
            requester_id=by,
            raw_input=text,
            policy=policy,
            place=place,
            time_zone=time_zone,
            locale=services.texts.locale(tenant, by) or locale,
            own_votes=own_votes,
            ask_first=ask_first,
            workflow_run=workflow_run,
        )

    return await begin_once(services.gateway, tenant, RULEBOOK, intake.stream_names(tenant, CHANNEL, cause), demand)


def why_not(refusal: Refusal, text: str, texts: Texts) -> str:
    """Say why this demand was not taken."""
    if isinstance(refusal, InvalidDemand):
        return notices.unusable_demand(text, texts)
    return why_not_there(refusal, texts) or notices.refused(refusal, texts)


def stream_names(tenant: Tenant, channel: str, ts: str) -> Iterator[str]:
    """Name the negotiation of a message, the likeliest name first."""
    return intake.stream_names(tenant, CHANNEL, cause_of_message(channel, ts))


async def read_negotiation(interaction: Interaction, stream: str) -> Negotiation:
    """Read it. From now on, somebody whose language nobody knows is answered in the demand's."""
    state = await interaction.services.gateway.read(interaction.key(stream), RULEBOOK)
    interaction.language = state.language
    return state


async def speaks_for(interaction: Interaction, agent_id: str) -> bool:
    """Whether somebody may speak for an unlinked twin: an admin, or the person who saved its profile."""
    entry = (await interaction.directory()).entry(agent_id)
    return entry.may_confirm(interaction.actor, as_admin=await interaction.is_admin())
