"""What the directory knows, and how its events change it. It holds no rules."""

from collections.abc import Collection, Mapping
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from engine.directory.held import DIGEST_TIMES, Notifications, kept, reloaded, stated, unread, unsaid, with_held
from engine.directory.messages import (
    LimitConfirmed,
    LimitsRead,
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
    ReadingBegun,
    Settings,
    SettingsChanged,
    TwinPaused,
    TwinResumed,
)
from engine.directory.profile import HeldLimit, Profile, Profiles
from engine.kernel import Event, Millis

RULES: Final = "offline"
"""The name under which rules answer where there is no model."""


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

    saved_by: str = ""
    """Who saved what was edited here; empty where its file counts."""
    held: Mapping[str, HeldLimit] = field(default_factory=dict)
    """What was read of its limits, and what was said of it, by key."""
    by_rules: frozenset[str] = frozenset()
    """The keys of those that rules have read, and no model."""
    reading: frozenset[str] = frozenset()
    """The keys of those that are being read."""
    reading_since: Millis = 0
    whole: Profile | None = None
    """The profile with what is held of its limits, where anything is."""

    @property
    def profile(self) -> Profile | None:
        return self.whole or self.edited or self.loaded

    def unread(self, *, with_model: bool = False) -> tuple[HeldLimit, ...]:
        """Return the limits in words that have yet to be read.

        Args:
            with_model: a model reads: what rules have read counts as unread.
        """
        return unread(self.profile, self.held, self.by_rules if with_model else frozenset())

    @property
    def being_read(self) -> tuple[HeldLimit, ...]:
        return tuple(each for each in (self.profile.stated_limits if self.profile else ()) if each.key in self.reading)

    def may_confirm(self, by: str, *, as_admin: bool) -> bool:
        """Whether somebody may say what of its limits holds: the person it is about alone, and of a twin that nobody
        is linked to, an admin or whoever saved it.
        """
        owner = self.profile.slack_user if self.profile else None
        return by == owner if owner else as_admin or (bool(by) and by == self.saved_by)

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
        found = {agent_id: each.profile for agent_id, each in self.entries.items() if each.is_asked}
        return Profiles({agent_id: profile for agent_id, profile in found.items() if profile is not None})

    def to_read(self, agent_ids: Collection[str], *, with_model: bool) -> tuple[str, ...]:
        """Return those among them whose limits have yet to be read, and are not being read."""
        among = {each: self.entry(each) for each in agent_ids}
        return tuple(
            agent_id
            for agent_id, each in among.items()
            if each.is_asked and any(one.key not in each.reading for one in each.unread(with_model=with_model))
        )

    def of_user(self, user_id: str) -> tuple[str, Entry] | None:
        """The twin that is linked to this Slack user, whether or not it is asked."""
        mine = (each for each in self.people.items() if each[1].profile and each[1].profile.slack_user == user_id)
        return next(mine, None)

    @property
    def digest_times(self) -> tuple[str, ...]:
        """``HH:MM``, where each reader is, in order."""
        return tuple(sorted({*(self.settings.digest_times or DIGEST_TIMES)}))

    def notifications(self, user_id: str) -> Notifications:
        """How this person wants to be told, whether or not they have a twin; by the workspace's quiet hours until they
        choose.
        """
        return self.chosen.get(user_id) or Notifications(quiet=self.settings.quiet_hours)


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
    after = _folded(entry, event)
    written, before = after.edited or after.loaded, entry.edited or entry.loaded
    if written is not before:
        held = after.held
        if written is not None and before is not None and written.slack_user != before.slack_user:
            held = {**unsaid(held), **(stated(written) if written is after.loaded else {})}
        # What is being read are lines that it may not have any more; whoever asks the twin next begins anew.
        after = replace(after, held=kept(written, held), reading=frozenset())
    whole = with_held(written, after.held) if written is not None else None
    return replace(after, whole=whole if whole is not written else None)


def _folded(entry: Entry, event: ProfileEvent) -> Entry:
    match event:
        case ReadingBegun():
            keys = frozenset(each.key for each in entry.unread(with_model=event.again))
            return replace(entry, reading=entry.reading | keys, reading_since=event.at)
        case LimitsRead():
            return _read(entry, event)
        case LimitConfirmed():
            said = {} if event.limit is None else {event.limit.key: event.limit}
            return replace(entry, held={**entry.held, **said})
        case ProfileLoaded() if entry.edited is None:
            held = reloaded(entry.held, entry.loaded, event.profile)
            return replace(entry, loaded=event.profile, held=held, revision=entry.revision + 1)
        case ProfileLoaded():
            # Whoever has edited it goes on where they are: their form is not out of date.
            return replace(entry, loaded=event.profile)
        case ProfileUnloaded():
            return replace(entry, loaded=None, revision=entry.revision + 1)
        case ProfileSaved():
            return replace(entry, edited=event.profile, revision=entry.revision + 1, is_erased=False, saved_by=event.by)
        case ProfileErased():
            # Whoever was taken out by an admin does not get back by being forgotten.
            return Entry(is_disabled=entry.is_disabled, revision=entry.revision + 1, is_erased=True)
        case ProfileReset():
            # Whether their twin speaks is the person's own affair, as long as there is one; and whoever removes a twin
            # that an admin has taken out does not get rid of that by making it anew.
            has_file = entry.loaded is not None
            return Entry(
                loaded=entry.loaded,
                held=reloaded(entry.held, None, entry.loaded),
                by_rules=entry.by_rules,
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


def _read(entry: Entry, event: LimitsRead) -> Entry:
    """Keep what was read of lines that are still there and of which nothing was said meanwhile."""
    if event.why:
        return replace(entry, reading=frozenset())
    said = {key for key, each in entry.held.items() if each.state != "read"}
    found = {each.key: each for each in event.limits if each.key not in said}
    keys = frozenset(found)
    return replace(
        entry,
        held={**entry.held, **kept(entry.profile, found)},
        by_rules=entry.by_rules | keys if event.model == RULES else entry.by_rules - keys,
        reading=entry.reading - frozenset(each.key for each in event.limits),
    )
