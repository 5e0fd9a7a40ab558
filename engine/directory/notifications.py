"""How somebody wants to be told: of each step, only when they are needed, or in digests; and when not at all."""

from typing import Annotated, Final, Literal

from pydantic import Field, StringConstraints, model_validator

from engine.kernel import Validated

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
