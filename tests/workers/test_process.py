"""Processes are bounded, and nothing is left of them, whatever they do and whatever becomes of us."""

import asyncio
import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.runtime.clock import JumpingClock
from engine.workers.process import (
    GUARD,
    KEPT_STDERR,
    Flooded,
    Launch,
    NotStarted,
    ProcessTrouble,
    Stalled,
    TimedOut,
    started,
)
from engine.workers.sandbox import available

from ..equipment import SANDBOX

NOW = 1_800_000_000_000
ROOT = Path(__file__).parent.parent.parent


def launch(folder: Path, *command: str, **bounds: Any) -> Launch:
    told: dict[str, Any] = {"total": 60, "silence": 60, "output_bytes": 100_000, "grace": 0.2}
    return Launch(command, folder, {"PATH": os.environ["PATH"]}, **told | bounds)


def python(body: str) -> tuple[str, ...]:
    return (sys.executable, "-I", "-S", "-u", "-c", body)


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b") ")[2][:1] != b"Z"
    except OSError:
        return False


async def run(launched: Launch) -> int:
    """Take whatever it prints, until it has ended."""
    async with started(launched) as process:
        async for _ in process.lines():
            pass
        return await process.ended()


def await_end(process: int) -> None:
    """Wait until a process has ended, which is none of ours; what `os.pidfd_open` returned."""
    assert select.select([process], [], [], 20)[0], "it still runs"
    os.close(process)


async def test_it_is_told_and_tells(tmp_path: Path) -> None:
    async with started(launch(tmp_path, "sh", "-c", "cat; echo no >&2; pwd; exit 3")) as process:
        await process.write(b"hello\n", close=True)
        assert [line async for line in process.lines()] == [b"hello", str(tmp_path).encode()]
        assert await process.ended() == 3
        assert process.stderr == "no\n"


@pytest.mark.parametrize(
    ("command", "bounds", "trouble"),
    [
        (("no-such-program",), {}, NotStarted),
        (python("import time; time.sleep(600)"), {"silence": 0.2}, Stalled),
        (python("while True: print('x')"), {"output_bytes": 1_000}, Flooded),
        (("yes",), {}, Flooded),
        (python("import sys\nwhile True: print('x', file=sys.stderr)"), {"output_bytes": 1_000}, Flooded),
        (python("import time\nwhile True: print(1); time.sleep(0.01)"), {"total": 0.3}, TimedOut),
    ],
    ids=["not there", "silent", "floods stdout", "floods stdout quickly", "floods stderr", "never ends"],
)
async def test_its_bounds_hold(
    tmp_path: Path, command: tuple[str, ...], bounds: dict[str, Any], trouble: type[ProcessTrouble]
) -> None:
    with pytest.raises(trouble):
        await run(launch(tmp_path, *command, **bounds))


LEAVES = {
    "a child": "import subprocess, sys; p = subprocess.Popen(['sleep', '600']); print(p.pid); sys.stdin.read()",
    "a grandchild in a session of its own": (
        "import subprocess; p = subprocess.Popen(['sleep', '600'], start_new_session=True); print(p.pid); input()"
    ),
    "a daemon that was forked twice": (
        "import os, time\n"
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    if os.fork() == 0:\n"
        "        print(os.getpid()); os.close(1); time.sleep(600)\n"
        "    os._exit(0)\n"
        "os.wait(); input()"
    ),
    "one that ignores being told to end": (
        "import os, signal, time\n"
        "if os.fork() == 0:\n"
        "    signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "    print(os.getpid()); os.close(1); time.sleep(600)\n"
        "input()"
    ),
}
only_linux = pytest.mark.skipif(sys.platform != "linux", reason="descendants are found in /proc")


@only_linux
@pytest.mark.parametrize("body", LEAVES.values(), ids=LEAVES.keys())
async def test_nothing_is_left_of_what_it_has_begun(tmp_path: Path, body: str) -> None:
    async with started(launch(tmp_path, *python(body))) as process:
        pid = int(await anext(process.lines()))
        assert is_running(pid)
    assert not is_running(pid)


@only_linux
async def test_cancelled_it_is_ended_first(tmp_path: Path) -> None:
    told: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def goes_on() -> None:
        body = "import os, signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(os.getpid()); input()"
        async with started(launch(tmp_path, *python(body))) as process:
            told.set_result(int(await anext(process.lines())))
            await process.ended()

    task = asyncio.create_task(goes_on())
    pid = await told
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert not is_running(pid)


OURS = """
import asyncio, os, sys
from pathlib import Path
from engine.workers.process import Launch, started

async def main():
    body = ("import subprocess, time; p = subprocess.Popen(['sleep', '600'], start_new_session=True); "
            "print(p.pid, flush=True); time.sleep(600)")
    bounds = dict(total=600, silence=600, output_bytes=1000, grace=0.2)
    command = (sys.executable, "-I", "-S", "-c", body)
    async with started(Launch(command, Path(sys.argv[1]), {"PATH": os.environ["PATH"]}, **bounds)) as process:
        async for line in process.lines():
            print(line.decode(), flush=True)

asyncio.run(main())
"""


@only_linux
def test_killed_ourselves_nothing_is_left_either(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, "-c", OURS, str(tmp_path)], stdout=subprocess.PIPE, env=environment, text=True
    ) as ours:
        assert ours.stdout is not None
        grandchild = os.pidfd_open(int(ours.stdout.readline()))
        ours.kill()
    await_end(grandchild)


