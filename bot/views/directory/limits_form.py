"""The form in which somebody says what their twin must never agree to, and what was filled in."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError
from slack_sdk.models.views import View

from bot.texts import Texts
from bot.views.directory.buttons import LIMITS
from bot.views.directory.profile_form import Opened
from bot.views.kit.fields import (
    Unusable,
    Values,
    answer,
    choices,
    entered,
    entered_number,
    note,
    number,
    picked_all,
    title,
)
from engine.directory.profile import Limits, Profile, Words
from engine.lexicon.language import Language

BUSY, NEVER, FEWEST, MOST, PLACES, PAID = "busy", "never", "fewest", "most", "places", "paid"
"""Names of the fields: where the errors of a refused form belong."""

ONLY_PAID = "paid_only"
MOST_PEOPLE = 1_000_000


def limits_form(opened: Opened, profile: Profile, texts: Texts) -> dict[str, Any]:
    limits = profile.limits
    return View(
        type="modal",
        callback_id=LIMITS,
        title=title(texts.say("Never agree to")),
        submit=title(texts.say("Save")),
        close=title(texts.say("Cancel")),
        private_metadata=opened.model_dump_json(),
        blocks=[
            note(texts.say("Whatever stands here, the twin refuses, from the next question on.")),
            answer(
                NEVER,
                texts.say("Words with which a demand or plan is refused"),
                texts.say("One on each line, such as: overnight"),
                optional=True,
                said="\n".join(limits.never),
            ),
            number(FEWEST, texts.say("Fewest people"), limits.min_attendees, least=1, most=MOST_PEOPLE),
            number(MOST, texts.say("Most people"), limits.max_attendees, least=1, most=MOST_PEOPLE),
            answer(
                PLACES,
                texts.say("Places for being there in person"),
                texts.say("One on each line; left out: anywhere"),
                optional=True,
                said="\n".join(limits.locations),
            ),
            choices(PAID, texts.say("Money"), [(ONLY_PAID, texts.say("Nothing without a fee"))],
                    [ONLY_PAID] if limits.paid_only else []),
            answer(
                BUSY,
                texts.say("Is there a reason to take on nothing at all just now?"),
                texts.say("Such as: on leave until May. It is said with every refusal"),
                optional=True,
                said=limits.busy.said_in(texts.language) if limits.busy else "",
            ),
        ],
    ).to_dict()  # fmt: skip


def read_limits(view: Mapping[str, Any], before: Limits, texts: Texts) -> Limits:
    """
    Raises:
        Unusable
    """
    values: Values = view["state"]["values"]
    busy = entered(values, BUSY)
    try:
        return Limits(
            busy=_words(busy, before.busy, texts.language),
            min_attendees=entered_number(values, FEWEST),
            max_attendees=entered_number(values, MOST),
            locations=_lines(entered(values, PLACES)),
            never=_lines(entered(values, NEVER)),
            paid_only=ONLY_PAID in picked_all(values, PAID),
        )
    except ValidationError as error:
        raise Unusable({MOST: texts.say("That is less than the fewest people above.")}) from error


def _words(said: str, before: Words | None, language: Language) -> Words | None:
    """What was not touched keeps its other language."""
    if before is not None and said == before.said_in(language).strip():
        return before
    return Words.model_validate(said) if said else None


def _lines(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.strip() for each in text.splitlines() if each.strip()))
