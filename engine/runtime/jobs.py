"""Effects and alarms as jobs of Procrastinate, in the database of a store that several processes share.

Its tables, its functions and its manager are used, and a worker of our own (`job_worker.py`): Procrastinate's ends when
the database does not answer for a moment, and gives up what it runs. Whatever says here that a job is done, or is
another's to do, says so only while the job is still that worker's: one that was away for too long takes nothing from
whoever went on in its place.
"""

from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

import psycopg
from procrastinate import App, PsycopgConnector
from procrastinate import jobs as procrastinate_jobs
from procrastinate.exceptions import ProcrastinateException
from psycopg_pool import AsyncConnectionPool

from engine.errors import StoreUnavailable
from engine.kernel import Millis, StreamKey, Tenant
from engine.store.port import Alarm, Commit, PendingEffect
from engine.store.postgres import PostgresStore

EFFECTS: Final = "towow_effects"
ALARMS: Final = "towow_alarms"
"""The names of the queues, and of what is done with a job in each."""

LATEST: Final[Millis] = 253_370_764_800_000
"""The year 9999: no job is scheduled later."""

FEWEST_CONNECTIONS: Final = 1
MOST_CONNECTIONS: Final = 4

_INDEX: Final = """
CREATE INDEX IF NOT EXISTS towow_jobs_by_lock ON procrastinate_jobs (lock, id) WHERE status IN ('todo', 'doing')
"""

_BEAT: Final = """
UPDATE procrastinate_workers SET last_heartbeat = now()
WHERE id = %(worker)s AND last_heartbeat > now() - make_interval(secs => %(seconds)s) RETURNING id
"""

_FINISH: Final = """
SELECT procrastinate_finish_job_v1(id, 'succeeded', true) FROM procrastinate_jobs
WHERE id = ANY(%(ids)s) AND worker_id = %(worker)s AND status = 'doing' FOR UPDATE
"""

_PUT_BACK: Final = """
SELECT procrastinate_retry_job_v2(id, now() + make_interval(secs => %(seconds)s), NULL, NULL, NULL)
FROM procrastinate_jobs WHERE id = ANY(%(ids)s) AND worker_id = %(worker)s AND status = 'doing' FOR UPDATE
"""

_PUT_ALL_BACK: Final = """
SELECT procrastinate_retry_job_v2(id, now(), NULL, NULL, NULL)
FROM procrastinate_jobs WHERE worker_id = %(worker)s AND status = 'doing' FOR UPDATE
"""

_RETRY_STALLED: Final = """
SELECT procrastinate_retry_job_v2(stalled.id, now(), NULL, NULL, NULL) FROM (
    SELECT id FROM procrastinate_jobs
    WHERE status = 'doing' AND queue_name = %(queue)s AND worker_id IN (
        SELECT id FROM procrastinate_workers WHERE last_heartbeat < now() - make_interval(secs => %(seconds)s)
    )
    FOR UPDATE SKIP LOCKED
) AS stalled
"""

_FORGET_WORKERS: Final = """
DELETE FROM procrastinate_workers AS worker
WHERE last_heartbeat < now() - make_interval(secs => %(seconds)s) AND NOT EXISTS (
    SELECT FROM procrastinate_jobs WHERE worker_id = worker.id AND status = 'doing'
)
"""

_EFFECTS: Final = """
SELECT args FROM procrastinate_jobs WHERE queue_name = %(queue)s AND status IN ('todo', 'doing')
"""

_EFFECTS_OF: Final = f"""
{_EFFECTS} AND args->>'stream' = %(stream)s AND args->>'team' = %(team)s AND args->>'enterprise' = %(enterprise)s
"""


class Job(NamedTuple):
    """One that a worker has taken."""

    id: int
    key: StreamKey
    args: Mapping[str, Any]
    is_anew: bool
    """Somebody has begun it before, who did not finish it."""


