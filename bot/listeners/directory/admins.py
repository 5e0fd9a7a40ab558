"""An admin says what holds in the workspace, finds somebody, or brings a profile in."""

from pathlib import Path
from typing import Any, Final

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.actor import hand_of_click
from bot.listeners.directory.directory_actions import TROUBLES, check_colleagues, handed_in, in_words, still_open
from bot.listeners.gateway import Desk, cause_of_form, spot_of_click, tenant_of
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
from engine.files.yaml_locations import Unreadable
from engine.negotiation.policy import PRESETS

OPENING: Final = (SETTINGS, PEOPLE, ADD, IMPORT)
SHEET_NAME: Final = Path("profile.yaml")
"""What was pasted into a form has no name of its own."""


def register(app: AsyncApp, desk: Desk) -> None:
    async def opening(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        tenant, user = tenant_of(context), body["user"]["id"]
        words = await desk.words(client, tenant, user, "")
        directory = await desk.directory(tenant)
        try:
            _check_admin(desk, directory, hand_of_click(body, tenant))
        except NotAllowed as refusal:
            desk.tell(client, spot_of_click(body), in_words(refusal, words))
        else:
            view = _form(body["actions"][0]["action_id"], desk, directory, words)
            await client.views_open(trigger_id=body["trigger_id"], view=view)
        await ack()

    @app.view(SETTINGS)
    async def set_(
        ack: AsyncAck, body: dict[str, Any], view: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient
    ) -> None:
        tenant, user = tenant_of(context), body["user"]["id"]
        hand, words = hand_of_click(body, tenant), desk.known_words(tenant, user, "")
        try:
            revision, settings = read_settings(view, words)
            directory = await desk.directory(tenant)
            as_admin = desk.house.is_admin(directory, hand)
            if as_admin:
                await check_colleagues(client, tenant, sorted({*settings.admins} - {*directory.settings.admins}))
            command = ChangeSettings(
                command_id=cause_of_form(view),
                at=desk.now(),
                by=hand,
                as_admin=as_admin,
                settings=settings,
                revision=revision,
                always_admins=bool(desk.house.admins),
            )
            await handed_in(desk, context, hand, tenant, command)
        except Unusable as unusable:
            await ack(response_action="errors", errors=unusable.errors)
        except InvalidProfile:
            await ack(response_action="errors", errors={ADMINS: notices.no_colleague(words)})
        except Refusal as refusal:
            await ack(response_action="errors", errors={POLICY: in_words(refusal, words)})
        except (StoreError, *TROUBLES) as error:
            await still_open(ack, POLICY, error, words)
        else:
            await ack()

    @app.view(PEOPLE)
    async def found(
        ack: AsyncAck, body: dict[str, Any], view: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient
    ) -> None:
        tenant = tenant_of(context)
        words = desk.known_words(tenant, body["user"]["id"], "")
        agent_id = picked(view["state"]["values"], WHO) or ""
        try:
            directory = await desk.directory(tenant)
            _check_admin(desk, directory, hand_of_click(body, tenant))
        except NotAllowed as refusal:
            await ack(response_action="errors", errors={WHO: in_words(refusal, words)})
            return
        except (StoreError, *TROUBLES) as error:
            await still_open(ack, WHO, error, words)
            return
        entry = directory.entry(agent_id)
        if entry.profile is None:
            await ack(response_action="errors", errors={WHO: notices.nobody_there(words)})
        else:
            await ack(response_action="update", view=person_card(agent_id, entry, words))

    @app.view(IMPORT)
    async def imported(
        ack: AsyncAck, body: dict[str, Any], view: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient
    ) -> None:
        tenant, user = tenant_of(context), body["user"]["id"]
        hand, words = hand_of_click(body, tenant), desk.known_words(tenant, user, "")
        try:
            directory = await desk.directory(tenant)
            profile = read_profile(SHEET_NAME, entered(view["state"]["values"], SHEET))
            entry = directory.entry(profile.agent_id)
            if profile.slack_user is not None and desk.house.is_admin(directory, hand):
                await check_colleagues(client, tenant, [profile.slack_user])
            command = SaveProfile(
                command_id=cause_of_form(view),
                at=desk.now(),
                by=hand,
                as_admin=desk.house.is_admin(directory, hand),
                agent_id=profile.agent_id,
                profile=profile,
                revision=entry.revision,
            )
            await handed_in(desk, context, hand, tenant, command)
        except Unreadable as unreadable:
            faults = "\n".join(f"{each.place.line}: {each.message}" for each in unreadable.faults[:8])
            await ack(response_action="errors", errors={SHEET: notices.unreadable_profile(faults, words)})
        except Refusal as refusal:
            await ack(response_action="errors", errors={SHEET: in_words(refusal, words)})
        except (StoreError, *TROUBLES) as error:
            await still_open(ack, SHEET, error, words)
        else:
            entry = (await desk.directory(tenant)).entry(profile.agent_id)
            await ack(response_action="update", view=person_card(profile.agent_id, entry, words))

    for name in OPENING:
        app.action(name)(opening)


def _check_admin(desk: Desk, directory: Directory, hand: str) -> None:
    """
    Raises:
        NotAllowed
    """
    if not desk.house.is_admin(directory, hand):
        raise NotAllowed("Only an admin can do that.")


def _form(action: str, desk: Desk, directory: Directory, words: Texts) -> dict[str, Any]:
    match action:
        case buttons.SETTINGS:
            started = desk.house.policy(directory.settings.model_copy(update=dict.fromkeys(ADJUSTABLE)))
            return settings_form(directory.settings_revision, directory.settings, started, PRESETS, words)
        case buttons.PEOPLE:
            return find_form(directory.people, words)
        case buttons.ADD:
            return profile_form(Opened(), None, words, by_admin=True)
        case _:
            return import_form(words)
