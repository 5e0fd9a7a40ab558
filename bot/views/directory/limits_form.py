"""Builds and reads the form in which a person says what their twin must not agree to."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from bot.texts import Texts
from bot.views.directory.buttons import LIMITS
from bot.views.directory.held import truth
from bot.views.directory.profile_form import OpenedProfileForm
from bot.views.kit.fields import (
    InvalidForm,
    Values,
    entered_number,
    entered_text,
    multi_choice_field,
    number_field,
    picked_options,
    text_block,
    text_field,
)
from bot.views.kit.modals import form
from engine.directory.profile import Limits, Profile, Words
from engine.facts.language import Language

BUSY, NEVER, FEWEST, MOST, PLACES, PAID = "busy", "never", "fewest", "most", "places", "paid"
"""Names of the fields: where the errors of a refused form belong."""

ONLY_PAID = "paid_only"
MOST_PEOPLE = 1_000_000


def limits_form(opened: OpenedProfileForm, profile: Profile, texts: Texts) -> dict[str, Any]:
    limits = profile.limits
    return form(LIMITS, texts.say("Limits"), texts.say("Save"), [
            text_block(truth(texts)),
            text_field(
                NEVER,
                texts.say("What I never do, in my words"),
                texts.say("One on each line, such as: overnight"),
                optional=True,
                initial="\n".join(limits.never),
            ),
            number_field(FEWEST, texts.say("Fewest people"), limits.min_attendees, least=1, most=MOST_PEOPLE),
            number_field(MOST, texts.say("Most people"), limits.max_attendees, least=1, most=MOST_PEOPLE),
            text_field(
                PLACES,
                texts.say("Places for being there in person"),
                texts.say("One on each line; left out: anywhere"),
                optional=True,
                initial="\n".join(limits.locations),
            ),
            multi_choice_field(PAID, texts.say("Money"), [(ONLY_PAID, texts.say("Nothing without a fee"))],
                    [ONLY_PAID] if limits.paid_only else []),
            text_field(
                BUSY,
                texts.say("Is there a reason to take on nothing at all just now?"),
                texts.say("Such as: on leave until May. It is said with every refusal"),
                optional=True,
                initial=limits.busy.said_in(texts.language) if limits.busy else "",
            ),
        ], texts, metadata=opened.model_dump_json())  # fmt: skip


def read_limits(view: Mapping[str, Any], before: Limits, texts: Texts) -> Limits:
    values: Values = view["state"]["values"]
    busy = entered_text(values, BUSY)
    try:
        return Limits(
            busy=_words(busy, before.busy, texts.language),
            min_attendees=entered_number(values, FEWEST),
            max_attendees=entered_number(values, MOST),
            locations=_lines(entered_text(values, PLACES)),
            never=_lines(entered_text(values, NEVER)),
            paid_only=ONLY_PAID in picked_options(values, PAID),
            data=before.data,
        )
    except ValidationError as error:
        raise InvalidForm({MOST: texts.say("That is less than the fewest people above.")}) from error


def _words(said: str, before: Words | None, language: Language) -> Words | None:
    """The words as they were entered; unchanged words keep their translation."""
    if before is not None and said == before.said_in(language).strip():
        return before
    return Words.model_validate(said) if said else None


def _lines(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.strip() for each in text.splitlines() if each.strip()))
