"""The event loop of a process that lives long."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


def run(main: Coroutine[Any, Any, Result]) -> Result:
    """Like `asyncio.run`, on uvloop where it is installed (the extra ``fast``)."""
    try:
        import uvloop
    except ImportError:  # it is optional, and there is none for every platform
        return asyncio.run(main)
    result: Result = uvloop.run(main)
    return result
