"""When somebody's limits are read, and who may say what of them holds."""

from engine.directory.messages import (
    ConfirmLimit,
    LimitConfirmed,
    LimitsRead,
    ProfileEvent,
    ReadingBegun,
    ReadProfiles,
    RecordReading,
    SaveProfile,
)
from engine.directory.state import Directory
from engine.errors import NotAllowed, Outdated, UnknownAgent
from engine.facts.data import is_empty
from engine.kernel import Ask, Draft, EffectFailed

PROMPT = "read_profile"


def reading(agent_id: str) -> str:
    """Return the scope of the question what of somebody's limits is data."""
    return f"{PROMPT}/{agent_id}"


def changes(draft: Draft[Directory], event: ProfileEvent) -> None:
    """Let a profile change. What is being read of it is about words that it may not have any more."""
    was_reading = draft.state.entry(event.agent_id).reading
    draft.happens(event)
    if was_reading and not draft.state.entry(event.agent_id).reading:
        draft.voids(reading(event.agent_id))


def read_profiles(draft: Draft[Directory], command: ReadProfiles) -> None:
    for agent_id in draft.state.to_read(command.agent_ids, with_model=command.with_model):
        draft.happens(ReadingBegun(agent_id=agent_id, at=command.at, again=command.with_model))
        name = reading(agent_id)
        draft.owes(Ask(name=name, scope=name, prompt=PROMPT, about=agent_id))


def record_reading(draft: Draft[Directory], command: RecordReading) -> None:
    """Keep what a model read in limits. A late answer changes nothing."""
    if not draft.state.entry(command.agent_id).reading:
        return
    draft.happens(
        LimitsRead(
            agent_id=command.agent_id,
            limits=command.limits,
            model=command.model,
            prompt_hash=command.prompt_hash,
            why=command.error,
        )
    )


def reading_failed(draft: Draft[Directory], command: EffectFailed) -> None:
    agent_id = command.name.removeprefix(reading(""))
    if draft.state.entry(agent_id).reading:
        draft.happens(LimitsRead(agent_id=agent_id, why=command.why))


def confirm(draft: Draft[Directory], command: ConfirmLimit) -> None:
    """Record what holds of a limit, as its owner says."""
    entry = draft.state.entry(command.agent_id)
    if entry.profile is None:
        raise UnknownAgent(f"There is no profile {command.agent_id} here.")
    if not entry.may_confirm(command.by, as_admin=command.as_admin):
        raise NotAllowed("Only the person themself says what they hold to; of a twin that is nobody's, an admin.")
    known = {each.key: each for each in entry.profile.stated_limits}.get(command.key)
    if known is None:
        raise Outdated("These words are not in the profile any more; open it again.")
    data = None if is_empty(command.data) else command.data
    if not known.words:  # it was stated as data, and holds as that or not at all
        data = known.data
    said = known.model_copy(update={"data": data, "scope": command.scope, "state": command.state})
    if said != entry.held.get(command.key):
        draft.happens(LimitConfirmed(agent_id=command.agent_id, limit=said, by=command.by))


def confirm_stated(draft: Draft[Directory], command: SaveProfile) -> None:
    """Confirm the limits that a profile states as data, in the name of whoever saves it, if nobody is linked to it."""
    entry = draft.state.entry(command.agent_id)
    if entry.profile is None or entry.profile.slack_user:
        return
    lines = {each.key for each in entry.profile.stated_limits}
    for each in command.profile.limit_data:
        if each.key in lines and each.state != "read" and each != entry.held.get(each.key):
            draft.happens(LimitConfirmed(agent_id=command.agent_id, limit=each, by=command.by))
