"""How somebody is told: the section of their App Home, and the form in which they choose it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from bot.texts import Texts
from bot.views.directory.buttons import NOTIFICATIONS, Twin
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.data_words import zone_words
from bot.views.kit.fields import (
    InvalidForm,
    Values,
    choice_field,
    picked_option,
    picked_time,
    text_block,
    time_field,
)
from bot.views.kit.modals import form
from engine.directory.held import DIGEST_TIMES, Notifications, QuietHours

WHEN, FROM, TO = "when", "quiet_from", "quiet_to"
"""Names of the fields: where the errors of a refused form belong."""


@dataclass(frozen=True, slots=True)
class Told:
    """What holds for somebody."""

    chosen: Notifications = field(default_factory=Notifications)
    digest_times: Sequence[str] = DIGEST_TIMES
    time_zone: str = ""
    """IANA, as Slack says; empty where it does not."""


def notification_blocks(told: Told, texts: Texts) -> Iterator[Block]:
    yield blocks.header(texts.say("Messages to you"))
    yield blocks.section("\n".join(f"• {each}" for each in _lines(told, texts)))
    yield blocks.actions(blocks.button(texts.say("Choose…"), NOTIFICATIONS, Twin().value()))


def _lines(told: Told, texts: Texts) -> Iterator[str]:
    match told.chosen.when:
        case "step":
            yield texts.say("You hear of each step.")
        case "digest":
            times = texts.say(", ").join(told.digest_times)
            yield texts.say("Decisions come together, at {times}; sooner where one cannot wait.", times=times)
        case "needed":
            yield texts.say("You hear from me when you are needed, and how it ended.")
    quiet = told.chosen.quiet
    if quiet is None:
        yield texts.say("You have no quiet hours.")
        return
    yield texts.say("Quiet from {start} to {end}; only what cannot wait comes then.", start=quiet.start, end=quiet.end)
    if not told.time_zone:
        yield texts.say("Slack does not say where you are, so no hour is quiet yet.")


def notifications_form(told: Told, texts: Texts) -> dict[str, Any]:
    times = texts.say(", ").join(told.digest_times)
    options = [
        ("step", texts.say("At each step, also when nothing is asked of me")),
        ("needed", texts.say("Only when I am needed, and how it ended")),
        ("digest", texts.say("Decisions together, at {times}", times=times)),
    ]
    where = (
        texts.say("Hours are those of {zone}, where you are as Slack says.", zone=zone)
        if (zone := zone_words(told.time_zone, texts))
        else texts.say("Slack does not say where you are, so no hour is quiet yet.")
    )
    quiet = told.chosen.quiet
    return form(
        NOTIFICATIONS,
        texts.say("Messages to you"),
        texts.say("Save"),
        [
            choice_field(WHEN, texts.say("When do you want a message?"), options, told.chosen.when),
            time_field(FROM, texts.say("Quiet from"), quiet.start if quiet else ""),
            time_field(TO, texts.say("Quiet until"), quiet.end if quiet else ""),
            text_block(
                f"{where} "
                + texts.say("In quiet hours nothing new comes, unless the time to answer would be more than half over.")
            ),
        ],
        texts,
    )


def read_notifications(view: Mapping[str, Any], texts: Texts) -> Notifications:
    values: Values = view["state"]["values"]
    when = picked_option(values, WHEN) or ""
    try:
        return Notifications.model_validate({"when": when, "quiet": read_quiet(values, FROM, TO, texts)})
    except ValidationError as error:
        raise InvalidForm({WHEN: texts.say("Choose one of these.")}) from error


def read_quiet(values: Values, start_field: str, end_field: str, texts: Texts) -> QuietHours | None:
    """Return the quiet hours that were entered in two fields; None where both were left empty."""
    start, end = picked_time(values, start_field), picked_time(values, end_field)
    if not (start or end):
        return None
    try:
        return QuietHours(start=start, end=end)
    except ValidationError as error:
        wrong = texts.say("Quiet hours have a beginning and another end; or leave both out.")
        raise InvalidForm({end_field if start else start_field: wrong}) from error
