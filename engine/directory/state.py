"""What the directory knows, and how its events change it. It holds no rules."""

from collections.abc import Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from engine.directory.messages import (
    NotificationsChosen,
    NotificationsErased,
    ProfileDisabled,
    ProfileEnabled,
    ProfileErased,
    ProfileEvent,
    ProfileLoaded,
    ProfileReset,
    ProfileSaved,
    ProfileUnloaded,
    Settings,
    SettingsChanged,
    TwinPaused,
    TwinResumed,
)
from engine.directory.notifications import DIGEST_TIMES, Notifications, notifications_of
from engine.directory.profile import Profile, Profiles
from engine.kernel import Event


class Entry(Struct, frozen=True, gc=False):
    """One person. The profile that was edited here counts, else the one of their file."""

    loaded: Profile | None = None
    edited: Profile | None = None
    is_paused: bool = False
    """The person has paused it: their twin answers nothing."""
    is_disabled: bool = False
    """An admin has disabled it: neither twin nor person is asked."""
    revision: int = 0
    """Counts the changes of the profile."""
    is_erased: bool = False
    """What it said was erased, and nobody has made it anew since."""

    @property
    def profile(self) -> Profile | None:
        return self.edited or self.loaded

    @property
    def is_asked(self) -> bool:
        return self.profile is not None and not self.is_paused and not self.is_disabled


class Directory(Struct, frozen=True, gc=False):
    entries: Mapping[str, Entry] = field(default_factory=dict)
    """By agent id. Somebody without a profile stays here for the revision."""
    settings: Settings = field(default_factory=Settings)
    settings_revision: int = 0
    chosen: Mapping[str, Notifications] = field(default_factory=dict)
    """By user id: how each person who has chosen it wants to be told."""

    def entry(self, agent_id: str) -> Entry:
        return self.entries.get(agent_id, _NOBODY)

    @property
    def people(self) -> Mapping[str, Entry]:
        """Everybody of whom there is a profile, by agent id, in the order of the ids."""
        return {agent_id: self.entries[agent_id] for agent_id in sorted(self.entries) if self.entries[agent_id].profile}

    @property
    def asked(self) -> Profiles:
        """Whose twins are asked."""
        found = {agent_id: each.profile for agent_id, each in self.entries.items() if each.is_asked}
        return Profiles({agent_id: profile for agent_id, profile in found.items() if profile is not None})

    def of_user(self, user_id: str) -> tuple[str, Entry] | None:
        """The twin that is linked to this Slack user, whether or not it is asked."""
        mine = (each for each in self.people.items() if each[1].profile and each[1].profile.slack_user == user_id)
        return next(mine, None)

    @property
    def digest_times(self) -> tuple[str, ...]:
        """``HH:MM``, where each reader is, in order."""
        return tuple(sorted({*(self.settings.digest_times or DIGEST_TIMES)}))

    def notifications(self, user_id: str) -> Notifications:
        """How this person wants to be told, whether or not they have a twin."""
        return notifications_of(self.chosen, user_id, self.settings.quiet_hours)


_NOBODY = Entry()


def apply(state: Directory, event: Event) -> Directory:
    match event:
        case ProfileEvent():
            entry = _changed(state.entry(event.agent_id), event)
            return replace(state, entries={**state.entries, event.agent_id: entry})
        case NotificationsChosen() if event.chosen is not None:
            return replace(state, chosen={**state.chosen, event.by: event.chosen})
        case NotificationsChosen():
            return _without_choice(state, event.by)  # it was erased since
        case NotificationsErased():
            return _without_choice(state, event.user_id)
        case SettingsChanged():
            return replace(state, settings=event.settings, settings_revision=state.settings_revision + 1)
        case _:
            return state


def _without_choice(state: Directory, user_id: str) -> Directory:
    return replace(state, chosen={each: chosen for each, chosen in state.chosen.items() if each != user_id})


def _changed(entry: Entry, event: ProfileEvent) -> Entry:
    match event:
        case ProfileLoaded():
            # Whoever has edited it goes on where they are: their form is not out of date.
            revision = entry.revision if entry.edited else entry.revision + 1
            return replace(entry, loaded=event.profile, revision=revision)
        case ProfileUnloaded():
            return replace(entry, loaded=None, revision=entry.revision + 1)
        case ProfileSaved():
            return replace(entry, edited=event.profile, revision=entry.revision + 1, is_erased=False)
        case ProfileErased():
            # Whoever was taken out by an admin does not get back by being forgotten.
            return Entry(is_disabled=entry.is_disabled, revision=entry.revision + 1, is_erased=True)
        case ProfileReset():
            # Whether their twin speaks is the person's own affair, as long as there is one; and whoever removes a twin
            # that an admin has taken out does not get rid of that by making it anew.
            has_file = entry.loaded is not None
            return Entry(
                loaded=entry.loaded,
                is_paused=entry.is_paused and has_file,
                is_disabled=entry.is_disabled and not has_file,
                revision=entry.revision + 1,
            )
        case TwinPaused() | TwinResumed():
            return replace(entry, is_paused=isinstance(event, TwinPaused))
        case ProfileDisabled() | ProfileEnabled():
            return replace(entry, is_disabled=isinstance(event, ProfileDisabled))
        case _:
            return entry
