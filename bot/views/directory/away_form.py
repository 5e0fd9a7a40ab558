"""Builds and reads the form in which somebody says on which days they cannot, and its button in Home and on cards."""

from collections.abc import Mapping
from typing import Any

from bot.texts import Texts
from bot.views.directory.buttons import AWAY, Twin
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.fields import InvalidForm, Values, day_field, picked_day, text_block
from bot.views.kit.modals import form

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
