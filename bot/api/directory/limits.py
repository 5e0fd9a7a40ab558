"""What somebody holds to, and how far their twin goes: their own, by the token that is bound to them; the limits of
nobody's twin, by admins.
"""

from bot.api.context import Call
from bot.api.directory.profiles import hand_in
from bot.api.directory.schemas import LimitsTold, LimitTold, OwnTwin, Reach, SaidOfLimit
from engine.directory.messages import ChooseReach, ConfirmLimit
from engine.directory.profile import Profile
from engine.directory.state import Entry
from engine.errors import NotAllowed, UnknownAgent
from engine.kernel import is_id


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
    agent_id, entry = await _entry(call)
    return _limits_answer(agent_id, _checked(call, entry))


async def say_of_limit(call: Call) -> LimitsTold:
    agent_id, entry = await _entry(call)
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


async def _entry(call: Call) -> tuple[str, Entry]:
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
