import sys

import pytest

if sys.platform == "win32":
    collect_ignore_glob = ["test_*"]  # nothing there ends a process as SIGKILL does


@pytest.fixture(scope="session", autouse=True)
def warm() -> None:
    from .bots import warm_up

    warm_up()
