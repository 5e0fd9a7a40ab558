"""The image, the compose file and the service: what they name exists, and what they run works as they run it."""

import asyncio
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, Final

import pytest

from bot.config import IN_FILES, SECRETS, VARIABLES
from bot.environment import IN_FILE
from bot.local_slack import LocalWorkspace
from engine.workers.sandbox import available

from .deployment import FOLDER, ROOT, compose, instructions, service

KNOWN: Final = {each.name for each in VARIABLES} | {f"{name}{IN_FILE}" for name in IN_FILES}
OURS: Final = re.compile(r"TOWOW_|SLACK_|ANTHROPIC_|LLM_|OTEL_")
IN_TIME: Final = 30
"""Seconds."""
DRAINED: Final = 10
"""Seconds that the bot takes at most to end."""
NOBODY: Final = 10001
ANALYZE: Final = shutil.which("systemd-analyze") or ""
HEALTH: Final = [
    sys.executable,
    *json.loads(next(each.said for each in instructions() if each.name == "HEALTHCHECK").partition("CMD ")[2])[1:],
]
APART: Final = (
    "bwrap", "--die-with-parent", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--cap-drop", "ALL",
    "--unshare-user", "--uid", f"{NOBODY}", "--gid", f"{NOBODY}",
)  # fmt: skip


def image_environment() -> dict[str, str]:
    said = " ".join(each.said for each in instructions() if each.name == "ENV")
    return dict(each.partition("=")[::2] for each in said.split())


def bots() -> Mapping[str, dict[str, Any]]:
    return {name: each for name, each in compose()["services"].items() if name.startswith("bot-")}


# ── the image ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_all_that_the_image_is_made_of_exists_and_is_not_left_out() -> None:
    copied = [each.words[:-1] for each in instructions() if each.name == "COPY" and "--from" not in each.said]
    sources = {source for words in copied for source in words}
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")}

    assert {source for source in sources if not (ROOT / source).exists()} == set()
    assert sources == kept


def test_the_image_has_whatever_the_wheel_is_made_of() -> None:
    build = (ROOT / "pyproject.toml").read_text("utf-8")
    forced = set(re.findall(r'^"?([\w./]+)"? = "(?:bot|engine)/', build, re.MULTILINE))

    copied = {word for each in instructions() if each.name == "COPY" for word in each.words}
    assert forced >= {"prompts", "profiles", "manifest.yml"}
    assert forced | {"bot", "engine", "README.md", "LICENSE", "constraints.txt"} <= copied


def test_what_is_installed_is_pinned_and_only_the_last_stage_is_shipped() -> None:
    [install] = [each for each in instructions() if each.name == "RUN" and "pip install" in each.said]
    [copied] = [each for each in instructions() if each.name == "COPY" and "--from" in each.said]

    assert "--constraint constraints.txt" in install.said
    assert install.stage == 0
    assert (copied.stage, copied.said.split()[0]) == (1, "--from=build")


def test_it_runs_as_a_user_by_number_who_is_not_root_and_ends_at_sigterm() -> None:
    last = {each.name: each.said for each in instructions() if each.stage == 1}

    assert last["USER"] == f"{NOBODY}:{NOBODY}"
    assert last["STOPSIGNAL"] == "SIGTERM"
    assert last["VOLUME"] == last["WORKDIR"] == str(Path(image_environment()["TOWOW_DB"]).parent)


def test_no_secret_is_baked_in() -> None:
    said = [each.said for each in instructions() if each.name in ("ENV", "ARG", "RUN")]
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()

    assert not [(name, line) for name in SECRETS for line in said if name in line]
    assert "*" in ignored
    assert not [each for each in ignored if each.startswith("!") and fnmatch(".env", each[1:])]


# ── what is named ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_variable_that_is_named_is_one_that_is_read() -> None:
    of_bots = {name for each in bots().values() for name in each["environment"]}
    of_service = {each.partition("=")[0] for line in service()["Environment"] for each in line.split()}
    of_image = {name for name in image_environment() if OURS.match(name)}

    for names in (of_bots, of_service, of_image):
        assert len(names) > 2
        assert names - KNOWN == set()


def test_two_bots_begin_once_the_database_is_well_and_one_after_the_other() -> None:
    first, second = (each["depends_on"] for each in bots().values())

    assert compose()["services"]["database"]["healthcheck"]["test"][1] == "pg_isready"
    assert first == {"database": {"condition": "service_healthy"}}
    assert second == first | {"bot-1": {"condition": "service_healthy"}}


def test_nothing_is_reached_from_outside_of_the_machine_and_nothing_may_become_more() -> None:
    ports = [port for each in compose()["services"].values() for port in each.get("ports", ())]

    assert len(ports) == len(bots())
    assert all(port.startswith("127.0.0.1:") for port in ports)
    for each in bots().values():
        assert each["read_only"]
        assert each["cap_drop"] == ["ALL"]
        assert each["security_opt"] == ["no-new-privileges:true"]
        assert int(each["stop_grace_period"].removesuffix("s")) > DRAINED


def test_secrets_come_as_files_and_each_is_declared() -> None:
    said = compose()
    for each in said["services"].values():
        for name, value in each["environment"].items():
            assert name not in SECRETS or value.startswith("/run/secrets/"), name
            if str(value).startswith("/run/secrets/"):
                assert Path(value).name in each["secrets"]
        assert {*each["secrets"]} <= {*said["secrets"]}


