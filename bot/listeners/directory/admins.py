"""An admin says what holds in the workspace, finds somebody, or brings a profile in."""

from pathlib import Path
from typing import Any, Final

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.actor import actor_of_click
from bot.listeners.directory.directory_actions import TROUBLES, check_colleagues, in_texts, sent_by_person, still_open
from bot.listeners.gateway import CommandGateway, cause_of_form, spot_of_click, tenant_of
from bot.texts import Texts
from bot.views.directory import buttons
from bot.views.directory.buttons import ADD, IMPORT, PEOPLE, SETTINGS
from bot.views.directory.people_form import SHEET, WHO, find_form, import_form, person_card
from bot.views.directory.profile_form import Opened, Unusable, profile_form
from bot.views.directory.settings_form import ADMINS, POLICY, read_settings, settings_form
from bot.views.kit.fields import entered, picked
from bot.views.negotiation import notices
from bot.workspace_settings import ADJUSTABLE
from engine.directory.messages import ChangeSettings, SaveProfile
from engine.directory.state import Directory
from engine.errors import InvalidProfile, NotAllowed, Refusal, StoreError
from engine.files.profiles import read_profile
from engine.files.yaml_locations import InvalidFile
from engine.negotiation.policy import PRESETS

OPENING: Final = (SETTINGS, PEOPLE, ADD, IMPORT)
SHEET_NAME: Final = Path("profile.yaml")
"""What was pasted into a form has no name of its own."""


def register(app: AsyncApp, gateway: CommandGateway) -> None:
    async def opening(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        tenant, user = tenant_of(context), body["user"]["id"]
        texts = await gateway.texts(client, tenant, user, "")
        directory = await gateway.directory(tenant)
        try:
            _check_admin(gateway, directory, actor_of_click(body, tenant))
        except NotAllowed as refusal:
            gateway.tell(client, spot_of_click(body), in_texts(refusal, texts))
        else:
            view = _form(body["actions"][0]["action_id"], gateway, directory, texts)
            await client.views_open(trigger_id=body["trigger_id"], view=view)
        await ack()

    @app.view(SETTINGS)
    async def set_(
        ack: AsyncAck, body: dict[str, Any], view: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient
    ) -> None:
        tenant, user = tenant_of(context), body["user"]["id"]
        actor, texts = actor_of_click(body, tenant), gateway.known_texts(tenant, user, "")
        try:
            revision, settings = read_settings(view, texts)
            directory = await gateway.directory(tenant)
            as_admin = gateway.settings.is_admin(directory, actor)
            if as_admin:
                await check_colleagues(client, tenant, sorted({*settings.admins} - {*directory.settings.admins}))
            command = ChangeSettings(
                command_id=cause_of_form(view),
                at=gateway.now(),
                by=actor,
                as_admin=as_admin,
                settings=settings,
                revision=revision,
                always_admins=bool(gateway.settings.admins),
            )
            await sent_by_person(gateway, context, actor, tenant, command)
        except Unusable as unusable:
            await ack(response_action="errors", errors=unusable.errors)
        except InvalidProfile:
            await ack(response_action="errors", errors={ADMINS: notices.no_colleague(texts)})
        except Refusal as refusal:
            await ack(response_action="errors", errors={POLICY: in_texts(refusal, texts)})
        except (StoreError, *TROUBLES) as error:
            await still_open(ack, POLICY, error, texts)
        else:
            await ack()

    @app.view(PEOPLE)
    async def found(
        ack: AsyncAck, body: dict[str, Any], view: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient
    ) -> None:
        tenant = tenant_of(context)
        texts = gateway.known_texts(tenant, body["user"]["id"], "")
        agent_id = picked(view["state"]["values"], WHO) or ""
        try:
            directory = await gateway.directory(tenant)
            _check_admin(gateway, directory, actor_of_click(body, tenant))
        except NotAllowed as refusal:
            await ack(response_action="errors", errors={WHO: in_texts(refusal, texts)})
            return
        except (StoreError, *TROUBLES) as error:
            await still_open(ack, WHO, error, texts)
            return
        entry = directory.entry(agent_id)
        if entry.profile is None:
            await ack(response_action="errors", errors={WHO: notices.nobody_there(texts)})
        else:
            await ack(response_action="update", view=person_card(agent_id, entry, texts))

    @app.view(IMPORT)
    async def imported(
        ack: AsyncAck, body: dict[str, Any], view: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient
    ) -> None:
        tenant, user = tenant_of(context), body["user"]["id"]
        actor, texts = actor_of_click(body, tenant), gateway.known_texts(tenant, user, "")
        try:
            directory = await gateway.directory(tenant)
            profile = read_profile(SHEET_NAME, entered(view["state"]["values"], SHEET))
            entry = directory.entry(profile.agent_id)
            if profile.slack_user is not None and gateway.settings.is_admin(directory, actor):
                await check_colleagues(client, tenant, [profile.slack_user])
            command = SaveProfile(
                command_id=cause_of_form(view),
                at=gateway.now(),
                by=actor,
                as_admin=gateway.settings.is_admin(directory, actor),
                agent_id=profile.agent_id,
                profile=profile,
                revision=entry.revision,
            )
            await sent_by_person(gateway, context, actor, tenant, command)
        except InvalidFile as unreadable:
            faults = "\n".join(f"{each.position.line}: {each.message}" for each in unreadable.faults[:8])
            await ack(response_action="errors", errors={SHEET: notices.unreadable_profile(faults, texts)})
        except Refusal as refusal:
            await ack(response_action="errors", errors={SHEET: in_texts(refusal, texts)})
        except (StoreError, *TROUBLES) as error:
            await still_open(ack, SHEET, error, texts)
        else:
            entry = (await gateway.directory(tenant)).entry(profile.agent_id)
            await ack(response_action="update", view=person_card(profile.agent_id, entry, texts))

    for name in OPENING:
        app.action(name)(opening)


def _check_admin(gateway: CommandGateway, directory: Directory, actor: str) -> None:
    """
    Raises:
        NotAllowed
    """
    if not gateway.settings.is_admin(directory, actor):
        raise NotAllowed("Only an admin can do that.")


def _form(action: str, gateway: CommandGateway, directory: Directory, texts: Texts) -> dict[str, Any]:
    match action:
        case buttons.SETTINGS:
            started = gateway.settings.policy(directory.settings.model_copy(update=dict.fromkeys(ADJUSTABLE)))
            return settings_form(directory.settings_revision, directory.settings, started, PRESETS, texts)
        case buttons.PEOPLE:
            return find_form(directory.people, texts)
        case buttons.ADD:
            return profile_form(Opened(), None, texts, by_admin=True)
        case _:
            return import_form(texts)
