"""Everybody's profiles, for admins: the same directory that the App Home edits."""

from bot.api.context import Call
from bot.api.directory.schemas import ChangedProfile, ProfileGone, ProfilesTold, ProfileTold
from bot.config import USER
from bot.workspace_settings import directory_key
from engine.directory.errors import InvalidProfile
from engine.directory.held import without_held
from engine.directory.messages import AboutProfile, DisableProfile, ResetProfile, SaveProfile
from engine.directory.profile import Profile
from engine.directory.rules import RULEBOOK
from engine.directory.state import Entry
from engine.errors import Outdated, UnknownAgent
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