@pytest.mark.skipif(not ANALYZE, reason="systemd is not installed")
def test_systemd_takes_the_service_and_finds_it_little_exposed(tmp_path: Path) -> None:
    said = (FOLDER / "towow.service").read_text("utf-8").replace("/opt/towow/bin/towow", "/bin/true")
    (unit := tmp_path / "towow.service").write_text(said)

    verified = subprocess.run([ANALYZE, "verify", unit], capture_output=True, text=True)
    exposed = subprocess.run(
        [ANALYZE, "security", "--offline=yes", "--threshold=20", unit], capture_output=True, text=True
    )

    assert (verified.returncode, verified.stderr) == (0, "")
    assert exposed.returncode == 0, exposed.stdout.splitlines()[-1]


def test_the_service_has_time_to_drain_and_is_not_started_again_for_wrong_settings() -> None:
    said = service()

    assert said["KillSignal"] == ["SIGTERM"]
    assert int(said["TimeoutStopSec"][0]) > DRAINED
    assert said["RestartPreventExitStatus"] == ["2"]


# ── what is run ───────────────────────────────────────────────────────────────────────────────────────────────────────


@asynccontextmanager
async def contained(data: Path, **variables: str) -> AsyncIterator[Process]:
    """Run the image's command as the image does: as its user, with a root that can be read only, beside its volume.

    Where this machine has no bubblewrap, it is only run with the image's environment.
    """
    said = [word for each in instructions() if each.name in ("ENTRYPOINT", "CMD") for word in each.words]
    assert said == ["towow", "run"]
    environment = image_environment() | {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **variables}
    apart = [*APART, "--bind", str(data), str(data)] if available() else []
    process = await asyncio.create_subprocess_exec(
        *apart, sys.executable, "-m", "bot", "run", env=environment, cwd=data, stdout=PIPE
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


def innermost(pid: int) -> int:
    """Return the process that another one, which only surrounds it, has started; itself where there is none."""
    children = Path(f"/proc/{pid}/task/{pid}/children")
    started = children.read_text().split() if children.is_file() else []
    return innermost(int(started[0])) if started else pid


SECRET_FOLDER: Final = "/run/secrets/"
AS_SET: Final = re.compile(r"\$\{\w+:-(.*)\}")


def composed_environment(name: str, secrets: Path) -> dict[str, str]:
    """Return what a bot of the compose file has in its environment, with its secrets in another folder."""
    said = {key: AS_SET.sub(r"\1", str(value)) for key, value in bots()[name]["environment"].items()}
    return {key: value.replace(SECRET_FOLDER, f"{secrets}/") for key, value in said.items()}


@pytest.mark.parametrize("name", bots())
async def test_what_the_compose_file_starts_is_started_with_the_image_s_settings(name: str, tmp_path: Path) -> None:
    """Its database is a file here, which stands where the address of the server would."""
    data, secrets = tmp_path / "data", tmp_path / "secrets"
    data.mkdir()
    secrets.mkdir()
    async with LocalWorkspace() as workspace:
        kept = {
            "database_url": str(data / "towow.db"),
            "slack_bot_token": workspace.bot_token,
            "slack_app_token": workspace.app_token,
            "anthropic_api_key": "sk-ant-none",
            "api_tokens": "reader read - secret-of-a-reader-that-is-long-enough",
        }
        assert {*kept} == {*bots()[name]["secrets"]}
        for file, text in kept.items():
            (secrets / file).write_text(text)
            (secrets / file).chmod(0o644)
        environment = composed_environment(name, secrets)
        here = {each: str(data / Path(environment[each]).name) for each in ("TOWOW_SESSIONS", "TOWOW_LOGS")}
        own = {"SLACK_API_URL": workspace.api_url, "TOWOW_API_HOST": "127.0.0.1", "TOWOW_API_PORT": "0"}
        async with contained(data, **environment | here | own) as towow, asyncio.timeout(IN_TIME):
            assert towow.stdout is not None
            while b"ToWow is connected" not in (line := await towow.stdout.readline()):
                assert line, "it ended at its start"


async def test_it_serves_and_drains_with_a_root_that_can_be_read_only_as_nobody_in_particular(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    async with LocalWorkspace() as workspace:
        own = {"SLACK_BOT_TOKEN": workspace.bot_token, "SLACK_APP_TOKEN": workspace.app_token}
        more = {"SLACK_API_URL": workspace.api_url, "TOWOW_API_PORT": str(port), "TOWOW_DB": str(data / "towow.db")}
        async with contained(data, **own, **more) as towow, asyncio.timeout(IN_TIME):
            assert towow.stdout is not None
            while b"ToWow is connected" not in await towow.stdout.readline():
                pass
            checked = await asyncio.create_subprocess_exec(*HEALTH, env=os.environ | more, cwd=ROOT, stdout=DEVNULL)
            assert await checked.wait() == 0

            os.kill(innermost(towow.pid), signal.SIGTERM)

            started = time.monotonic()
            assert await towow.wait() == 0
            assert time.monotonic() - started < DRAINED
            checked = await asyncio.create_subprocess_exec(*HEALTH, env=os.environ | more, cwd=ROOT, stdout=DEVNULL)
            assert await checked.wait() == 1
    assert {each.name for each in data.iterdir()} == {"towow.db", "towow.db-identity", "towow.db-lock"}
