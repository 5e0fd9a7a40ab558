"""A process whose event loop hangs as it is told to, for tests that end it.

Arguments: how it hangs, the seconds of grace, and those until the backstop.
"""

import asyncio
import itertools
import re
import sys
import threading
import time

from engine.runtime.ending import ended_by_signals
from engine.runtime.loop_watch import watched_loop
from engine.runtime.parts import Deadline


def in_python() -> None:
    while True:
        pass


def in_a_regular_expression() -> None:
    """Hold all threads up: this pattern tries every way to divide the letters."""
    re.fullmatch("(a+)+b", "a" * 60)


def in_the_system() -> None:
    time.sleep(3_600)


def in_no_bytecode() -> None:
    """Hold all threads up, and every handler of a further signal."""
    sum(itertools.repeat(0))


async def serve(how: str, grace: float, backstop: float) -> None:
    ended = asyncio.Event()
    end = in_no_bytecode if how == "at its end" else ended.set
    with watched_loop(0.2), ended_by_signals(end, Deadline(grace), grace, backstop):
        loop = asyncio.get_running_loop()
        match how:
            case "python":
                loop.call_soon(in_python)
            case "regex":
                loop.call_soon(in_a_regular_expression)
            case "system":
                loop.call_soon(in_the_system)
            case "finishing":
                print("ready", flush=True)
                await ended.wait()
                await asyncio.Event().wait()
            case "thread":
                threading.Thread(target=in_the_system).start()
                print("ready", flush=True)
                await ended.wait()
                return
            case _:
                print("ready", flush=True)
                await ended.wait()
                return
        print("ready", flush=True)
        await ended.wait()


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1], float(sys.argv[2]), float(sys.argv[3])))
