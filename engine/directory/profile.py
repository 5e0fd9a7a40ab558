"""Who people are to their twins: one profile a person, which that person or an admin can edit.

What each field does is told in profiles/README.md.
"""

from collections.abc import Iterator, Mapping, ValuesView
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StringConstraints, model_validator

from engine.errors import Misconfigured
from engine.facts.circumstances import People
from engine.facts.data import MaybeDatum
from engine.facts.language import Language, language_of
from engine.kernel import Message, is_id, values_of

SHORTEST_SUMMARY: Final = 200
LONGEST_SUMMARY: Final = 500
"""Characters."""
LONGEST_AGENT_ID: Final = 80
"""Characters. Checked where a profile is saved, as an older database may hold a longer one."""

MOST_TOLD: Final = 12
"""Lines that somebody may have told their twin for good: each is in every question to it."""
LONGEST_TOLD: Final = 240
"""Characters of one."""

Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, pattern=r"\S")]
Lines = tuple[Line, ...]
ToldLine = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_TOLD, pattern=r"\S")
]
Reaction = Literal["accept", "negotiate", "withdraw"]
"""What a twin does when its wish is declined."""


class Sheet(BaseModel):
    """A part of a profile: frozen, and a misspelt field is a fault."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def _plain_or_in_languages(schema: dict[str, Any]) -> None:
    """Change the JSON schema of `Words` to also allow a plain text."""
    schema["type"] = ["object", "string"]
    schema["pattern"] = r"\S"
    schema["anyOf"] = [
        {"type": "string"},
        *({"required": [each], "properties": {each: {"minLength": 1}}} for each in schema["properties"]),
    ]


class Words(Sheet):
    """What a person says, in one or both languages. A plain text in the file is taken for its own language."""

    model_config = ConfigDict(json_schema_extra=_plain_or_in_languages)

    zh: str = ""
    en: str = ""

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, value: Any) -> Any:
        return {language_of(value): value.strip()} if isinstance(value, str) else value

    @model_validator(mode="after")
    def _something(self) -> "Words":
        if not (self.zh or self.en):
            raise ValueError("there are no words in it")
        return self

    def said_in(self, language: Language) -> str:
        """In that language, or else in the one there is."""
        return (self.zh or self.en) if language == "zh" else (self.en or self.zh)

    def __contains__(self, text: str) -> bool:
        return any(each and each in text for each in (self.zh, self.en))


class Limits(Sheet):
    """What the twin must never agree to."""

    busy: Words | None = None
    """Why they can take on nothing at all just now."""
    min_attendees: StrictInt | None = Field(None, ge=1)
    max_attendees: StrictInt | None = Field(None, ge=1)
    locations: Lines = ()
    """Where they can be in person; empty: anywhere."""
    never: Lines = ()
    """Words: a demand or plan with one of them is refused."""
    paid_only: StrictBool = False

    @model_validator(mode="after")
    def _in_order(self) -> "Limits":
        if self.min_attendees and self.max_attendees and self.min_attendees > self.max_attendees:
            raise ValueError(f"min_attendees {self.min_attendees} is more than max_attendees {self.max_attendees}")
        return self


class Condition(Sheet):
    """Said with the offer."""

    text: Words
    about: Line | None = None
    """A tag: said only when that is what they are asked for."""
    if_declined: Reaction = "accept"


class Request(Sheet):
    """Brought up when they see a plan."""

    change: Words
    because: Words
    about: Line | None = None
    if_declined: Reaction = "accept"


class Leave(Sheet):
    """They leave a plan that says one of these."""

    plan_says: Lines = Field(min_length=1)
    because: Words


class Preferences(Sheet):
    conditions: tuple[Condition, ...] = ()
    asks: tuple[Request, ...] = ()
    leaves_if: tuple[Leave, ...] = ()


LimitSource = Literal["never", "from_now_on", "leaves_if", "field"]


class HeldLimit(Sheet):
    """A limit of the person, in their words and, where it was read out of them, as data."""

    words: str
    source: LimitSource
    data: MaybeDatum = None
    """None where it is no data: then the twin is asked about it in words."""
    scope: Literal["own", "whole"] = "own"
    """Whether it is about the person's own part, or about the whole."""
    state: Literal["read", "on", "off"] = "read"
    """``read``: a model has read it, and its owner has not said yes; ``on``: it holds as data; ``off``: not at all."""


class PublicProfile(Message):
    """What everybody may read of a person. A question that is not put to their own twin is given no more of them.

    Anything that a profile says besides is their twin's alone; profiles/README.md tells people so.
    """

    agent_id: str
    user_name: str
    profile_summary: str
    location: str
    tags: tuple[str, ...]
    capabilities: dict[str, str]
    interests: tuple[str, ...]
    availability: str
    languages: tuple[str, ...]


_PUBLIC: Final = values_of(PublicProfile.__struct_fields__)


