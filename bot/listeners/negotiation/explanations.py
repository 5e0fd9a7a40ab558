"""Somebody wants to know why they were asked, why a plan is as it is, or what a version of it changed.

Nothing is decided here, and nothing changes.
"""

import logging
from collections.abc import Sequence

from slack_bolt.async_app import AsyncApp

from bot.listeners.interaction import Click, on_click
from bot.listeners.negotiation.intake import read_negotiation
from bot.listeners.services import Services
from bot.posts.slack_calls import Clients
from bot.texts import Texts
from bot.views.kit.button_values import StreamButton
from bot.views.negotiation import notices
from bot.views.negotiation.agreement.decision_record import why_this_plan
from bot.views.negotiation.button_values import COMPARE, OTHER_TIMES, WHY, WHY_PLAN, SeatButton, VersionsButton
from bot.views.negotiation.demand.why_asked import why_asked
from bot.views.negotiation.names import with_marks
from bot.views.negotiation.plan.plan import versions_beside_each_other
from bot.views.negotiation.plan.times import times_modal
from bot.workspace_settings import directory_key
from engine.directory.messages import ReadProfiles
from engine.directory.rules import RULEBOOK
from engine.errors import EngineError, IllegalStep, NotAllowed, Refusal
from engine.kernel import Event, StreamKey
from engine.llm.ledger_days import spent_on
from engine.llm.port import OFFLINE
from engine.llm.spending import Spending
from engine.negotiation.events import DemandBroadcast, FilterCompleted, SubstituteInvited
from engine.negotiation.secrecy import in_public
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import Asked
from engine.runtime.runtime import Listener
from engine.store.port import Store


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, WHY, _tell_why_asked, _why_asked_refused)
    on_click(app, services, WHY_PLAN, _tell_why_plan, notices.refused)
    on_click(app, services, COMPARE, _show_versions, notices.refused)
    on_click(app, services, OTHER_TIMES, _show_times, notices.refused)


async def _tell_why_asked(click: Click) -> None:
    button = SeatButton.read(click.value)
    state = await read_negotiation(click, button.stream)
    asked = _seat_asked(state, click.actor, button.agent_id)
    own = (await click.directory()).of_user(click.user)
    may_pause = own is not None and own[0] == asked.agent_id and not own[1].is_paused
    await click.open(why_asked(state, asked, await click.texts(), may_pause=may_pause))


def _why_asked_refused(refusal: Refusal, texts: Texts) -> str:
    return notices.not_for_you(texts) if isinstance(refusal, NotAllowed) else notices.refused(refusal, texts)


def _seat_asked(state: Negotiation, actor: str, agent_id: str) -> Asked:
    """Return the seat that somebody asks about, once they may know why it was asked."""
    asked = state.invited.get(agent_id)
    if asked is None or not asked.user_id or actor not in state.actors_for(agent_id):
        raise NotAllowed("Why somebody was asked is for them alone, and for whom they let decide for them.")
    return asked


async def _tell_why_plan(click: Click) -> None:
    state = await read_negotiation(click, StreamButton.read(click.value).stream)
    spent = None
    if state.is_owned_by(click.actor, as_admin=await click.is_admin()):
        spent = await _spent(click.services.store, click.key(state.channel_id))
    await click.open(why_this_plan(state, await click.texts(), spent))


async def _spent(store: Store, key: StreamKey) -> Spending:
    """Return what the models have cost since its first event."""
    stored = await store.load(key)
    began = stored.events[0].at if stored else 0
    return await spent_on(store, key.tenant, key.stream, began)


async def _show_versions(click: Click) -> None:
    button = VersionsButton.read(click.value)
    state = await read_negotiation(click, button.stream)
    texts = await click.texts()
    try:
        view = versions_beside_each_other(in_public(with_marks(state, texts)), button.version, texts)
    except LookupError as error:
        raise IllegalStep(str(error)) from error
    await click.open(view)


async def _show_times(click: Click) -> None:
    button = VersionsButton.read(click.value)
    state = await read_negotiation(click, button.stream)
    own = [each.agent_id for each in state.seats_of(click.actor)]
    texts = await click.texts()
    try:
        view = times_modal(with_marks(state, texts), button.version, texts, reader=click.actor, own=own)
    except LookupError as error:
        raise IllegalStep(str(error)) from error
    await click.open(view)


log = logging.getLogger(__name__)


def heard(services: Services, _: Clients) -> Listener:
    """Return who has the limits of everybody read whose twin is asked."""

    def listen(key: StreamKey, events: Sequence[Event]) -> None:
        asked = tuple(dict.fromkeys(agent_id for each in events for agent_id in _asked_by(each)))
        if asked:
            found = [each.model for each in events if isinstance(each, FilterCompleted)]
            with_model = any(each not in ("", OFFLINE) for each in found)
            services.background.spawn(read_limits(services, key, asked, with_model=with_model))

    return listen


async def read_limits(services: Services, key: StreamKey, agent_ids: Sequence[str], *, with_model: bool) -> None:
    """
    Args:
        with_model: whether a model answers here, and no rules.
    """
    try:
        directory = await services.settings.directory(key.tenant)
        new = directory.to_read(agent_ids, with_model=with_model)
        if not new:
            return
        at = services.now()
        command = ReadProfiles(command_id=f"read:{key.stream}:{at}", at=at, agent_ids=new, with_model=with_model)
        await services.gateway.begin(directory_key(key.tenant), RULEBOOK, command, is_admitted=True)
    except (EngineError, TimeoutError) as error:
        log.warning("the limits of those who are asked in %s are not read yet: %s", key.stream, error)


def _asked_by(event: Event) -> tuple[str, ...]:
    match event:
        case DemandBroadcast():
            return event.recipients
        case SubstituteInvited():
            return (event.agent_id,)
        case _:
            return ()
