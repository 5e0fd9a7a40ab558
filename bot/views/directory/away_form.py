"""Builds and reads the form in which somebody says on which days they cannot, and its button in Home and on cards."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from bot.texts import Texts
from bot.views.directory.buttons import AWAY, AwayButton
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.fields import InvalidForm, Values, day_field, picked_day, text_block
from bot.views.kit.modals import form, read_metadata

FIRST, LAST = "first", "last"
"""Names of the fields: where the errors of a refused form belong."""


class TimeAway(NamedTuple):
    agent_id: str
    first: str
    """ISO, like the last day."""
    last: str


def away_button(about: AwayButton, label: str) -> Block:
    return blocks.button(label, AWAY, about.value())


def away_form(about: AwayButton, texts: Texts) -> dict[str, Any]:
    explained = texts.say(
        "Nobody is told why. From the next plan on it counts as one of your limits; in the Home tab, *What I hold to…* "
        "shows it, and takes it back."
    )
    fields = [
        text_block(explained),
        day_field(FIRST, texts.say("From"), about.first, optional=False),
        day_field(LAST, texts.say("Until"), about.last),
    ]
    return form(AWAY, texts.say("When I cannot"), texts.say("Save"), fields, texts, metadata=about.value())


def read_time_away(view: Mapping[str, Any], texts: Texts) -> TimeAway:
    """Read it; one day alone is a day away.

    Raises:
        InvalidForm
        ValueError: not a form of ours.
    """
    values: Values = view["state"]["values"]
    about = read_metadata(view, AwayButton)
    first, last = picked_day(values, FIRST), picked_day(values, LAST)
    first, last = first or last, last or first
    if not first:
        raise InvalidForm({FIRST: texts.say("Choose the days on which you cannot.")})
    if last < first:
        raise InvalidForm({LAST: texts.say("That is before the first day.")})
    return TimeAway(about.agent_id, first, last)