class Jobs:
    """
    Args:
        url: of the database.
    """

    def __init__(self, url: str) -> None:
        # Every statement is a transaction of its own.
        self._pool = AsyncConnectionPool(
            url,
            min_size=FEWEST_CONNECTIONS,
            max_size=MOST_CONNECTIONS,
            open=False,
            kwargs={"autocommit": True},
        )
        self._connector = PsycopgConnector()
        self._app = App(connector=self._connector)
        self._manager = self._app.job_manager

    async def open(self) -> None:
        """
        Raises:
            StoreUnavailable
        """
        with _telling():
            await self._pool.open(wait=True)
            await self._app.open_async(pool=self._pool)

    async def create(self) -> None:
        """Create what is missing; not twice at once.

        Raises:
            StoreUnavailable
        """
        with _telling():
            async with self._pool.connection() as connection, connection.transaction():
                await connection.execute("SELECT pg_advisory_xact_lock(hashtext('towow_jobs'))")
                found = await (await connection.execute("SELECT to_regclass('procrastinate_jobs')")).fetchone()
                if found == (None,):
                    await connection.execute(self._app.schema_manager.get_schema())
                await connection.execute(_INDEX)

    async def close(self) -> None:
        await self._app.close_async()
        await self._pool.close()

    async def defer(self, connection: "psycopg.AsyncConnection[Any]", commits: Sequence[Commit]) -> None:
        """Defer what commits owe and the alarms that they set, in their own transaction.

        Raises:
            StoreUnavailable
        """
        jobs: list[procrastinate_jobs.Job] = []
        for commit in commits:
            if effects := [each.effect_id for each in commit.add_effects if not each.parked]:
                jobs.append(_effects_job(commit.key, effects))
            jobs += [_alarm_job(each) for each in commit.set_alarms]
        if jobs:
            with _telling():
                await self._manager.batch_defer_jobs_async(jobs, connection=connection)

    async def defer_effects(self, key: StreamKey, effect_ids: Sequence[str]) -> None:
        """Defer effects whose job was lost. Nobody knows whether they were begun.

        Raises:
            StoreUnavailable
        """
        with _telling():
            await self._manager.batch_defer_jobs_async([_effects_job(key, effect_ids, is_anew=True)])

    async def effects(self) -> set[tuple[StreamKey, str]]:
        """Return every effect that a job is for.

        Raises:
            StoreUnavailable
        """
        rows = await self._query(_EFFECTS, queue=EFFECTS)
        return {(_key(row["args"]), each) for row in rows for each in row["args"]["effects"]}

    async def effects_of(self, key: StreamKey) -> set[str]:
        """Return the ids of those of one stream.

        Raises:
            StoreUnavailable
        """
        named = {"stream": key.stream, "team": key.tenant.team_id, "enterprise": key.tenant.enterprise_id}
        rows = await self._query(_EFFECTS_OF, queue=EFFECTS, **named)
        return {each for row in rows for each in row["args"]["effects"]}

    # ── what a worker asks ────────────────────────────────────────────────────────────────────────────────────────

    async def join(self) -> int:
        """Become a worker.

        Raises:
            StoreUnavailable
        """
        with _telling():
            return await self._manager.register_worker()

    async def leave(self, worker: int) -> None:
        """Leave whatever a worker has not done to others.

        Raises:
            StoreUnavailable
        """
        await self._query(_PUT_ALL_BACK, worker=worker)
        with _telling():
            await self._manager.unregister_worker(worker)

    async def beat(self, worker: int, lasts: Millis) -> bool:
        """Say that a worker is there.

        Returns:
            False where it has not said so for too long: what it was doing may be another's by now.

        Raises:
            StoreUnavailable
        """
        return bool(await self._query(_BEAT, worker=worker, seconds=lasts / 1000))

    async def fetch(self, queue: str, worker: int) -> Job | None:
        """Take the next job that is due.

        Raises:
            StoreUnavailable
        """
        with _telling():
            found = await self._manager.fetch_job(queues=[queue], worker_id=worker)
        if found is None:
            return None
        assert found.id is not None  # noqa: S101 - it comes from the table
        args = found.task_kwargs
        return Job(found.id, _key(args), args, found.attempts > 0 or bool(args.get("is_anew")))

    async def finish(self, ids: Sequence[int], worker: int) -> None:
        """Delete jobs that are done.

        Raises:
            StoreUnavailable
        """
        await self._query(_FINISH, ids=list(ids), worker=worker)

    async def put_back(self, ids: Sequence[int], worker: int, after: Millis = 0) -> None:
        """Leave jobs to whoever takes them next, so many milliseconds from now.

        Raises:
            StoreUnavailable
        """
        await self._query(_PUT_BACK, ids=list(ids), worker=worker, seconds=after / 1000)

    async def retry_stalled(self, queue: str, lasts: Millis) -> int:
        """Have done what a worker was doing that has not said for so long that it is there; return how many jobs.

        Raises:
            StoreUnavailable
        """
        return len(await self._query(_RETRY_STALLED, queue=queue, seconds=lasts / 1000))

    async def forget_workers(self, lasts: Millis) -> None:
        """Delete the workers that have not been there for so long.

        Raises:
            StoreUnavailable
        """
        with _telling():
            await self._connector.execute_query_async(_FORGET_WORKERS, seconds=lasts / 1000)

    async def listen(self, queue: str, heard: Callable[[], None]) -> None:
        """Call ``heard`` whenever somebody has deferred a job, for ever.

        Raises:
            StoreUnavailable
        """

        async def notified(*, channel: str, notification: procrastinate_jobs.Notification) -> None:
            heard()

        with _telling():
            await self._manager.listen_for_jobs(on_notification=notified, queues=[queue])

    async def _query(self, query: Any, **arguments: Any) -> list[dict[str, Any]]:
        with _telling():
            found: list[dict[str, Any]] = await self._connector.execute_query_all_async(query, **arguments)
        return found


