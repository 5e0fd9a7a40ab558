"""Who people are to their twins: one profile a person, which that person or an admin can edit.

What each field does is told in profiles/README.md.
"""

import hashlib
from collections.abc import Iterator, Mapping, ValuesView
from datetime import date
from typing import Annotated, Any, Final, Literal, cast

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StrictInt,
    StringConstraints,
    model_validator,
)

from engine.errors import Misconfigured
from engine.facts.circumstances import Money, People
from engine.facts.data import KINDS, Datum, MaybeDatum, Place, is_empty
from engine.facts.language import Language
from engine.kernel import Message, encode, is_id, plain, values_of

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
TwinReach = Literal["votes", "prepares"]
"""How far a twin goes: it votes unless its person does, or it prepares the vote and its person gives it."""
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
    """What a person says: a plain text, in whatever language it is, or what it is in Chinese and in English."""

    model_config = ConfigDict(json_schema_extra=_plain_or_in_languages)

    zh: str = ""
    en: str = ""
    said: str = ""
    """As it was written; nobody has said in which language."""

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, value: Any) -> Any:
        return {"said": value.strip()} if isinstance(value, str) else value

    @model_validator(mode="after")
    def _something(self) -> "Words":
        if not any(self.versions):
            raise ValueError("there are no words in it")
        return self

    @property
    def versions(self) -> tuple[str, ...]:
        """All that it is said in, without what is not there."""
        return tuple(each for each in (self.zh, self.en, self.said) if each)

    def said_in(self, language: Language) -> str:
        """In that language, or else as it was written, or else in the other one."""
        return (self.zh if language == "zh" else self.en) or self.said or self.zh or self.en

    def __contains__(self, text: str) -> bool:
        return any(each in text for each in self.versions)


LimitSource = Literal["never", "from_now_on", "leaves_if", "field"]
LimitScope = Literal["own", "whole"]
"""Whether a limit is about the person's own part, or about the whole."""


class StatedLimit(Sheet):
    """A limit that a file, or a person, states as data: ``{kind: days, weekdays: [mon], allowed: false}``."""

    data: Datum
    scope: LimitScope = "own"

    @model_validator(mode="before")
    @classmethod
    def _flat(cls, value: Any) -> Any:
        """Read the data beside the scope, as a file says them."""
        if not isinstance(value, dict):
            return value
        if "data" in value:
            given = value["data"]
            return {**value, "data": _stated(given) if isinstance(given, dict) else given}
        scope = {"scope": value["scope"]} if "scope" in value else {}
        return {"data": _stated({name: each for name, each in value.items() if name != "scope"}), **scope}


def _as_text(name: str, value: Any) -> Any:
    """Return a day or a time as it is written: YAML reads ``2026-12-01`` as a date and ``22:00`` as minutes."""
    if isinstance(value, date):
        return value.isoformat()[:10]
    is_minutes = name in ("start", "end") and isinstance(value, int) and 0 <= value < 24 * 60
    return f"{value // 60:02d}:{value % 60:02d}" if is_minutes else value


def _stated(given: dict[str, Any]) -> Datum:
    """Read a datum strictly: a model may be careless, whoever writes a file is told."""
    kinds = {str(each.__struct_config__.tag): each for each in KINDS}
    kind = kinds.get(str(given.get("kind")))
    if kind is None:
        raise ValueError(f"its kind is {given.get('kind')!r}; there are: {', '.join(kinds)}")
    if strange := [each for each in given if each not in ("kind", *kind.__struct_fields__)]:
        known = ", ".join(kind.__struct_fields__)
        raise ValueError(f"{kind.__struct_config__.tag} has no {strange[0]!r}; it has {known}")
    given = {name: _as_text(name, each) for name, each in given.items()}
    datum: Any = kind.checked(given)
    for name, each in given.items():
        read = plain(getattr(datum, name)) if name != "kind" else each
        if each and (not read or (isinstance(each, list) and len(read) != len(each))):
            raise ValueError(f"{each!r} is no {name} that can be compared")
    if is_empty(datum):
        raise ValueError("it demands nothing")
    return cast(Datum, datum)


class Limits(Sheet):
    """What the twin must never agree to."""

    busy: Words | None = None
    """Why they can take on nothing at all just now."""
    min_attendees: StrictInt | None = Field(None, ge=1)
    max_attendees: StrictInt | None = Field(None, ge=1)
    locations: Lines = ()
    """Where they can be in person; empty: anywhere."""
    never: Lines = ()
    """What they never do, in their words: the twin is asked about each one, and asks them where a demand or plan has
    these very words.
    """
    paid_only: StrictBool = False
    data: tuple[StatedLimit, ...] = ()
    """Limits that were stated as data."""

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


class TwinTerms(Sheet):
    """What a twin asks for, and on what terms it takes part or leaves."""

    conditions: tuple[Condition, ...] = ()
    asks: tuple[Request, ...] = ()
    leaves_if: tuple[Leave, ...] = ()


def _on_or_off(value: Any) -> Any:
    """Take YAML's word for it, which reads ``on`` and ``off`` as yes and no."""
    return {True: "on", False: "off"}.get(value, value) if isinstance(value, bool) else value


