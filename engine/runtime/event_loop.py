"""The event loop of a process that lives long."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


def run(main: Coroutine[Any, Any, Result]) -> Result:
    """Like `asyncio.run`, on uvloop where it is installed (the extra ``fast``)."""
    fast = _uvloop()
    # Not while the absence of uvloop is handled: every traceback would begin with it.
    result: Result = fast.run(main) if fast else asyncio.run(main)
    return result


def _uvloop() -> Any:
    try:
        import uvloop
    except ImportError:  # it is optional, and there is none for every platform
        return None
    return uvloop
