"""Who may change what in the directory, and what follows."""

from typing import Final

from engine.directory import audit, forgetting, limit_rules
from engine.directory.availability import MOST_AWAY, is_time_away, times_away, with_time_away
from engine.directory.errors import REFUSALS, InvalidProfile, InvalidSettings
from engine.directory.held import without_held
from engine.directory.limit_rules import changes
from engine.directory.messages import (
    EVENTS,
    BeAway,
    ChangeSettings,
    ChooseNotifications,
    ChooseReach,
    ConfirmLimit,
    DisableProfile,
    EraseNotifications,
    EraseProfile,
    LoadProfiles,
    NotificationsChosen,
    NotificationsErased,
    PauseTwin,
    PersonsCommand,
    ProfileDisabled,
    ProfileEnabled,
    ProfileErased,
    ProfileLoaded,
    ProfileReset,
    ProfileSaved,
    ProfileUnloaded,
    ReadProfiles,
    RecordReading,
    ResetProfile,
    SaveProfile,
    SettingsChanged,
    TellTwin,
    TwinPaused,
    TwinResumed,
)
from engine.directory.profile import LONGEST_TOLD, MOST_TOLD, Profile, mismatches
from engine.directory.state import Directory, Entry, apply
from engine.errors import IllegalStep, NotAllowed, Outdated, UnknownAgent
from engine.facts.asked import local_day
from engine.kernel import Command, Decision, Draft, EffectFailed, Rulebook

LONGEST_PROFILE: Final = 20_000
"""Characters, as JSON: every prompt about the person carries all of it."""

WEST: Final = 12 * 3_600_000
"""Milliseconds by which the last time zone is behind UTC."""

STREAM: Final = "directory"
"""The id of the stream; each tenant has one directory."""


def decide(state: Directory, command: Command) -> Decision:
    draft = Draft(state, apply)
    match command:
        case LoadProfiles():
            _load(draft, command)
        case ReadProfiles():
            limit_rules.read_profiles(draft, command)
        case RecordReading():
            limit_rules.record_reading(draft, command)
        case EffectFailed():
            limit_rules.reading_failed(draft, command)
        case ConfirmLimit():
            limit_rules.confirm(draft, command)
        case SaveProfile():
            _save(draft, command)
        case TellTwin():
            _tell(draft, command)
        case BeAway():
            _be_away(draft, command)
        case PauseTwin():
            _pause(draft, command)
        case ChooseReach():
            _choose_reach(draft, command)
        case DisableProfile():
            _disable(draft, command)
        case ResetProfile():
            _reset(draft, command)
        case EraseProfile():
            changes(draft, ProfileErased(agent_id=command.agent_id, by=command.by, former_chain=command.former_chain))
        case ChooseNotifications():
            if draft.state.notifications(command.by) != command.chosen or command.by not in draft.state.chosen:
                draft.happens(NotificationsChosen(by=command.by, chosen=command.chosen))
        case EraseNotifications():
            draft.happens(
                NotificationsErased(user_id=command.user_id, by=command.by, former_chain=command.former_chain)
            )
        case ChangeSettings():
            _settings(draft, command)
        case _:
            raise IllegalStep(f"A directory knows no {type(command).__name__}.")
    return draft.decision()


def check_profile(state: Directory, by: str, agent_id: str, *, as_admin: bool) -> Entry:
    """Return the profile, if ``by`` may edit it."""
    entry = state.entry(agent_id)
    if entry.profile is None:
        raise UnknownAgent(f"There is no profile {agent_id} here.")
    if not as_admin and entry.profile.slack_user != by:
        raise NotAllowed("Only the person it is about, or an admin, can change a profile.")
    return entry


def _load(draft: Draft[Directory], command: LoadProfiles) -> None:
    found = {each.agent_id: each for each in command.profiles}
    for agent_id, profile in sorted(found.items()):
        entry = draft.state.entry(agent_id)
        if entry.loaded != profile and not entry.is_erased:
            changes(draft, ProfileLoaded(agent_id=agent_id, profile=profile))
    for agent_id, entry in sorted(draft.state.entries.items()):
        if entry.loaded is not None and agent_id not in found:
            changes(draft, ProfileUnloaded(agent_id=agent_id))


def _save(draft: Draft[Directory], command: SaveProfile) -> None:
    # What is held of its limits is said by their owner, one by one, and comes with no form.
    profile, entry = without_held(command.profile), draft.state.entry(command.agent_id)
    if entry.profile is None:
        if not command.as_admin and profile.slack_user != command.by:
            raise NotAllowed("You can make a twin of yourself; of others, only an admin can.")
    else:
        check_profile(draft.state, command.by, command.agent_id, as_admin=command.as_admin)
        if not command.as_admin and profile.slack_user != entry.profile.slack_user:
            raise NotAllowed("Only an admin can say whose twin it is.")
        if entry.profile.slack_user not in (None, "", command.by):
            # How far it goes is its person's to say, whoever else changes the rest.
            profile = profile.model_copy(update={"twin": entry.profile.twin})
    if command.revision != entry.revision:
        raise Outdated("Somebody has changed this profile since the form was opened; open it again.")
    if profile.agent_id != command.agent_id:
        raise InvalidProfile(f"This profile is {profile.agent_id}'s, not {command.agent_id}'s.")
    if len(profile.model_dump_json()) > LONGEST_PROFILE:
        raise InvalidProfile(f"A profile has {LONGEST_PROFILE:,} characters at most; shorten it.")
    if faults := [f"{'.'.join(map(str, way))}: {what}" for way, what in mismatches(profile)]:
        raise InvalidProfile("; ".join(faults))
    if profile.slack_user:
        other = draft.state.of_user(profile.slack_user)
        if other is not None and other[0] != command.agent_id:
            raise InvalidProfile(f"{profile.slack_user} has a twin already: {other[0]}.")
    if entry.profile is None or profile != without_held(entry.profile):
        changes(draft, ProfileSaved(agent_id=command.agent_id, profile=profile, by=command.by))
    if command.as_admin and entry.profile is None and entry.is_disabled:
        draft.happens(ProfileEnabled(agent_id=command.agent_id, by=command.by))
    limit_rules.confirm_stated(draft, command)


