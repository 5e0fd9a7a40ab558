"""Somebody looks after a twin: their own, or, as an admin, anybody's."""

from collections.abc import Mapping
from typing import Any, Final

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.actor import hand_of_click
from bot.listeners.directory.directory_actions import (
    TROUBLES,
    check_colleagues,
    handed_in,
    in_words,
    show_instead,
    show_person,
    still_open,
)
from bot.listeners.gateway import Desk, cause_of_click, cause_of_form, spot_of_click, tenant_of
from bot.listeners.negotiation.intake import check_hand
from bot.texts import Texts
from bot.views.directory import buttons
from bot.views.directory.buttons import DISABLE, ENABLE, LIMITS, MAKE, PAUSE, PROFILE, RESET, RESUME, read_twin
from bot.views.directory.limits_form import NEVER, limits_form, read_limits
from bot.views.directory.profile_form import (
    NAME,
    PREFIX,
    Opened,
    Unusable,
    profile_form,
    read_opened,
    read_profile,
)
from bot.views.kit.notice import notice
from bot.views.negotiation import notices
from engine.directory.messages import DisableProfile, PauseTwin, PersonsCommand, ResetProfile, SaveProfile
from engine.directory.profile import Profile
from engine.directory.rules import check_profile
from engine.errors import NotAllowed, Refusal, StoreError

FORMS: Final = (PROFILE, LIMITS)
TOGGLES: Final = (PAUSE, RESUME, DISABLE, ENABLE, RESET)


def register(app: AsyncApp, desk: Desk) -> None:
    @app.action(MAKE)
    async def making(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        """A twin of one's own: whoever makes it has agreed to have one."""
        tenant, user = tenant_of(context), body["user"]["id"]
        hand = hand_of_click(body, tenant)
        words = await desk.words(client, tenant, user, "")
        try:
            check_hand(context, hand)
        except NotAllowed as refusal:
            desk.tell(client, spot_of_click(body), in_words(refusal, words))
        else:
            agent_id = own_agent_id(hand)
            entry = (await desk.directory(tenant)).entry(agent_id)
            opened = Opened(agent_id=agent_id, revision=entry.revision, for_user=hand)
            name = str(body["user"].get("name") or "")
            await client.views_open(trigger_id=body["trigger_id"], view=profile_form(opened, None, words, name=name))
        await ack()

    async def editing(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        action, tenant, user = body["actions"][0], tenant_of(context), body["user"]["id"]
        agent_id, hand = read_twin(action["value"]).agent_id, hand_of_click(body, tenant)
        words = await desk.words(client, tenant, user, "")
        directory = await desk.directory(tenant)
        as_admin = desk.house.is_admin(directory, hand)
        try:
            entry = check_profile(directory, hand, agent_id, as_admin=as_admin)
        except Refusal as refusal:
            desk.tell(client, spot_of_click(body), in_words(refusal, words))
        else:
            assert entry.profile is not None  # noqa: S101 - checked
            opened = Opened(agent_id=agent_id, revision=entry.revision, for_user=entry.profile.slack_user)
            view = (
                profile_form(opened, entry.profile, words, by_admin=as_admin)
                if action["action_id"] == PROFILE
                else limits_form(opened, entry.profile, words)
            )
            show = client.views_push if is_in_modal(body) else client.views_open
            await show(trigger_id=body["trigger_id"], view=view)
        await ack()

    async def saved(
        ack: AsyncAck, body: dict[str, Any], view: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient
    ) -> None:
        tenant, user = tenant_of(context), body["user"]["id"]
        hand, opened = hand_of_click(body, tenant), read_opened(view)
        words = desk.known_words(tenant, user, "")
        is_profile = view["callback_id"] == PROFILE
        try:
            directory = await desk.directory(tenant)
            before = directory.entry(opened.agent_id).profile
            read = read_profile if is_profile else _with_limits
            profile = read(view, opened, before, words)
            if profile.slack_user not in (None, hand, before and before.slack_user):
                await check_colleagues(client, tenant, [str(profile.slack_user)])
            command = SaveProfile(
                command_id=cause_of_form(view),
                at=desk.now(),
                by=hand,
                as_admin=desk.house.is_admin(directory, hand),
                agent_id=profile.agent_id,
                profile=profile,
                revision=opened.revision,
            )
            await handed_in(desk, context, hand, tenant, command)
        except Unusable as unusable:
            await ack(response_action="errors", errors=unusable.errors)
        except Refusal as refusal:
            await ack(response_action="errors", errors={NAME if is_profile else NEVER: in_words(refusal, words)})
        except (StoreError, *TROUBLES) as error:
            await still_open(ack, NAME if is_profile else NEVER, error, words)
        else:
            await ack()
            desk.later(show_person(desk, client, tenant, body, profile.agent_id, words))

    async def toggled(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        action, tenant, user = body["actions"][0], tenant_of(context), body["user"]["id"]
        agent_id, hand = read_twin(action["value"]).agent_id, hand_of_click(body, tenant)
        words = await desk.words(client, tenant, user, "")
        as_admin = await desk.is_admin(tenant, hand)
        command = _toggle(
            action["action_id"],
            command_id=cause_of_click(body),
            at=desk.now(),
            by=hand,
            as_admin=as_admin,
            agent_id=agent_id,
        )
        try:
            await handed_in(desk, context, hand, tenant, command)
        except Refusal as refusal:
            desk.tell(client, spot_of_click(body), in_words(refusal, words))
            await ack()
        else:
            await ack()
            if action["action_id"] in (PAUSE, RESUME) and is_in_modal(body):
                said = notices.twin_paused(words) if action["action_id"] == PAUSE else notices.twin_resumed(words)
                desk.later(show_instead(client, body["view"]["id"], notice(said)))
            else:
                desk.later(show_person(desk, client, tenant, body, agent_id, words))

    for name in FORMS:
        app.action(name)(editing)
        app.view(name)(saved)
    for name in TOGGLES:
        app.action(name)(toggled)


def own_agent_id(user: str) -> str:
    return PREFIX + user.lower()


def is_in_modal(body: Mapping[str, Any]) -> bool:
    return (body.get("view") or {}).get("type") == "modal"


def _with_limits(view: Mapping[str, Any], _: Opened, before: Profile | None, words: Texts) -> Profile:
    """
    Raises:
        Unusable
        NotAllowed: there is no profile any more that could have limits.
    """
    if before is None:
        raise NotAllowed("This profile was removed meanwhile.")
    return before.model_copy(update={"limits": read_limits(view, before.limits, words)})


def _toggle(action: str, **about: Any) -> PersonsCommand:
    match action:
        case buttons.PAUSE | buttons.RESUME:
            return PauseTwin(**about, paused=action == buttons.PAUSE)
        case buttons.DISABLE | buttons.ENABLE:
            return DisableProfile(**about, disabled=action == buttons.DISABLE)
        case _:
            return ResetProfile(**about)
