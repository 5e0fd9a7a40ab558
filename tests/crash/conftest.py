import pytest

from . import bots


@pytest.fixture(scope="session", autouse=True)
def warm() -> None:
    bots.warm_up()
