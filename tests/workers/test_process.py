"""Processes are bounded, and nothing is left of them, whatever they do and whatever becomes of us."""

import asyncio
import os
import select
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.workers.process import Flooded, Launch, NotStarted, ProcessTrouble, Stalled, TimedOut, started

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
    bounds = {"silence": 2} | bounds
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
