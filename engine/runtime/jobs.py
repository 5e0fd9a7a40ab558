"""Effects and alarms as jobs of Procrastinate, in the database of a store that several processes share.

Its tables, its functions and its manager are used, and a worker of our own (`job_worker.py`): Procrastinate's ends when
the database does not answer for a moment, and gives up what it runs. Whatever says here that a job is done, or is
another's to do, says so only while the job is still that worker's: one that was away for too long takes nothing from
whoever went on in its place.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Final

import psycopg
from procrastinate import App, PsycopgConnector
from procrastinate import jobs as procrastinate_jobs
from procrastinate.exceptions import ProcrastinateException
from psycopg_pool import AsyncConnectionPool

from engine.errors import StoreUnavailable
from engine.kernel import Millis, StreamKey
from engine.runtime.job import EFFECTS, Job, effects_args, key_of
from engine.runtime.own_jobs import Keeper, OwnJobs
from engine.store.port import Commit
from engine.store.postgres import PostgresStore

FEWEST_CONNECTIONS: Final = 1
MOST_CONNECTIONS: Final = 4

_INDEX: Final = """
CREATE INDEX IF NOT EXISTS towow_jobs_due
ON procrastinate_jobs (queue_name, (coalesce(scheduled_at, '-infinity'::timestamptz)), id) WHERE status = 'todo'
"""
"""What is due is found among any number of alarms that are to come."""

_FETCH: Final = """
WITH due AS MATERIALIZED (
    SELECT id FROM procrastinate_jobs
    WHERE status = 'todo' AND queue_name = %(queue)s AND coalesce(scheduled_at, '-infinity'::timestamptz) <= now()
    ORDER BY coalesce(scheduled_at, '-infinity'::timestamptz), id LIMIT %(most)s FOR UPDATE SKIP LOCKED
)
UPDATE procrastinate_jobs SET status = 'doing', worker_id = %(worker)s FROM due WHERE procrastinate_jobs.id = due.id
RETURNING procrastinate_jobs.id, args, attempts
"""

_HELD: Final = """
SELECT id, args, attempts FROM procrastinate_jobs
WHERE worker_id = %(worker)s AND status = 'doing' AND queue_name = %(queue)s
"""

_BEAT: Final = """
UPDATE procrastinate_workers SET last_heartbeat = now()
WHERE id = %(worker)s AND last_heartbeat > now() - make_interval(secs => %(seconds)s) RETURNING id
"""

_FINISH: Final = """
DELETE FROM procrastinate_jobs WHERE id = ANY(%(ids)s) AND worker_id = %(worker)s AND status = 'doing' RETURNING id
"""

# Both lock what they find before anything is done with it: what another one takes meanwhile is not found any more.

_PUT_BACK: Final = """
SELECT procrastinate_retry_job_v2(own.id, now() + make_interval(secs => %(seconds)s), NULL, NULL, NULL) FROM (
    SELECT id FROM procrastinate_jobs
    WHERE id = ANY(%(ids)s) AND worker_id = %(worker)s AND status = 'doing' FOR UPDATE
) AS own
"""

_PUT_ALL_BACK: Final = """
SELECT procrastinate_retry_job_v2(own.id, now(), NULL, NULL, NULL) FROM (
    SELECT id FROM procrastinate_jobs WHERE worker_id = %(worker)s AND status = 'doing' FOR UPDATE
) AS own
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


