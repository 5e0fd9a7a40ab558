"""Crash-equivalence: kill the bot anywhere, and what is left in the end is what an uninterrupted run leaves."""

from pathlib import Path

import pytest

from .fuse import Fuse
from .runs import until_none_is_left
from .story import VOTES

pytestmark = pytest.mark.timeout(600)


async def test_killed_after_each_write(tmp_path: Path) -> None:
    assert await until_none_is_left(VOTES, tmp_path, lambda n: Fuse("after", n)) > 20


async def test_killed_before_each_write(tmp_path: Path) -> None:
    assert await until_none_is_left(VOTES, tmp_path, lambda n: Fuse("before", n)) > 20
