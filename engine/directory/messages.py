"""The commands and events of the directory, and the settings of a workspace."""

from typing import Annotated, ClassVar, Final, Literal

from pydantic import Field

from engine.directory.held import DigestTimes, Notifications, QuietHours
from engine.directory.profile import HeldLimit, LimitScope, Profile, TwinReach
from engine.facts.data import Datum
from engine.kernel import PRIVATE, SPARSE, Command, Event, Millis, Validated, events_in

PrivateProfile = Annotated[Profile | None, PRIVATE]
"""A person's own words; None once they were erased."""

PrivateLimits = Annotated[tuple[HeldLimit, ...], PRIVATE]
PrivateLimit = Annotated[HeldLimit | None, PRIVATE]
"""What somebody holds to is their own affair, in words and as data; None once it was erased."""

PrivateNotifications = Annotated[Notifications | None, PRIVATE]
"""When a person works and rests is their own affair; None once it was erased."""


class Settings(Validated):
    """The settings of a workspace. A field that is None has the value that ToWow was started with."""

    policy: str | None = None
    """The name of a preset. The directory keeps only the name, since it does not know the presets."""
    response_timeout: float | None = Field(None, ge=1, le=86_400)
    """Seconds, like the next three."""
    feedback_timeout: float | None = Field(None, ge=1, le=86_400)
    human_window: float | None = Field(None, ge=0, le=30 * 86_400)
    override_window: float | None = Field(None, ge=0, le=86_400)
    require_model: bool | None = None
    blind_votes: bool | None = None
    check_ins: bool | None = None
    prepares: bool | None = None
    """Whether twins only prepare their votes, however far their people let them go."""
    channels: tuple[str, ...] = ()
    """The channels where demands may begin, besides direct messages; with none, they may begin everywhere."""
    admins: tuple[str, ...] = ()
    """User ids of admins, besides those that ToWow was started with."""
    digest_times: DigestTimes | None = None
    """When digests are sent, where each reader is; None: `engine.directory.held.DIGEST_TIMES`."""
    quiet_hours: QuietHours | None = None
    """Of everybody who has not chosen their own."""


# ── commands ──────────────────────────────────────────────────────────────────────────────────────────────────────


class LoadProfiles(Command):
    """Load the profiles of all files, at start."""

    profiles: tuple[Profile, ...]


class ReadProfiles(Command):
    """Have the limits of these people read, where that was not done since they were last changed: their twins are
    asked now.
    """

    agent_ids: tuple[str, ...]
    with_model: bool = False
    """Whether a model answers: then what rules have read is read again."""


class RecordReading(Command):
    """What a model has read of somebody's limits, or that it could not."""

    agent_id: str
    limits: tuple[HeldLimit, ...] = ()
    """Every line that was read, with its data or without."""
    model: str = ""
    prompt_hash: str = ""
    error: str = ""


class PersonsCommand(Command):
    """A command that a person gives."""

    by: str
    as_admin: bool = False
    """Whether ``by`` is an admin of the tenant, as the database says."""


class AboutProfile(PersonsCommand, kw_only=True):
    agent_id: str


class SaveProfile(AboutProfile, kw_only=True):
    """Save a profile as it was filled in, new or changed.

    ``revision`` is that of the profile it was made from, 0 for a new one: what somebody else wrote meanwhile is not
    overwritten.
    """

    profile: Profile
    revision: int


class TellTwin(AboutProfile, kw_only=True):
    """Tell one's own twin something for good: a line of its profile, which counts from the next question on."""

    line: str


class BeAway(AboutProfile, kw_only=True):
    """Say that oneself is away from one day to another, both included."""

    first: str
    """ISO."""
    last: str


class ConfirmLimit(AboutProfile, kw_only=True):
    """Say what holds of one limit: it holds as this data, or in its words alone, or not at all.

    It carries all that whoever said it has seen, so that nothing else is confirmed with it.
    """

    key: str
    """Of the limit, by its words."""
    state: Literal["read", "on", "off"]
    """``read``: nothing was said of it, and its words hold."""
    data: Datum | None = None
    scope: LimitScope = "own"


class PauseTwin(AboutProfile, kw_only=True):
    """Pause somebody's own twin, or (``paused=False``) let it answer again."""

    paused: bool