@pytest.mark.parametrize(
    ("bounds", "trouble"),
    [
        pytest.param({"total": 3600, "silence": 7200}, TimedOut, id="it takes too long"),
        pytest.param({"total": 7200, "silence": 3600}, Stalled, id="it is silent for too long"),
    ],
)
async def test_an_hour_is_counted_by_the_clock(
    tmp_path: Path, bounds: dict[str, Any], trouble: type[ProcessTrouble]
) -> None:
    clock = JumpingClock(NOW)
    async with started(launch(tmp_path, "cat", clock=clock, **bounds)) as process:
        lines = process.lines()
        await process.write(b"begun\n")
        assert await anext(lines) == b"begun"
        waiting = asyncio.ensure_future(anext(lines))
        while clock.next_wake is None:  # noqa: ASYNC110 - a clock has no event for it
            await asyncio.sleep(0)
        clock.jump(NOW + 3_599_000)
        for _ in range(20):
            await asyncio.sleep(0)
        assert not waiting.done()
        clock.jump(NOW + 3_600_000)
        with pytest.raises(trouble):
            await waiting


async def test_what_it_printed_to_stderr_is_kept_for_whoever_runs_it(tmp_path: Path) -> None:
    kept = tmp_path / "stderr" / "T-1" / "1.txt"
    await run(launch(tmp_path, "sh", "-c", "echo oh no >&2; exit 1", stderr=kept))
    assert kept.read_text() == "oh no\n"
    assert kept.stat().st_mode & 0o077 == 0


async def test_of_much_on_stderr_the_end_is_kept(tmp_path: Path) -> None:
    kept = tmp_path / "stderr.txt"
    await run(launch(tmp_path, "sh", "-c", "yes | head -c 90000 >&2; echo the end >&2", stderr=kept))
    assert kept.stat().st_size == KEPT_STDERR
    assert kept.read_text().endswith("the end\n")


@only_linux
async def test_in_a_sandbox_nothing_is_left_either(tmp_path: Path) -> None:
    """Whoever goes on holds the pipe open, whatever its number is outside."""
    SANDBOX.needed()
    os.mkfifo(tmp_path / "pipe")
    body = (
        "import os, signal, subprocess; signal.signal(signal.SIGTERM, signal.SIG_IGN); held = open('pipe', 'w')\n"
        "subprocess.Popen(['sleep', '600'], start_new_session=True, pass_fds=(held.fileno(),)); print(1)\n"
        "signal.pause()"
    )
    held = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    async with started(launch(tmp_path, *python(body), sandbox=available())) as process:
        assert await anext(process.lines()) == b"1"
        with pytest.raises(BlockingIOError):
            os.read(held, 1)
    assert os.read(held, 1) == b""
    os.close(held)


async def test_a_program_gets_its_signals_as_they_usually_are(tmp_path: Path) -> None:
    """Python ignores a broken pipe, and whatever it starts would as well."""
    async with started(launch(tmp_path, "sh", "-c", "(yes; echo $? >&2) | head -1")) as process:
        assert [line async for line in process.lines()] == [b"y"]
        await process.ended()
        assert process.stderr.strip() == "141"


async def test_whoever_does_not_read_is_not_waited_for(tmp_path: Path) -> None:
    with pytest.raises(Stalled):
        async with started(launch(tmp_path, "sleep", "600", silence=0.2)) as process:
            await process.write(b"x" * 1_000_000)


async def test_whoever_has_closed_its_stdin_is_written_to_in_vain(tmp_path: Path) -> None:
    async with started(launch(tmp_path, "sh", "-c", "exec <&-; echo closed; cat /dev/null; exit 5")) as process:
        assert await anext(process.lines()) == b"closed"
        await process.write(b"x" * 1_000_000, close=True)
        assert await process.ended() == 5


@only_linux
async def test_whoever_kills_its_guard_is_killed_with_it(tmp_path: Path) -> None:
    body = "import os, signal; print(os.getpid()); input(); os.kill(os.getppid(), signal.SIGKILL); signal.pause()"
    async with started(launch(tmp_path, *python(body))) as process:
        worker = os.pidfd_open(int(await anext(process.lines())))
        await process.write(b"now\n")
        assert await process.ended() == -signal.SIGKILL
    await asyncio.to_thread(await_end, worker)


@only_linux
async def test_what_it_leaves_behind_when_it_kills_its_guard_is_ended_too(tmp_path: Path) -> None:
    """It holds the output open, and has left its session."""
    body = (
        "import os, signal, subprocess\n"
        "left = subprocess.Popen(['sh', '-c', 'sleep 600 & echo $!; wait'], start_new_session=True)\n"
        "input(); print(os.getpid()); input(); os.kill(os.getppid(), signal.SIGKILL); signal.pause()"
    )
    async with started(launch(tmp_path, *python(body))) as process:
        lines = process.lines()
        left = os.pidfd_open(int(await anext(lines)))
        await process.write(b"\n")
        worker = os.pidfd_open(int(await anext(lines)))
        await process.write(b"now\n")
        await asyncio.to_thread(await_end, worker)
    await asyncio.to_thread(await_end, left)


def test_a_guard_that_hears_nothing_any_more_ends_everything() -> None:
    """As of a process that was stopped, and that others take for gone."""
    ours, theirs = os.pipe()
    try:
        guard = subprocess.Popen(
            [sys.executable, "-I", "-S", str(GUARD), str(ours), "0.2", "0.3", *python("import time; time.sleep(60)")],
            pass_fds=(ours,),
        )
        guard.wait(30)
    finally:
        os.close(ours)
        os.close(theirs)


async def test_a_guard_that_hears_of_us_lets_it_go_on(tmp_path: Path) -> None:
    assert await run(launch(tmp_path, *python("import time; time.sleep(3.3)"), unheard=3.0)) == 0
