"""Somebody looks after a twin: their own, or, as an admin, anybody's."""

from collections.abc import Mapping
from typing import Any, Final

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.actor import actor_of_click
from bot.listeners.directory.directory_actions import (
    TROUBLES,
    check_colleagues,
    in_texts,
    sent_by_person,
    show_instead,
    show_person,
    still_open,
)
from bot.listeners.gateway import CommandGateway, cause_of_click, cause_of_form, spot_of_click, tenant_of
from bot.listeners.negotiation.intake import check_actor
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


def register(app: AsyncApp, gateway: CommandGateway) -> None:
    @app.action(MAKE)
    async def making(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        """A twin of one's own: whoever makes it has agreed to have one."""
        tenant, user = tenant_of(context), body["user"]["id"]
        actor = actor_of_click(body, tenant)
        texts = await gateway.texts(client, tenant, user, "")
        try:
            check_actor(context, actor)
        except NotAllowed as refusal:
            gateway.tell(client, spot_of_click(body), in_texts(refusal, texts))
        else:
            agent_id = own_agent_id(actor)
            entry = (await gateway.directory(tenant)).entry(agent_id)
            opened = Opened(agent_id=agent_id, revision=entry.revision, for_user=actor)
            name = str(body["user"].get("name") or "")
            await client.views_open(trigger_id=body["trigger_id"], view=profile_form(opened, None, texts, name=name))
        await ack()

    async def editing(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        action, tenant, user = body["actions"][0], tenant_of(context), body["user"]["id"]
        agent_id, actor = read_twin(action["value"]).agent_id, actor_of_click(body, tenant)
        texts = await gateway.texts(client, tenant, user, "")
        directory = await gateway.directory(tenant)
        as_admin = gateway.settings.is_admin(directory, actor)
        try:
            entry = check_profile(directory, actor, agent_id, as_admin=as_admin)
        except Refusal as refusal:
            gateway.tell(client, spot_of_click(body), in_texts(refusal, texts))
        else:
            assert entry.profile is not None  # noqa: S101 - checked
            opened = Opened(agent_id=agent_id, revision=entry.revision, for_user=entry.profile.slack_user)
            view = (
                profile_form(opened, entry.profile, texts, by_admin=as_admin)
                if action["action_id"] == PROFILE
                else limits_form(opened, entry.profile, texts)
            )
            show = client.views_push if is_in_modal(body) else client.views_open
            await show(trigger_id=body["trigger_id"], view=view)
        await ack()

    async def saved(
        ack: AsyncAck, body: dict[str, Any], view: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient
    ) -> None:
        tenant, user = tenant_of(context), body["user"]["id"]
        actor, opened = actor_of_click(body, tenant), read_opened(view)
        texts = gateway.known_texts(tenant, user, "")
        is_profile = view["callback_id"] == PROFILE
        try:
            directory = await gateway.directory(tenant)
            before = directory.entry(opened.agent_id).profile
            read = read_profile if is_profile else _with_limits
            profile = read(view, opened, before, texts)
            if profile.slack_user not in (None, actor, before and before.slack_user):
                await check_colleagues(client, tenant, [str(profile.slack_user)])
            command = SaveProfile(
                command_id=cause_of_form(view),
                at=gateway.now(),
                by=actor,
                as_admin=gateway.settings.is_admin(directory, actor),
                agent_id=profile.agent_id,
                profile=profile,
                revision=opened.revision,
            )
            await sent_by_person(gateway, context, actor, tenant, command)
        except Unusable as unusable:
            await ack(response_action="errors", errors=unusable.errors)
        except Refusal as refusal:
            await ack(response_action="errors", errors={NAME if is_profile else NEVER: in_texts(refusal, texts)})
        except (StoreError, *TROUBLES) as error:
            await still_open(ack, NAME if is_profile else NEVER, error, texts)
        else:
            await ack()
            gateway.later(show_person(gateway, client, tenant, body, profile.agent_id, texts))

    async def toggled(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        action, tenant, user = body["actions"][0], tenant_of(context), body["user"]["id"]
        agent_id, actor = read_twin(action["value"]).agent_id, actor_of_click(body, tenant)
        texts = await gateway.texts(client, tenant, user, "")
        as_admin = await gateway.is_admin(tenant, actor)
        command = _toggle(
            action["action_id"],
            command_id=cause_of_click(body),
            at=gateway.now(),
            by=actor,
            as_admin=as_admin,
            agent_id=agent_id,
        )
        try:
            await sent_by_person(gateway, context, actor, tenant, command)
        except Refusal as refusal:
            gateway.tell(client, spot_of_click(body), in_texts(refusal, texts))
            await ack()
        else:
            await ack()
            if action["action_id"] in (PAUSE, RESUME) and is_in_modal(body):
                said = notices.twin_paused(texts) if action["action_id"] == PAUSE else notices.twin_resumed(texts)
                gateway.later(show_instead(client, body["view"]["id"], notice(said)))
            else:
                gateway.later(show_person(gateway, client, tenant, body, agent_id, texts))

    for name in FORMS:
        app.action(name)(editing)
        app.view(name)(saved)
    for name in TOGGLES:
        app.action(name)(toggled)


def own_agent_id(user: str) -> str:
    return PREFIX + user.lower()


def is_in_modal(body: Mapping[str, Any]) -> bool:
    return (body.get("view") or {}).get("type") == "modal"


def _with_limits(view: Mapping[str, Any], _: Opened, before: Profile | None, texts: Texts) -> Profile:
    """
    Raises:
        Unusable
        NotAllowed: there is no profile any more that could have limits.
    """
    if before is None:
        raise NotAllowed("This profile was removed meanwhile.")
    return before.model_copy(update={"limits": read_limits(view, before.limits, texts)})


def _toggle(action: str, **about: Any) -> PersonsCommand:
    match action:
        case buttons.PAUSE | buttons.RESUME:
            return PauseTwin(**about, paused=action == buttons.PAUSE)
        case buttons.DISABLE | buttons.ENABLE:
            return DisableProfile(**about, disabled=action == buttons.DISABLE)
        case _:
            return ResetProfile(**about)