@asynccontextmanager
async def jobs_of(store: PostgresStore) -> AsyncIterator[Jobs]:
    """Defer what is committed to the store from now on, in its database.

    Raises:
        StoreUnavailable
    """
    jobs = Jobs(store.url)
    await jobs.open()
    try:
        await jobs.create()
        store.on_commit = jobs.defer
        yield jobs
    finally:
        await jobs.close()


def alarm_of(job: Job) -> Alarm:
    return Alarm(job.key, job.args["name"], job.args["generation"], job.args["due"])


def effects_of(job: Job, owed: Mapping[str, PendingEffect]) -> list[PendingEffect]:
    """Return those of its effects that are owed still."""
    found = (owed.get(each) for each in job.args["effects"])
    return [each for each in found if each is not None and not each.parked]


def _effects_job(key: StreamKey, effect_ids: Sequence[str], *, is_anew: bool = False) -> procrastinate_jobs.Job:
    return _job(EFFECTS, key, {"effects": list(effect_ids)} | ({"is_anew": True} if is_anew else {}))


def _alarm_job(alarm: Alarm) -> procrastinate_jobs.Job:
    args = {"name": alarm.name, "generation": alarm.generation, "due": alarm.due}
    at = datetime.fromtimestamp(min(alarm.due, LATEST) / 1000, UTC)
    return _job(ALARMS, alarm.key, args, at)


def _job(
    queue: str, key: StreamKey, args: Mapping[str, Any], scheduled_at: datetime | None = None
) -> procrastinate_jobs.Job:
    tenant = key.tenant
    return procrastinate_jobs.Job(
        id=None,
        queue=queue,
        task_name=queue,
        lock=None,
        queueing_lock=None,
        task_kwargs={"enterprise": tenant.enterprise_id, "team": tenant.team_id, "stream": key.stream, **args},
        scheduled_at=scheduled_at,
    )


def _key(args: Mapping[str, Any]) -> StreamKey:
    return StreamKey(Tenant(args["team"], args["enterprise"]), args["stream"])


@contextmanager
def _telling() -> Iterator[None]:
    """
    Raises:
        StoreUnavailable
    """
    try:
        yield
    except (ProcrastinateException, psycopg.Error) as error:
        raise StoreUnavailable(f"PostgreSQL does not take or give jobs: {error.__cause__ or error}") from error
