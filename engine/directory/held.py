"""What was read of somebody's limits, and what they have said of it, from one change of their profile to the next.

It is kept by what the words are, so that whoever changes a line, or takes it out, takes back what was said of it.
"""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from pydantic import Field, StringConstraints, model_validator

from engine.directory.profile import HeldLimit, Profile
from engine.kernel import Validated

Held = Mapping[str, HeldLimit]
"""By the limit's key."""


def unread(profile: Profile | None, held: Held, again: frozenset[str] = frozenset()) -> tuple[HeldLimit, ...]:
    """Return the limits in words that nobody has read yet.

    Args:
        again: keys of those that are read again, as rules have read them, unless their owner has said something.
    """
    lines = (each for each in (profile.stated_limits if profile else ()) if each.words)
    return tuple(
        each for each in lines if each.key not in held or (each.key in again and held[each.key].state == "read")
    )


def kept(profile: Profile | None, held: Held) -> dict[str, HeldLimit]:
    """Return what still holds of a profile: what is about lines that it has."""
    keys = {each.key for each in profile.stated_limits} if profile else set()
    return {key: each for key, each in held.items() if key in keys}


def stated(profile: Profile | None) -> dict[str, HeldLimit]:
    """Return what a file itself says of its limits."""
    return {each.key: each for each in profile.limit_data} if profile else {}


def reloaded(held: Held, before: Profile | None, after: Profile | None) -> dict[str, HeldLimit]:
    """Return what holds once a file says something else of its limits: the owner's word comes before the file's."""
    former = stated(before)
    own = {key: each for key, each in held.items() if each.state != "read" and each != former.get(key)}
    rest = {key: each for key, each in held.items() if key not in former}
    return {**rest, **stated(after), **own}


def unsaid(held: Held) -> dict[str, HeldLimit]:
    """Return what was read, as nobody has said anything of it: it is another person's twin now."""
    return {key: each.model_copy(update={"state": "read"}) for key, each in held.items()}


def with_held(profile: Profile, held: Held) -> Profile:
    """Return the profile as its twin, and whoever holds its limits, are given it."""
    data = tuple(held[each.key] for each in profile.stated_limits if each.key in held)
    return profile if data == profile.limit_data else profile.model_copy(update={"limit_data": data})


def without_held(profile: Profile) -> Profile:
    return profile.model_copy(update={"limit_data": ()}) if profile.limit_data else profile


TimeOfDay = Annotated[str, StringConstraints(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")]
"""``HH:MM``, as a clock on the wall shows it where the person is."""

MOST_DIGESTS: Final = 6
"""A day."""

DigestTimes = Annotated[tuple[TimeOfDay, ...], Field(min_length=1, max_length=MOST_DIGESTS)]

DIGEST_TIMES: Final[tuple[TimeOfDay, ...]] = ("09:00", "16:00")


class QuietHours(Validated):
    """When nothing new is sent to somebody; past midnight where ``start`` is later than ``end``."""

    start: TimeOfDay
    end: TimeOfDay

    @model_validator(mode="after")
    def _last(self) -> "QuietHours":
        if self.start == self.end:
            raise ValueError("quiet hours that end when they begin are none")
        return self


class Notifications(Validated):
    """What one person has chosen."""

    when: Literal["step", "needed", "digest"] = "needed"
    """``step``: also when something happens that asks nothing of them. ``digest``: what asks for their decision comes
    together, at set times."""
    quiet: QuietHours | None = None
