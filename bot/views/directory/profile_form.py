"""Builds and reads the form of a person's profile."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from pydantic import ValidationError
from slack_sdk.models.blocks import Block

from bot.texts import Texts
from bot.views.directory.buttons import PROFILE
from bot.views.directory.datum_fields import weekday_options
from bot.views.kit.fields import (
    LONGEST_INPUT,
    InvalidForm,
    Values,
    choice_field,
    entered_decimal,
    entered_text,
    line_field,
    multi_choice_field,
    number_field,
    person_field,
    picked_option,
    picked_options,
    picked_person,
    picked_time,
    text_block,
    text_field,
    time_field,
)
from bot.views.kit.modals import form, read_metadata
from bot.views.kit.notices import answer_missing
from engine.directory.availability import WorkingTimes, with_working_times, working_times
from engine.directory.profile import (
    LONGEST_SUMMARY,
    LONGEST_TOLD,
    MOST_TOLD,
    SHORTEST_SUMMARY,
    Limits,
    Profile,
    mismatches,
)
from engine.facts.asked import zone_of
from engine.facts.data import WEEKDAYS
from engine.kernel import Validated

CALLED, NAME, SUMMARY, PLACE, ABILITIES, WHEN, LANGUAGES, INTERESTS, WHOSE, TOLD, REACH = (
    *("called", "name", "summary", "place", "abilities", "when", "languages", "interests", "whose", "told", "reach"),
)
WORKDAYS, OPENS, CLOSES, ZONE, WEEKLY = "workdays", "opens", "closes", "zone", "weekly"
"""Names of the fields: where the errors of a refused form belong."""

PREFIX: Final = "user_agent_"
FIELDS: Final[Mapping[str, str]] = {
    "agent_id": CALLED,
    "user_name": NAME,
    "profile_summary": SUMMARY,
    "location": PLACE,
    "tags": ABILITIES,
    "capabilities": ABILITIES,
    "preferences": ABILITIES,
    "availability": WHEN,
    "languages": LANGUAGES,
    "interests": INTERESTS,
    "slack_user": WHOSE,
    "from_now_on": TOLD,
    "twin": REACH,
}
"""The fields of a profile -> those of the form."""

_COLON: Final = re.compile("[:：]")
"""The English and the Chinese colon."""


class OpenedProfileForm(Validated):
    """What a form about a profile remembers, as its private_metadata."""

    agent_id: str = ""
    """Empty where the form asks for the new twin's id."""
    revision: int = 0
    """The revision of the profile that the form started from."""
    for_user: str | None = None
    """The user whose twin it becomes, where the form does not ask."""


def profile_form(
    opened: OpenedProfileForm,
    profile: Profile | None,
    texts: Texts,
    *,
    name: str = "",
    by_admin: bool = False,
    of_another: bool = False,
) -> dict[str, Any]:
    """
    Args:
        profile: to start from; None for a new one.
        name: the name of a new person.
        by_admin: admins also choose whose twin it is.
        of_another: it is somebody else's, so how far it goes is not asked.
    """
    return form(
        PROFILE,
        texts.say("Profile"),
        texts.say("Save"),
        [
            text_block(texts.say("The twin answers from what stands here, in these words, from the next question on.")),
            *_fields(opened, profile, texts, name=name, by_admin=by_admin, of_another=of_another),
        ],
        texts,
        metadata=opened.model_dump_json(),
    )


def read_opened(view: Mapping[str, Any]) -> OpenedProfileForm:
    """Read which profile the form was opened for."""
    return read_metadata(view, OpenedProfileForm)


def read_profile(view: Mapping[str, Any], opened: OpenedProfileForm, before: Profile | None, texts: Texts) -> Profile:
    """Args:
    before: the current profile; fields that the form does not ask for are kept.
    """
    values: Values = view["state"]["values"]
    tags, capabilities = _abilities(entered_text(values, ABILITIES))
    said: dict[str, Any] = {
        "agent_id": opened.agent_id or PREFIX + entered_text(values, CALLED),
        "user_name": " ".join(entered_text(values, NAME).split()),
        "profile_summary": entered_text(values, SUMMARY),
        "location": entered_text(values, PLACE),
        "tags": tags,
        "capabilities": capabilities,
        "availability": entered_text(values, WHEN),
        "languages": _listed(entered_text(values, LANGUAGES)),
        "interests": _listed(entered_text(values, INTERESTS)),
        "from_now_on": _distinct_lines(entered_text(values, TOLD)),
        "twin": picked_option(values, REACH) or (before.twin if before else "votes"),
        "slack_user": (picked_person(values, WHOSE) or None) if WHOSE in values else opened.for_user,
    }
    limits = with_working_times(before.limits if before else Limits(), _working_times(values, texts))
    kept = {"limits": limits, **(before.model_dump(include={"preferences"}) if before else {})}
    try:
        profile = Profile.model_validate({**said, **kept})
    except ValidationError as error:
        wrong = [FIELDS[str(each["loc"][0])] for each in error.errors()]
        raise InvalidForm({field: _needed(field, said, texts) for field in wrong}) from error
    for way, _ in mismatches(profile):
        if way[0] == "preferences":
            held = str(getattr(profile.preferences, str(way[1]))[way[2]].about)
            wanted = texts.say("The twin has conditions or wishes about “{tag}”: keep that line.", tag=held)
            raise InvalidForm({ABILITIES: wanted})
        if way[0] == "agent_id" and CALLED in values:
            raise InvalidForm({CALLED: _needed(CALLED, said, texts)})
    return profile


