"""Builds and reads the form of the workspace's settings."""

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError
from slack_sdk.models.blocks import Block

from bot.texts import Texts
from bot.views.directory.buttons import SETTINGS
from bot.views.kit.fields import (
    InvalidForm,
    Values,
    channels_field,
    people_field,
    picked_channels,
    picked_people,
)
from bot.views.kit.modals import form, read_metadata
from bot.views.kit.settings_part import SettingsPart
from engine.directory.messages import Settings
from engine.kernel import Validated

CHANNELS, ADMINS = "channels", "admins"


class OpenedSettings(Validated):
    """What the form remembers, as its private_metadata."""

    revision: int


def settings_form(revision: int, settings: Settings, fields: Iterable[Block], texts: Texts) -> dict[str, Any]:
    """
    Args:
        fields: what the protocols ask; see `SettingsPart.fields`.
    """
    return form(
        SETTINGS,
        texts.say("Settings"),
        texts.say("Save"),
        [
            *fields,
            channels_field(
                CHANNELS,
                texts.say("Where may demands begin?"),
                texts.say("Left out: everywhere. By direct message, always."),
                settings.channels,
            ),
            people_field(
                ADMINS,
                texts.say("Who is an admin?"),
                texts.say("Besides those that ToWow was started with."),
                settings.admins,
            ),
        ],
        texts,
        metadata=OpenedSettings(revision=revision).model_dump_json(),
    )


def read_settings(view: Mapping[str, Any], parts: Iterable[SettingsPart], texts: Texts) -> tuple[int, Settings]:
    """The revision that the form started from, and the settings that were entered.

    Raises:
        ValueError: not a form of ours.
        InvalidForm
    """
    revision = read_metadata(view, OpenedSettings).revision
    values: Values = view["state"]["values"]
    said: dict[str, Any] = {}
    blocks = {"channels": CHANNELS, "admins": ADMINS}
    for part in parts:
        said |= part.read(values)
        blocks |= part.blocks
    try:
        settings = Settings(channels=picked_channels(values, CHANNELS), admins=picked_people(values, ADMINS), **said)
    except ValidationError as error:
        outside = texts.say("This is too short or too long.")
        raise InvalidForm({blocks[str(each["loc"][0])]: outside for each in error.errors()}) from error
    return revision, settings
