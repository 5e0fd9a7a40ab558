import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .databases import Databases

if sys.platform == "win32":
    collect_ignore_glob = ["test_*"]  # nothing there ends a process as SIGKILL does


@pytest.fixture(scope="session", autouse=True)
def warm() -> None:
    from .bots import warm_up

    warm_up()


@pytest.fixture
def databases(request: pytest.FixtureRequest) -> "Databases":
    """Those of the kind that the test asks for by its parameter."""
    from .databases import file, schemas

    return schemas(request.getfixturevalue("postgres_server")) if request.param == "postgres" else file
