"""For every test: a developer's own Slack workspace is out of reach."""

import os
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def nobody_s_own_workspace() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name in [each for each in os.environ if each.startswith(("SLACK_", "TOWOW_"))]:
            patch.delenv(name)
        yield
