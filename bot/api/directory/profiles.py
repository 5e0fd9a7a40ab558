"""Everybody's profiles, for admins: the same directory that the App Home edits."""

from bot.api.context import Call
from bot.api.directory.schemas import (
    ChangedProfile,
    LimitsTold,
    LimitTold,
    OwnTwin,
    ProfileGone,
    ProfilesTold,
    ProfileTold,
    Reach,
    SaidOfLimit,
)
from bot.config import USER
from bot.workspace_settings import directory_key
from engine.directory.errors import InvalidProfile
from engine.directory.held import without_held
from engine.directory.messages import AboutProfile, ChooseReach, ConfirmLimit, DisableProfile, ResetProfile, SaveProfile
from engine.directory.profile import Profile
from engine.directory.rules import RULEBOOK
from engine.directory.state import Entry
from engine.errors import NotAllowed, Outdated, UnknownAgent
from engine.kernel import is_id


async def profiles(call: Call) -> ProfilesTold:
    people = (await call.context.services.settings.directory(call.workspace.tenant)).people
    told = tuple(_profile_answer(agent_id, entry) for agent_id, entry in people.items())
    return ProfilesTold(count=len(told), profiles=told)


async def profile(call: Call) -> ProfileTold:
    agent_id, entry = await _entry(call)
    if entry.profile is None:
        raise _unknown()
    return _profile_answer(agent_id, entry)


async def add(call: Call) -> ProfileTold:
    added: Profile = call.body
    entry = (await call.context.services.settings.directory(call.workspace.tenant)).entry(added.agent_id)
    cause = call.cause_with_body("profile")
    known = without_held(entry.profile) if entry.profile else None
    if known not in (None, without_held(added)):  # the same profile was added by the same call before
        raise Outdated(f"There is a profile {added.agent_id} already; change it with PUT.")
    return await _save(call, cause, added.agent_id, added, entry.revision)


async def change(call: Call) -> ProfileTold:
    changed: ChangedProfile = call.body
    agent_id, entry = await _entry(call)
    if entry.profile is None:
        raise _unknown()
    return await _save(call, call.cause_with_body("profile"), agent_id, changed.profile, changed.revision)


async def disable(call: Call) -> ProfileTold:
    return await _disable(call, disabled=True)


async def enable(call: Call) -> ProfileTold:
    return await _disable(call, disabled=False)


async def reset(call: Call) -> ProfileTold | ProfileGone:
    agent_id, _ = await _entry(call)
    await hand_in(
        call,
        ResetProfile(
            command_id=call.cause("reset"), at=call.now(), by=call.token.actor, as_admin=True, agent_id=agent_id
        ),
    )
    _, entry = await _entry(call)
    return _profile_answer(agent_id, entry) if entry.profile else ProfileGone(agent_id=agent_id)


async def _disable(call: Call, *, disabled: bool) -> ProfileTold:
    agent_id, _ = await _entry(call)
    command = DisableProfile(
        command_id=call.cause("disable" if disabled else "enable"),
        at=call.now(),
        by=call.token.actor,
        as_admin=True,
        agent_id=agent_id,
        disabled=disabled,
    )
    await hand_in(call, command)
    return await profile(call)


async def _save(call: Call, cause: str, agent_id: str, profile: Profile, revision: int) -> ProfileTold:
    if profile.slack_user is not None and not USER.fullmatch(profile.slack_user):
        raise InvalidProfile("slack_user is no member id of Slack; it looks like U012AB3CD, or is left out.")
    command = SaveProfile(
        command_id=cause,
        at=call.now(),
        by=call.token.actor,
        as_admin=True,
        agent_id=agent_id,
        profile=profile,
        revision=revision,
    )
    await hand_in(call, command)
    saved = (await call.context.services.settings.directory(call.workspace.tenant)).entry(agent_id)
    return _profile_answer(agent_id, saved)


async def hand_in(call: Call, command: AboutProfile) -> None:
    await call.context.gateway.begin(directory_key(call.workspace.tenant), RULEBOOK, command, is_admitted=True)


async def _entry(call: Call) -> tuple[str, Entry]:
    """Return an entry of the directory, which is filled from the files first."""
    agent_id = call.path["agent_id"]
    if not is_id(agent_id):
        raise _unknown()
    return agent_id, (await call.context.services.settings.directory(call.workspace.tenant)).entry(agent_id)


