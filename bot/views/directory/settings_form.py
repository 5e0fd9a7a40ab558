"""Builds and reads the form of the workspace's settings, and says how they stand."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

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
from bot.views.kit.mrkdwn import channel_link, mention
from bot.views.kit.settings_part import Setting, SettingsPart, fields
from engine.directory.held import DIGEST_TIMES, MOST_DIGESTS, QuietHours
from engine.directory.messages import Settings
from engine.directory.state import Directory
from engine.kernel import Validated

ADMINS = "admins"
FROM, TO = "quiet_from", "quiet_to"
MOST_NAMED = 20
"""Channels or admins."""


class OpenedSettings(Validated):
    """What the form remembers, as its private_metadata."""

    revision: int


def _quiet_fields(quiet: QuietHours | None, _: Any, texts: Texts) -> list[Block]:
    return [
        time_field(FROM, texts.say("Quiet from, for those who have not chosen"), quiet.start if quiet else ""),
        time_field(TO, texts.say("Quiet until"), quiet.end if quiet else ""),
    ]


def _times(said: str) -> tuple[str, ...]:
    """Times of the day as they were written, each with two digits for the hour."""
    parts = said.replace("，", ",").replace("、", ",").replace("：", ":").replace(",", " ").split()
    return tuple(dict.fromkeys(each.zfill(5) for each in parts))


OWN: Final = (
    Setting(
        "channels", "channels",
        lambda said, _, texts: [
            channels_field(
                "channels", texts.say("Where may demands begin?"),
                texts.say("Left out: everywhere. By direct message, always."), said,
            )
        ],
        lambda values, _: picked_channels(values, "channels"),
    ),
    Setting(
        "admins", ADMINS,
        lambda said, _, texts: [
            people_field(
                ADMINS, texts.say("Who is an admin?"), texts.say("Besides those that ToWow was started with."), said
            )
        ],
        lambda values, _: picked_people(values, ADMINS),
    ),
    Setting(
        "digest_times", "digests",
        lambda said, _, texts: [
            line_field(
                "digests", texts.say("When are digests sent to those who want them?"), ", ".join(DIGEST_TIMES),
                longest=60, optional=True, initial=", ".join(said or ()),
            )
        ],
        lambda values, _: _times(entered_text(values, "digests")) or None,
        lambda texts: texts.say("Up to {n} times of the day, such as 09:00, 16:00.", n=MOST_DIGESTS),
    ),
    Setting("quiet_hours", FROM, _quiet_fields, lambda values, texts: read_quiet(values, FROM, TO, texts)),
)  # fmt: skip
"""Those of no protocol, below those of all protocols."""


def lines(directory: Directory, always_admins: Iterable[str], texts: Texts) -> Iterator[str]:
    """Say what admins read of them in their App Home."""
    settings = directory.settings
    where = texts.say(", ").join(channel_link(each) for each in settings.channels[:MOST_NAMED])
    yield (
        texts.say("• Demands can be made in {where}", where=where)
        if where
        else texts.say("• Demands can be made everywhere")
    )
    who = [mention(each) for each in dict.fromkeys([*sorted(always_admins), *settings.admins])]
    times = texts.say(", ").join(directory.digest_times)
    yield texts.say("• Digests, for those who want them: {times}", times=times)
    if quiet := settings.quiet_hours:
        yield texts.say(
            "• Quiet from {start} to {end}, for those who have not chosen", start=quiet.start, end=quiet.end
        )
    yield texts.say("• Admins: {who}", who=texts.say(", ").join(who[:MOST_NAMED]))


def settings_form(
    revision: int, settings: Settings, parts: Iterable[tuple[SettingsPart, Any]], texts: Texts
) -> dict[str, Any]:
    """
    Args:
        parts: of the protocols, each with the policy that ToWow was started with.
    """
    drawn = [
        each for part, default in parts for each in fields(part.rows, settings, part.unset(settings, default), texts)
    ]
    return form(
        SETTINGS,
        texts.say("Settings"),
        texts.say("Save"),
        [*drawn, *fields(OWN, settings, None, texts)],
        texts,
        metadata=OpenedSettings(revision=revision).model_dump_json(),
    )


def read_settings(view: Mapping[str, Any], parts: Iterable[SettingsPart], texts: Texts) -> tuple[int, Settings]:
    """The revision that the form started from, and the settings that were entered."""
    revision = read_metadata(view, OpenedSettings).revision
    values: Values = view["state"]["values"]
    rows = {each.name: each for part in parts for each in part.rows} | {each.name: each for each in OWN}
    try:
        settings = Settings(**{name: each.read(values, texts) for name, each in rows.items()})
    except ValidationError as error:
        wrong = [rows[str(each["loc"][0])] for each in error.errors()]
        raise InvalidForm({each.block: each.wrong(texts) for each in wrong}) from error
    return revision, settings
