"""Whatever is done to both, the database and the dicts say the same: memory is the model that PostgreSQL is held to."""

import pytest
from hypothesis import Phase, settings

from engine.store.memory import MemoryStore
from engine.store.memory_sharing import MemorySharing
from engine.store.postgres import PostgresStore
from tests.examples import examples
from tests.postgres import PostgresServer

from .test_sqlite_against_memory import BothStores


class PostgresAndMemory(BothStores):
    server: PostgresServer

    def begin(self) -> None:
        self.schema = self.server.schema()
        self.memory = MemoryStore(MemorySharing())
        self.other = PostgresStore(self.schema.__enter__())

    def teardown(self) -> None:
        super().teardown()
        self.schema.__exit__(None, None, None)


@pytest.fixture(scope="module", autouse=True)
def server(postgres_server: PostgresServer) -> None:
    PostgresAndMemory.server = postgres_server


TestPostgresAndMemory = PostgresAndMemory.TestCase
# To make a case smaller would take minutes: each example is a schema of its own.
TestPostgresAndMemory.settings = settings(
    max_examples=examples(5), stateful_step_count=15, deadline=None, phases=[Phase.reuse, Phase.generate]
)