def check_told(profile: Profile, line: str) -> None:
    """Check that the profile has room for a line that its twin is told."""
    if not line or len(line) > LONGEST_TOLD:
        raise InvalidProfile(f"A line that a twin is told has 1 to {LONGEST_TOLD} characters.")
    if line not in profile.from_now_on and len(profile.from_now_on) >= MOST_TOLD:
        raise InvalidProfile(f"A twin is told {MOST_TOLD} lines at most; take one out first.")


def _tell(draft: Draft[Directory], command: TellTwin) -> None:
    """Keep a line. Only the person themself tells their twin: an admin edits the profile, where everybody sees it."""
    profile = check_profile(draft.state, command.by, command.agent_id, as_admin=False).profile
    assert profile is not None  # noqa: S101 - checked
    line = " ".join(command.line.split())
    check_told(profile, line)
    if line in profile.from_now_on:
        return
    told = without_held(profile).model_copy(update={"from_now_on": (*profile.from_now_on, line)})
    if len(told.model_dump_json()) > LONGEST_PROFILE:
        raise InvalidProfile(f"A profile has {LONGEST_PROFILE:,} characters at most; shorten it.")
    changes(draft, ProfileSaved(agent_id=command.agent_id, profile=told, by=command.by))


def _be_away(draft: Draft[Directory], command: BeAway) -> None:
    """Keep a time away. Only the person themself says when they are; an admin edits the profile."""
    profile = check_profile(draft.state, command.by, command.agent_id, as_admin=False).profile
    assert profile is not None  # noqa: S101 - checked
    if not is_time_away(command.first, command.last):
        raise InvalidProfile("A time away has a first day and a last one, which is not before it.")
    today = local_day(command.at - WEST, "UTC")
    limits = with_time_away(profile.limits, command.first, command.last, today)
    if len(times_away(limits)) > MOST_AWAY:
        raise InvalidProfile(f"A profile has {MOST_AWAY} times away at most; take one out first.")
    away = without_held(profile).model_copy(update={"limits": limits})
    if away == without_held(profile):
        return
    if len(away.model_dump_json()) > LONGEST_PROFILE:
        raise InvalidProfile(f"A profile has {LONGEST_PROFILE:,} characters at most; shorten it.")
    changes(draft, ProfileSaved(agent_id=command.agent_id, profile=away, by=command.by))


def _pause(draft: Draft[Directory], command: PauseTwin) -> None:
    entry = check_profile(draft.state, command.by, command.agent_id, as_admin=False)
    if entry.is_paused is not command.paused:
        happened = TwinPaused if command.paused else TwinResumed
        draft.happens(happened(agent_id=command.agent_id, by=command.by))


def _choose_reach(draft: Draft[Directory], command: ChooseReach) -> None:
    profile = check_profile(draft.state, command.by, command.agent_id, as_admin=False).profile
    assert profile is not None  # noqa: S101 - checked
    if profile.twin != command.twin:
        chosen = without_held(profile).model_copy(update={"twin": command.twin})
        changes(draft, ProfileSaved(agent_id=command.agent_id, profile=chosen, by=command.by))


def _disable(draft: Draft[Directory], command: DisableProfile) -> None:
    _as_admin(command)
    entry = check_profile(draft.state, command.by, command.agent_id, as_admin=True)
    if entry.is_disabled is not command.disabled:
        happened = ProfileDisabled if command.disabled else ProfileEnabled
        draft.happens(happened(agent_id=command.agent_id, by=command.by))


def _reset(draft: Draft[Directory], command: ResetProfile) -> None:
    """Only an admin may return to the file; whoever made their own twin may remove it again."""
    entry = check_profile(draft.state, command.by, command.agent_id, as_admin=command.as_admin)
    if entry.loaded is not None:
        _as_admin(command)
    if entry.edited is not None or entry.is_disabled:
        changes(draft, ProfileReset(agent_id=command.agent_id, by=command.by))


def _settings(draft: Draft[Directory], command: ChangeSettings) -> None:
    _as_admin(command)
    if command.revision != draft.state.settings_revision:
        raise Outdated("Somebody has changed the settings since the form was opened; open it again.")
    if not command.settings.admins and not command.always_admins:
        raise InvalidSettings("Somebody has to be an admin, or nobody could change this any more.")
    if command.settings != draft.state.settings:
        draft.happens(SettingsChanged(settings=command.settings, by=command.by))


def _as_admin(command: PersonsCommand) -> None:
    if not command.as_admin:
        raise NotAllowed("Only an admin can do that.")


RULEBOOK: Final = Rulebook(
    protocol="directory",
    initial=Directory(),
    decide=decide,
    evolve=apply,
    events=EVENTS,
    is_open=lambda _: False,  # it waits for nobody
    is_kept=True,
    projections=(audit.trail,),
    forgetter=forgetting.FORGETTER,
    refusals=REFUSALS,
)
