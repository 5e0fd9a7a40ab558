"""Starts a command and sees to it that nothing of it is left, whatever becomes of whoever started it.

Run as a program: ``guard.py LIFELINE SECONDS UNHEARD COMMAND...``. LIFELINE is a pipe that ToWow alone holds open: when
it closes, ToWow has ended, also by a kill; so it counts as well where it writes nothing for UNHEARD seconds, unless
these are 0: then it may be silent. Then, on SIGTERM, and once the command has ended, everything that it has begun
is ended: told to, and killed after SECONDS. On Linux that includes what has left its group, or was left by its parent.

It needs nothing but the standard library, so that it starts in a few milliseconds.
"""

import contextlib
import ctypes
import os
import select
import signal
import sys
import time

SUBREAPER = 36
"""``PR_SET_CHILD_SUBREAPER``: whatever a descendant leaves becomes our child."""
DEATH_SIGNAL = 1
"""``PR_SET_PDEATHSIG``: a process is killed when the one that began it has ended."""
NOT_STARTED = 127
TICK = 0.02
"""Seconds between two looks at whether those that were told to end have ended."""


def main(lifeline: int, grace: float, unheard: float, command: list[str]) -> int:
    _control(SUBREAPER, 1)
    ended, woken = os.pipe()
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
    asked = [False]

    def ask(_number: int, _frame: object) -> None:
        asked[0] = True

    signal.signal(signal.SIGTERM, ask)
    signal.signal(signal.SIGINT, ask)
    signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
    child = _start(command, keep_out=(lifeline, ended, woken))
    code: int | None = None
    heard = time.monotonic()
    while code is None and not asked[0]:
        left = heard + unheard - time.monotonic() if unheard else None
        ready, _, _ = select.select([lifeline, ended], [], [], left and max(0.0, left))
        if not ready and unheard:
            break
        if lifeline in ready:
            if not os.read(lifeline, 4096):
                break
            heard = time.monotonic()
        if ended in ready:
            os.read(ended, 4096)
            code = _reaped(child)
    _end_all(child, grace)
    return code if code is not None else _reaped(child) or 0


def _control(option: int, value: int) -> None:
    """Call Linux's ``prctl``; elsewhere, do nothing."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _start(command: list[str], keep_out: tuple[int, ...]) -> int:
    """Start the command in a group of its own, and return its number."""
    child = os.fork()
    if child:
        return child
    try:
        os.setsid()
        _control(DEATH_SIGNAL, signal.SIGKILL)  # should this process itself be killed
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGCHLD, signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        for each in keep_out:
            os.close(each)
        os.execvp(command[0], command)  # noqa: S606 - without a shell, on purpose
    except OSError as error:
        sys.stderr.write(f"{command[0]} cannot be started: {error.strerror}\n")
        sys.stderr.flush()
    os._exit(NOT_STARTED)


def _reaped(child: int) -> int | None:
    """Take notice of whatever has ended; return how the command did, once it has."""
    code: int | None = None
    with contextlib.suppress(ChildProcessError):
        while True:
            number, status = os.waitpid(-1, os.WNOHANG)
            if number == 0:
                break
            if number == child:
                code = os.waitstatus_to_exitcode(status)
                code = code if code >= 0 else 128 - code
    return code


def _end_all(child: int, grace: float) -> None:
    """Tell everything to end, and kill what has not by then; also what begins meanwhile."""
    until = time.monotonic() + grace
    _signal_all(child, signal.SIGTERM)
    while _left(child) and time.monotonic() < until:
        time.sleep(TICK)
        _reaped(child)
    while _left(child):
        _signal_all(child, signal.SIGKILL)
        _reaped(child)
        time.sleep(TICK)


def _left(child: int) -> bool:
    """Whether anything is left. Whatever its parent has left is our child, so that it shows here however fast it is."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        pass
    else:
        return True
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child, 0)
        return not os.path.isdir("/proc/self")  # on Linux nothing of the group is left that is not our child
    return False


def _signal_all(child: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child, number)
    for each in _descendants():
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(each, number)


def _descendants() -> list[int]:
    """Every process that descends from this one and has not ended; on Linux only."""
    parents: dict[int, list[int]] = {}
    try:
        entries = os.listdir("/proc")
    except OSError:
        return []
    for name in entries:
        if name.isdecimal():
            with contextlib.suppress(OSError, ValueError, IndexError), open(f"/proc/{name}/stat", "rb") as file:
                state, parent = file.read().rpartition(b") ")[2].split()[:2]
                if state != b"Z":
                    parents.setdefault(int(parent), []).append(int(name))
    found, look = [], [os.getpid()]
    while look:
        for each in parents.get(look.pop(), []):
            found.append(each)
            look.append(each)
    return found


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3]), sys.argv[4:]))
