"""What a commit says of jobs, in its own transaction: who does what it owes, and when its alarms are due.

What a process commits it does itself. The job is its own from the beginning, as if it had been fetched: nobody is told
of it, and others do it once this process has not said for too long that it is there. What a commit pays takes its job
with it.
"""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, LiteralString, NamedTuple, Protocol

import msgspec
import psycopg

from engine.kernel import Millis, StreamKey
from engine.runtime.job import ALARMS, EFFECTS, LATEST, Job, alarm_args, effects_args
from engine.store.port import Alarm, Commit

# ── jobs ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


MOST_ALARMS: Final = 20_000

SPARE: Final = ""
"""No alarm's name: the job of one that was cleared, which the stream's next alarm takes."""

_OWN: Final[LiteralString] = """
WITH there AS (
    SELECT id FROM procrastinate_workers
    WHERE id = %(worker)s AND last_heartbeat > now() - make_interval(secs => %(seconds)s) FOR KEY SHARE
), own AS (
    INSERT INTO procrastinate_jobs (queue_name, task_name, args, status, worker_id)
    SELECT %(queue)s, %(queue)s, args::jsonb,
        (CASE WHEN there.id IS NULL THEN 'todo' ELSE 'doing' END)::procrastinate_job_status, there.id
    FROM unnest(%(args)b::text[]) WITH ORDINALITY AS given (args, nth) LEFT JOIN there ON nth <= %(room)s
    ORDER BY nth
    RETURNING id, worker_id
)
SELECT id, worker_id FROM own ORDER BY id
"""
"""A worker that has not said in time that it is there gets nothing: others would think that it has left it."""

_PAID: Final[LiteralString] = """
DELETE FROM procrastinate_jobs WHERE id = ANY (%(ids)b::bigint[]) AND worker_id = %(worker)s AND status = 'doing'
"""

_SET: Final[LiteralString] = """
WITH given AS (
    SELECT job, args::jsonb, to_timestamp(due / 1000.0) AS due, nth
    FROM unnest(%(ids)b::bigint[], %(args)b::text[], %(due)b::bigint[]) WITH ORDINALITY AS given (job, args, due, nth)
), moved AS (
    UPDATE procrastinate_jobs SET args = given.args, scheduled_at = due FROM given
    WHERE id = job AND queue_name = %(queue)s AND status = 'todo' RETURNING nth, id
), added AS (
    INSERT INTO procrastinate_jobs (queue_name, task_name, args, scheduled_at)
    SELECT %(queue)s, %(queue)s, args, due FROM given WHERE nth NOT IN (SELECT nth FROM moved) ORDER BY nth
    RETURNING id
)
SELECT nth, id FROM moved UNION ALL SELECT NULL, id FROM added ORDER BY id
"""
"""The job of an alarm that was cleared becomes that of one that is set: nobody is told of a job that is changed."""

_CLEARED: Final[LiteralString] = """
DELETE FROM procrastinate_jobs
WHERE id = ANY (%(ids)b::bigint[]) AND queue_name = %(queue)s AND status = 'todo'
"""

Connection = psycopg.AsyncConnection[Any]
Identity = tuple[StreamKey, str]
"""A stream, and an effect of its outbox or an alarm by its name."""

_encode: Final = msgspec.json.encode


class Keeper(Protocol):
    """What does the jobs of this process."""

    @property
    def name(self) -> int:
        """Under which the database knows it; another one after it was away for too long."""

    @property
    def room(self) -> int:
        """How many jobs more it may do."""

    def keep(self, job: Job, worker: int) -> None:
        """Do a job that was its own from the beginning."""

    def release(self, job: int, worker: int) -> None:
        """The database knows already that a job is done."""


@dataclass(frozen=True, slots=True, eq=False)
class _Own:
    id: int
    worker: int
    left: set[Identity]
    """The effects of it that are owed still."""


class _Said(NamedTuple):
    """What one transaction says, to be believed once it is committed."""

    owed: Sequence[tuple[StreamKey, list[str]]]
    paid: Sequence[Identity]
    over: Sequence[_Own]
    """Of which nothing is left."""
    alarms: Sequence[Alarm]
    cleared: Sequence[Identity]
    ended: Collection[StreamKey]
    """Streams that will hardly set another alarm."""