def _fields(
    opened: OpenedProfileForm, profile: Profile | None, texts: Texts, *, name: str, by_admin: bool, of_another: bool
) -> Iterator[Block]:
    if not opened.agent_id:
        yield line_field(
            CALLED,
            texts.say("A short name for the twin"),
            texts.say("Small letters, digits and underscores, such as lin_xiao"),
            longest=40,
        )
    yield line_field(NAME, texts.say("Name"), "", initial=profile.user_name if profile else name, longest=80)
    yield text_field(
        SUMMARY,
        texts.say("About: work, likes and dislikes"),
        texts.say("{least} to {most} characters", least=SHORTEST_SUMMARY, most=LONGEST_SUMMARY),
        initial=profile.profile_summary if profile else "",
        shortest=SHORTEST_SUMMARY,
        longest=LONGEST_SUMMARY,
    )
    yield line_field(PLACE, texts.say("Location"), "", initial=profile.location if profile else "", longest=120)
    yield text_field(
        ABILITIES,
        texts.say("Abilities"),
        texts.say("One on each line: what it is, a colon, what exactly. venue: a room for 60 people in Beijing"),
        initial=_lines(profile) if profile else "",
        longest=LONGEST_INPUT,
    )
    yield text_field(WHEN, texts.say("Availability"), "", initial=profile.availability if profile else "", longest=300)
    yield from _working_fields(working_times(profile.limits) if profile else WorkingTimes(), texts)
    yield line_field(
        LANGUAGES,
        texts.say("Languages"),
        texts.say("With commas in between"),
        initial=texts.say(", ").join(profile.languages) if profile else "",
        longest=200,
    )
    yield line_field(
        INTERESTS,
        texts.say("Interests"),
        texts.say("With commas in between"),
        initial=texts.say(", ").join(profile.interests) if profile else "",
        longest=400,
        optional=True,
    )
    yield text_field(
        TOLD,
        texts.say("What the twin was told for good"),
        texts.say("One on each line, such as: not on Mondays"),
        optional=True,
        initial="\n".join(profile.from_now_on) if profile else "",
        longest=LONGEST_INPUT,
    )
    if not of_another:
        yield choice_field(
            REACH,
            texts.say("How far does the twin go?"),
            [
                ("votes", texts.say("It votes, unless I do")),
                ("prepares", texts.say("It prepares my vote, and I give it")),
            ],
            profile.twin if profile else "votes",
        )
    if by_admin:
        yield person_field(
            WHOSE,
            texts.say("Whose twin is it?"),
            texts.say("They may overrule it. Without anybody, whoever asks answers for it."),
            (profile.slack_user or "") if profile else "",
        )


def _working_fields(times: WorkingTimes, texts: Texts) -> Iterator[Block]:
    days = weekday_options(texts)
    yield multi_choice_field(WORKDAYS, texts.say("On which days do you work?"), days, times.weekdays)
    yield time_field(OPENS, texts.say("From when"), times.start)
    yield time_field(CLOSES, texts.say("Until when"), times.end)
    yield line_field(
        ZONE,
        texts.say("Time zone of these hours"),
        texts.say("Such as Europe/Berlin; left out: where a plan takes place"),
        longest=60,
        optional=True,
        initial=times.time_zone,
    )
    yield number_field(
        WEEKLY, texts.say("Hours a week, at most"), times.hours_a_week or None, least=0, most=168, decimal=True
    )


def _working_times(values: Values, texts: Texts) -> WorkingTimes:
    """Read on which days and hours the person works."""
    picked = picked_options(values, WORKDAYS)
    start, end, zone = picked_time(values, OPENS), picked_time(values, CLOSES), entered_text(values, ZONE)
    if bool(start) is not bool(end):
        raise InvalidForm({CLOSES if start else OPENS: texts.say("Enter both, from when and until when.")})
    if zone and zone_of(zone).key != zone:
        raise InvalidForm({ZONE: texts.say("No such time zone is known. Write it like Europe/Berlin.")})
    return WorkingTimes(
        weekdays=tuple(each for each in WEEKDAYS if each in picked),
        start=start,
        end=end,
        time_zone=zone if start else "",
        hours_a_week=entered_decimal(values, WEEKLY) or 0,
    )


def _lines(profile: Profile) -> str:
    return "\n".join(
        f"{tag}: {' '.join(profile.capabilities[tag].split())}" if tag in profile.capabilities else tag
        for tag in profile.tags
    )


def _abilities(text: str) -> tuple[list[str], dict[str, str]]:
    """The tags without repetitions, and the description of each tag that has one."""
    tags: dict[str, str] = {}
    for line in text.splitlines():
        tag, _, exactly = _COLON.sub("\n", line, count=1).partition("\n")
        if tag.strip():
            tags[tag.strip()] = exactly.strip() or tags.get(tag.strip(), "")
    return [*tags], {tag: exactly for tag, exactly in tags.items() if exactly}


def _distinct_lines(text: str) -> list[str]:
    return [*dict.fromkeys(" ".join(each.split()) for each in text.splitlines() if each.strip())]


def _listed(text: str) -> list[str]:
    for each in "，、；;\n":
        text = text.replace(each, ",")
    return [*dict.fromkeys(each.strip() for each in text.split(",") if each.strip())]


def _needed(field: str, said: Mapping[str, Any], texts: Texts) -> str:
    match field:
        case "called":
            return texts.say("Small letters, digits and underscores, such as lin_xiao")
        case "summary":
            return texts.say(
                "{least} to {most} characters are needed; these are {n}.",
                least=SHORTEST_SUMMARY,
                most=LONGEST_SUMMARY,
                n=len(said["profile_summary"]),
            )
        case "told":
            return texts.say("{most} lines at most, each of {n} characters at most.", most=MOST_TOLD, n=LONGEST_TOLD)
        case "abilities":
            return texts.say("At least one line needs a colon, and after it what exactly.")
        case _:
            return answer_missing(texts)