class ChooseReach(AboutProfile, kw_only=True):
    """Say how far one's own twin goes."""

    twin: TwinReach


class DisableProfile(AboutProfile, kw_only=True):
    """Take a profile out, or (``disabled=False``) back in, as an admin."""

    disabled: bool


class ResetProfile(AboutProfile):
    """Discard what was edited here, so that the file's profile counts again; without a file, the profile is gone."""


class ChooseNotifications(PersonsCommand, kw_only=True):
    """Choose how oneself is told; nobody chooses it for others."""

    chosen: Notifications


class EraseNotifications(Command):
    """Record that what somebody chose is erased."""

    user_id: str
    by: str
    former_chain: str = ""
    """What the last link of the chain was, where it had to be linked anew: as hexadecimal digits."""


class EraseProfile(Command):
    """Record that what a profile said is erased."""

    agent_id: str
    by: str
    former_chain: str = ""
    """What the last link of the chain was, where it had to be linked anew: as hexadecimal digits."""


class ChangeSettings(PersonsCommand, kw_only=True):
    settings: Settings
    revision: int
    """The revision of the settings that these were made from."""
    always_admins: bool = False
    """Whether there are admins besides those in ``settings``, as ToWow was started with."""


# ── events ────────────────────────────────────────────────────────────────────────────────────────────────────────


class ProfileEvent(Event):
    agent_id: str


class ProfileLoaded(ProfileEvent):
    """A file holds a new profile, or a changed one."""

    event_type: ClassVar[str] = "towow.profile.loaded"
    profile: PrivateProfile = None


class ProfileUnloaded(ProfileEvent):
    """There is no file of this person any more."""

    event_type: ClassVar[str] = "towow.profile.unloaded"


class ProfileSaved(ProfileEvent, kw_only=True):
    event_type: ClassVar[str] = "towow.profile.saved"
    profile: PrivateProfile = None
    by: str


class ReadingBegun(ProfileEvent):
    """A model is asked what of this person's limits is data."""

    event_type: ClassVar[str] = "towow.profile.reading"
    at: Annotated[Millis, SPARSE] = 0
    again: Annotated[bool, SPARSE] = False
    """Whether what rules have read is read again."""


class LimitsRead(ProfileEvent):
    event_type: ClassVar[str] = "towow.profile.read"
    limits: PrivateLimits = ()
    model: str = ""
    prompt_hash: str = ""
    why: Annotated[str, SPARSE] = ""
    """Why nothing was read."""


class LimitConfirmed(ProfileEvent, kw_only=True):
    """The owner of a limit, or who may speak for them, has said what holds of it."""

    event_type: ClassVar[str] = "towow.profile.limit_confirmed"
    limit: PrivateLimit = None
    by: str


class TwinPaused(ProfileEvent):
    event_type: ClassVar[str] = "towow.twin.paused"
    by: str


class TwinResumed(ProfileEvent):
    event_type: ClassVar[str] = "towow.twin.resumed"
    by: str


class ProfileDisabled(ProfileEvent):
    event_type: ClassVar[str] = "towow.profile.disabled"
    by: str


class ProfileEnabled(ProfileEvent):
    event_type: ClassVar[str] = "towow.profile.enabled"
    by: str


class ProfileReset(ProfileEvent):
    event_type: ClassVar[str] = "towow.profile.reset"
    by: str


class ProfileErased(ProfileEvent):
    """What it said is erased, and so that it stays so, no file of this person is loaded any more."""

    event_type: ClassVar[str] = "towow.profile.erased"
    by: str
    former_chain: str = ""
    """What the last link of the chain was before this, where it had to be linked anew: as hexadecimal digits."""


class NotificationsChosen(Event):
    event_type: ClassVar[str] = "towow.notifications.chosen"
    by: str
    chosen: PrivateNotifications = None


class NotificationsErased(Event):
    """What they had chosen is erased, and what the workspace says holds for them."""

    event_type: ClassVar[str] = "towow.notifications.erased"
    user_id: str
    by: str
    former_chain: str = ""
    """What the last link of the chain was before this, where it had to be linked anew: as hexadecimal digits."""


class SettingsChanged(Event):
    event_type: ClassVar[str] = "towow.settings.changed"
    settings: Settings
    by: str


EVENTS: Final = events_in(vars())
