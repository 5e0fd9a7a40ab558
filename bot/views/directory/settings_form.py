"""Builds and reads the form of the workspace's settings."""

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError
from slack_sdk.models.blocks import Block

from bot.texts import Texts
from bot.views.directory.buttons import SETTINGS
from bot.views.directory.notifications_form import read_quiet
from bot.views.kit.fields import (
    InvalidForm,
    Values,
    channels_field,
    entered_text,
    line_field,
    people_field,
    picked_channels,
    picked_people,
    time_field,
)
from bot.views.kit.modals import form, read_metadata
from bot.views.kit.settings_part import SettingsPart
from engine.directory.messages import Settings
from engine.directory.notifications import DIGEST_TIMES, MOST_DIGESTS
from engine.kernel import Validated

CHANNELS, ADMINS = "channels", "admins"
DIGESTS, FROM, TO = "digests", "quiet_from", "quiet_to"


class OpenedSettings(Validated):
    """What the form remembers, as its private_metadata."""

    revision: int


def settings_form(revision: int, settings: Settings, fields: Iterable[Block], texts: Texts) -> dict[str, Any]:
    """
    Args:
        fields: what the protocols ask; see `SettingsPart.fields`.
    """
    quiet = settings.quiet_hours
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
            line_field(
                DIGESTS,
                texts.say("When are digests sent to those who want them?"),
                ", ".join(DIGEST_TIMES),
                longest=60,
                optional=True,
                initial=", ".join(settings.digest_times or ()),
            ),
            time_field(FROM, texts.say("Quiet from, for those who have not chosen"), quiet.start if quiet else ""),
            time_field(TO, texts.say("Quiet until"), quiet.end if quiet else ""),
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
    blocks = {"channels": CHANNELS, "admins": ADMINS, "digest_times": DIGESTS}
    for part in parts:
        said |= part.read(values)
        blocks |= part.blocks
    try:
        settings = Settings(
            channels=picked_channels(values, CHANNELS),
            admins=picked_people(values, ADMINS),
            digest_times=_times(entered_text(values, DIGESTS)) or None,
            quiet_hours=read_quiet(values, FROM, TO, texts),
            **said,
        )
    except ValidationError as error:
        outside = texts.say("This is too short or too long.")
        wrong = {blocks[str(each["loc"][0])]: outside for each in error.errors()}
        if DIGESTS in wrong:
            wrong[DIGESTS] = texts.say("Up to {n} times of the day, such as 09:00, 16:00.", n=MOST_DIGESTS)
        raise InvalidForm(wrong) from error
    return revision, settings


def _times(said: str) -> tuple[str, ...]:
    """Times of the day as they were written, each with two digits for the hour."""
    parts = said.replace("，", ",").replace("、", ",").replace("：", ":").replace(",", " ").split()
    return tuple(dict.fromkeys(each.zfill(5) for each in parts))