class HeldLimit(Sheet):
    """A limit of the person, in their words and, where it was read out of them, as data."""

    words: str
    source: LimitSource
    data: MaybeDatum = None
    """None where it is no data: then the twin is asked about it in words."""
    scope: LimitScope = "own"
    state: Annotated[Literal["read", "on", "off"], BeforeValidator(_on_or_off)] = "read"
    """``read``: a model has read it, and its owner has not said yes; ``on``: it holds as data; ``off``: not at all."""

    @property
    def key(self) -> str:
        """Names it among the limits of a person for as long as its words, or what was stated as data, are the same."""
        said = self.words or (encode(self.data) if self.source == "field" and self.data is not None else "")
        return hashlib.sha256(f"{self.source}\n{said}".encode()).hexdigest()[:16]

    @property
    def is_data(self) -> bool:
        return self.state == "on" and self.data is not None


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
    preferences: TwinTerms = TwinTerms()
    twin: TwinReach = "votes"
    """For their twin alone, like what follows."""
    from_now_on: tuple[ToldLine, ...] = Field((), max_length=MOST_TOLD)
    """What the person has told their twin for good, a line each, in their own words, and for it alone."""
    limit_data: tuple[HeldLimit, ...] = ()
    """What was read of their limits, and what its owner has said of it. The directory keeps it beside the profile
    (`engine.directory.held`), so whoever saves a profile changes nothing of it.
    """

    @property
    def only_prepares(self) -> bool:
        """Whether their twin casts no vote."""
        return self.twin == "prepares"

    @property
    def typed_limits(self) -> Iterator[HeldLimit]:
        """What was typed into fields, as data."""
        limits = self.limits
        if limits.min_attendees or limits.max_attendees:
            size = People(at_least=limits.min_attendees or 0, at_most=limits.max_attendees or 0)
            yield HeldLimit(words="", source="field", data=size, scope="whole", state="on")
        if len(limits.locations) == 1:  # of several no datum can say that one of them is enough
            site = Place(city=limits.locations[0], online=True)
            yield HeldLimit(words="", source="field", data=site, scope="own", state="on")
        if limits.paid_only:
            # `holds` knows no sum that would be too small: whether there is any money is for whoever asks it to see.
            yield HeldLimit(words="", source="field", data=Money(), scope="whole", state="on")

    @property
    def stated_limits(self) -> tuple[HeldLimit, ...]:
        """Every limit in words, and every one that was stated as data, each once and in an order that is always the
        same; with what was read of it, and what its owner has said.
        """
        if not (self.limits.never or self.limits.data or self.from_now_on or self.preferences.leaves_if):
            return ()  # as with most people, and it is asked often
        said: list[tuple[LimitSource, str]] = [("never", each) for each in self.limits.never]
        said += [("from_now_on", each) for each in self.from_now_on]
        said += [("leaves_if", each) for leave in self.preferences.leaves_if for each in leave.plan_says]
        found = [HeldLimit(words=words, source=source) for source, words in dict.fromkeys(said)]
        found += [
            HeldLimit(words="", source="field", data=each.data, scope=each.scope, state="on")
            for each in self.limits.data
        ]
        known = {each.key: each for each in self.limit_data}
        return tuple({each.key: known.get(each.key, each) for each in found}.values())

    @property
    def data_limits(self) -> tuple[HeldLimit, ...]:
        """The limits that hold as data: what was typed into fields or stated, and what its owner has confirmed.

        What they have confirmed of lines that are gone the directory has taken out (`engine.directory.held.kept`).
        """
        said = {each.key: each for each in (*self.stated_limits, *self.limit_data)}
        return (*self.typed_limits, *(each for each in said.values() if each.is_data))

    @property
    def worded_limits(self) -> tuple[HeldLimit, ...]:
        """The limits in words about which the twin is asked one by one, in an order that is always the same."""
        return tuple(each for each in self.stated_limits if each.words and each.state != "off" and not each.is_data)

    @property
    def public(self) -> PublicProfile:
        return PublicProfile(**dict(zip(PublicProfile.__struct_fields__, _PUBLIC(self), strict=True)))

    @property
    def told(self) -> Iterator[str]:
        """What their twin says for them when it matters: why they are busy, conditions, wishes, why they would leave.

        The rest of `limits` and `preferences` (what they never do, what makes them leave) is for the twin alone, and so
        is what they told it for good.
        """
        said = [self.limits.busy] if self.limits.busy else []
        said += [each.text for each in self.preferences.conditions]
        said += [words for each in self.preferences.asks for words in (each.change, each.because)]
        said += [each.because for each in self.preferences.leaves_if]
        yield from (text for each in said for text in each.versions)

    @property
    def untold(self) -> Iterator[str]:
        """The texts that are for the twin alone."""
        yield from (*self.limits.never, *self.limits.locations, *self.from_now_on)
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
        """A copy in which these agents speak for these Slack users; the others as before."""
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
    lines = {each.key for each in profile.stated_limits}
    for position, each in enumerate(profile.limit_data):
        if each.key not in lines:
            yield ("limit_data", position), f"the profile has no such line in {each.source}: {each.words!r}"
    for tag in profile.capabilities:
        if tag not in profile.tags:
            yield ("capabilities", tag), f"{tag!r} is not among the tags"
    for kind in ("conditions", "asks"):
        for position, wish in enumerate(getattr(profile.preferences, kind)):
            if wish.about is not None and wish.about not in profile.tags:
                yield ("preferences", kind, position, "about"), f"{wish.about!r} is not among the tags"
