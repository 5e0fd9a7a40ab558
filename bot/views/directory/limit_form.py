"""Builds and reads the form in which the owner of a limit says what holds of it."""

from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple

from pydantic import ValidationError

from bot.texts import Texts
from bot.views.directory.buttons import LIMIT, LIMITS
from bot.views.directory.datum_fields import FIRST_FIELDS, datum_fields, kind_of, kind_words, read_datum
from bot.views.directory.held import scope_words, truth, words_of
from bot.views.directory.profile_form import OpenedProfileForm
from bot.views.kit.fields import (
    InvalidForm,
    Values,
    choice_field,
    entered_number,
    entered_text,
    multi_choice_field,
    number_field,
    picked_option,
    picked_options,
    text_block,
    text_field,
)
from bot.views.kit.modals import form, read_metadata
from bot.views.kit.mrkdwn import Fit
from engine.directory.profile import HeldLimit, Limits, LimitScope, Profile, Words
from engine.facts.data import Datum, MaybeDatum, is_empty
from engine.facts.language import Language
from engine.kernel import Validated

HOW, SCOPE, KIND = "how", "scope", "kind"
"""Names of the fields: where the errors of a refused form belong."""

AS_DATA, IN_WORDS, OFF = "data", "words", "off"
NO_KIND: Final = "none"


class OpenedLimitForm(Validated):
    """What a form about a limit remembers, as its private_metadata."""

    agent_id: str
    key: str
    is_stated: bool = False
    """Whether it has no words: then it holds as it is, or not at all."""
    kind: str = NO_KIND
    """Of the data whose fields it shows."""
    data: MaybeDatum = None
    """What it started from."""
    scope: LimitScope = "own"


class SaidOfLimit(NamedTuple):
    """What the owner of a limit says of it."""

    state: Literal["on", "off"]
    data: Datum | None
    scope: LimitScope


def opened_form(agent_id: str, limit: HeldLimit) -> OpenedLimitForm:
    return OpenedLimitForm(
        agent_id=agent_id,
        key=limit.key,
        is_stated=not limit.words,
        kind=kind_of(limit.data) if limit.data is not None else NO_KIND,
        data=limit.data,
        scope=limit.scope,
    )


def limit_form(opened: OpenedLimitForm, limit: HeldLimit, texts: Texts, *, how: str = "") -> dict[str, Any]:
    """
    Args:
        how: what was chosen already; what holds, when left out.
    """
    usual = AS_DATA if opened.kind != NO_KIND else IN_WORDS
    ways = [(AS_DATA, texts.say("It holds as data, which code compares"))]
    if not opened.is_stated:
        ways.append((IN_WORDS, texts.say("It holds in words: the twin is asked about it")))
    ways.append((OFF, texts.say("It does not hold")))
    chosen = how or (OFF if limit.state == "off" else usual)
    fields = [choice_field(HOW, texts.say("What holds?"), ways, chosen)]
    if not opened.is_stated:
        fields.append(choice_field(KIND, texts.say("What is it about?"), kind_words(texts), opened.kind,
            hint=texts.say("Needed only for data; other fields appear for each."), optional=True))  # fmt: skip
        if opened.kind != NO_KIND:
            fields += datum_fields(opened.kind, opened.data, texts)
    scopes: list[tuple[LimitScope, str]] = [("own", scope_words("own", texts)), ("whole", scope_words("whole", texts))]
    fields.append(choice_field(SCOPE, texts.say("Of what?"), scopes, opened.scope))
    said = words_of(limit, texts, Fit())
    return form(
        LIMIT,
        texts.say("What I hold to"),
        texts.say("Save"),
        [*([text_block(said)] if said else []), *fields],
        texts,
        metadata=opened.model_dump_json(),
    )


def read_opened_limit(view: Mapping[str, Any]) -> OpenedLimitForm:
    """Read which limit the form was opened for."""
    return read_metadata(view, OpenedLimitForm)


def other_kind(view: Mapping[str, Any], opened: OpenedLimitForm) -> OpenedLimitForm | None:
    """Return how the form goes on where data of a kind was chosen whose fields it does not show yet."""
    values: Values = view["state"]["values"]
    kind = picked_option(values, KIND) or NO_KIND
    if opened.is_stated or picked_option(values, HOW) != AS_DATA or kind in (NO_KIND, opened.kind):
        return None
    return opened.model_copy(update={"kind": kind, "scope": _scope(values)})


def read_limit(view: Mapping[str, Any], opened: OpenedLimitForm, texts: Texts) -> SaidOfLimit:
    values: Values = view["state"]["values"]
    how, scope = picked_option(values, HOW), _scope(values)
    if opened.is_stated:
        return SaidOfLimit("off" if how == OFF else "on", opened.data, scope)
    if how == OFF:
        return SaidOfLimit("off", opened.data, scope)
    if how == IN_WORDS:
        return SaidOfLimit("on", None, scope)
    if opened.kind == NO_KIND:
        raise InvalidForm({KIND: texts.say("Choose what it is about, or that it holds in words.")})
    data = read_datum(opened.kind, values, opened.data)
    if is_empty(data):
        missing = texts.say("Enter what holds, or choose that it holds in words.")
        raise InvalidForm({FIRST_FIELDS[opened.kind]: missing})
    return SaidOfLimit("on", data, scope)


def _scope(values: Values) -> LimitScope:
    return "whole" if picked_option(values, SCOPE) == "whole" else "own"


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