class Jobs:
    """Args:
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
        self._own = OwnJobs()

    async def open(self) -> None:
        with _telling():
            await self._pool.open(wait=True)
            await self._app.open_async(pool=self._pool)

    async def create(self) -> None:
        """Create what is missing; not twice at once."""
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

    async def defer(
        self, connection: "psycopg.AsyncConnection[Any]", commits: Sequence[Commit]
    ) -> Callable[[], Awaitable[None]]:
        """Defer what commits owe and the alarms that they set, in their own transaction; see `OnCommit`."""
        return await self._own.defer(connection, commits)

    def keep_with(self, keeper: Keeper, lasts: Millis) -> None:
        """Give the jobs of what is committed here to the keeper, while its heartbeat is fresh."""
        self._own.keep_with(keeper, lasts)

    def holds(self, key: StreamKey, effect_id: str) -> bool:
        """Whether it was committed here, and its job is still under way here."""
        return self._own.holds(key, effect_id)

    def forget(self, job: Job) -> None:
        """It is not under way here any more."""
        if job.is_own:
            self._own.forget(job.id, [(job.key, each) for each in job.args["effects"]])

    async def defer_effects(self, key: StreamKey, effect_ids: Sequence[str]) -> None:
        """Defer effects whose job was lost. Nobody knows whether they were begun."""
        with _telling():
            await self._manager.batch_defer_jobs_async([_effects_job(key, effect_ids)])

    async def effects(self) -> set[tuple[StreamKey, str]]:
        rows = await self._query(_EFFECTS, queue=EFFECTS)
        return {(key_of(row["args"]), each) for row in rows for each in row["args"]["effects"]}

    async def effects_of(self, key: StreamKey) -> set[str]:
        named = {"stream": key.stream, "team": key.tenant.team_id, "enterprise": key.tenant.enterprise_id}
        rows = await self._query(_EFFECTS_OF, queue=EFFECTS, **named)
        return {each for row in rows for each in row["args"]["effects"]}

    # ── what a worker asks ────────────────────────────────────────────────────────────────────────────────────────

    async def join(self) -> int:
        """Become a worker."""
        with _telling():
            return await self._manager.register_worker()

    async def leave(self, worker: int) -> None:
        """Leave whatever a worker has not done to others."""
        await self._query(_PUT_ALL_BACK, worker=worker)
        with _telling():
            await self._manager.unregister_worker(worker)

    async def beat(self, worker: int, lasts: Millis) -> bool:
        """Say that a worker is there.

        Returns:
            False where it has not said so for too long: what it was doing may be another's by now.
        """
        return bool(await self._query(_BEAT, worker=worker, seconds=lasts / 1000))

    async def fetch(self, queue: str, worker: int, most: int) -> list[Job]:
        """Take at most so many of the jobs that are due."""
        return [_job_of(row) for row in await self._query(_FETCH, queue=queue, worker=worker, most=most)]

    async def held(self, queue: str, worker: int) -> list[Job]:
        """Return whatever a worker has not given back."""
        return [_job_of(row) for row in await self._query(_HELD, queue=queue, worker=worker)]

    async def finish(self, ids: Sequence[int], worker: int) -> None:
        await self._query(_FINISH, ids=list(ids), worker=worker)

    async def put_back(self, ids: Sequence[int], worker: int, after: Millis = 0) -> None:
        """Leave jobs to whoever takes them next, so many milliseconds from now."""
        await self._query(_PUT_BACK, ids=list(ids), worker=worker, seconds=after / 1000)

    async def retry_stalled(self, queue: str, lasts: Millis) -> int:
        """Have done what a worker was doing that has not said for so long that it is there; return how many jobs."""
        return len(await self._query(_RETRY_STALLED, queue=queue, seconds=lasts / 1000))

    async def forget_workers(self, lasts: Millis) -> None:
        """Delete the workers that have not been there for so long."""
        with _telling():
            await self._connector.execute_query_async(_FORGET_WORKERS, seconds=lasts / 1000)

    async def listen(self, queue: str, heard: Callable[[], None]) -> None:
        """Call ``heard`` whenever somebody has deferred a job, for ever."""

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
    """Defer what is committed to the store from now on, in its database."""
    jobs = Jobs(store.url)
    await jobs.open()
    try:
        await jobs.create()
        store.on_commit = jobs.defer
        yield jobs
    finally:
        await jobs.close()


def _effects_job(key: StreamKey, effect_ids: Sequence[str]) -> procrastinate_jobs.Job:
    args = {**effects_args(key, effect_ids), "is_anew": True}
    return procrastinate_jobs.Job(
        id=None, queue=EFFECTS, task_name=EFFECTS, lock=None, queueing_lock=None, task_kwargs=args
    )


def _job_of(row: Mapping[str, Any]) -> Job:
    args = row["args"]
    return Job(row["id"], key_of(args), args, row["attempts"] > 0 or bool(args.get("is_anew")))


@contextmanager
def _telling() -> Iterator[None]:
    try:
        yield
    except (ProcrastinateException, psycopg.Error) as error:
        raise StoreUnavailable(f"PostgreSQL does not take or give jobs: {error.__cause__ or error}") from error
