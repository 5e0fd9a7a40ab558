"""What a job is: where several processes share a store, what one commit owes, or an alarm, which any of them may do."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from engine.kernel import Millis, StreamKey, Tenant
from engine.store.port import Alarm, PendingEffect

EFFECTS: Final = "towow_effects"
ALARMS: Final = "towow_alarms"
"""The names of the queues, and of what is done with a job in each."""

LATEST: Final[Millis] = 253_370_764_800_000
"""The year 9999: no job is scheduled later."""

Args = Mapping[str, Any]


class Job(NamedTuple):
    """One that a worker has."""

    id: int
    key: StreamKey
    args: Args
    is_anew: bool
    """Somebody has begun it before, who did not finish it."""
    is_own: bool = False
    """It was deferred here, for this worker, just now."""


def effects_args(key: StreamKey, effect_ids: Sequence[str]) -> Args:
    return {**_key_args(key), "effects": effect_ids}


def alarm_args(alarm: Alarm) -> Args:
    return {**_key_args(alarm.key), "name": alarm.name, "generation": alarm.generation, "due": alarm.due}


def key_of(args: Args) -> StreamKey:
    return StreamKey(Tenant(args["team"], args["enterprise"]), args["stream"])


def alarm_of(job: Job) -> Alarm:
    return Alarm(job.key, job.args["name"], job.args["generation"], job.args["due"])


def effects_of(job: Job, owed: Mapping[str, PendingEffect]) -> list[PendingEffect]:
    """Return those of its effects that are owed still."""
    found = (owed.get(each) for each in job.args["effects"])
    return [each for each in found if each is not None and not each.parked]


def _key_args(key: StreamKey) -> Args:
    return {"enterprise": key.tenant.enterprise_id, "team": key.tenant.team_id, "stream": key.stream}