class Profile(Sheet):
    """Seed 000, section 4.5, and what a twin needs to answer as the person would."""

    agent_id: str = Field(pattern=r"^user_agent_[a-z0-9_]+$")
    user_name: Line
    profile_summary: Annotated[
        str, StringConstraints(strip_whitespace=True, min_length=SHORTEST_SUMMARY, max_length=LONGEST_SUMMARY)
    ]
    location: Line
    tags: Lines = Field(min_length=1)
    capabilities: dict[Line, Line] = Field(min_length=1)
    """By tag: what exactly, in their own words."""
    interests: Lines = ()
    availability: Line
    slack_user: str | None = None
    languages: Lines = Field(min_length=1)
    limits: Limits = Limits()
    preferences: Preferences = Preferences()
    from_now_on: tuple[ToldLine, ...] = Field((), max_length=MOST_TOLD)
    """What the person has told their twin for good, a line each, in their own words."""
    limit_data: tuple[HeldLimit, ...] = ()
    """What was read of their limits, as its owner has confirmed it."""

    @property
    def data_limits(self) -> tuple[HeldLimit, ...]:
        """The limits that hold as data: what was typed into fields, and what its owner has confirmed."""
        most, least = self.limits.max_attendees or 0, self.limits.min_attendees or 0
        typed: list[HeldLimit] = []
        if most or least:
            size = People(at_least=least, at_most=most)
            typed.append(HeldLimit(words="", source="field", data=size, scope="whole", state="on"))
        confirmed = (each for each in self.limit_data if each.state == "on" and each.data is not None)
        return (*typed, *confirmed)

    @property
    def worded_limits(self) -> tuple[HeldLimit, ...]:
        """The limits in words about which the twin is asked one by one, in an order that is always the same."""
        known = {(each.source, each.words): each for each in self.limit_data}
        said: list[tuple[LimitSource, str]] = [("never", each) for each in self.limits.never]
        said += [("from_now_on", each) for each in self.from_now_on]
        said += [("leaves_if", each) for leave in self.preferences.leaves_if for each in leave.plan_says]
        found = [known.get((source, words), HeldLimit(words=words, source=source)) for source, words in said]
        return tuple(each for each in found if each.state != "off" and not (each.state == "on" and each.data))

    @property
    def public(self) -> PublicProfile:
        return PublicProfile(**dict(zip(PublicProfile.__struct_fields__, _PUBLIC(self), strict=True)))

    @property
    def told(self) -> Iterator[str]:
        """What their twin says for them when it matters: why they are busy, conditions, wishes, why they would leave,
        and what they told it for good.

        The rest of `limits` and `preferences` (what they never do, what makes them leave) is for the twin alone.
        """
        said = [self.limits.busy] if self.limits.busy else []
        said += [each.text for each in self.preferences.conditions]
        said += [words for each in self.preferences.asks for words in (each.change, each.because)]
        said += [each.because for each in self.preferences.leaves_if]
        yield from (text for each in said for text in (each.zh, each.en) if text)
        yield from self.from_now_on

    @property
    def untold(self) -> Iterator[str]:
        """The texts that are for the twin alone."""
        yield from (*self.limits.never, *self.limits.locations)
        for each in self.preferences.leaves_if:
            yield from each.plan_says


class Profiles(Mapping[str, Profile]):
    """By agent id, in the order of the ids."""

    def __init__(self, profiles: Mapping[str, Profile]) -> None:
        self._profiles = dict(sorted(profiles.items()))

    def __getitem__(self, agent_id: str) -> Profile:
        return self._profiles[agent_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._profiles)

    def __len__(self) -> int:
        return len(self._profiles)

    def values(self) -> ValuesView[Profile]:
        return self._profiles.values()  # a mapping's own would look each of them up

    def of_user(self, user_id: str) -> Profile | None:
        """The first profile that is linked to this Slack user."""
        return next((profile for profile in self.values() if profile.slack_user == user_id), None)

    def with_links(self, links: Mapping[str, str]) -> "Profiles":
        """A copy in which these agents speak for these Slack users; the others as before.

        Raises:
            Misconfigured: a link to an agent there is no profile of.
        """
        strangers = [agent_id for agent_id in links if agent_id not in self]
        if strangers:
            raise Misconfigured(
                [f"{agent_id} is linked to {links[agent_id]}, but has no profile." for agent_id in strangers]
            )
        linked = {agent_id: self[agent_id].model_copy(update={"slack_user": user}) for agent_id, user in links.items()}
        return Profiles({**self, **linked})


def mismatches(profile: Profile) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Find what a new profile may not have, though an old one may: the path of each field, and what is wrong."""
    if len(profile.agent_id) > LONGEST_AGENT_ID:
        yield ("agent_id",), f"it has {len(profile.agent_id):,} characters; {LONGEST_AGENT_ID} are allowed"
    if profile.slack_user is not None and not is_id(profile.slack_user):
        yield ("slack_user",), "it can be no id: it is empty, too long, or has blanks in it"
    for tag in profile.capabilities:
        if tag not in profile.tags:
            yield ("capabilities", tag), f"{tag!r} is not among the tags"
    for kind in ("conditions", "asks"):
        for position, each in enumerate(getattr(profile.preferences, kind)):
            if each.about is not None and each.about not in profile.tags:
                yield ("preferences", kind, position, "about"), f"{each.about!r} is not among the tags"