class OwnJobs:
    def __init__(self) -> None:
        self._keeper: Keeper | None = None
        self._lasts: Millis = 0
        self._own: dict[Identity, _Own] = {}
        self._alarms: OrderedDict[Identity, int] = OrderedDict()

    def keep_with(self, keeper: Keeper, lasts: Millis) -> None:
        """Give the keeper the jobs of what is committed here from now on, while its heartbeat is fresh.

        Args:
            keeper: runs the jobs.
            lasts: for how long after a heartbeat it counts as alive.
        """
        self._keeper, self._lasts = keeper, lasts

    def holds(self, key: StreamKey, effect_id: str) -> bool:
        """Whether a job of this process is for this effect, since it was committed."""
        return (key, effect_id) in self._own

    def forget(self, job: int, effects: Iterable[Identity]) -> None:
        """Drop a job that this process no longer runs."""
        for each in effects:
            if (own := self._own.get(each)) is not None and own.id == job:
                del self._own[each]

    async def defer(self, connection: Connection, commits: Sequence[Commit]) -> Callable[[], Awaitable[None]]:
        """See `OnCommit`."""
        said = self._said(commits)
        keeper = self._keeper
        worker = keeper.name if keeper is not None else 0
        if over := sorted(each.id for each in said.over if each.worker == worker):
            await connection.execute(_PAID, {"ids": over, "worker": worker})
        rows, alarms = None, None
        if said.owed:
            given = {
                "args": [_encode(effects_args(key, effects)).decode() for key, effects in said.owed],
                "queue": EFFECTS,
                "worker": worker,
                "seconds": self._lasts / 1000,
                "room": keeper.room if keeper is not None else 0,
            }
            rows = await connection.execute(_OWN, given)
        taken, spare, free = self._jobs_of_alarms(said)
        if said.alarms:
            given = {
                "ids": taken,
                "args": [_encode(alarm_args(each)).decode() for each in said.alarms],
                "due": [min(each.due, LATEST) for each in said.alarms],
                "queue": ALARMS,
            }
            alarms = await connection.execute(_SET, given)
        if free:
            await connection.execute(_CLEARED, {"ids": free, "queue": ALARMS})

        async def kept() -> None:
            self._forget_paid(said)
            if rows is not None:
                self._keep(said, await rows.fetchall())
            self._note_alarms(said, spare, await alarms.fetchall() if alarms is not None else [])

        return kept

    def _said(self, commits: Sequence[Commit]) -> _Said:
        owed: dict[StreamKey, dict[str, None]] = {}
        paid: dict[Identity, None] = {}
        alarms: dict[Identity, Alarm | None] = {}
        for commit in commits:
            mine = owed.setdefault(commit.key, {})
            for effect_id in commit.drop_effects:
                mine.pop(effect_id, None)
                paid[commit.key, effect_id] = None
            mine |= {each.effect_id: None for each in commit.add_effects if not each.parked}
            for name in commit.clear_alarms:
                alarms[commit.key, name] = None
            for alarm in commit.set_alarms:
                alarms[commit.key, alarm.name] = alarm
        touched = {own for each in paid if (own := self._own.get(each)) is not None}
        return _Said(
            [(key, list(effects)) for key, effects in owed.items() if effects],
            list(paid),
            [own for own in touched if own.left <= paid.keys()],
            [each for each in alarms.values() if each is not None],
            [identity for identity, each in alarms.items() if each is None],
            {commit.key for commit in commits if not commit.is_open},
        )

    def _jobs_of_alarms(self, said: _Said) -> tuple[list[int | None], dict[StreamKey, int], list[int]]:
        """Return a job id for each alarm that is set, one reusable job for each open stream, and the jobs to delete."""
        free: dict[StreamKey, list[int]] = {}
        for key, name in [*said.cleared, *((key, SPARE) for key in self._with_alarms(said))]:
            if (job := self._alarms.get((key, name))) is not None:
                free.setdefault(key, []).append(job)
        taken: list[int | None] = [self._alarms.get((each.key, each.name)) for each in said.alarms]
        for nth, each in enumerate(said.alarms):
            if taken[nth] is None and free.get(each.key):
                taken[nth] = free[each.key].pop()
        spare = {key: jobs.pop() for key, jobs in free.items() if jobs and key not in said.ended}
        return taken, spare, sorted(job for jobs in free.values() for job in jobs)

    def _with_alarms(self, said: _Said) -> set[StreamKey]:
        return {each.key for each in said.alarms}.union((key for key, _ in said.cleared), said.ended)

    def _forget_paid(self, said: _Said) -> None:
        for each in said.paid:
            if (own := self._own.pop(each, None)) is not None:
                own.left.discard(each)
        if self._keeper is not None:
            for own in said.over:
                self._keeper.release(own.id, own.worker)

    def _keep(self, said: _Said, rows: Sequence[tuple[int, int | None]]) -> None:
        for (key, effects), (job, worker) in zip(said.owed, rows, strict=True):
            if worker is not None and self._keeper is not None and worker == self._keeper.name:
                own = _Own(job, worker, {(key, each) for each in effects})
                self._own |= dict.fromkeys(own.left, own)
                self._keeper.keep(Job(job, key, {"effects": effects}, is_anew=False, is_own=True), worker)

    def _note_alarms(self, said: _Said, spare: Mapping[StreamKey, int], rows: Sequence[tuple[int | None, int]]) -> None:
        for identity in said.cleared:
            self._alarms.pop(identity, None)
        for key in self._with_alarms(said):
            self._alarms.pop((key, SPARE), None)
        self._alarms |= {(key, SPARE): job for key, job in spare.items()}
        moved = {nth: job for nth, job in rows if nth is not None}
        added = iter(job for nth, job in rows if nth is None)
        for nth, alarm in enumerate(said.alarms, start=1):
            self._alarms[alarm.key, alarm.name] = moved[nth] if nth in moved else next(added)
            self._alarms.move_to_end((alarm.key, alarm.name))
        while len(self._alarms) > MOST_ALARMS:
            self._alarms.popitem(last=False)
