"""Somebody's calendar: the section of their App Home, and the form in which they give one."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from bot.calendars.records import Standing
from bot.texts import Texts
from bot.views.directory.buttons import AWAY, CALENDAR, FORGET_CALENDAR, Twin
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.data_words import number_words
from bot.views.kit.fields import (
    InvalidForm,
    Values,
    day_field,
    entered_text,
    file_field,
    line_field,
    picked_day,
    picked_files,
    text_block,
)
from bot.views.kit.modals import form
from bot.views.kit.mrkdwn import local_time, safe_line

ADDRESS, FILE = "address", "file"
"""Names of the fields: where the errors of a refused form belong."""
LONGEST_ADDRESS: Final = 2_000
LONGEST_ZONE: Final = 80


@dataclass(frozen=True, slots=True)
class CalendarShown:
    """What somebody's page shows of their calendar."""

    standing: Standing | None = None
    """None where they have given none."""


class GivenCalendar(NamedTuple):
    """What was given: one of both."""

    address: str
    file: str
    """The id of a file."""


def calendar_blocks(shown: CalendarShown, texts: Texts) -> Iterator[Block]:
    yield blocks.header(texts.say("Your calendar"))
    yield blocks.section("\n".join(_lines(shown.standing, texts)))
    give = blocks.button(texts.say("My calendar…"), CALENDAR, Twin().value())
    yield blocks.actions(give, *([_forget(texts)] if shown.standing else []))


def _lines(standing: Standing | None, texts: Texts) -> Iterator[str]:
    if standing is None:
        yield texts.say(
            "Nobody knows when you are busy. Give your calendar, and from when until when you are is read of it: no "
            "titles, and no places."
        )
        return
    if standing.read_at:
        when, hours = local_time(standing.read_at, texts), number_words(round(standing.hours_this_week, 1), texts)
        yield (
            texts.say("Read on {when}: you are busy for {hours} hours this week.", when=when, hours=hours)
            if standing.has_address
            else texts.say(
                "From a file of {when}, which I never read anew: you are busy for {hours} hours this week.",
                when=when,
                hours=hours,
            )
        )
    elif not standing.why:
        yield texts.say("Your calendar is being read.")
    if standing.why:
        since = local_time(standing.failing_since, texts)
        yield texts.say(
            "It cannot be read since {since}: {why}", since=since, why=why_not(standing.why, standing.about, texts)
        )
        if standing.read_at:
            yield texts.say("What I knew before still counts.")


def _forget(texts: Texts) -> Block:
    sure = blocks.confirm(
        texts.say("Forget your calendar?"),
        texts.say("Its address is deleted, and when you are busy. You can give it again."),
        texts.say("Forget it"),
        texts.say("Keep it"),
    )
    return blocks.button(texts.say("Forget it"), FORGET_CALENDAR, Twin().value(), confirm=sure)


def calendar_form(texts: Texts, *, takes_addresses: bool) -> dict[str, Any]:
    fields: list[Any] = []
    if takes_addresses:
        label = texts.say("The secret address of your calendar")
        fields.append(line_field(ADDRESS, label, "https://…", longest=LONGEST_ADDRESS, optional=True))
    fields.append(
        file_field(FILE, texts.say("Or a file of it (.ics)") if takes_addresses else texts.say("A file (.ics)"))
    )
    where = (
        texts.say(
            "Google has it under *Settings > your calendar > Secret address in iCal format*, Outlook under *Shared "
            "calendars > Publish a calendar*, Nextcloud under *Share > Copy subscription link*."
        )
        if takes_addresses
        else texts.say("Whoever runs ToWow can let you give an address, which I would read again and again.")
    )
    kept = texts.say(
        "Only from when until when you are busy is kept. Whoever asks you for something may hear that you cannot at a "
        "time, and never why. What you give takes the place of the calendar that you have given before."
    )
    fields.append(text_block(f"{where}\n{kept}"))
    return form(CALENDAR, texts.say("Your calendar"), texts.say("Save"), fields, texts)


def read_calendar(view: Mapping[str, Any], texts: Texts) -> GivenCalendar:
    """Read the address or the file that the form gives."""
    values: Values = view["state"]["values"]
    address, files = entered_text(values, ADDRESS), picked_files(values, FILE)
    if bool(address) is bool(files):
        raise InvalidForm({FILE: texts.say("Give one of both: an address, or a file.")})
    return GivenCalendar(address, files[0][0] if files else "")


def not_read(why: str, about: str, texts: Texts) -> str:
    """What somebody is told whose calendar cannot be read."""
    return texts.say(
        "I cannot read your calendar: {why} In the Home tab, *My calendar…* takes another address, or a file.",
        why=why_not(why, about, texts),
    )


def no_address(texts: Texts) -> str:
    return texts.say("An address of a calendar begins with webcal: or https:, and has no password in it.")


def why_not(why: str, about: str, texts: Texts) -> str:
    """Return why a calendar cannot be read, as a sentence."""
    match why:
        case "no_address":
            return no_address(texts)
        case "not_public":
            return texts.say("Its address is not public, and I ask no other.")
        case "gone":
            return texts.say("There is no calendar at its address any more, or not for me.")
        case "too_much":
            return texts.say("It is larger, or says more, than I can read.")
        case "no_calendar":
            return texts.say("What is there is no calendar.")
        case "cut":
            return texts.say("It breaks off in the middle.")
        case "no_time":
            return texts.say("It has a time that nobody can read.")
        case "no_rule":
            return texts.say("It has something that recurs in a way that nobody can read.")
        case "no_zone":
            return texts.say("It names a time zone that nobody knows: {zone}.", zone=safe_line(about, LONGEST_ZONE))
        case "no_key":
            return texts.say("What opens its address is not there any more. Please give it again.")
        case _:
            return texts.say("It does not answer.")


FIRST, LAST = "first", "last"
"""Names of the fields: where the errors of a refused form belong."""


Days = tuple[str, str]
"""The first day and the last one, ISO; both empty where they are open."""


def away_button(about: Twin, texts: Texts) -> Block:
    return blocks.button(texts.say("Away…"), AWAY, about.value())


def away_form(name: str, metadata: str, texts: Texts, days: Days = ("", "")) -> dict[str, Any]:
    """
    Args:
        name: of the form, by which it is heard.
        metadata: of whoever hears it.
        days: to start from.
    """
    explained = texts.say(
        "Nobody is told why. From the next plan on it counts as one of your limits; in the Home tab, *What I hold to…* "
        "shows it, and takes it back."
    )
    fields = [
        text_block(explained),
        day_field(FIRST, texts.say("From"), days[0], optional=False),
        day_field(LAST, texts.say("Until"), days[1]),
    ]
    return form(name, texts.say("When I cannot"), texts.say("Save"), fields, texts, metadata=metadata)


def read_days(view: Mapping[str, Any], texts: Texts) -> Days:
    """Read them; one day alone is a day away."""
    values: Values = view["state"]["values"]
    first, last = picked_day(values, FIRST), picked_day(values, LAST)
    first, last = first or last, last or first
    if not first:
        raise InvalidForm({FIRST: texts.say("Choose the days on which you cannot.")})
    if last < first:
        raise InvalidForm({LAST: texts.say("That is before the first day.")})
    return first, last
