"""A server of PostgreSQL for tests, started by whichever test needs one first, and shared by all that run beside."""

import fcntl
import os
import pwd
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psycopg
from psycopg import sql

from .equipment import PGBOUNCER, POSTGRES

USER: Final = "towow"
GUARDED: Final = "guarded"
"""Who needs a password to connect; everybody else does not, which costs less at each connection."""
PASSWORD: Final = "canary-password"

SETTINGS: Final = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "200",
    "shared_buffers": "32MB",
    "autovacuum": "off",
    "logging_collector": "off",
}
CARELESS: Final = {"fsync": "off", "full_page_writes": "off"}
"""Nothing has to outlast the machine."""

_WATCH: Final = """
while kill -0 "$1" 2>/dev/null; do sleep 1; done
kill -QUIT "$(head -1 "$2/data/postmaster.pid")" 2>/dev/null
while kill -0 "$(head -1 "$2/data/postmaster.pid" 2>/dev/null)" 2>/dev/null; do sleep 1; done
rm -rf "$2"
"""
"""Ends the server once the tests have ended, in whatever way."""


@dataclass(frozen=True, slots=True)
class PostgresServer:
    folder: Path
    port: int
    is_careless: bool = True

    @classmethod
    def create(cls, *, is_careless: bool = True) -> "PostgresServer":
        """Make a server that does not run yet. It is gone with this process, or with the one that runs its tests."""
        programs = Path(POSTGRES.needed()).parent
        folder = Path(tempfile.mkdtemp(prefix="towow-postgres-"))
        if os.geteuid() == 0:
            os.chown(folder, _somebody().pw_uid, _somebody().pw_gid)
        server = cls(folder, _free_port(), is_careless)
        _run(
            programs / "initdb", "--no-sync", "--username", USER, "--auth", "trust", "--encoding", "UTF8",
            "--locale", "C", "--pgdata", folder / "data",
        )  # fmt: skip
        rules = f"host all {GUARDED} 127.0.0.1/32 scram-sha-256\nhost all all 127.0.0.1/32 trust\n"
        (folder / "data" / "pg_hba.conf").write_text(rules)
        watched = os.getppid() if "PYTEST_XDIST_WORKER" in os.environ else os.getpid()
        watch = ("/bin/sh", "-c", f"({_WATCH}) </dev/null >/dev/null 2>&1 &", "watch", str(watched), str(folder))
        subprocess.run(watch, start_new_session=True, check=True)
        return server

    def start(self) -> None:
        settings = SETTINGS | {"port": str(self.port)} | (CARELESS if self.is_careless else {})
        options = " ".join(f"-c {name}='{value}'" for name, value in settings.items())
        self._control("start", "--wait", "--options", options, "--log", str(self.folder / "log"))

    def stop(self, mode: str = "fast") -> None:
        """
        Args:
            mode: ``fast``; or ``immediate``, as a kill would end it.
        """
        self._control("stop", "--wait", "--mode", mode)

    def url(self, database: str = USER, *, schema: str = "", user: str = USER, password: str = "") -> str:
        secret = f":{password}" if password else ""
        options = f"?options=-csearch_path%3D{schema}" if schema else ""
        return f"postgresql://{user}{secret}@127.0.0.1:{self.port}/{database}{options}"

    @contextmanager
    def schema(self) -> Iterator[str]:
        """Yield the address of an empty schema, which is as good as a database and made sooner."""
        name = f"test_{secrets.token_hex(8)}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(name)))
        yield self.url(schema=name)
        with psycopg.connect(self.url(), autocommit=True) as connection:  # the server may have been restarted
            connection.execute(sql.SQL("DROP SCHEMA {} CASCADE").format(sql.Identifier(name)))

    def _control(self, *arguments: str) -> None:
        _run(Path(POSTGRES.needed()).parent / "pg_ctl", *arguments, "--pgdata", self.folder / "data", "--silent")


@contextmanager
def pooler(server: PostgresServer, mode: str, *, size: int = 20, round_robin: bool = False) -> Iterator[str]:
    """Yield the address of the server's first database as PgBouncer serves it.

    Args:
        mode: of its pools: ``session``, ``transaction`` or ``statement``.
    """
    program, port = PGBOUNCER.needed(), _free_port()
    with tempfile.TemporaryDirectory(prefix="towow-pgbouncer-") as folder:
        file = Path(folder) / "pgbouncer.ini"
        settings = {
            "listen_addr": "127.0.0.1",
            "listen_port": port,
            "unix_socket_dir": "",
            "auth_type": "any",
            "pool_mode": mode,
            "default_pool_size": size,
            "server_round_robin": int(round_robin),
            "logfile": f"{folder}/log",
        }
        said = "\n".join(f"{name} = {value}" for name, value in settings.items())
        file.write_text(f"[databases]\n* = host=127.0.0.1 port={server.port} user={USER}\n[pgbouncer]\n{said}\n")
        if os.geteuid() == 0:
            os.chown(folder, _somebody().pw_uid, _somebody().pw_gid)
        running = subprocess.Popen([program, "--quiet", str(file)], user=_user())
        try:
            _await_port(port)
            yield f"postgresql://{USER}@127.0.0.1:{port}/{USER}"
        finally:
            running.terminate()
            running.wait()


def _user() -> int | None:
    """Return who runs what root may not; None for ourselves."""
    return _somebody().pw_uid if os.geteuid() == 0 else None


def _await_port(port: int) -> None:
    until = time.monotonic() + 10
    while time.monotonic() < until:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
    raise TimeoutError(f"nobody listens on {port}")


def shared_server(folder: Path) -> PostgresServer:
    """Return the server of all who share this folder, which whoever comes first starts."""
    POSTGRES.needed()
    noted = folder / "postgres"
    with (folder / "postgres-lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not noted.exists():
            server = PostgresServer.create()
            server.start()
            with psycopg.connect(server.url("postgres"), autocommit=True) as connection:
                connection.execute(f"CREATE DATABASE {USER}")
                connection.execute(f"CREATE ROLE {GUARDED} LOGIN PASSWORD '{PASSWORD}'")
            noted.write_text(f"{server.folder} {server.port}")
        where, port = noted.read_text().split()
        return PostgresServer(Path(where), int(port))


def _run(program: Path, *arguments: "str | Path") -> None:
    """PostgreSQL refuses to be root's."""
    shed: Sequence[str] = ()
    if os.geteuid() == 0:
        somebody = _somebody()
        shed = (
            str(shutil.which("setpriv")), f"--reuid={somebody.pw_uid}", f"--regid={somebody.pw_gid}", "--clear-groups"
        )  # fmt: skip
    done = subprocess.run(
        [*shed, program, *arguments], cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{program.name} has failed: {done.stderr.decode(errors='replace')}")


def _somebody() -> pwd.struct_passwd:
    try:
        return pwd.getpwnam("postgres")
    except KeyError:
        return pwd.getpwnam("nobody")


def _free_port() -> int:
    """Return one below those that are given to whoever asks for any: it is used only a while later."""
    while True:
        port = 20_000 + secrets.randbelow(12_000)
        with socket.socket() as asked, suppress(OSError):
            asked.bind(("127.0.0.1", port))
            return port