def _unknown() -> UnknownAgent:
    return UnknownAgent("There is no such profile here; GET /api/v1/admin/profiles lists them.")


def _profile_answer(agent_id: str, entry: Entry) -> ProfileTold:
    if entry.profile is None:
        raise _unknown()
    return ProfileTold(
        agent_id=agent_id,
        revision=entry.revision,
        is_asked=entry.is_asked,
        is_paused=entry.is_paused,
        is_disabled=entry.is_disabled,
        is_edited=entry.edited is not None,
        profile=without_held(entry.profile),
    )


async def own_twin(call: Call) -> OwnTwin:
    agent_id, profile = await _own(call)
    return OwnTwin(agent_id=agent_id, twin=profile.twin if profile else "votes")


async def choose_reach(call: Call) -> OwnTwin:
    chosen: Reach = call.body
    agent_id, _ = await _own(call)
    command = ChooseReach(
        command_id=call.cause_with_body("reach"),
        at=call.now(),
        by=call.token.actor,
        agent_id=agent_id,
        twin=chosen.twin,
    )
    await hand_in(call, command)
    return await own_twin(call)


async def own_limits(call: Call) -> LimitsTold:
    agent_id, profile = await _own(call)
    return _limits_answer(agent_id, profile)


async def say_of_own_limit(call: Call) -> LimitsTold:
    agent_id, profile = await _own(call)
    return await _say(call, agent_id, profile, as_admin=False)


async def limits(call: Call) -> LimitsTold:
    agent_id, entry = await _entry_limits(call)
    return _limits_answer(agent_id, _checked(call, entry))


async def say_of_limit(call: Call) -> LimitsTold:
    agent_id, entry = await _entry_limits(call)
    return await _say(call, agent_id, _checked(call, entry), as_admin=True)


async def _say(call: Call, agent_id: str, profile: Profile | None, *, as_admin: bool) -> LimitsTold:
    """Record what holds of a limit, and answer with all limits of the profile.

    Raises:
        UnknownAgent: there is no such limit.
    """
    said: SaidOfLimit = call.body
    if call.path["key"] not in {each.key for each in (profile.stated_limits if profile else ())}:
        raise UnknownAgent("There is no such limit, or its words were changed; list them again.")
    command = ConfirmLimit(
        command_id=call.cause_with_body("limit"),
        at=call.now(),
        by=call.token.actor,
        as_admin=as_admin,
        agent_id=agent_id,
        key=call.path["key"],
        state=said.state,
        data=said.data,
        scope=said.scope,
    )
    await hand_in(call, command)
    directory = await call.context.services.settings.directory(call.workspace.tenant)
    return _limits_answer(agent_id, directory.entry(agent_id).profile)


async def _own(call: Call) -> tuple[str, Profile | None]:
    directory = await call.context.services.settings.directory(call.workspace.tenant)
    found = directory.of_user(call.token.user) if call.token.user else None
    if found is None:
        raise UnknownAgent("Nobody's twin belongs to the user of this token.")
    return found[0], found[1].profile


async def _entry_limits(call: Call) -> tuple[str, Entry]:
    """Return the agent id of the path, and the entry of the directory that it names."""
    agent_id = call.path["agent_id"]
    directory = await call.context.services.settings.directory(call.workspace.tenant)
    entry = directory.entry(agent_id) if is_id(agent_id) else Entry()
    if entry.profile is None:
        raise UnknownAgent("There is no such profile here; GET /api/v1/admin/profiles lists them.")
    return agent_id, entry


def _checked(call: Call, entry: Entry) -> Profile | None:
    """Return the profile, whose limits nobody else is told."""
    if not entry.may_confirm(call.token.actor, as_admin=True):
        raise NotAllowed("Only the person themself is told, and says, what they hold to; see /api/v1/twin/limits.")
    return entry.profile


def _limits_answer(agent_id: str, profile: Profile | None) -> LimitsTold:
    held = profile.stated_limits if profile else ()
    told = tuple(
        LimitTold(
            key=each.key,
            words=each.words,
            source=each.source,
            data=each.data,
            scope=each.scope,
            state=each.state,
            holds_as_data=each.is_data,
        )
        for each in held
    )
    return LimitsTold(agent_id=agent_id, limits=told)
